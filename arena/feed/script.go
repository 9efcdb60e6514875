package feed

import (
	"context"
	"errors"
	"time"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// script is a seat that answers as it did in a recorded game.
type script struct {
	absent bool          // it never got ready
	steps  []*steps.Full // at which it was asked, in their order
}

func newScript(game *steps.Game, seat int) *script {
	s := &script{}
	for i := range game.Steps {
		step := &game.Steps[i]
		if step.Kind == steps.Play && step.Seat == seat && (step.By == "" || step.Fault != "") {
			s.steps = append(s.steps, step)
		}
	}
	for _, fault := range game.Result.Faults {
		s.absent = s.absent || fault.Seat == seat && fault.Code == protocol.StartFault
	}
	return s
}

// Ask implements [arena.Seat].
func (s *script) Ask(_ context.Context, m protocol.Message, _ time.Duration) (arena.Reply, error) {
	turn, isTurn := m.(protocol.Turn)
	switch {
	case !isTurn && s.absent:
		return arena.Reply{Fault: protocol.StartFault}, nil
	case !isTurn:
		return line(protocol.Ready{Protocol: protocol.Version}, 0)
	case len(s.steps) == 0:
		return arena.Reply{}, errors.New("the recorded game asks this seat no more")
	}
	step := s.steps[0]
	s.steps = s.steps[1:]
	took := time.Duration(step.MS * float64(time.Millisecond))
	if step.Fault != "" {
		return arena.Reply{Fault: step.Fault, Elapsed: took}, nil
	}
	return line(protocol.Move{Turn: turn.Turn, Action: protocol.Choice{Action: step.Action}, Note: step.Note}, took)
}

func line(m protocol.Message, took time.Duration) (arena.Reply, error) {
	text, err := protocol.Marshal(m)
	return arena.Reply{Line: text, Elapsed: took}, err
}

// Tell implements [arena.Seat].
func (*script) Tell(context.Context, protocol.Message) error { return nil }

// Close implements [arena.Seat].
func (*script) Close(context.Context) (string, error) { return "", nil }
