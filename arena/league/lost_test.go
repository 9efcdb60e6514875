package league_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

func exportPath(dir string) string {
	return filepath.Join(dir, "tournaments", "cup"+league.ExportSuffix)
}

// finished has a folder with a finished cup and another tournament, and gives the export of the cup without times.
func finished(t *testing.T, dir string) (want string) {
	t.Helper()
	stored(t, dir, func(store *league.Store) {
		begin(t, store, "cup", 5)
		finish(t, store)
		begin(t, store, "other", 3)
		want = canonical(t, store)
	})
	return want
}

func spoilFile(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	text[len(text)/2] ^= 1
	require.NoError(t, os.WriteFile(path, text, 0o600))
}

// TestExportDamagedAsWell: a damaged export keeps nobody out of the folder, and is not used.
func TestExportDamagedAsWell(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := finished(t, dir)
	spoilFile(t, exportPath(dir))
	spoilText(t, dir, `{"match":"cup-4"`)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tournaments", "doubt"), nil, 0o600))
	out := stored(t, dir, func(store *league.Store) {
		text := canonical(t, store)
		require.Equal(t, 1, strings.Count(text, `"result_lost":{"match":4,`))
		require.Equal(t, strings.Count(want, "\n"), strings.Count(text, "\n"))
		require.Equal(t, league.Running, load(t, store, "other").Phase)
	})
	require.Contains(t, out, "the export of a tournament is damaged as well")
	require.Contains(t, out, "its export will have of those matches what the log has")
	require.NotContains(t, stored(t, dir, func(*league.Store) {}), "were lost", "it is told once")
}

// TestForeignExport: what lies under the name of an export is of another tournament.
func TestForeignExport(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	finished(t, dir)
	stored(t, elsewhere, func(store *league.Store) {
		begin(t, store, "third", 3)
		require.NoError(t, store.Do(t.Context(), "third", league.Command{Cancel: true}))
		file, err := os.Create(exportPath(dir))
		require.NoError(t, err)
		require.NoError(t, store.Export(t.Context(), "third", file, true))
		require.NoError(t, file.Close())
	})
	cutOff(bus.Events)(t, dir)
	out := stored(t, dir, func(store *league.Store) {
		_, err := store.Load(t.Context(), "third")
		require.ErrorIs(t, err, league.ErrNoTournament)
	})
	require.Contains(t, out, "it is of tournament")
}

// TestResultsLostAtTheEnd: the end of the results is lost without a trace in the stream.
func TestResultsLostAtTheEnd(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(path string) error{
		"cut":     func(path string) error { return os.Truncate(path, 4000) },
		"removed": os.Remove,
	} {
		for _, index := range []bool{true, false} {
			t.Run(fmt.Sprint(name, index), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				want := finished(t, dir)
				path := block(dir, bus.Results)
				info, err := os.Stat(path)
				require.NoError(t, err)
				require.Greater(t, info.Size(), int64(4000))
				require.NoError(t, damage(path))
				if !index {
					_ = os.Remove(filepath.Join(filepath.Dir(path), "index.db"))
				}
				out := stored(t, dir, func(store *league.Store) {
					requireWhole(t, store, "cup")
					require.Equal(t, want, canonical(t, store))
				})
				require.Contains(t, out, "They are restored from its export")
				require.NotContains(t, stored(t, dir, func(*league.Store) {}), "lost", "it is whole again")
			})
		}
	}
}

// TestExportLooksBeside: results that are lost while the store is open come from the export that is kept.
func TestExportLooksBeside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := finished(t, dir)
	stored(t, dir, func(store *league.Store) {
		purgeResults(t, dir)
		require.Equal(t, want, canonical(t, store))
		requireWhole(t, store, "cup")
		spoilFile(t, exportPath(dir))
		purgeResults(t, dir)
		require.Equal(t, 10, strings.Count(canonical(t, store), `"result_lost"`))
	})
}

func purgeResults(t *testing.T, dir string) {
	t.Helper()
	b, err := bus.Open(bus.Config{Dir: filepath.Join(dir, "tournaments"), Reserve: -1})
	require.NoError(t, err)
	defer b.Close()
	stream, err := streams(t, b).Stream(t.Context(), bus.Results)
	require.NoError(t, err)
	require.NoError(t, stream.Purge(t.Context(), jetstream.WithPurgeSubject(bus.ResultSubjects("cup"))))
}

// TestImportedLoss: results that were lost before an import are not missed in the new place.
func TestImportedLoss(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	finished(t, dir)
	var text string
	stored(t, dir, func(store *league.Store) {
		require.NoError(t, os.Remove(exportPath(dir)))
		purgeResults(t, dir)
		text = canonical(t, store)
	})
	stored(t, elsewhere, func(store *league.Store) {
		_, err := store.Import(t.Context(), strings.NewReader(text))
		require.NoError(t, err)
	})
	require.NotContains(t, stored(t, elsewhere, func(*league.Store) {}), "lost")
}

