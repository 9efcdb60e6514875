package bot_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/protocol"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

// TestRandom has the numbers of sdk/README.md.
func TestRandom(t *testing.T) {
	r := bot.NewRandom(1)
	require.Equal(t, []uint32{3246255444, 3949217778, 3956214905}, []uint32{r.Next(), r.Next(), r.Next()})
	require.Equal(t, []int{1, 1, 0}, []int{r.Below(6), r.Below(6), r.Below(6)})
	drawn := map[int]int{}
	const n = 60_000
	for range n {
		drawn[r.Below(6)]++
	}
	for face := range 6 {
		require.InDelta(t, n/6, drawn[face], 400) // more than four standard deviations
	}
	require.Zero(t, r.Below(1))
	require.Panics(t, func() { r.Below(0) })
}

func TestTimeLeft(t *testing.T) {
	turn := bot.Turn{Clock: protocol.TurnClock{MoveMS: 60_000, BankMS: 40_000}, Read: time.Now()}
	require.InDelta(t, 100, bot.TimeLeft(turn).Seconds(), 50)
	turn.Read = time.Now().Add(-200 * time.Second)
	require.Zero(t, bot.TimeLeft(turn))
}
