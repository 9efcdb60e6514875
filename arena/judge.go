package arena

import (
	"fmt"
	"time"

	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Judge reads a reply to a turn as the referee does: it gives the bot's move, its action found in the legal list, or else a
// card with what was wrong, but without game, seat and strikes.
func Judge(reply Reply, turn protocol.Turn, limit time.Duration) (protocol.Move, *Fault) {
	choice, card := judge(reply, turn.Legal, limit)
	if choice.fault != "" {
		card.Turn, card.LimitMS, card.UsedMS = turn.Turn, milliseconds(limit), milliseconds(reply.Elapsed)
		return protocol.Move{}, &card
	}
	return protocol.Move{Turn: turn.Turn, Action: protocol.Choice{Action: choice.action}, Note: choice.note}, nil
}

// judge reads the reply. What is not a legal move in time gives a fault, and what the arena plays instead.
func judge(reply Reply, legal []engine.Action, limit time.Duration) (decision, Fault) {
	failed := func(code protocol.Code, detail string) (decision, Fault) {
		card := Fault{Code: code, Detail: detail, Line: reply.offence(), Stderr: reply.Report.Stderr}
		return decision{action: substitute(legal), by: protocol.ByArena, fault: code}, card
	}
	if reply.Fault != "" {
		return failed(reply.Fault, reply.Report.Detail)
	}
	if reply.Elapsed > limit {
		return failed(protocol.Timeout, fmt.Sprintf("the move took %v, the limit is %v", reply.Elapsed, limit))
	}
	message, err := protocol.ReadBot(reply.Line)
	if err != nil {
		return failed(protocol.Malformed, err.Error())
	}
	move, ok := message.(protocol.Move)
	if !ok {
		return failed(protocol.Malformed, "the line is no move")
	}
	action, err := move.Action.In(legal)
	if err != nil {
		return failed(protocol.Illegal, err.Error())
	}
	return decision{action: action, note: move.Note}, Fault{}
}