// TestLogInUse: a log that somebody conducts is not restored by who looks at the folder, even if a mark says that it was longer.
func TestLogInUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	finished(t, dir)
	mark := filepath.Join(dir, "tournaments", "cup.mark")
	stored(t, dir, func(store *league.Store) {
		want := events(t, store, "cup")
		c := coordinate(t, store, "cup", league.Coordinating{})
		require.NoError(t, os.WriteFile(mark, []byte(`{"events":99,"results":1,"played":50}`), 0o600))
		require.NotContains(t, stored(t, dir, func(*league.Store) {}), "damaged")
		require.Equal(t, want, events(t, store, "cup"))
		require.NoError(t, c.Close())
		require.NoError(t, os.WriteFile(mark, []byte(`{"events":99,"results":1,"played":50}`), 0o600))
		require.Contains(t, stored(t, dir, func(*league.Store) {}), "has lost its end")
	})
}

// TestNewComesBack: a tournament that was only made is begun again when its one event is lost.
func TestNewComesBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var want []league.Event
	stored(t, dir, func(store *league.Store) {
		_, err := store.New(t.Context(), tournament(t, "cup", 3, 2))
		require.NoError(t, err)
		want = events(t, store, "cup")
	})
	gone(bus.Events)(t, dir)
	out := stored(t, dir, func(store *league.Store) { require.Equal(t, want, events(t, store, "cup")) })
	require.Contains(t, out, "It is begun again, paused")
	require.NotContains(t, stored(t, dir, func(*league.Store) {}), "damaged")
}

// TestNewIsMissed: without a mark that knows how it began, it is missed until it is given up.
func TestNewIsMissed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stored(t, dir, func(store *league.Store) {
		_, err := store.New(t.Context(), tournament(t, "cup", 3, 2))
		require.NoError(t, err)
	})
	gone(bus.Events)(t, dir)
	forgetFirst(t, dir)
	out := stored(t, dir, func(store *league.Store) {
		require.ErrorIs(t, store.Remove(t.Context(), "none"), league.ErrNoTournament)
		require.ErrorIs(t, store.Remove(t.Context(), "cup"), league.ErrForgotten)
		require.ErrorIs(t, store.Remove(t.Context(), "cup"), league.ErrNoTournament)
	})
	require.Contains(t, out, "the log of a tournament is gone: the store was damaged.")
	require.Contains(t, out, "arena tournament remove cup")
	require.NotContains(t, stored(t, dir, func(*league.Store) {}), "damaged")
}

// forgetFirst makes of the mark of the cup one of an older program.
func forgetFirst(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tournaments", "cup.mark"), []byte(`{"events":1,"results":0}`), 0o600))
}

// TestBeginningGone: where nothing knows how a log began, that alone is told, and names the tournament.
func TestBeginningGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stored(t, dir, func(store *league.Store) {
		begin(t, store, "cup", 3)
		require.NoError(t, store.Do(t.Context(), "cup", league.Command{Pause: true}))
	})
	forgetFirst(t, dir)
	spoilEvent(t, dir, 1)
	out := stored(t, dir, func(store *league.Store) {
		_, err := store.Load(t.Context(), "cup")
		require.ErrorIs(t, err, league.ErrDamaged)
		require.ErrorContains(t, err, "log of cup, event 2")
	})
	require.Contains(t, out, "its beginning is gone")
	require.NotContains(t, out, "has lost its end")
}

// endless gives zeros.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestImportFromPipe: what cannot be read twice is read to its end before anything is written, and leaves no file behind.
func TestImportFromPipe(t *testing.T) { //nolint:paralleltest // it sets the folder of temporary files
	text := export(t, t.TempDir())
	temporary := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temporary)
	}
	store := openStore(t, t.TempDir())
	for told, in := range map[string]io.Reader{
		"its end is missing":                                   strings.NewReader(text[:1+strings.LastIndex(text[:len(text)-1], "\n")]),
		"there is nothing":                                     strings.NewReader(""),
		"line 1: it ends in CR LF":                             strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")),
		"line 1: it begins with a byte order mark":             strings.NewReader("\ufeff" + text),
		"line 1: it is longer than a line of an export can be": endless{},
	} {
		_, err := store.Import(t.Context(), io.MultiReader(in))
		require.ErrorContains(t, err, told)
		require.ErrorContains(t, err, "nothing was imported")
		_, err = store.Load(t.Context(), "cup")
		require.ErrorIs(t, err, league.ErrNoTournament)
	}
	reading, writing, err := os.Pipe()
	require.NoError(t, err)
	go func() {
		_, _ = io.WriteString(writing, text)
		_ = writing.Close()
	}()
	_, err = store.Import(t.Context(), reading)
	require.NoError(t, err)
	require.NoError(t, reading.Close())
	requireWhole(t, store, "cup")
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, left)
}
