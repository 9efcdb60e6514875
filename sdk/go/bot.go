// Package bot turns a strategy into a bot: it speaks the line protocol over stdin and stdout, so that a [Player] only
// decides. The import path ends in "go", so name the package where you import it:
//
//	import bot "github.com/fivethreefive/fivethreefive/sdk/go"
//
// It does not check moves, keep the clock or recover from a panic. The arena judges moves, and a bot that panics should
// end with its trace on stderr, where the arena keeps it.
package bot

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// The messages, the cards and the events under the name of this package, so that most bots need no other.
type (
	// Start begins a game.
	Start = protocol.Start
	// Turn is what the seat may know when it is asked, with the legal actions.
	Turn = protocol.Turn
	// Move is the answer; the zero Move is the first legal action. Its number of the turn is filled in.
	Move = protocol.Move
	// Choice is an action by its index in the legal list, or in full.
	Choice = protocol.Choice
	// End closes a game.
	End = protocol.End
	// Rules are the rules of the game, options included.
	Rules = engine.Rules
	// Action is a kind with the cards that are played.
	Action = engine.Action
	// Kind is what an action does: Lead, Overwrite, Add or Pass.
	Kind = engine.Kind
	// Cards are ranks, each with its number of cards.
	Cards = engine.Cards
	// Meld is what Cards.Meld finds.
	Meld = engine.Meld

	// Dealt is the event that begins a round or a half, with the seat's own hand.
	Dealt = engine.Dealt
	// Played is the event of a play or a pass.
	Played = protocol.Play
	// Cleared is the event that ends a trick.
	Cleared = engine.Cleared
	// Scored is the event that ends a round or a half, with the cards that were left.
	Scored = engine.Scored
)

// The kinds of an action.
const (
	Lead      = engine.Lead
	Overwrite = engine.Overwrite
	Add       = engine.Add
	Pass      = engine.Pass
)

// The kinds of a meld.
const (
	SingleMeld = engine.Single
	SetMeld    = engine.Set
	RunMeld    = engine.Run
)

// Player decides. It is called from one goroutine, in the order of the messages, for any number of games one after the
// other. A Player that is also a [Starter] or an [Ender] hears of their beginnings and ends.
type Player interface {
	// Act answers a turn with an entry of turn.Legal, which is never empty.
	Act(turn Turn) Move
}

// Func is a Player that needs no memory.
type Func func(turn Turn) Move

// Act calls f.
func (f Func) Act(turn Turn) Move { return f(turn) }

// Starter is told that a game begins, with its rules, its clock and a seed. Time spent here is taken from the first turn.
type Starter interface{ Start(start Start) }

// Ender is told how a game ended.
type Ender interface{ End(end End) }

// Info is what a bot says of itself; both may be empty.
type Info struct{ Name, Version string }

// NewCards collects ranks in any order. It fails on a rank that is not in the deck.
func NewCards(ranks ...int) (Cards, error) { return engine.NewCards(ranks...) }

// NewAction makes an action without asking whether it is legal anywhere.
func NewAction(kind Kind, cards Cards) Action { return engine.NewAction(kind, cards) }

// Play is the move that plays an action.
func Play(action Action) Move { return Move{Action: Choice{Action: action}} }

// TimeLeft is the time until the turn is lost, the bank included; not below 0.
func TimeLeft(turn Turn) time.Duration {
	limit := time.Duration(turn.Clock.MoveMS+turn.Clock.BankMS) * time.Millisecond
	return max(0, limit-time.Since(turn.Read))
}

// Logf writes a line to stderr that names the game and the turn.
func Logf(turn Turn, format string, args ...any) {
	logf(os.Stderr, turn.Game, turn.Turn, format, args...)
}

func logf(w io.Writer, game string, turn int64, format string, args ...any) {
	fmt.Fprintf(w, "%s turn %d: %s\n", game, turn, fmt.Sprintf(format, args...))
}

// Run plays on stdin and stdout until the arena says quit or closes stdin; both are no error. Meanwhile os.Stdout is
// stderr, so that a print cannot come between the lines of the protocol.
func Run(info Info, player Player) error {
	stdout := os.Stdout
	os.Stdout = os.Stderr
	defer func() { os.Stdout = stdout }()
	return Serve(os.Stdin, stdout, os.Stderr, info, player)
}

// Serve is Run on other streams. Each answer is one Write, each fault that the arena reports a line in log. Unknown messages
// are ignored, but a line that cannot be read ends it.
func Serve(in io.Reader, out, log io.Writer, info Info, player Player) error {
	c := conn{out: out, log: log, info: info, player: player}
	lines := protocol.NewLines(in)
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read from the arena: %w", err)
		}
		message, err := protocol.ReadArena(line)
		if err != nil {
			return fmt.Errorf("read from the arena: %w", err)
		}
		if _, quit := message.(protocol.Quit); quit {
			return nil
		}
		if err := c.answer(message); err != nil {
			return err
		}
	}
}

type conn struct {
	out, log io.Writer
	info     Info
	player   Player
	game     string
}

func (c *conn) answer(message protocol.Message) error {
	switch m := message.(type) {
	case protocol.Hello:
		return c.send(protocol.Ready{Name: c.info.Name, Version: c.info.Version, Protocol: protocol.Version})
	case Start:
		c.game = m.Game
		if s, ok := c.player.(Starter); ok {
			s.Start(m)
		}
	case Turn:
		m.Read = time.Now()
		move := c.player.Act(m)
		move.Turn = m.Turn
		move.Note = cut(move.Note)
		return c.send(move)
	case protocol.Error:
		c.logFault(m)
	case End:
		if e, ok := c.player.(Ender); ok {
			e.End(m)
		}
	}
	return nil
}

func (c *conn) send(m protocol.Message) error {
	line, err := protocol.Marshal(m)
	if err != nil {
		return err
	}
	if _, err := c.out.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write to the arena: %w", err)
	}
	return nil
}

func (c *conn) logFault(e protocol.Error) {
	text := fmt.Sprintf("%s: %s", e.Code, e.Message)
	if e.Applied != nil {
		text += fmt.Sprintf("; the arena played %v", *e.Applied)
	}
	if e.StrikeLimit > 0 {
		text += fmt.Sprintf("; strike %d of %d", e.Strikes, e.StrikeLimit)
	}
	logf(c.log, c.game, e.Turn, "%s", text)
}

// cut keeps a long note from making the line too long, which would forfeit the game.
func cut(note string) string {
	if len(note) <= protocol.MaxNote {
		return note
	}
	return strings.ToValidUTF8(note[:protocol.MaxNote], "")
}
