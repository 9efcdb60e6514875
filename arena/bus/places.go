package bus

import (
	"context"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

// place is one where messages last: a stream, or a bucket, which is a stream as well.
type place struct {
	name    string // a bucket has a longer one on the server: see stream
	kind    kind
	subject string // of a stream that is no bucket
	what    string // that is in it, for people
	size    int64  // bytes at most, where nothing else is asked for
	once    bool   // each subject has one message, which stays
	queue   bool   // it can be made again from the logs
	long    bool   // it is read only after an unclean end, where the server has to do so as well, or where there is doubt
	spare   bool   // who only looks at tournaments does without it on a full disk
	noted   bool   // [Damage] tells of what is lost
	lost    string // what it means that a part of it is lost
	access  bool   // package access makes it
}

// kind is how the server begins the name of such a stream.
type kind string

const (
	plain    kind = ""
	keyValue kind = "KV_"
	objects  kind = "OBJ_"
)

// places is the table of all that lasts. Those of package access have their bound beside the others.
func places() []place {
	const whole, again, resubmit = "all the rest is as it was", "it is made again, and nothing is lost", "submit the bots again that are missing now"
	return []place{
		{name: Events, subject: "ev.*", what: "the logs of tournaments", size: 4 << 30, noted: true, lost: whole},
		{name: Results, subject: "res.*.*", what: "the results of matches", size: 64 << 30, once: true, long: true, noted: true, lost: whole},
		{name: Jobs, subject: "jobs.*.*.*", what: "the queue of matches", size: 1 << 30, once: true, queue: true, lost: again},
		{name: Reports, subject: "rep.*.*", what: "the reports of workers", size: 256 << 20, queue: true, lost: again},
		{
			name: Replays, subject: "rpl.*.*.*.*", what: "the replays on their way to their folder", size: 64 << 30, once: true, long: true, spare: true,
			lost: "those replays are lost, and nothing else",
		},
		{name: Bots, kind: keyValue, what: "the list of submitted bots", size: 256 << 20, spare: true, lost: resubmit},
		{name: Packages, kind: objects, what: "the packages of submitted bots", size: 16 << 30, long: true, spare: true, lost: resubmit},
		{
			name: access.Bucket, kind: keyValue, what: "the list of tokens", size: access.BucketSize, access: true,
			lost: "it may have revoked some, so all that are older are gone: look at arena token list, and create those anew that are missing",
		},
	}
}

// placeOf finds one by its name.
func placeOf(name string) place {
	all := places()
	return all[slices.IndexFunc(all, func(p place) bool { return p.name == name })]
}

// stream is its name on the server.
func (p place) stream() string { return string(p.kind) + p.name }

// duplicates is short: nothing here relies on message ids, and the table of them is memory.
const duplicates = time.Second

// config is that of a stream that is no bucket. Of buckets the client of the server decides all but the size.
func (p place) config(size int64) jetstream.StreamConfig {
	c := jetstream.StreamConfig{Name: p.stream(), MaxBytes: size}
	if p.kind != plain {
		return c
	}
	c.Subjects, c.Description, c.Discard, c.Storage = []string{p.subject}, p.what, jetstream.DiscardNew, jetstream.FileStorage
	c.AllowDirect, c.Duplicates, c.Replicas = true, duplicates, 1
	c.MaxMsgs, c.MaxMsgsPerSubject, c.MaxConsumers = -1, -1, -1
	if p.once {
		c.MaxMsgsPerSubject, c.DiscardNewPerSubject = 1, true
	}
	if p.queue {
		c.Retention = jetstream.WorkQueuePolicy
	}
	return c
}

func (p place) create(ctx context.Context, js jetstream.JetStream, size int64) (err error) {
	switch p.kind {
	case keyValue:
		_, err = js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: p.name, Description: p.what, History: 1, MaxBytes: size, Storage: jetstream.FileStorage, Replicas: 1,
		})
	case objects:
		_, err = js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{
			Bucket: p.name, Description: p.what, MaxBytes: size, Storage: jetstream.FileStorage, Replicas: 1,
		})
	default:
		_, err = js.CreateStream(ctx, p.config(size))
	}
	return err
}
