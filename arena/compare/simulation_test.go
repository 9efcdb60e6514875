package compare_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/ratings"
)

// TestHowOftenEqualsAreAccepted plays many comparisons of a bot with itself. By the design of the test at most 5 % may be
// accepted; those that are not decided by the end count as rejected.
func TestHowOftenEqualsAreAccepted(t *testing.T) {
	const runs = 400
	for _, of := range []struct {
		seats int
		field bool
	}{{2, false}, {4, false}, {3, true}} {
		accepted, sets := 0, 0
		for run := range runs {
			c := comparison(t, of.seats, of.field, world{})
			c.Jobs, c.Seed = 1, engine.Seed{}.Child("run", uint64(run))
			c.Test.Elo1 = 80
			report, err := c.Run(t.Context(), nil)
			require.NoError(t, err)
			sets += report.DealSets
			if report.Decision == ratings.AcceptH1 {
				accepted++
			}
		}
		t.Logf("%d seats, field %v: %.1f %% accepted, after %d deal sets in the mean", of.seats, of.field, 100*float64(accepted)/runs, sets/runs)
		require.LessOrEqual(t, float64(accepted)/runs, 0.075, "5 %% and two standard deviations of %d runs", runs)
	}
}
