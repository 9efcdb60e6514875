package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/check"
)

// Step prints one line of a check, and for what is not good the hint and what the bot said.
func Step(out io.Writer, step check.Step) {
	state := string(step.State)
	switch step.State {
	case check.Failed:
		state = "FAILED"
	case check.Skipped:
		state = "-"
	default:
	}
	line := fmt.Sprintf("%2d  %-7s  %-16s  %s", step.Number, state, step.Name, strings.ReplaceAll(Printable(step.Text), "\n", "\n      "))
	fmt.Fprintln(out, strings.TrimRight(line, " "))
	if step.Hint != "" {
		fmt.Fprintf(out, "      hint: %s\n", Printable(step.Hint))
	}
	said := ""
	if card := step.Card; card != nil {
		if card.Game != "" {
			said = fmt.Sprintf("\n  game %s, seat %d, turn %d: used %.1f ms of %.1f ms", card.Game, card.Seat, card.Turn, card.UsedMS, card.LimitMS)
		}
		said += Evidence(card.Line, card.Stderr)
	}
	said += Evidence("", strings.TrimSpace(step.Stderr))
	if said != "" {
		fmt.Fprintf(out, "    %s\n", strings.ReplaceAll(said[1:], "\n", "\n    "))
	}
}

// Verdict prints what a check has come to.
func Verdict(out io.Writer, report check.Report) {
	switch failures, warnings := report.Count(check.Failed), report.Count(check.Warning); {
	case failures > 0:
		fmt.Fprintf(out, "\n%d of %d steps failed.\n", failures, len(report.Steps))
	case warnings > 0:
		fmt.Fprintf(out, "\n%s is fit to play, with %s.\n", report.Label(), Count(warnings, "warning", "warnings"))
	default:
		fmt.Fprintf(out, "\n%s is fit to play.\n", report.Label())
	}
}
