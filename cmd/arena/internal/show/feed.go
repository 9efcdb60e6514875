package show

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/feed"
	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
	"github.com/fivethreefive/fivethreefive/engine"
)

// Feed prints the decisions of a bot that is fed a game.
type Feed struct {
	out    io.Writer
	game   *steps.Game
	stderr bool
}

// NewFeed also prints what the bot wrote to stderr, if that is wanted.
func NewFeed(out io.Writer, game *steps.Game, stderr bool) Feed { return Feed{out, game, stderr} }

// Decision prints the position, the recorded answer and the bot's.
func (f Feed) Decision(d feed.Decision) {
	step := f.game.Steps[d.Step]
	fmt.Fprintf(f.out, "\nStep %d: %s, trick %d, turn %d\n", d.Step, roundWords(step.Round, step.Half), step.Trick, d.Turn)
	fmt.Fprintf(f.out, "  hand      %s\n", table.Ranks(d.Hand))
	if d.Meld == 0 {
		fmt.Fprintf(f.out, "  meld      none, a lead is due\n")
	} else {
		fmt.Fprintf(f.out, "  meld      %s, a %s by %s\n", table.Ranks(d.Meld), table.Meld(d.Meld), f.name(d.MeldSeat))
	}
	fmt.Fprintf(f.out, "  others    %s\n", f.others(d.Observation))
	fmt.Fprintf(f.out, "  recorded  %s\n", answerWords(d.Recorded, d.LimitMS))
	fmt.Fprintf(f.out, "  now       %s\n", answerWords(d.Given, d.LimitMS))
	if d.Card != nil {
		fmt.Fprintf(f.out, "  %s%s\n", Printable(d.Card.Detail), Evidence(d.Card.Line, ""))
	}
	if text := strings.TrimRight(d.Stderr, "\n"); f.stderr && text != "" {
		fmt.Fprintf(f.out, "  stderr    %s\n", strings.ReplaceAll(Printable(text), "\n", "\n            "))
	} else if d.Card != nil && d.Card.Stderr != "" {
		fmt.Fprintf(f.out, "%s\n", strings.TrimPrefix(Evidence("", d.Card.Stderr), "\n"))
	}
}

func (f Feed) name(seat int) string {
	return fmt.Sprintf("%d %s", seat, Printable(f.game.Header.Bots[seat]))
}

func (f Feed) others(o engine.Observation) string {
	var words []string
	for seat, n := range o.Counts {
		if seat == o.Seat {
			continue
		}
		word := fmt.Sprintf("%s has %s", f.name(seat), table.Cards(n))
		if slices.Contains(o.Passed, seat) {
			word += " and has passed"
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

func roundWords(round, half int) string {
	if half > 0 {
		return fmt.Sprintf("round %d, half %d", round, half)
	}
	return fmt.Sprintf("round %d", round)
}

func answerWords(a feed.Answer, limit float64) string {
	words := "none"
	if a.Action != 0 {
		words = a.Action.String()
	}
	if a.Fault != "" {
		words = fmt.Sprintf("%s: %s", a.Fault, words)
	}
	words = fmt.Sprintf("%-24s %.1f ms of %.0f", words, a.MS, limit)
	if a.Note != "" {
		words += fmt.Sprintf("  %q", a.Note)
	}
	return words
}
