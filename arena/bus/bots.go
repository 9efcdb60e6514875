package bus

import (
	"context"
	"fmt"
	"time"

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
		if err = b.ensureBots(ctx, js); err == nil {
			kv, err = js.KeyValue(ctx, Bots)
		}
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("store %s: %w", Bots, explain(err))
	}
	err = again(ctx, func(ctx context.Context) (err error) {
		if err = b.ensurePackages(ctx, js); err == nil {
			packages, err = js.ObjectStore(ctx, Packages)
		}
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("store %s: %w", Packages, explain(err))
	}
	return kv, packages, nil
}

func (b *Bus) ensureBots(ctx context.Context, js jetstream.JetStream) error {
	standard := jetstream.StreamConfig{Name: botsStream, MaxBytes: defaultSizes().Bots}
	return b.ensure(ctx, js, standard, func(ctx context.Context, config jetstream.StreamConfig) error {
		_, err := js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: Bots, Description: "submitted bots", History: 1, MaxBytes: config.MaxBytes, Storage: jetstream.FileStorage, Replicas: 1,
		})
		return err
	})
}

func (b *Bus) ensurePackages(ctx context.Context, js jetstream.JetStream) error {
	return b.ensureObjects(ctx, js, Packages, "packages of bots", defaultSizes().Packages, 0)
}

// incomingFor is how long a package waits for its check, whoever sent it.
const incomingFor = 2 * time.Hour

func (b *Bus) ensureIncoming(ctx context.Context, js jetstream.JetStream) error {
	return b.ensureObjects(ctx, js, Incoming, "packages that wait for their check", defaultSizes().Incoming, incomingFor)
}

// IncomingStore gives the store of packages that wait for their check, which it makes where it is not there yet.
func (b *Bus) IncomingStore(ctx context.Context, js jetstream.JetStream) (store jetstream.ObjectStore, err error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err = again(ctx, func(ctx context.Context) (err error) {
		store, err = objectStore(ctx, js, Incoming, b.ensureIncoming)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", Incoming, explain(err))
	}
	return store, nil
}
