package league_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// TestNoRoom: who asks for something that cannot be stored hears soon how much room is missing.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := export(t, t.TempDir())
	stored(t, dir, func(store *league.Store) { begin(t, store, "spring", 3) })
	folder := filepath.Join(dir, "tournaments")
	b, err := bus.Open(bus.Config{Dir: folder, Reserve: 1 << 60})
	require.NoError(t, err)
	t.Cleanup(b.Close)
	store, err := league.Open(t.Context(), b, league.Options{Dir: folder})
	require.NoError(t, err)
	js := streams(t, b)
	stream, err := js.Stream(t.Context(), bus.Events)
	require.NoError(t, err)
	config := stream.CachedInfo().Config
	config.MaxBytes = 1 // whatever is written waits
	_, err = js.UpdateStream(t.Context(), config)
	require.NoError(t, err)

	_, fresh := store.New(t.Context(), tournament(t, "autumn", 3, 2))
	alone := store.Do(t.Context(), "spring", league.Command{Pause: true})
	coordinate(t, store, "spring", league.Coordinating{})
	conducted := store.Do(t.Context(), "spring", league.Command{Pause: true})
	_, imported := store.Import(t.Context(), strings.NewReader(text))
	for _, err := range []error{fresh, alone, conducted, imported} {
		require.ErrorContains(t, err, "nothing can be stored: the disk of "+folder+" has ")
		require.ErrorContains(t, err, " are missing; make room, and try again")
	}
	require.Equal(t, league.Running, load(t, store, "spring").Phase)
}
