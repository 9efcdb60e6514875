package bus

import (
	"context"

	"github.com/nats-io/nats.go/jetstream"
)

// Names of what is kept of submitted bots.
const (
	Bots     = "bots"     // key-value store: the versions of each bot, and what was found at their checks
	Packages = "packages" // object store: the packages by their digests
	Incoming = "incoming" // object store: packages that wait for their check, where authors put them
)

// SubmitSubject is where an arena that serves takes bots in, without a stream.
const SubmitSubject = "bots.submit"

// SetupBots gives the stores of submitted bots, which it makes where they are not there yet.
func (b *Bus) SetupBots(ctx context.Context, js jetstream.JetStream) (kv jetstream.KeyValue, packages jetstream.ObjectStore, err error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err = again(ctx, func(ctx context.Context) (err error) {
		if err = b.ensure(ctx, js, placeOf(Bots)); err == nil {
			kv, err = js.KeyValue(ctx, Bots)
		}
		return err
	})
	if err != nil {
		return nil, nil, placeOf(Bots).failed(err)
	}
	err = again(ctx, func(ctx context.Context) (err error) {
		if err = b.ensure(ctx, js, placeOf(Packages)); err == nil {
			packages, err = js.ObjectStore(ctx, Packages)
		}
		return err
	})
	if err != nil {
		return nil, nil, placeOf(Packages).failed(err)
	}
	return kv, packages, nil
}

// IncomingStore gives the store of packages that wait for their check, which it makes where it is not there yet.
func (b *Bus) IncomingStore(ctx context.Context, js jetstream.JetStream) (store jetstream.ObjectStore, err error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err = again(ctx, func(ctx context.Context) (err error) {
		store, err = b.objectStore(ctx, js, Incoming)
		return err
	})
	if err != nil {
		return nil, placeOf(Incoming).failed(err)
	}
	return store, nil
}
