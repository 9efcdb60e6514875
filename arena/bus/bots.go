package bus

import (
	"context"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// Names of what is kept of submitted bots.
const (
	Bots     = "bots"     // key-value store: the versions of each bot, and what was found at their checks
	Packages = "packages" // object store: the packages by their digests
)

// Verbs of [SubmitSubject].
const (
	Begin  = "begin"
	Part   = "part"
	Finish = "finish"
	Cancel = "cancel"
)

// SubmitSubject is where an author asks that a bot be taken in, without a stream: any desk at first, and then the one that has begun.
// The server lets nobody ask as another author.
func SubmitSubject(author, verb, desk string) string {
	subject := "bots.submit." + author + "." + verb
	if desk != "" {
		subject += "." + desk
	}
	return subject
}

// SubmitAuthor gives the author of a [SubmitSubject].
func SubmitAuthor(subject string) string { return strings.Split(subject, ".")[2] }

// BotStore gives the list of submitted bots, which it makes where it is not there yet.
func (b *Bus) BotStore(ctx context.Context, js jetstream.JetStream) (kv jetstream.KeyValue, err error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err = again(ctx, func(ctx context.Context) (err error) {
		if err = b.ensure(ctx, js, placeOf(Bots)); err == nil {
			kv, err = js.KeyValue(ctx, Bots)
		}
		return err
	})
	if err != nil {
		return nil, placeOf(Bots).failed(err)
	}
	return kv, nil
}

// PackageStore gives the store of the packages, which it makes where it is not there yet.
func (b *Bus) PackageStore(ctx context.Context, js jetstream.JetStream) (packages jetstream.ObjectStore, err error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err = again(ctx, func(ctx context.Context) (err error) {
		packages, err = b.objectStore(ctx, js, Packages)
		return err
	})
	if err != nil {
		return nil, placeOf(Packages).failed(err)
	}
	return packages, nil
}
