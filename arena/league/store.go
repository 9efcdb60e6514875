package league

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// Store keeps tournaments in streams: their logs, and the results of their matches.
type Store struct {
	bus     *bus.Bus
	nc      *nats.Conn
	js      jetstream.JetStream
	events  jetstream.Stream
	results jetstream.Stream
	jobs    jetstream.Stream
	dir     string
	log     *slog.Logger
}

// Options say how a store is opened.
type Options struct {
	Dir string       // folder for exports of what is over, and for marks that show whether a log lost its end; empty keeps none
	Log *slog.Logger // nil is silence
}

// Open makes the streams if need be. The store ends with the bus.
func Open(ctx context.Context, b *bus.Bus, o Options) (*Store, error) {
	s := &Store{bus: b, dir: o.Dir, log: o.Log}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if s.nc, err = b.Connect("league", nats.ReconnectBufSize(-1)); err != nil {
		return nil, err
	}
	if s.js, err = jetstream.New(s.nc); err != nil {
		return nil, err
	}
	if err = b.Setup(ctx, s.js); err != nil {
		return nil, err
	}
	for name, to := range map[string]*jetstream.Stream{bus.Events: &s.events, bus.Results: &s.results, bus.Jobs: &s.jobs} {
		err = s.insist(ctx, func(ctx context.Context) (err error) {
			*to, err = s.js.Stream(ctx, name)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("stream %s: %w", name, err)
		}
	}
	if err = s.settle(ctx); err != nil {
		return nil, err
	}
	_, importing, err := s.logs(ctx)
	if err != nil {
		return nil, err
	}
	s.dropImports(ctx, importing)
	return s, s.checkMarks(ctx)
}

// ErrNoTournament is wrapped by the error for an id without a log.
var ErrNoTournament = errors.New("there is no such tournament")

// Tournaments lists the ids of all logs, in ascending order.
func (s *Store) Tournaments(ctx context.Context) ([]string, error) {
	logs, _, err := s.logs(ctx)
	return slices.Sorted(maps.Keys(logs)), err
}

// logs counts the events of all logs that are whole, by the ids of their tournaments, and lists those that are being imported.
func (s *Store) logs(ctx context.Context) (logs map[string]uint64, importing []string, err error) {
	var info *jetstream.StreamInfo
	err = s.insist(ctx, func(ctx context.Context) (err error) {
		info, err = s.events.Info(ctx, jetstream.WithSubjectFilter(bus.EventSubject("*")))
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	logs = make(map[string]uint64, len(info.State.Subjects))
	for subject, events := range info.State.Subjects {
		if id, ok := bus.ImportOf(subject); ok {
			importing = append(importing, id)
		} else {
			logs[bus.LastToken(subject)] = events
		}
	}
	for _, id := range importing {
		delete(logs, id)
	}
	return logs, importing, nil
}

// subjects lists those that have messages.
func (s *Store) subjects(ctx context.Context, stream jetstream.Stream, filter string) ([]string, error) {
	var info *jetstream.StreamInfo
	err := s.insist(ctx, func(ctx context.Context) (err error) {
		info, err = stream.Info(ctx, jetstream.WithSubjectFilter(filter))
		return err
	})
	if err != nil {
		return nil, err
	}
	all := make([]string, 0, len(info.State.Subjects))
	for subject := range info.State.Subjects {
		all = append(all, subject)
	}
	slices.Sort(all)
	return all, nil
}

// lastSeq is that of the last message that a stream has had.
func (s *Store) lastSeq(ctx context.Context, stream jetstream.Stream) (last uint64, err error) {
	err = s.insist(ctx, func(ctx context.Context) error {
		info, failed := stream.Info(ctx)
		if failed == nil {
			last = info.State.LastSeq
		}
		return failed
	})
	return last, err
}

// Load folds the log of a tournament.
func (s *Store) Load(ctx context.Context, id string) (*State, error) {
	state, _, err := s.fold(ctx, id)
	return state, err
}

// fold also gives the sequence of the last event.
func (s *Store) fold(ctx context.Context, id string) (state *State, last uint64, err error) {
	return s.foldSeeing(ctx, id, func(Event) {})
}

// foldSeeing calls see with each event as well.
func (s *Store) foldSeeing(ctx context.Context, id string, see func(Event)) (state *State, last uint64, err error) {
	if err = s.checkWhole(ctx, id); err != nil {
		return nil, 0, err
	}
	state = &State{Tournament: Tournament{ID: id}} // errors name it before its first event was read
	last, err = s.Events(ctx, id, func(e Event) error {
		see(e)
		return state.Apply(e)
	})
	if err == nil && last == 0 {
		err = fmt.Errorf("tournament %q: %w", id, ErrNoTournament)
	}
	return state, last, err
}

// Begin begins the log of a tournament, unless there is one of that id already: it is then the same tournament, to be
// resumed, or an error. A tournament without a seed is the same as with any.
func (s *Store) Begin(ctx context.Context, t Tournament) (*State, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	state, err := s.Load(ctx, t.ID)
	if errors.Is(err, ErrNoTournament) {
		w := s.writer(t.ID, 0)
		first := Event{N: 1, Created: &t}
		if err = w.append(ctx, first); err == nil {
			return s.begun(first)
		}
		if errors.Is(err, ErrFenced) { // another arena was faster
			state, err = s.Load(ctx, t.ID)
		}
	}
	if err != nil {
		return nil, err
	}
	if diff := state.began().same(t); diff != nil {
		return nil, fmt.Errorf("tournament %q exists already and differs: %w; choose another name for the new one", t.ID, diff)
	}
	return state, nil
}

// publish repeats with the same expectation, so that the message is stored once.
func (s *Store) publish(ctx context.Context, m *nats.Msg, opts ...jetstream.PublishOpt) (ack *jetstream.PubAck, err error) {
	err = s.insist(ctx, func(ctx context.Context) (err error) {
		ack, err = s.js.PublishMsg(ctx, m, opts...)
		return err
	})
	return ack, err
}

// last gives the last message of a subject, and nil if there is none.
func (s *Store) last(ctx context.Context, stream jetstream.Stream, subject string) (m *jetstream.RawStreamMsg, err error) {
	err = s.insist(ctx, func(ctx context.Context) (err error) {
		m, err = stream.GetLastMsgForSubject(ctx, subject)
		return err
	})
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	if unreadable(err) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return m, err
}

// unreadable reports whether a message was there, but could not be taken apart. Most of these errors have no names.
func unreadable(err error) bool {
	if err == nil {
		return false
	}
	text := err.Error()
	return errors.Is(err, nats.ErrBadHeaderMsg) || text == "nats: response should have headers" ||
		strings.HasPrefix(text, "nats: ") && strings.HasSuffix(text, " header") && strings.Contains(text, "missing")
}

// purge removes all messages of a subject.
func (s *Store) purge(ctx context.Context, stream, subject string) error {
	return s.insist(ctx, func(ctx context.Context) error {
		handle, err := s.js.Stream(ctx, stream)
		if err != nil {
			return err
		}
		return handle.Purge(ctx, jetstream.WithPurgeSubject(subject))
	})
}

// remove removes one message, if it is still there.
func (s *Store) remove(ctx context.Context, stream jetstream.Stream, seq uint64) error {
	err := s.insist(ctx, func(ctx context.Context) error { return stream.DeleteMsg(ctx, seq) })
	if api := (&jetstream.APIError{}); errors.As(err, &api) && api.ErrorCode == codeNoMessage {
		return nil
	}
	return err
}

// consumer makes a durable consumer, or gives the one that is there.
func (s *Store) consumer(ctx context.Context, stream string, config jetstream.ConsumerConfig) (consumer jetstream.Consumer, err error) {
	err = s.insist(ctx, func(ctx context.Context) (err error) {
		consumer, err = s.js.CreateOrUpdateConsumer(ctx, stream, config)
		return err
	})
	return consumer, err
}

// dropConsumer deletes one that may be there.
func (s *Store) dropConsumer(ctx context.Context, stream string, config jetstream.ConsumerConfig) error {
	err := s.insist(ctx, func(ctx context.Context) error { return s.js.DeleteConsumer(ctx, stream, config.Durable) })
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return nil
	}
	return err
}

// codeRefused is that of a message for which a stream has no room, in bytes or for its subject.
const codeRefused = 10077

// codeNoMessage is that of a sequence that is not, or no longer, in the stream.
const codeNoMessage = 10043

// refused reports whether the subject has its message already.
func refused(err error) bool {
	api := &jetstream.APIError{}
	if !errors.As(err, &api) {
		return false
	}
	switch api.ErrorCode {
	case jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant, codeRefused:
		return true
	default:
		return false
	}
}
