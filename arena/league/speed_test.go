package league_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

func TestSpeed(t *testing.T) {
	store := openStore(t, t.TempDir())
	to := tournament(t, "cup", 20, 2)
	to.Cycles = 4
	_, err := store.Begin(t.Context(), to)
	require.NoError(t, err)
	for _, slots := range []int{2} {
		c, err := store.Coordinate(t.Context(), "cup", league.Coordinating{Ahead: 4 * slots, Strict: true})
		require.NoError(t, err)
		t0 := time.Now()
		require.NoError(t, league.RunLocal(t.Context(), nil, c, &league.Worker{Store: store, Pool: "cup", Slots: slots, Play: pretends}))
		c.View(func(s *league.State) { t.Log(s.Played(), s.Phase, time.Since(t0)/time.Duration(s.Played()), time.Since(t0)) })
		require.NoError(t, c.Close())
	}
}
