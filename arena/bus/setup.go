package bus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/nats-io/nats.go/jetstream"
)

// Sizes bound what is stored, in bytes, by the names of streams and buckets. What is not among them is left as it is, or has its
// default in a new store. A full stream refuses what is new, and keeps what it has.
type Sizes map[string]int64

const (
	leastSize = 1 << 30
	mostSize  = 1 << 50
)

// SizesOf divides a number of bytes among the streams, in the proportions of the defaults. That of the tokens is small, and comes on top.
func SizesOf(total int64) (Sizes, error) {
	if total < leastSize || total > mostSize {
		return nil, fmt.Errorf("a store can have from %s to %s", Bytes(leastSize), Bytes(mostSize))
	}
	sizes, sum := Sizes{}, int64(0)
	for _, p := range places() {
		if !p.access {
			sum += p.size
		}
	}
	for _, p := range places() {
		if !p.access {
			sizes[p.name] = int64(float64(total) * (float64(p.size) / float64(sum)))
		}
	}
	return sizes, nil
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
	for _, p := range places() {
		if p.access {
			continue
		}
		err := again(ctx, func(ctx context.Context) error { return b.ensure(ctx, js, p) })
		if err != nil && (!p.spare || b.cfg.Dir == "" || b.cfg.Room() == nil) { // who only looks does without
			return p.failed(err)
		}
	}
	return nil
}

func (p place) failed(err error) error {
	if p.kind == plain {
		return fmt.Errorf("stream %s: %w", p.name, explain(err))
	}
	return fmt.Errorf("store %s: %w", p.name, explain(err))
}

// objectStore gives a store, which is made where it is not there.
func (b *Bus) objectStore(ctx context.Context, js jetstream.JetStream, name string) (jetstream.ObjectStore, error) {
	store, err := js.ObjectStore(ctx, name)
	if !errors.Is(err, jetstream.ErrBucketNotFound) {
		return store, err
	}
	if err = b.ensure(ctx, js, placeOf(name)); err != nil {
		return nil, err
	}
	return js.ObjectStore(ctx, name)
}

// ensure looks first, since nothing can be written to a disk that is full.
func (b *Bus) ensure(ctx context.Context, js jetstream.JetStream, p place) error {
	asked := b.cfg.Sizes[p.name]
	stream, err := js.Stream(ctx, p.stream())
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		err = p.create(ctx, js, cmp.Or(asked, p.size))
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // by another program, just now
			return nil
		}
		return err
	}
	if err != nil {
		return err
	}
	info := stream.CachedInfo()
	if stored := int64(info.State.Bytes); asked != 0 && stored > asked {
		return fmt.Errorf("it holds %s already, and cannot be bounded to %s; choose a larger size, or remove tournaments that are "+
			"over and exported", Bytes(stored), Bytes(asked))
	}
	wanted := upToDate(info.Config, p.config(cmp.Or(asked, info.Config.MaxBytes)))
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
