package feed

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// listener is a recorded seat with a bot beside it that hears all that the seat hears. To the referee it is the recorded
// seat.
type listener struct {
	*script

	table *table
	bot   arena.Seat
	gone  bool // the bot has ended, or never began
}

// Ask implements [arena.Seat]: it asks the bot, and answers as recorded.
func (l *listener) Ask(ctx context.Context, m protocol.Message, limit time.Duration) (arena.Reply, error) {
	var err error
	if turn, ok := m.(protocol.Turn); ok {
		err = l.turn(ctx, turn, limit)
	} else {
		err = l.hello(ctx, m, limit)
	}
	if err != nil {
		return arena.Reply{}, err
	}
	return l.script.Ask(ctx, m, limit)
}

func (l *listener) hello(ctx context.Context, m protocol.Message, limit time.Duration) error {
	reply, err := l.bot.Ask(ctx, m, limit)
	if err != nil || reply.Fault == "" {
		return err
	}
	l.gone = true
	l.table.report.Faults++
	l.table.report.Start = l.card(arena.Fault{
		Code: protocol.StartFault, Detail: cmp.Or(reply.Report.Detail, string(reply.Fault)), Line: reply.Report.Line, Stderr: reply.Report.Stderr,
		LimitMS: inMS(limit), UsedMS: inMS(reply.Elapsed),
	})
	return nil
}

func inMS(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// card completes the card of a fault of the bot. It costs nothing: there are no strikes.
func (l *listener) card(card arena.Fault) *arena.Fault {
	card.Game, card.Seat, card.Bot = l.table.Game.Header.Game, l.table.Seat, l.table.Label
	return &card
}

func (l *listener) turn(ctx context.Context, turn protocol.Turn, limit time.Duration) error {
	if l.gone {
		l.table.report.Unasked++
		return nil
	}
	step := l.steps[0]
	reply, err := l.bot.Ask(ctx, turn, limit)
	if err != nil {
		return err
	}
	move, fault := arena.Judge(reply, turn, limit)
	d := Decision{
		Step: step.Number, Turn: turn.Turn, Observation: turn.Observation, Legal: slices.Clone(turn.Legal), LimitMS: inMS(limit),
		Recorded: Answer{Action: step.Action, Fault: step.Fault, MS: step.MS, Note: step.Note},
		Given:    Answer{Action: move.Action.Action, MS: inMS(reply.Elapsed), Note: move.Note},
	}
	if bot, ok := l.bot.(interface{ Printed() string }); ok {
		d.Stderr = bot.Printed()
	}
	report := &l.table.report
	report.Decisions++
	switch {
	case fault != nil:
		report.Faults++
		d.Given.Fault, d.Card = fault.Code, l.card(*fault)
		l.gone = fault.Code.Fatal()
		err = l.bot.Tell(ctx, protocol.Error{Turn: turn.Turn, Code: fault.Code, Message: fault.Detail, Applied: &step.Action})
	case move.Action.Action == step.Action:
		d.Same = true
	default:
		report.Differences++
	}
	l.table.See(d)
	return err
}

// Tell passes everything on, but for what is about the faults of the recorded bot.
func (l *listener) Tell(ctx context.Context, m protocol.Message) error {
	if _, about := m.(protocol.Error); about || l.gone {
		return nil
	}
	return l.bot.Tell(ctx, m)
}

// Close implements [arena.Seat].
func (l *listener) Close(ctx context.Context) (stderr string, err error) {
	l.table.report.Stderr, err = l.bot.Close(ctx)
	return "", err
}
