package league_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// stored runs something with the folder open, and gives what was logged. The server has ended when it returns.
func stored(t *testing.T, dir string, run func(store *league.Store)) string {
	t.Helper()
	out := &lockedBuffer{told: make(chan struct{})}
	log := slog.New(slog.NewTextHandler(out, nil))
	b, err := bus.Open(bus.Config{Dir: filepath.Join(dir, "tournaments"), Reserve: -1, Log: log})
	require.NoError(t, err)
	defer b.Close()
	store, err := league.Open(t.Context(), b, league.Options{Dir: filepath.Join(dir, "tournaments"), Log: log})
	require.NoError(t, err)
	run(store)
	return string(out.Bytes())
}

// block is the file with the messages of a stream.
func block(dir, stream string) string {
	return filepath.Join(dir, "tournaments", "store", "jetstream", "ARENA", "streams", stream, "msgs", "1.blk")
}

// spoil damages a stream, as a disk may.
type spoil func(t *testing.T, dir string)

func flip(stream string, at float64) spoil {
	return func(t *testing.T, dir string) {
		t.Helper()
		text, err := os.ReadFile(block(dir, stream))
		require.NoError(t, err)
		text[int(float64(len(text))*at)] ^= 1
		require.NoError(t, os.WriteFile(block(dir, stream), text, 0o600))
		_ = os.Remove(filepath.Join(filepath.Dir(block(dir, stream)), "index.db")) // as after a crash
	}
}

func cutOff(stream string) spoil {
	return func(t *testing.T, dir string) {
		t.Helper()
		info, err := os.Stat(block(dir, stream))
		require.NoError(t, err)
		require.NoError(t, os.Truncate(block(dir, stream), info.Size()*2/3))
		_ = os.Remove(filepath.Join(filepath.Dir(block(dir, stream)), "index.db"))
	}
}

func gone(stream string) spoil {
	return func(t *testing.T, dir string) {
		t.Helper()
		require.NoError(t, os.RemoveAll(filepath.Dir(filepath.Dir(block(dir, stream)))))
	}
}

// TestDamagedLog: a finished tournament comes back from its export, and the damage is reported.
func TestDamagedLog(t *testing.T) {
	t.Parallel()
	const end, hole = "has lost its end", "has a hole"
	for name, damage := range map[string]struct {
		spoil spoil
		told  string
	}{
		"flipped": {flip(bus.Events, 0.5), hole}, "cut": {cutOff(bus.Events), end}, "gone": {gone(bus.Events), end},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var want string
			stored(t, dir, func(store *league.Store) {
				begin(t, store, "cup", 5)
				finish(t, store)
				want = canonical(t, store)
			})
			damage.spoil(t, dir)
			out := stored(t, dir, func(store *league.Store) {
				requireWhole(t, store, "cup")
				require.Equal(t, want, canonical(t, store))
			})
			require.Contains(t, out, "the log of a tournament "+damage.told+": the store was damaged. It is restored from its export")
			require.Contains(t, out, "tournament=cup")
			out = stored(t, dir, func(store *league.Store) { requireWhole(t, store, "cup") })
			require.NotContains(t, out, "damaged", "it is whole again")
		})
	}
}

// TestDamagedUnfinished: what a running tournament has lost is taken from the results, which were not damaged.
func TestDamagedUnfinished(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	played := 0
	stored(t, dir, func(store *league.Store) {
		begin(t, store, "cup", 6)
		c := coordinate(t, store, "cup", league.Coordinating{})
		g := newGate()
		stop, ended := make(chan struct{}), make(chan error)
		go func() { ended <- league.RunLocal(t.Context(), stop, c, worker(store, "cup", 5, g.play)) }()
		g.wait(t, 5)
		close(stop)
		close(g.open)
		require.ErrorIs(t, <-ended, league.ErrStopped)
		require.NoError(t, c.Close())
		played = load(t, store, "cup").Played()
		require.GreaterOrEqual(t, played, 5)
	})
	cutOff(bus.Events)(t, dir)
	out := stored(t, dir, func(store *league.Store) {
		require.Less(t, load(t, store, "cup").Played(), played)
		again := 0
		c := coordinate(t, store, "cup", league.Coordinating{})
		count := func(arena.Match) { again++ }
		require.NoError(t, league.RunLocal(t.Context(), nil, c, worker(store, "cup", 1, counting(count))))
		require.NoError(t, c.Close())
		require.Equal(t, 15-played, again, "no match is played twice")
		requireWhole(t, store, "cup")
	})
	require.Contains(t, out, "the log of a tournament has lost its end: the store was damaged. Matches are taken from the stored results")
}

