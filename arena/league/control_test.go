package league_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// neighbour opens the same folder a second time, as another program does.
func neighbour(t *testing.T, dir string) *league.Store {
	t.Helper()
	return openStore(t, dir)
}

func TestOneCoordinator(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := openStore(t, dir)
	begin(t, store, "cup", 3)
	begin(t, store, "other", 3)
	c := coordinate(t, store, "cup", league.Coordinating{})
	for _, s := range []*league.Store{store, neighbour(t, dir)} {
		_, err := s.Coordinate(t.Context(), "cup", league.Coordinating{})
		require.ErrorIs(t, err, league.ErrInUse)
		require.ErrorContains(t, err, `tournament "cup": another arena runs this tournament`)
		other := coordinate(t, s, "other", league.Coordinating{})
		require.NoError(t, other.Close())
	}
	require.NoError(t, c.Close())
	finish(t, neighbour(t, dir))
	_, err := store.Coordinate(t.Context(), "none", league.Coordinating{})
	require.ErrorIs(t, err, league.ErrNoTournament)
	_, err = store.Coordinate(t.Context(), "*", league.Coordinating{})
	require.ErrorContains(t, err, "cannot name a tournament")
}

// TestFenced: a coordinator that had lost its connection, and comes back, does not write into the log of the one that took
// over. What its worker has played counts.
func TestFenced(t *testing.T) {
	t.Parallel()
	url := standalone(t)
	_, calm := remoteStore(t, bus.Config{URL: url})
	begin(t, calm, "cup", 4)
	p := newProxy(t, url)
	_, store := remoteStore(t, bus.Config{URL: p.address})
	c := coordinate(t, store, "cup", league.Coordinating{})
	g := newGate()
	ended := make(chan error)
	go func() { ended <- league.RunLocal(t.Context(), nil, c, worker(store, "cup", 1, g.play)) }()
	g.wait(t, 1)
	p.block()

	heir := coordinateSoon(t, calm, "cup", league.Coordinating{Pool: "heirs"})
	ctx, cancel := context.WithCancel(t.Context())
	conducted := make(chan error)
	go func() { conducted <- heir.Run(ctx) }()
	require.NoError(t, heir.Do(t.Context(), league.Command{Withdraw: "d@1"}))
	p.heal()
	close(g.open)
	require.ErrorIs(t, <-ended, league.ErrFenced)
	require.NoError(t, c.Close())
	require.Eventually(t, func() bool { return load(t, calm, "cup").Played() > 0 }, within, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-conducted, league.ErrStopped)
	require.NoError(t, heir.Close())
	finish(t, calm)
}

// coordinateSoon waits until the server has noticed that the last coordinator is gone.
func coordinateSoon(t *testing.T, store *league.Store, id string, cfg league.Coordinating) (c *league.Coordinator) {
	t.Helper()
	require.Eventually(t, func() (ok bool) {
		var err error
		c, err = store.Coordinate(t.Context(), id, cfg)
		return err == nil
	}, within, time.Millisecond)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// TestPause: nothing is begun while a tournament is paused, in whatever way it was asked to.
func TestPause(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := openStore(t, dir)
	begin(t, store, "cup", 5)
	require.NoError(t, store.Do(t.Context(), "cup", league.Command{Pause: true}), "nobody coordinates it")
	require.Equal(t, league.Paused, load(t, store, "cup").Phase)
	require.NoError(t, store.Do(t.Context(), "cup", league.Command{Pause: true}), "as it is")
	require.NoError(t, store.Do(t.Context(), "cup", league.Command{Resume: true}))

	c := coordinate(t, store, "cup", league.Coordinating{})
	g := newGate()
	ended := make(chan error)
	go func() { ended <- league.RunLocal(t.Context(), nil, c, worker(store, "cup", 2, g.play)) }()
	g.wait(t, 2)
	other := neighbour(t, dir)
	require.NoError(t, other.Do(t.Context(), "cup", league.Command{Pause: true}))
	require.Eventually(t, func() bool { return len(jobs(t, dir)) == 2 }, within, time.Millisecond, "only those in play are left")
	close(g.open)
	require.Eventually(t, func() bool { return load(t, store, "cup").Played() == 2 }, within, time.Millisecond)
	require.Empty(t, g.begun)
	require.NoError(t, other.Do(t.Context(), "cup", league.Command{Resume: true}))
	require.NoError(t, <-ended)
	requireWhole(t, store, "cup")
	require.ErrorContains(t, other.Do(t.Context(), "cup", league.Command{Pause: true}), "tournament cup is finished: nothing can be changed")
	require.NoError(t, c.Close())
	require.ErrorContains(t, other.Do(t.Context(), "cup", league.Command{Cancel: true}), "nothing can be changed")
	require.ErrorIs(t, other.Do(t.Context(), "none", league.Command{Cancel: true}), league.ErrNoTournament)
}

// jobs are the subjects of the queue.
func jobs(t *testing.T, dir string) []string {
	t.Helper()
	js := streams(t, openBus(t, dir))
	stream, err := js.Stream(t.Context(), bus.Jobs)
	require.NoError(t, err)
	info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter(">"))
	require.NoError(t, err)
	var all []string
	for subject := range info.State.Subjects {
		all = append(all, subject)
	}
	return all
}

