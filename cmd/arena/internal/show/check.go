package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/check"
)

// Step prints one line of a check, and for what is not good the hint and what the bot said. What was not
// tried after a failure is left to the verdict.
func Step(out io.Writer, step check.Step) {
	if notReached(step) {
		return
	}
	state := string(step.State)
	if step.State == check.Failed {
		state = "FAILED"
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

// notReached is of a step that comes after one without which nothing makes sense; any other that is skipped says why.
func notReached(step check.Step) bool { return step.State == check.Skipped && step.Text == "" }

// Verdict prints what a check has come to.
func Verdict(out io.Writer, report check.Report) {
	failures, warnings, skipped := report.Count(check.Failed), report.Count(check.Warning), 0
	for _, step := range report.Steps {
		if notReached(step) {
			skipped++
		}
	}
	switch {
	case failures > 0 && skipped > 0: // which are the last ones
		fmt.Fprintf(out, "\n%d of %d steps failed; the %d after it were not tried.\n", failures, len(report.Steps), skipped)
	case failures > 0:
		fmt.Fprintf(out, "\n%d of %d steps failed.\n", failures, len(report.Steps))
	case warnings > 0:
		fmt.Fprintf(out, "\n%s is fit to play, with %s.\n", report.Label(), Count(warnings, "warning", "warnings"))
	default:
		fmt.Fprintf(out, "\n%s is fit to play.\n", report.Label())
	}
}
