package conformance_test

import (
	"context"
	"time"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// here is a seat of the random bot in this process.
type here struct{ reference }

func (h *here) Ask(_ context.Context, m protocol.Message, _ time.Duration) (reply arena.Reply, err error) {
	var answer protocol.Message = protocol.Ready{}
	if turn, ok := m.(protocol.Turn); ok {
		move := h.Act(turn)
		move.Turn = turn.Turn
		answer = move
	}
	reply.Line, err = protocol.Marshal(answer)
	return reply, err
}

func (h *here) Tell(_ context.Context, m protocol.Message) error {
	if start, ok := m.(protocol.Start); ok {
		h.Start(start)
	}
	return nil
}

func (h *here) Close(context.Context) (string, error) { return "", nil }
