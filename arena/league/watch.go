package league

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// Watch shows each event of a log, those that are there and those that come, with the state after it, until the tournament
// is over or the context ends. It goes on where it was when the server was away.
func (s *Store) Watch(ctx context.Context, id string, see func(*State, Event) error) error {
	state, last, err := s.fold(ctx, id) // finds out whether there is one
	if err != nil {
		return err
	}
	known := last
	state, last = &State{}, 0
	for {
		next, err := s.watchFrom(ctx, id, last+1, func(e Event) error {
			if err := state.Apply(e); err != nil {
				return err
			}
			return see(state, e)
		}, func(seq uint64) bool { return state.Phase.Over() && seq >= known })
		if err == nil || !errors.Is(err, errAway) {
			return err
		}
		last = next
		if err := sleep(ctx, retryAfter); err != nil {
			return err
		}
	}
}

// errAway is for errors that go by.
var errAway = errors.New("the server is away")

// watchFrom reads from a sequence on, until end says so. It gives the sequence of the last event.
func (s *Store) watchFrom(
	ctx context.Context, id string, from uint64, visit func(Event) error, end func(seq uint64) bool,
) (last uint64, err error) {
	last = from - 1
	messages, stop, err := s.messages(ctx, bus.Events, bus.EventSubject(id), from)
	if err != nil {
		return last, err
	}
	defer stop()
	for {
		message, err := messages.Next(jetstream.NextContext(ctx))
		switch {
		case ctx.Err() != nil:
			return last, ctx.Err()
		case errors.Is(err, nats.ErrConnectionClosed):
			return last, err
		case err != nil:
			return last, fmt.Errorf("%w: %w", errAway, err)
		}
		meta, err := message.Metadata()
		if err != nil {
			return last, err
		}
		var event Event
		if err := json.Unmarshal(message.Data(), &event); err != nil {
			return last, fmt.Errorf("log of %s: %w: %w", id, ErrDamaged, err)
		}
		if err := visit(event); err != nil {
			return last, err
		}
		if last = meta.Sequence.Stream; end(last) {
			return last, nil
		}
	}
}
