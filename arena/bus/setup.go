package bus

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Sizes bound the streams, in bytes. What is 0 is left as it is, or has its default in a new store. A full stream refuses what
// is new, and keeps what it has.
type Sizes struct{ Events, Results, Jobs, Reports, Replays, Bots, Packages, Incoming int64 }

func defaultSizes() Sizes {
	return Sizes{
		Events: 4 << 30, Results: 64 << 30, Jobs: 1 << 30, Reports: 256 << 20, Replays: 64 << 30, Bots: 256 << 20, Packages: 16 << 30,
		Incoming: 1 << 30,
	}
}

const (
	leastSize = 1 << 30
	mostSize  = 1 << 50
)

// SizesOf divides a number of bytes among the streams, in the proportions of the defaults.
func SizesOf(total int64) (Sizes, error) {
	if total < leastSize || total > mostSize {
		return Sizes{}, fmt.Errorf("a store can have from %s to %s", Bytes(leastSize), Bytes(mostSize))
	}
	standard := defaultSizes()
	sum := float64(standard.Events + standard.Results + standard.Jobs + standard.Reports + standard.Replays +
		standard.Bots + standard.Packages + standard.Incoming)
	part := func(size int64) int64 { return int64(float64(total) * (float64(size) / sum)) }
	return Sizes{
		Events: part(standard.Events), Results: part(standard.Results), Jobs: part(standard.Jobs),
		Reports: part(standard.Reports), Replays: part(standard.Replays),
		Bots: part(standard.Bots), Packages: part(standard.Packages), Incoming: part(standard.Incoming),
	}, nil
}

// Bytes writes a size for people.
func Bytes(n int64) string {
	for _, unit := range []struct {
		size int64
		name string
	}{{1 << 40, "TiB"}, {1 << 30, "GiB"}, {1 << 20, "MiB"}} {
		if n >= unit.size {
			return fmt.Sprintf("%.4g %s", float64(n)/float64(unit.size), unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// Setup makes the streams that are missing, and brings those up to date that differ. It deletes nothing, writes nothing where
// all is as it should be, and may be called by every program.
func (b *Bus) Setup(ctx context.Context, js jetstream.JetStream) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	standard := defaultSizes()
	for _, config := range streams(standard) {
		err := again(ctx, func(ctx context.Context) error {
			return b.ensure(ctx, js, config, func(ctx context.Context, config jetstream.StreamConfig) error {
				_, err := js.CreateStream(ctx, config)
				return err
			})
		})
		if err != nil {
			return fmt.Errorf("stream %s: %w", config.Name, explain(err))
		}
	}
	for _, store := range []struct {
		name   string
		ensure func(context.Context, jetstream.JetStream) error
	}{{Replays, b.ensureReplays}, {Bots, b.ensureBots}, {Packages, b.ensurePackages}, {Incoming, b.ensureIncoming}} {
		err := again(ctx, func(ctx context.Context) error { return store.ensure(ctx, js) })
		if err != nil && (b.cfg.Dir == "" || b.cfg.Room() == nil) { // who only looks does without
			return fmt.Errorf("store %s: %w", store.name, explain(err))
		}
	}
	return nil
}

func (b *Bus) ensureReplays(ctx context.Context, js jetstream.JetStream) error {
	return b.ensureObjects(ctx, js, Replays, "replays on their way", defaultSizes().Replays, 0)
}

// ReplayStore gives the object store of the replays, and makes it if it could not be made before.
func (b *Bus) ReplayStore(ctx context.Context, js jetstream.JetStream) (jetstream.ObjectStore, error) {
	return objectStore(ctx, js, Replays, b.ensureReplays)
}

// objectStore gives a store, which is made where it is not there.
func objectStore(
	ctx context.Context, js jetstream.JetStream, bucket string, ensure func(context.Context, jetstream.JetStream) error,
) (jetstream.ObjectStore, error) {
	objects, err := js.ObjectStore(ctx, bucket)
	if !errors.Is(err, jetstream.ErrBucketNotFound) {
		return objects, err
	}
	if err = ensure(ctx, js); err != nil {
		return nil, err
	}
	return js.ObjectStore(ctx, bucket)
}

// ensureObjects is [Bus.ensure] of an object store, whose objects last for ever or for a time.
func (b *Bus) ensureObjects(ctx context.Context, js jetstream.JetStream, bucket, what string, size int64, last time.Duration) error {
	standard := jetstream.StreamConfig{Name: "OBJ_" + bucket, MaxBytes: size}
	return b.ensure(ctx, js, standard, func(ctx context.Context, config jetstream.StreamConfig) error {
		_, err := js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{
			Bucket: bucket, Description: what, MaxBytes: config.MaxBytes, TTL: last, Storage: jetstream.FileStorage, Replicas: 1,
		})
		return err
	})
}

// sizeOf is what is asked for a stream, or 0.
func (s Sizes) sizeOf(stream string) int64 {
	return map[string]int64{
		Events: s.Events, Results: s.Results, Jobs: s.Jobs, Reports: s.Reports, replaysStream: s.Replays,
		botsStream: s.Bots, packagesStream: s.Packages, incomingStream: s.Incoming,
	}[stream]
}

// ensure looks first, since nothing can be written to a disk that is full.
func (b *Bus) ensure(
	ctx context.Context, js jetstream.JetStream, config jetstream.StreamConfig,
	create func(context.Context, jetstream.StreamConfig) error,
) error {
	asked := b.cfg.Sizes.sizeOf(config.Name)
	if asked != 0 {
		config.MaxBytes = asked
	}
	stream, err := js.Stream(ctx, config.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		err = create(ctx, config)
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // by another program, just now
			return nil
		}
		return err
	}
	if err != nil {
		return err
	}
	info := stream.CachedInfo()
	if asked == 0 {
		config.MaxBytes = info.Config.MaxBytes
	} else if stored := int64(info.State.Bytes); stored > asked {
		return fmt.Errorf("it holds %s already, and cannot be bounded to %s; choose a larger size, or remove tournaments that are "+
			"over and exported", Bytes(stored), Bytes(asked))
	}
	wanted := upToDate(info.Config, config)
	if reflect.DeepEqual(wanted, info.Config) {
		return nil
	}
	if full := b.cfg.Room(); full != nil && asked == 0 && b.cfg.Dir != "" {
		return nil // the old settings serve as long as that lasts
	}
	_, err = js.UpdateStream(ctx, wanted)
	return err
}

// upToDate changes of a configuration what this package decides.
func upToDate(have, want jetstream.StreamConfig) jetstream.StreamConfig {
	have.MaxBytes = want.MaxBytes
	if want.Subjects == nil { // the client has made it
		return have
	}
	have.Subjects, have.Description, have.Discard, have.AllowDirect = want.Subjects, want.Description, want.Discard, want.AllowDirect
	have.Duplicates, have.MaxMsgs, have.MaxMsgsPerSubject = want.Duplicates, want.MaxMsgs, want.MaxMsgsPerSubject
	have.DiscardNewPerSubject = want.DiscardNewPerSubject
	return have
}
