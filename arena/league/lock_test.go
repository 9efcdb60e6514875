package league_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

func TestOneArenaATournament(t *testing.T) {
	dir := t.TempDir()
	release, err := league.NewFiles(dir).Acquire(t.Context(), "cup")
	require.NoError(t, err)
	_, err = league.NewFiles(dir).Acquire(t.Context(), "cup")
	require.ErrorIs(t, err, league.ErrInUse)
	require.ErrorContains(t, err, `tournament "cup": another arena runs this tournament`)
	other, err := league.NewFiles(dir).Acquire(t.Context(), "other")
	require.NoError(t, err)
	other()
	release()
	release, err = league.NewFiles(dir).Acquire(t.Context(), "cup")
	require.NoError(t, err)
	release()
}

// TestLostResult holds that a log from which a result was taken is not finished, whatever it says.
func TestLostResult(t *testing.T) {
	events := logOf(t, tournament(t, "cup", 3, 2))
	now := time.Now()
	events = append(events, league.Event{Finished: &now})
	state, err := league.Fold(events)
	require.NoError(t, err)
	require.True(t, state.Finished)
	state, err = league.Fold(append(events[:1:1], events[2:]...))
	require.NoError(t, err)
	require.False(t, state.Finished)
}

func TestTooLarge(t *testing.T) {
	for text, want := range map[string]string{
		"cycles = 99999999999999":    "cycles: 99999999999999 is outside 1 to 1000",
		"deal_sets = 99999999999999": "deal_sets: 99999999999999 is outside 1 to 100000",
	} {
		spec, err := league.ParseSpec([]byte("bots = ['a', 'b']\nplayers = 2\n" + text))
		require.NoError(t, err)
		to, err := spec.Tournament()
		if err == nil {
			to.Entrants = []league.Entrant{{Label: "a"}, {Label: "b"}}
			_, err = to.Matches()
		}
		require.ErrorContains(t, err, want)
	}
}
