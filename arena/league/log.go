package league

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// Events reads the log of a tournament from its beginning to what is its end at the moment, and gives the sequence of the
// last event: 0 if there is none.
func (s *Store) Events(ctx context.Context, id string, visit func(Event) error) (last uint64, err error) {
	if err = CheckID(id); err != nil {
		return 0, err
	}
	end, err := s.last(ctx, s.events, bus.EventSubject(id))
	if err != nil {
		return 0, fmt.Errorf("log of %s: %w", id, err)
	}
	if end == nil {
		return 0, nil
	}
	messages, stop, err := s.messages(ctx, bus.Events, bus.EventSubject(id), 1)
	if err != nil {
		return 0, fmt.Errorf("log of %s: %w", id, err)
	}
	defer stop()
	for last < end.Sequence {
		message, err := messages.Next(jetstream.NextMaxWait(readWithin))
		if err != nil {
			return last, fmt.Errorf("log of %s: %w", id, err)
		}
		meta, err := message.Metadata()
		if err != nil {
			return last, err
		}
		last = meta.Sequence.Stream
		var event Event
		if err := event.UnmarshalJSON(message.Data()); err != nil {
			return last, fmt.Errorf("log of %s: %w: %w", id, ErrDamaged, err)
		}
		if err := visit(event); err != nil {
			return last, err
		}
	}
	return last, ctx.Err()
}

// first reads how a log begins.
func (s *Store) first(ctx context.Context, id string) (Tournament, error) {
	raw, err := s.events.GetMsg(ctx, 1, jetstream.WithGetMsgSubject(bus.EventSubject(id)))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return Tournament{}, fmt.Errorf("log of %s: %w: its beginning is gone", id, ErrDamaged)
	}
	if unreadable(err) {
		return Tournament{}, fmt.Errorf("log of %s: %w: its beginning cannot be read", id, ErrDamaged)
	}
	if err != nil {
		return Tournament{}, fmt.Errorf("log of %s: %w", id, err)
	}
	var event Event
	if err := json.Unmarshal(raw.Data, &event); err != nil || event.Created == nil {
		return Tournament{}, fmt.Errorf("log of %s: %w: it does not begin with its tournament", id, ErrDamaged)
	}
	return *event.Created, nil
}

const readWithin = 30 * time.Second

// messages reads a stream in order, from a sequence on.
func (s *Store) messages(ctx context.Context, stream, subject string, from uint64) (jetstream.MessagesContext, func(), error) {
	var consumer jetstream.Consumer
	err := s.insist(ctx, func(ctx context.Context) (err error) {
		consumer, err = s.js.OrderedConsumer(ctx, stream, jetstream.OrderedConsumerConfig{
			FilterSubjects: []string{subject}, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: max(1, from),
			InactiveThreshold: readWithin,
		})
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	messages, err := consumer.Messages(jetstream.PullMaxMessages(2000))
	if err != nil {
		return nil, nil, err
	}
	return messages, func() {
		messages.Stop()
		lasting, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		if info := consumer.CachedInfo(); info != nil {
			_ = s.js.DeleteConsumer(lasting, stream, info.Name) // it would go by itself
		}
	}, nil
}

// writer appends to one log. It knows what the last event is, and so notices when another writes as well.
type writer struct {
	store   *Store
	subject string
	last    uint64
	token   string
	lost    bool // it is not known any more what the last event is
}

func (s *Store) writer(id string, last uint64) *writer {
	return &writer{store: s, subject: bus.EventSubject(id), last: last, token: rand.Text()}
}

// ErrFenced is wrapped by the error of a coordinator that is not alone.
var ErrFenced = errors.New("another coordinator writes the log of this tournament, so this one stops; nothing is lost")

const headerWriter = "Arena-Writer"

// grace is how long after the end of a context what was begun is seen through.
const grace = 3 * time.Second

// append returns when the event is on the disk. One that was begun is seen through for a while after the end of the
// context, since nothing can be appended any more once the end of the log is unknown.
func (w *writer) append(ctx context.Context, e Event) error {
	if w.lost {
		return fmt.Errorf("append to %s: what was appended before got no answer; run it again", w.subject)
	}
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	m := &nats.Msg{Subject: w.subject, Data: data, Header: nats.Header{}}
	m.Header.Set(headerWriter, fmt.Sprintf("%s %d", w.token, e.N))
	ctx, cancel := w.store.outlast(ctx, grace)
	defer cancel()
	w.last, err = w.stored(ctx, m)
	w.lost = err != nil
	return err
}

// stored gives the sequence of the event.
func (w *writer) stored(ctx context.Context, m *nats.Msg) (uint64, error) {
	ack, err := w.store.publish(ctx, m, jetstream.WithExpectLastSequencePerSubject(w.last))
	if err == nil {
		return ack.Sequence, nil
	}
	if !refused(err) {
		return 0, fmt.Errorf("append to %s: %w", w.subject, err)
	}
	stored, err := w.store.last(ctx, w.store.events, w.subject)
	if err != nil {
		return 0, fmt.Errorf("append to %s: %w", w.subject, err)
	}
	if stored == nil || stored.Header.Get(headerWriter) != m.Header.Get(headerWriter) {
		return 0, fmt.Errorf("%s: %w", w.subject, ErrFenced)
	}
	return stored.Sequence, nil // an earlier try had got through, and only its answer was lost
}

// outlast gives a context that ends a while after another, or soon where nothing can be stored.
func (s *Store) outlast(ctx context.Context, long time.Duration) (context.Context, context.CancelFunc) {
	lasting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if s.bus.Health() != nil {
			long = min(long, retryAfter)
		}
		_ = sleep(lasting, long) // it ends earlier when it is not needed any more
		cancel()
	})
	return lasting, func() {
		stop()
		cancel()
	}
}
