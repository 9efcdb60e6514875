package bus

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Names of what is kept of submitted bots.
const (
	Bots     = "bots"     // key-value store: the versions of each bot, and what was found at their checks
	Packages = "packages" // object store: the packages by their digests, and those that wait for their check
)

// SubmitSubject is where an arena that serves takes bots in, without a stream.
const SubmitSubject = "bots.submit"

// SetupBots gives the stores of submitted bots, which it makes where they are not there yet.
func (b *Bus) SetupBots(ctx context.Context, js jetstream.JetStream) (kv jetstream.KeyValue, packages jetstream.ObjectStore, err error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err = again(ctx, func(ctx context.Context) (err error) {
		if kv, err = js.KeyValue(ctx, Bots); errors.Is(err, jetstream.ErrBucketNotFound) {
			kv, err = js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
				Bucket: Bots, Description: "submitted bots", History: 1, MaxBytes: b.size(botsStream), Storage: jetstream.FileStorage, Replicas: 1,
			})
		}
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("store %s: %w", Bots, explain(err))
	}
	err = again(ctx, func(ctx context.Context) (err error) {
		if packages, err = js.ObjectStore(ctx, Packages); errors.Is(err, jetstream.ErrBucketNotFound) {
			packages, err = js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
				Bucket: Packages, Description: "packages of bots", MaxBytes: b.size(packagesStream), Storage: jetstream.FileStorage, Replicas: 1,
			})
		}
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("object store %s: %w", Packages, explain(err))
	}
	return kv, packages, nil
}

// size bounds a stream that is made.
func (b *Bus) size(stream string) int64 {
	return cmp.Or(b.cfg.Sizes.sizeOf(stream), defaultSizes().sizeOf(stream))
}
