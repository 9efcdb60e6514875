// Package human lets a person play: a seat that asks whoever sits at the terminal. To the referee it is a seat like any
// other, and what is shown is made of nothing but the messages that the seat is sent.
package human

import (
	"context"
	"errors"
	"time"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Asker shows a person what the seat is told, and asks for decisions.
type Asker interface {
	// Choose gives one of turn.Legal. It returns [ErrLeft] when the person leaves, and the context's error when that ends.
	Choose(ctx context.Context, turn protocol.Turn) (engine.Action, error)
	// Hear is told of Start, Error and End.
	Hear(m protocol.Message)
}

// ErrLeft is what an [Asker] gives for a person who left.
var ErrLeft = errors.New("the player left")

// Seat is the place of a person.
type Seat struct {
	Asker   Asker
	Limited bool // whether the clock counts; else a move never takes longer than allowed
	Left    bool // the person left, and the arena plays on
}

// Ask implements [arena.Seat].
func (s *Seat) Ask(ctx context.Context, m protocol.Message, limit time.Duration) (arena.Reply, error) {
	turn, ok := m.(protocol.Turn)
	if !ok {
		return answer(protocol.Ready{Name: "human", Protocol: protocol.Version}, 0)
	}
	wait := ctx
	if s.Limited {
		limited, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		wait = limited
	}
	begin := time.Now()
	action, err := s.Asker.Choose(wait, turn)
	took := min(time.Since(begin), limit)
	switch {
	case ctx.Err() != nil:
		return arena.Reply{}, ctx.Err()
	case errors.Is(err, ErrLeft):
		s.Left = true
		return arena.Reply{Fault: protocol.Disconnect, Elapsed: took, Report: protocol.FaultReport{Detail: err.Error()}}, nil
	case errors.Is(err, context.DeadlineExceeded):
		return arena.Reply{Fault: protocol.Timeout, Elapsed: limit, Report: protocol.FaultReport{Detail: "no move in time"}}, nil
	case err != nil:
		return arena.Reply{}, err
	}
	return answer(protocol.Move{Turn: turn.Turn, Action: protocol.Choice{Action: action}}, took)
}

func answer(m protocol.Message, took time.Duration) (arena.Reply, error) {
	line, err := protocol.Marshal(m)
	return arena.Reply{Line: line, Elapsed: took}, err
}

// Tell implements [arena.Seat].
func (s *Seat) Tell(_ context.Context, m protocol.Message) error {
	s.Asker.Hear(m)
	return nil
}

// Close implements [arena.Seat].
func (*Seat) Close(context.Context) (string, error) { return "", nil }

// Table opens the seat of a person, and leaves all others to another opener.
type Table struct {
	arena.Opener
	Seat  *Seat
	Label string // of the person
}

// Open implements [arena.Opener].
func (t Table) Open(ctx context.Context, place arena.Place) (arena.Seat, error) {
	if place.Bot == t.Label {
		return t.Seat, nil
	}
	return t.Opener.Open(ctx, place)
}