// TestDamagedResults: standings do not change with results that are lost, and those of a finished tournament come back
// from its export.
func TestDamagedResults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stored(t, dir, func(store *league.Store) {
		begin(t, store, "cup", 5)
		finish(t, store)
	})
	cutOff(bus.Results)(t, dir)
	out := stored(t, dir, func(store *league.Store) { requireWhole(t, store, "cup") })
	require.Contains(t, out, "results of a tournament were lost: the store was damaged. They are restored from its export")
}

// TestDamagedTogether: a log and a result of the same tournament come back together.
func TestDamagedTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := finished(t, dir)
	spoilEvent(t, dir, 3)
	spoilText(t, dir, `{"match":"cup-4"`)
	out := stored(t, dir, func(store *league.Store) {
		requireWhole(t, store, "cup")
		require.Equal(t, want, canonical(t, store))
	})
	require.Contains(t, out, "It is restored from its export")
	require.NotContains(t, stored(t, dir, func(*league.Store) {}), "damaged", "it is whole again")
}

// TestDamagedResultExported: a damaged result that nobody has looked for is taken from the export that is kept.
func TestDamagedResultExported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := finished(t, dir)
	spoilText(t, dir, `{"match":"cup-4"`)
	out := stored(t, dir, func(store *league.Store) { require.Equal(t, want, canonical(t, store)) })
	require.Contains(t, out, "it is taken from the export in the folder")
	out = stored(t, dir, func(store *league.Store) { requireWhole(t, store, "cup") })
	require.Contains(t, out, "They are restored from its export")
}

// TestSpared: a tournament that cannot be mended keeps no other out, and is tried again.
func TestSpared(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := finished(t, dir)
	var last uint64
	stored(t, dir, func(store *league.Store) {
		var err error
		last, err = store.Events(t.Context(), "cup", func(league.Event) error { return nil })
		require.NoError(t, err)
	})
	deleteEvent(t.Context(), t, dir, last)
	spoilText(t, dir, `{"match":"cup-4"`) // it keeps its place, and is not looked at
	out := stored(t, dir, func(store *league.Store) { require.Equal(t, league.Running, load(t, store, "other").Phase) })
	require.Contains(t, out, "a tournament cannot be mended; it is tried again")
	stored(t, dir, func(store *league.Store) {
		requireWhole(t, store, "cup")
		require.Equal(t, want, canonical(t, store))
	})
}

// counting pretends, and says what is played.
func counting(count func(arena.Match)) play {
	return func(ctx context.Context, m arena.Match, replays league.Replays) (arena.Result, error) {
		count(m)
		return pretends(ctx, m, replays)
	}
}

// TestLostResult: a result that cannot be read any more is noticed at the latest when it is exported, and costs no points.
// The export says so, and can be imported; the next who opens the store looks at all results.
func TestLostResult(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "tournaments", "cup"+league.ExportSuffix)
	var want, export string
	stored(t, dir, func(store *league.Store) {
		begin(t, store, "cup", 5)
		finish(t, store)
		want = canonical(t, store)
	})
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.Remove(path))
	spoilText(t, dir, `{"match":"cup-4"`)
	var standings []league.Standing
	out := stored(t, dir, func(store *league.Store) {
		export = canonical(t, store)
		standings = load(t, store, "cup").Standings()
	})
	require.Contains(t, out, "the result of a match was lost: the store was damaged.")
	require.Equal(t, 1, strings.Count(export, `"result_lost":{"match":4,`))
	require.Equal(t, strings.Count(want, "\n"), strings.Count(export, "\n"))
	stored(t, t.TempDir(), func(store *league.Store) {
		_, err := store.Import(t.Context(), strings.NewReader(export))
		require.NoError(t, err)
		require.Equal(t, export, canonical(t, store), "also when it is exported again")
		for i, row := range load(t, store, "cup").Standings() {
			row.Think = standings[i].Think // without times
			require.Equal(t, standings[i], row)
		}
	})
	copied := copyOf(t, dir)
	require.Contains(t, stored(t, copied, func(*league.Store) {}), "its export will have of those matches what the log has")
	require.NoError(t, os.WriteFile(path, whole, 0o600))
	out = stored(t, dir, func(store *league.Store) {
		requireWhole(t, store, "cup")
		require.Equal(t, want, canonical(t, store))
	})
	require.Contains(t, out, "They are restored from its export")
	require.NotContains(t, stored(t, dir, func(*league.Store) {}), "damaged")
}
