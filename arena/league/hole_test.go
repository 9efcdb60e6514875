package league_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// TestHoleInLog: a bit that flips in a store that was closed in order leaves a hole instead of an end. The tournament is
// damaged, no other suffers, and its export is as good as it was.
func TestHoleInLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var want string
	stored(t, dir, func(store *league.Store) {
		begin(t, store, "cup", 5)
		finish(t, store)
		begin(t, store, "other", 2)
		want = canonical(t, store)
	})
	text, err := os.ReadFile(block(dir, bus.Events))
	require.NoError(t, err)
	damaged := 0
	for at := range 12 {
		copied := t.TempDir()
		require.NoError(t, os.CopyFS(filepath.Join(copied, "tournaments"), os.DirFS(filepath.Join(dir, "tournaments"))))
		spoilt := append([]byte(nil), text...)
		spoilt[len(text)*(2*at+1)/30] ^= 16 // the end is the other tournament's
		require.NoError(t, os.WriteFile(block(copied, bus.Events), spoilt, 0o600))
		stored(t, copied, func(store *league.Store) {
			_, err := store.Leaderboards(t.Context(), league.Leaderboards{Anchor: "greedy@1", Replicates: 10})
			require.NoError(t, err)
			require.Zero(t, load(t, store, "other").Played())
			if _, err = store.Load(t.Context(), "cup"); err != nil {
				damaged++
				return
			}
			require.Equal(t, want, canonical(t, store))
		})
		stored(t, t.TempDir(), func(store *league.Store) {
			file, err := os.Open(filepath.Join(copied, "tournaments", "cup"+league.ExportSuffix))
			require.NoError(t, err)
			defer file.Close()
			_, err = store.Import(t.Context(), file)
			require.NoError(t, err)
			require.Equal(t, want, canonical(t, store))
		})
	}
	require.Positive(t, damaged)
}

// TestDamagedIsLeftOut: what is damaged is said, and leaves the others alone.
func TestDamagedIsLeftOut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := stored(t, dir, func(store *league.Store) {
		begin(t, store, "cup", 5)
		finish(t, store)
		begin(t, store, "other", 3)
		whole, err := store.Leaderboards(t.Context(), league.Leaderboards{Anchor: "greedy@1", Replicates: 10})
		require.NoError(t, err)
		require.Len(t, whole, 1)
		deleteEvent(t.Context(), t, dir, 4)
		_, err = store.Load(t.Context(), "cup")
		require.ErrorIs(t, err, league.ErrDamaged)
		require.Zero(t, load(t, store, "other").Played())
		boards, err := store.Leaderboards(t.Context(), league.Leaderboards{Anchor: "greedy@1", Replicates: 10})
		require.NoError(t, err)
		require.Empty(t, boards)
		ids, err := store.ByCreation(t.Context())
		require.NoError(t, err)
		require.ElementsMatch(t, []string{"cup", "other"}, ids)
	})
	require.Contains(t, out, "a tournament is left out")
}

// TestDamagedMark: what is only there to notice damage does not keep anybody out.
func TestDamagedMark(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stored(t, dir, func(store *league.Store) {
		begin(t, store, "cup", 3)
		finish(t, store)
	})
	marks, err := filepath.Glob(filepath.Join(dir, "tournaments", "*.mark"))
	require.NoError(t, err)
	require.NotEmpty(t, marks)
	require.NoError(t, os.WriteFile(marks[0], []byte("{\"eve"), 0o600))
	out := stored(t, dir, func(store *league.Store) { requireWhole(t, store, "cup") })
	require.Contains(t, out, "a mark of a tournament was damaged")
}

// deleteEvent makes a hole in the log while the store is open.
func deleteEvent(ctx context.Context, t *testing.T, dir string, seq uint64) {
	t.Helper()
	b, err := bus.Open(bus.Config{Dir: filepath.Join(dir, "tournaments"), Reserve: -1})
	require.NoError(t, err)
	defer b.Close()
	stream, err := streams(t, b).Stream(ctx, bus.Events)
	require.NoError(t, err)
	require.NoError(t, stream.DeleteMsg(ctx, seq))
}
