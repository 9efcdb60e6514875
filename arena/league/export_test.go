package league_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// export plays a tournament in a folder, and gives the file that it leaves.
func export(t *testing.T, dir string) string {
	t.Helper()
	store := openStore(t, dir)
	begin(t, store, "cup", 5)
	finish(t, store)
	text, err := os.ReadFile(filepath.Join(dir, "tournaments", "cup"+league.ExportSuffix))
	require.NoError(t, err)
	return string(text)
}

func TestExport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := export(t, dir)
	store := openStore(t, dir)
	var out strings.Builder
	require.NoError(t, store.Export(t.Context(), "cup", &out, true))
	require.Equal(t, text, out.String())

	again := t.TempDir()
	other := openStore(t, again)
	id, err := other.Import(t.Context(), strings.NewReader(text))
	require.NoError(t, err)
	require.Equal(t, "cup", id)
	requireWhole(t, other, "cup")
	require.Equal(t, load(t, store, "cup").Standings(), load(t, other, "cup").Standings())
	require.Equal(t, canonical(t, store), canonical(t, other))
	out.Reset()
	require.NoError(t, other.Export(t.Context(), "cup", &out, true))
	require.Equal(t, text, out.String())

	out.Reset()
	require.NoError(t, store.Export(t.Context(), "cup", &out, false))
	for _, exported := range []string{text, out.String()} { // with times and without
		for _, there := range []*league.Store{store, other} { // where the log is in the order of play, and in that of the export
			_, err = there.Import(t.Context(), io.MultiReader(strings.NewReader(exported))) // as from a pipe
			require.ErrorIs(t, err, league.ErrThere)
		}
	}
	_, err = other.Import(t.Context(), strings.NewReader(strings.Replace(text, "cup", "cap", 1)))
	require.ErrorIs(t, err, league.ErrExport)
	third := openStore(t, t.TempDir())
	begin(t, third, "cup", 5)
	_, err = third.Import(t.Context(), strings.NewReader(text))
	require.ErrorContains(t, err, `tournament "cup" exists already and is another one`, "it runs")
	require.NoError(t, third.Do(t.Context(), "cup", league.Command{Cancel: true}))
	_, err = third.Import(t.Context(), strings.NewReader(text))
	require.ErrorIs(t, err, league.ErrAnother, "it came to something else")
	require.ErrorContains(t, store.Export(t.Context(), "none", &out, true), "there is no such tournament")
	begin(t, store, "young", 2)
	require.ErrorContains(t, store.Export(t.Context(), "young", &out, true), "tournament young is running; it can be exported when")
}

// TestExportWithoutTimes: two runs of the same tournament on other days give the same bytes.
func TestExportWithoutTimes(t *testing.T) {
	t.Parallel()
	var texts []string
	for day := range 2 {
		store := openStore(t, t.TempDir())
		to := tournament(t, "cup", 4, 2)
		to.Created = to.Created.AddDate(0, 0, day)
		_, err := store.Begin(t.Context(), to)
		require.NoError(t, err)
		play := func(ctx context.Context, m arena.Match, replays league.Replays) (arena.Result, error) {
			result, err := pretends(ctx, m, replays)
			result.Sets[0].Games[0].Think[0].TotalMS += float64(day)
			return result, err
		}
		require.NoError(t, league.RunLocal(t.Context(), nil, coordinate(t, store, "cup", league.Coordinating{}), worker(store, "cup", 3, play)))
		texts = append(texts, canonical(t, store))
	}
	require.Equal(t, texts[0], texts[1])
	require.NotContains(t, texts[0], "2024")
}

// TestExportAltered changes every line in turn.
func TestExportAltered(t *testing.T) {
	t.Parallel()
	text := export(t, t.TempDir())
	lines := strings.SplitAfter(text, "\n")
	lines = lines[:len(lines)-1]
	store := openStore(t, t.TempDir())
	refused := func(altered []string) {
		t.Helper()
		_, err := store.Import(t.Context(), strings.NewReader(strings.Join(altered, "")))
		require.ErrorIs(t, err, league.ErrExport)
		ids, err := store.Tournaments(t.Context())
		require.NoError(t, err)
		require.Empty(t, ids, "all or nothing")
	}
	for i, line := range lines {
		changed := bytes.Clone([]byte(line))
		changed[len(line)/2] ^= 1
		refused(append(append(append([]string{}, lines[:i]...), string(changed)), lines[i+1:]...))
		refused(append(append([]string{}, lines[:i]...), lines[i+1:]...))
		refused(lines[:i])
		refused(append(append([]string{}, lines[:i]...), line[:len(line)-1]))
	}
	refused(append([]string{lines[0]}, lines...))
	_, err := store.Import(t.Context(), strings.NewReader(text))
	require.NoError(t, err, "nothing is in its way")
	requireWhole(t, store, "cup")
}

// broken is a reader whose source goes away.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

func TestImportInterrupted(t *testing.T) {
	t.Parallel()
	text := export(t, t.TempDir())
	away := errors.New("the disk is gone")
	store := openStore(t, t.TempDir())
	for _, share := range []int{4, 2} {
		_, err := store.Import(t.Context(), io.MultiReader(strings.NewReader(text[:len(text)/share]), broken{away}))
		require.ErrorIs(t, err, away)
	}
	_, err := store.Import(t.Context(), strings.NewReader(text))
	require.NoError(t, err)
	requireWhole(t, store, "cup")
}

func TestRemove(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := export(t, dir)
	store := openStore(t, dir)
	begin(t, store, "young", 2)
	require.ErrorContains(t, store.Remove(t.Context(), "young"), "tournament young is running; cancel it before")
	require.ErrorIs(t, store.Remove(t.Context(), "none"), league.ErrNoTournament)
	require.NoError(t, store.Remove(t.Context(), "cup"))
	ids, err := store.Tournaments(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"young"}, ids)
	_, err = store.Result(t.Context(), "cup", 1)
	require.ErrorContains(t, err, "it is not stored")
	require.NoFileExists(t, filepath.Join(dir, "tournaments", "cup"+league.ExportSuffix))
	_, err = store.Import(t.Context(), strings.NewReader(text))
	require.NoError(t, err)
	requireWhole(t, store, "cup")
}