func TestCancel(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := openStore(t, dir)
	begin(t, store, "cup", 4)
	c := coordinate(t, store, "cup", league.Coordinating{})
	g := newGate()
	ended := make(chan error)
	go func() { ended <- league.RunLocal(t.Context(), nil, c, worker(store, "cup", 1, g.play)) }()
	g.wait(t, 1)
	require.NoError(t, store.Do(t.Context(), "cup", league.Command{Cancel: true}))
	close(g.open)
	require.NoError(t, <-ended)
	require.Equal(t, league.Cancelled, load(t, store, "cup").Phase)
	require.Empty(t, jobs(t, dir))
	require.NoError(t, c.Close())
	require.FileExists(t, filepath.Join(dir, "tournaments", "cup"+league.ExportSuffix))
	_, err := store.Begin(t.Context(), tournament(t, "cup", 4, 2))
	require.NoError(t, err)
	c = coordinate(t, store, "cup", league.Coordinating{})
	require.NoError(t, c.Run(t.Context()), "it stays so")
}

// TestWithdraw: whoever withdraws plays what is paired, and is not paired again.
func TestWithdraw(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	to := tournament(t, "cup", 4, 2)
	to.Cycles = 2
	_, err := store.Begin(t.Context(), to)
	require.NoError(t, err)
	c := coordinate(t, store, "cup", league.Coordinating{Ahead: 1})
	g := newGate()
	ended := make(chan error)
	go func() { ended <- league.RunLocal(t.Context(), nil, c, worker(store, "cup", 1, g.play)) }()
	g.wait(t, 1)
	for want, command := range map[string]league.Command{
		"x@1 is not in tournament cup":     {Withdraw: "x@1"},
		"a@1 is in tournament cup already": {Enter: &league.Entrant{Label: "a@1"}},
		"a round robin takes no late entries: its schedule is made for all entrants at once": {Enter: &league.Entrant{Label: "x@1"}},
		"an entrant needs a name": {Enter: &league.Entrant{}},
	} {
		require.EqualError(t, store.Do(t.Context(), "cup", command), want)
	}
	require.NoError(t, store.Do(t.Context(), "cup", league.Command{Withdraw: "b@1"}))
	require.ErrorContains(t, store.Do(t.Context(), "cup", league.Command{Withdraw: "b@1"}), "b@1 is not in tournament cup")
	close(g.open)
	require.NoError(t, <-ended)
	state := load(t, store, "cup")
	require.Equal(t, league.Finished, state.Phase)
	require.Less(t, state.Paired(), 12)
	games := map[string]int{}
	for _, row := range state.Standings() {
		games[row.Bot] = row.Games
	}
	require.Less(t, games["b@1"], games["a@1"])
	require.Equal(t, canonical(t, store), canonical(t, store))
}

// TestOpenAnother: a tournament is not resumed as another one.
func TestBeginAnother(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	to := tournament(t, "cup", 3, 2)
	_, err := store.Load(t.Context(), "cup")
	require.ErrorIs(t, err, league.ErrNoTournament)
	require.EqualError(t, err, `tournament "cup": there is no such tournament`)
	made, err := store.Begin(t.Context(), to)
	require.NoError(t, err)
	later := to
	later.Created, later.Seed = time.Now(), [32]byte{}
	later.Entrants = append([]league.Entrant{}, to.Entrants...)
	later.Entrants[0].Language = "rust"
	resumed, err := store.Begin(t.Context(), later)
	require.NoError(t, err, "time and language do not matter, and no seed is any seed")
	require.Equal(t, made.Tournament, resumed.Tournament)
	for want, change := range map[string]func(to *league.Tournament){
		"cycles: 1, not 2":                         func(to *league.Tournament) { to.Cycles = 2 },
		"settings.clock.bank_ms: 0, not 1":         func(to *league.Tournament) { to.Settings.Clock.BankMS++ },
		"entrants: a@1 b@1 c@1, not a@1 b@1;":      func(to *league.Tournament) { to.Entrants = to.Entrants[:2] },
		"it was started with another seed":         func(to *league.Tournament) { to.Seed[31]++ },
		"entrants: a@1 b@1 c@1, not a@1 b@1 c@1#2": func(to *league.Tournament) { to.Entrants[2].Label = "c@1#2" },
	} {
		other := to
		other.Entrants = append([]league.Entrant{}, to.Entrants...)
		change(&other)
		_, err = store.Begin(t.Context(), other)
		require.ErrorContains(t, err, `tournament "cup" exists already and differs: `+want)
		require.ErrorContains(t, err, "choose another name for the new one")
	}
	to.Cycles = -1
	to.ID = "bad"
	_, err = store.Begin(t.Context(), to)
	require.ErrorContains(t, err, "cycles: -1 is outside 1 to 1000")
	ids, err := store.Tournaments(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"cup"}, ids, "what cannot be played is not begun")
}

// TestStopWhilePaused: to stop what conducts a tournament is no end of it, also where nothing is in play: before its start,
// and between two stages.
func TestStopWhilePaused(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	begin(t, store, "cup", 3)
	stopped := make(chan struct{})
	close(stopped)
	require.NoError(t, store.Do(t.Context(), "cup", league.Command{Pause: true}))
	conduct := func() {
		end := conductAll(t, store)
		require.Eventually(t, func() bool {
			conducted, err := store.Conducted(t.Context(), "cup")
			return err == nil && conducted
		}, within, time.Millisecond)
		require.NoError(t, store.Do(t.Context(), "cup", league.Command{Pause: true}), "as it is, and the answer comes when it is conducted")
		require.NoError(t, end())
	}
	conduct()
	require.Equal(t, league.Paused, load(t, store, "cup").Phase)
	c := coordinate(t, store, "cup", league.Coordinating{})
	require.ErrorIs(t, league.RunLocal(t.Context(), stopped, c, worker(store, "cup", 1, pretends)), league.ErrStopped)
	require.NoError(t, c.Close())
	require.Equal(t, league.Paused, load(t, store, "cup").Phase)
	require.NoError(t, store.Do(t.Context(), "cup", league.Command{Resume: true}))
	finish(t, store)
}
