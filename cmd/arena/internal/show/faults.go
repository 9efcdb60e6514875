package show

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena"
)

// Faults prints the cards that a person can take in; the JSON has all that were kept.
func Faults(out io.Writer, cards []arena.Fault) {
	const most = 10
	for i, card := range cards {
		if i == most {
			fmt.Fprintf(out, "and %d more faults; --json has their cards\n", len(cards)-most)
			return
		}
		Fault(out, card, "")
	}
}

// Fault prints a card. Where it was begins with what is before the game.
func Fault(out io.Writer, card arena.Fault, before string) {
	verdict := "strike"
	if card.Forfeit {
		verdict = "forfeit"
	}
	fmt.Fprintf(out, "\nfault: %s of %s at seat %d, %sgame %s, turn %d: %s\n", card.Code, card.Bot, card.Seat, before, card.Game, card.Turn, verdict)
	fmt.Fprintf(out, "  %s\n  used %.1f ms of %.1f ms%s\n", indented(card.Detail), card.UsedMS, card.LimitMS, Evidence(card.Line, card.Stderr))
}

// Evidence is what a bot said last, indented.
func Evidence(line, stderr string) string {
	var b strings.Builder
	if line != "" {
		fmt.Fprintf(&b, "\n  its last line: %q", line)
		if !strings.HasPrefix(line, "{") {
			b.WriteString(", which is no message; print to stderr what is none")
		}
	}
	if stderr != "" {
		fmt.Fprintf(&b, "\n  its stderr:\n    %s", indented(stderr))
	}
	return b.String()
}

// Replays says where the replays are, unless there are none.
func Replays(out io.Writer, dir, match string) {
	first := filepath.Join(dir, match+"-1-1.jsonl")
	if _, err := os.Stat(first); dir != "" && err == nil {
		fmt.Fprintf(out, "Replays: %s (arena replay show %s)\n", dir, ShellLine([]string{first}))
	}
}

// indented keeps what a stranger wrote from looking like a line of the arena's own.
func indented(text string) string { return strings.ReplaceAll(Printable(text), "\n", "\n    ") }
