package arena

import (
	"context"
	"time"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// Seat is how the referee reaches the bot at one place of one game. Its methods are called from one goroutine at a time.
type Seat interface {
	// Ask sends Hello or Turn and waits for the bot's line for at most the limit, which starts when the bot has been
	// handed the message. A bot that fails gives a Reply with a fault; an error is the arena's own.
	Ask(ctx context.Context, m protocol.Message, limit time.Duration) (Reply, error)
	// Tell sends a message that has no answer. It does not wait for the bot.
	Tell(ctx context.Context, m protocol.Message) error
	// Close sends Quit and returns when nothing of the bot is left, with the last lines that it wrote to stderr.
	Close(ctx context.Context) (stderr string, err error)
}

// Reply is what came of an Ask: a line, or a fault.
type Reply struct {
	Line    []byte
	Elapsed time.Duration // the bot's time, by the clock where its answer was read
	Fault   protocol.Code // empty where there is a line
	Report  protocol.FaultReport
}

// offence is the beginning of the line that is to blame.
func (r Reply) offence() string {
	if len(r.Line) == 0 {
		return r.Report.Line
	}
	return string(r.Line[:min(len(r.Line), protocol.MaxOffence)])
}

// Place says which seat of which game is to be taken by which bot.
type Place struct {
	Bot  string // name@version
	Game string
	Seat int
}

// Opener makes the seat of a place. It need not start the bot: Hello does.
type Opener interface {
	Open(ctx context.Context, place Place) (Seat, error)
}
