package league_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// TestHoleInLog: a bit that flips in a store that was closed in order leaves a hole instead of an end. The tournament comes back
// from its export in the same folder, and no other is touched.
func TestHoleInLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var want string
	var other []league.Event
	stored(t, dir, func(store *league.Store) {
		begin(t, store, "other", 2)
		begin(t, store, "cup", 5)
		finish(t, store)
		require.NoError(t, store.Do(t.Context(), "other", league.Command{Pause: true}))
		want, other = canonical(t, store), events(t, store, "other")
	})
	for n := 1; n <= 12; n += 2 {
		copied := copyOf(t, dir)
		spoilEvent(t, copied, n)
		out := stored(t, copied, func(store *league.Store) {
			requireWhole(t, store, "cup")
			require.Equal(t, want, canonical(t, store))
			require.Equal(t, other, events(t, store, "other"))
			boards, err := store.Leaderboards(t.Context(), league.Leaderboards{Anchor: "greedy@1", Replicates: 10})
			require.NoError(t, err)
			require.Len(t, boards, 1)
		})
		require.Contains(t, out, "the log of a tournament has a hole: the store was damaged. It is restored from its export")
		require.NotContains(t, stored(t, copied, func(*league.Store) {}), "damaged", "it is told once")
	}
}

// TestHoleWithoutExport loses each event of a log in turn. What can be read stays, what was played is taken from the results,
// and stages are paired anew as they were: so nothing is played again, and it comes to the same.
func TestHoleWithoutExport(t *testing.T) {
	t.Parallel()
	for _, format := range []league.Format{league.RoundRobin, league.Swiss, league.Knockout, league.DoubleElimination, league.Gauntlet} {
		for _, over := range []bool{true, false} {
			t.Run(fmt.Sprint(format, over), func(t *testing.T) {
				t.Parallel()
				testHoles(t, format, over)
			})
		}
	}
}

func testHoles(t *testing.T, format league.Format, over bool) {
	dir := t.TempDir()
	var want string
	count := 0
	stored(t, dir, func(store *league.Store) {
		to := tournament(t, "cup", 4, 2)
		to.Format, to.Choices = format, league.Choices{}
		if format == league.RoundRobin {
			to.Cycles = 1
		}
		if format == league.Gauntlet {
			to.Cycles, to.Heroes = 1, []int{0}
		}
		_, err := store.Begin(t.Context(), to)
		require.NoError(t, err)
		replay(t, store, pretends)
		want = canonical(t, store)
		require.NoError(t, os.Remove(filepath.Join(dir, "tournaments", "cup"+league.ExportSuffix)))
		count = len(events(t, store, "cup"))
		if !over { // the last event says that it is over
			cut(t, store, dir, count)
			count--
		}
	})
	for n := 1; n < count; n++ {
		copied := copyOf(t, dir)
		spoilEvent(t, copied, n)
		again := 0
		out := stored(t, copied, func(store *league.Store) {
			replay(t, store, counting(func(arena.Match) { again++ }))
			require.Equal(t, want, canonical(t, store), "event %d", n)
		})
		require.Zero(t, again, "event %d", n)
		require.Contains(t, out, "the log of a tournament has a hole: the store was damaged. It is put together again")
	}
}

// TestHoleAndResults: where a match has neither its event nor its result any more, it is played again, and nothing else is.
func TestHoleAndResults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lost := 0
	stored(t, dir, func(store *league.Store) {
		begin(t, store, "cup", 5)
		finish(t, store)
		require.NoError(t, os.Remove(filepath.Join(dir, "tournaments", "cup"+league.ExportSuffix)))
		lost = events(t, store, "cup")[6].Played.Match
	})
	spoilEvent(t, dir, 7)
	spoilText(t, dir, fmt.Sprintf(`{"match":"cup-%d"`, lost))
	require.NoError(t, os.Remove(filepath.Join(dir, "tournaments", "closed"))) // results are looked at after an unclean end
	var again []string
	stored(t, dir, func(store *league.Store) {
		require.Equal(t, league.Running, load(t, store, "cup").Phase)
		replay(t, store, counting(func(m arena.Match) { again = append(again, m.ID) }))
		requireWhole(t, store, "cup")
	})
	require.Equal(t, []string{fmt.Sprint("cup-", lost)}, again)
}

// TestHoleKeepsDecisions: what organisers wanted stays, as far as it can be read.
func TestHoleKeepsDecisions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stored(t, dir, func(store *league.Store) {
		to := tournament(t, "cup", 5, 2)
		to.Format, to.Choices = league.Ladder, league.Choices{Stages: 9}
		_, err := store.New(t.Context(), to)
		require.NoError(t, err)
		for _, command := range []league.Command{
			{Resume: true}, {Withdraw: "a@1"}, {Withdraw: "b@1"}, {Enter: &league.Entrant{Label: "z@1"}}, {Cancel: true},
		} {
			require.NoError(t, store.Do(t.Context(), "cup", command))
		}
	})
	spoilEvent(t, dir, 3)
	stored(t, dir, func(store *league.Store) {
		state := load(t, store, "cup")
		require.Equal(t, league.Cancelled, state.Phase)
		require.Len(t, state.Entrants, 6)
		require.Len(t, events(t, store, "cup"), 5)
	})
}

