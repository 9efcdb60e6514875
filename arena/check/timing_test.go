package check_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/check"
)

// TestMostOfLimit: who needs most of a limit is told, and may play.
func TestMostOfLimit(t *testing.T) {
	state, text, hint := check.ReadyIn(7*time.Second, 10*time.Second)
	require.Equal(t, check.OK, state)
	require.Equal(t, "ready in 7000 ms of 10000 ms", text)
	require.Empty(t, hint)
	state, text, hint = check.ReadyIn(7001*time.Millisecond, 10*time.Second)
	require.Equal(t, check.Warning, state)
	require.Contains(t, text, "more than 70 %")
	require.Contains(t, hint, "start faster")

	took := make([]time.Duration, 100)
	for i := range took {
		took[len(took)-1-i] = time.Duration(i+1) * time.Millisecond
	}
	timing, state, text, hint := check.Judge(took, 200*time.Millisecond)
	require.Equal(t, check.Timing{Moves: 100, P50: 51, P99: 100, Max: 100, Limit: 200, Share: 0.5}, timing)
	require.Equal(t, check.OK, state)
	require.Equal(t, "100 moves: p50 51.0 ms, p99 100.0 ms, max 100.0 ms, which is 50 % of 200 ms", text)
	require.Empty(t, hint)
	_, state, text, hint = check.Judge(took, 140*time.Millisecond)
	require.Equal(t, check.Warning, state)
	require.Contains(t, text, "71 % of 140 ms")
	require.Contains(t, hint, "search less")
}
