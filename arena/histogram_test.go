package arena_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena"
)

// TestPercentiles: each is within 1/16 of the time that a sorted list gives, and no order of adding matters.
func TestPercentiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		micros := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) int64 {
			return int64(math.Exp2(rapid.Float64Range(0, 36).Draw(t, "octave")))
		}), 1, 60).Draw(t, "times")
		var whole, left, right arena.Histogram
		for i, m := range micros {
			arena.AddTime(&whole, time.Duration(m)*time.Microsecond)
			half := &left
			if i%2 == 1 {
				half = &right
			}
			arena.AddTime(half, time.Duration(m)*time.Microsecond)
		}
		right.Merge(left)
		require.Equal(t, whole, right)
		require.NoError(t, whole.Check())
		require.Equal(t, len(micros), whole.Total())
		slices.Sort(micros)
		for _, percent := range []int{1, 50, 99, 100} {
			want := float64(micros[(len(micros)*percent+99)/100-1]) / 1000
			require.InDelta(t, want, whole.Percentile(percent), want/16)
		}
	})
}

func TestHistogramOfNothing(t *testing.T) {
	var none arena.Histogram
	require.Zero(t, none.Percentile(50))
	require.NoError(t, none.Check())
	arena.AddTime(&none, 400*24*time.Hour)
	arena.AddTime(&none, -time.Second)
	require.NoError(t, none.Check(), "what is too long or too short has a bucket as well")
	for _, damaged := range []arena.Histogram{{1}, {-1, 1}, {304, 1}, {3, 1, 3, 1}, {3, 1, 2, 1}, {3, 0}, {3, -1}} {
		require.ErrorContains(t, damaged.Check(), "damaged", damaged)
	}
}
