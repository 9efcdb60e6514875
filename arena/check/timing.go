package check

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// timing looks at the moves of all games that were played.
func (r *run) timing(context.Context) (string, error) {
	if len(r.seen.took) == 0 {
		return "it was never asked", nil
	}
	timing := timingOf(r.seen.took, time.Duration(r.Settings.Clock.MoveMS)*time.Millisecond)
	r.report.Timing = &timing
	return timing.judge()
}

// timingOf takes at least one move.
func timingOf(moves []time.Duration, limit time.Duration) Timing {
	took := slices.Sorted(slices.Values(moves))
	at := func(part float64) float64 { return ms(took[min(len(took)-1, int(part*float64(len(took))))]) }
	t := Timing{Moves: len(took), P50: at(0.5), P99: at(0.99), Max: at(1), Limit: ms(limit)}
	t.Share = t.Max / t.Limit
	return t
}

func (t Timing) judge() (string, error) {
	text := fmt.Sprintf("%d moves: p50 %.1f ms, p99 %.1f ms, max %.1f ms, which is %.0f %% of %.0f ms", t.Moves, t.P50, t.P99, t.Max, 100*t.Share, t.Limit)
	if t.Share > mostOfLimit {
		return "", warned(fmt.Sprintf("search less, to stay below %.0f %% of the limit: a busy machine takes longer, and a move too late costs a strike", 100*mostOfLimit), "%s", text)
	}
	return text, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// sameAgain plays a game twice. That the moves differ is no fault.
func (r *run) sameAgain(ctx context.Context) (string, error) {
	var runs [2]watch
	for i := range runs {
		if _, err := r.play(ctx, tableOf(0, r.bot.Seats()), nil, &runs[i]); err != nil {
			return "", err
		}
	}
	first, second := runs[0].answers, runs[1].answers
	if slices.Equal(first, second) {
		return fmt.Sprintf("the same %d moves in the same game", len(first)), nil
	}
	at := 0
	for at < min(len(first), len(second)) && first[at] == second[at] {
		at++
	}
	return fmt.Sprintf("note: in the same game move %d differed, so its games cannot be repeated; draw chance from the seed in start to change that", at+1), nil
}
