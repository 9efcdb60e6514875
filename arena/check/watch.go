package check

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// watch opens seats, and notes what the bot with the label does at them.
type watch struct {
	arena.Opener

	label string

	mu      sync.Mutex
	took    []time.Duration // for each move
	answers []string        // the actions, in the order in which they came
	stderr  string          // of the last game in which it wrote something
}

// Open implements [arena.Opener].
func (w *watch) Open(ctx context.Context, place arena.Place) (arena.Seat, error) {
	opened, err := w.Opener.Open(ctx, place)
	if err != nil || place.Bot != w.label {
		return opened, err
	}
	return watched{opened, w}, nil
}

type watched struct {
	arena.Seat

	by *watch
}

func (s watched) Ask(ctx context.Context, m protocol.Message, limit time.Duration) (arena.Reply, error) {
	reply, err := s.Seat.Ask(ctx, m, limit)
	if _, isTurn := m.(protocol.Turn); isTurn && err == nil {
		s.by.note(reply)
	}
	return reply, err
}

func (w *watch) note(reply arena.Reply) {
	answer := string(reply.Fault)
	if message, err := protocol.ReadBot(reply.Line); err == nil {
		if move, ok := message.(protocol.Move); ok {
			answer = fmt.Sprint(move.Action)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.took = append(w.took, reply.Elapsed)
	w.answers = append(w.answers, answer)
}

func (s watched) Close(ctx context.Context) (string, error) {
	stderr, err := s.Seat.Close(ctx)
	s.by.mu.Lock()
	defer s.by.mu.Unlock()
	if stderr != "" {
		s.by.stderr = stderr
	}
	return stderr, err
}

// add takes over what another one has seen.
func (w *watch) add(other *watch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.took = append(w.took, other.took...)
	w.answers = append(w.answers, other.answers...)
	if other.stderr != "" {
		w.stderr = other.stderr
	}
}