// TestRemovedStaysRemoved: what says that a log was removed may be damaged as well.
func TestRemovedStaysRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stored(t, dir, func(store *league.Store) {
		begin(t, store, "cup", 5)
		finish(t, store)
		begin(t, store, "other", 2)
		require.NoError(t, store.Remove(t.Context(), "cup"))
	})
	text, err := os.ReadFile(block(dir, bus.Events))
	require.NoError(t, err)
	for at := len(text) - 10; at > len(text)-400; at -= 30 { // the last records say what was removed
		copied := copyOf(t, dir)
		spoilt := append([]byte(nil), text...)
		spoilt[at] ^= 16
		require.NoError(t, os.WriteFile(block(copied, bus.Events), spoilt, 0o600))
		stored(t, copied, func(store *league.Store) {
			ids, err := store.Tournaments(t.Context())
			require.NoError(t, err)
			require.Equal(t, []string{"other"}, ids)
		})
	}
}

// TestMendingKilled: a log that is being written in the place of one with holes is finished by whoever comes next, from
// whatever point.
func TestMendingKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stored(t, dir, func(store *league.Store) {
		begin(t, store, "cup", 3)
		finish(t, store)
		want := events(t, store, "cup")
		var text []byte
		for _, event := range want {
			line, err := json.Marshal(event)
			require.NoError(t, err)
			text = append(append(text, line...), '\n')
		}
		for reached := range len(want) + 1 {
			path := filepath.Join(dir, "tournaments", "cup.mending")
			require.NoError(t, os.WriteFile(path, text, 0o600))
			cut(t, store, dir, reached+1)
			c := coordinate(t, store, "cup", league.Coordinating{})
			require.NoError(t, c.Close())
			require.Equal(t, want, events(t, store, "cup"))
			require.NoFileExists(t, path)
		}
	})
}

// replay plays what is missing of the cup.
func replay(t *testing.T, store *league.Store, play play) {
	t.Helper()
	c := coordinate(t, store, "cup", league.Coordinating{})
	require.NoError(t, league.RunLocal(t.Context(), nil, c, worker(store, "cup", 1, play)))
	require.NoError(t, c.Close())
}

// TestSettledLater: who finds the damage may be killed before the tournaments are mended.
func TestSettledLater(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stored(t, dir, func(store *league.Store) {
		begin(t, store, "cup", 4)
		finish(t, store)
	})
	spoilEvent(t, dir, 3)
	b := openBus(t, dir)
	require.NotNil(t, b.Damage())
	b.Close()
	stored(t, dir, func(store *league.Store) { requireWhole(t, store, "cup") })
}

func events(t *testing.T, store *league.Store, id string) (all []league.Event) {
	t.Helper()
	_, err := store.Events(t.Context(), id, func(e league.Event) error {
		all = append(all, e)
		return nil
	})
	require.NoError(t, err)
	return all
}

// cut leaves the events of the cup before one.
func cut(t *testing.T, store *league.Store, dir string, n int) {
	t.Helper()
	kept := events(t, store, "cup")[:max(0, n-1)]
	b, err := bus.Open(bus.Config{Dir: filepath.Join(dir, "tournaments"), Reserve: -1})
	require.NoError(t, err)
	defer b.Close()
	js := streams(t, b)
	stream, err := js.Stream(t.Context(), bus.Events)
	require.NoError(t, err)
	require.NoError(t, stream.Purge(t.Context(), jetstream.WithPurgeSubject(bus.EventSubject("cup"))))
	for _, event := range kept {
		text, err := json.Marshal(event)
		require.NoError(t, err)
		_, err = js.Publish(t.Context(), bus.EventSubject("cup"), text)
		require.NoError(t, err)
	}
}

func copyOf(t *testing.T, dir string) string {
	t.Helper()
	copied := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(copied, "tournaments"), os.DirFS(filepath.Join(dir, "tournaments"))))
	return copied
}

// spoilEvent flips a bit in an event of the cup, in a store that was closed in order.
func spoilEvent(t *testing.T, dir string, n int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(block(dir, bus.Events)), "*.blk"))
	require.NoError(t, err)
	subject := []byte(bus.EventSubject("cup"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for from := bytes.Index(text, subject); from >= 0; {
			body := from + bytes.IndexByte(text[from:], '{')
			if bytes.HasPrefix(text[body:], fmt.Appendf(nil, `{"n":%d,`, n)) {
				text[body+2] ^= 1
				require.NoError(t, os.WriteFile(file, text, 0o600))
				return
			}
			next := bytes.Index(text[from+1:], subject)
			if next < 0 {
				break
			}
			from += 1 + next
		}
	}
	require.FailNow(t, "there is no such event")
}

// spoilText flips a bit where a text begins, in the results.
func spoilText(t *testing.T, dir, begin string) {
	t.Helper()
	text, err := os.ReadFile(block(dir, bus.Results))
	require.NoError(t, err)
	at := bytes.Index(text, []byte(begin))
	require.GreaterOrEqual(t, at, 0)
	text[at+2] ^= 1
	require.NoError(t, os.WriteFile(block(dir, bus.Results), text, 0o600))
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
