package league_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/protocol"
)

const within = 20 * time.Second

func TestRun(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	for id, slots := range map[string]int{"none": 0, "one": 1, "many": 8} {
		begin(t, store, id, 7)
		c := coordinate(t, store, id, league.Coordinating{Ahead: 5})
		require.NoError(t, league.RunLocal(t.Context(), nil, c, worker(store, id, slots, pretends)))
		requireWhole(t, store, id)
		nobody := func(context.Context, arena.Match, league.Replays) (arena.Result, error) { panic("played again") }
		require.NoError(t, league.RunLocal(t.Context(), nil, c, worker(store, id, slots, nobody)))
		require.NoError(t, c.Close())
		requireWhole(t, store, id)
	}
	ids, err := store.Tournaments(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"many", "none", "one"}, ids)
}

// first is a seat of a bot that takes the first action.
type first struct{}

func (first) Open(context.Context, arena.Place) (arena.Seat, error) { return first{}, nil }

func (first) Ask(_ context.Context, m protocol.Message, _ time.Duration) (arena.Reply, error) {
	var answer protocol.Message = protocol.Ready{}
	if turn, ok := m.(protocol.Turn); ok {
		answer = protocol.Move{Turn: turn.Turn}
	}
	line, err := protocol.Marshal(answer)
	return arena.Reply{Line: line}, err
}

func (first) Tell(context.Context, protocol.Message) error { return nil }
func (first) Close(context.Context) (string, error)        { return "", nil }

// firsts plays with the referee.
func firsts(ctx context.Context, m arena.Match, replays league.Replays) (arena.Result, error) {
	return arena.Referee{Seats: first{}, Replays: replays}.Play(ctx, m)
}

// TestRunGames plays with the referee; the order in which matches end shows nowhere.
func TestRunGames(t *testing.T) {
	t.Parallel()
	var want string
	for _, slots := range []int{1, 8} {
		store := openStore(t, t.TempDir())
		begin(t, store, "cup", 5)
		c := coordinate(t, store, "cup", league.Coordinating{})
		require.NoError(t, league.RunLocal(t.Context(), nil, c, worker(store, "cup", slots, firsts)))
		text := canonical(t, store)
		if want == "" {
			want = text
		}
		require.Equal(t, want, text)
	}
}

// gate lets matches end when the test says so.
type gate struct {
	begun chan arena.Match
	open  chan struct{}
}

func newGate() *gate { return &gate{begun: make(chan arena.Match, 1000), open: make(chan struct{})} }

func (g *gate) play(ctx context.Context, m arena.Match, _ league.Replays) (arena.Result, error) {
	g.begun <- m
	select {
	case <-g.open:
		return resultOf(m), nil
	case <-ctx.Done():
		return arena.Result{}, ctx.Err()
	}
}

// wait waits until n more matches have begun.
func (g *gate) wait(t *testing.T, n int) {
	t.Helper()
	for range n {
		select {
		case <-g.begun:
		case <-time.After(within):
			require.FailNow(t, "no match is begun")
		}
	}
}

// TestStop: what runs is finished, nothing more is begun, and the next run plays the rest.
func TestStop(t *testing.T) {
	t.Parallel()
	for _, slots := range []int{1, 3} {
		store := openStore(t, t.TempDir())
		begin(t, store, "cup", 5)
		c := coordinate(t, store, "cup", league.Coordinating{})
		g := newGate()
		stop, ended := make(chan struct{}), make(chan error)
		go func() { ended <- league.RunLocal(t.Context(), stop, c, worker(store, "cup", slots, g.play)) }()
		g.wait(t, slots)
		close(stop)
		close(g.open)
		require.ErrorIs(t, <-ended, league.ErrStopped)
		played := load(t, store, "cup").Played()
		require.Equal(t, slots+len(g.begun), played, "what was begun is kept")
		require.ErrorIs(t, league.RunLocal(t.Context(), stop, c, worker(store, "cup", slots, pretends)), league.ErrStopped)
		require.NoError(t, c.Close())
		finish(t, store)
	}
}

// TestStopWhileMatchesDiffer: a match that ends makes room for none, and must not disturb those that still run.
func TestStopWhileMatchesDiffer(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	begin(t, store, "cup", 5)
	c := coordinate(t, store, "cup", league.Coordinating{})
	g := newGate()
	stop, quick, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	play := func(ctx context.Context, m arena.Match, replays league.Replays) (arena.Result, error) {
		if m.ID == "cup-1" {
			g.begun <- m
			<-quick
			return resultOf(m), nil
		}
		return g.play(ctx, m, replays)
	}
	go func() { ended <- league.RunLocal(t.Context(), stop, c, worker(store, "cup", 3, play)) }()
	g.wait(t, 3)
	close(stop)
	close(quick)
	require.Eventually(t, func() bool {
		_, err := store.Result(t.Context(), "cup", 1)
		return err == nil
	}, within, time.Millisecond)
	close(g.open)
	require.ErrorIs(t, <-ended, league.ErrStopped)
	require.Equal(t, 3, load(t, store, "cup").Played())
	require.Empty(t, g.begun)
}

// TestStopAtTheEnd: a stop that finds nothing left to begin changes nothing.
func TestStopAtTheEnd(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	begin(t, store, "cup", 3)
	c := coordinate(t, store, "cup", league.Coordinating{})
	g := newGate()
	stop, ended := make(chan struct{}), make(chan error)
	go func() { ended <- league.RunLocal(t.Context(), stop, c, worker(store, "cup", 3, g.play)) }()
	g.wait(t, 3)
	close(stop)
	close(g.open)
	require.NoError(t, <-ended)
	requireWhole(t, store, "cup")
}

// TestRunCancelled: matches in play are given up, what was finished is kept, and the next run plays the rest.
func TestRunCancelled(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	begin(t, store, "cup", 5)
	c := coordinate(t, store, "cup", league.Coordinating{})
	g := newGate()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	play := func(ctx context.Context, m arena.Match, replays league.Replays) (arena.Result, error) {
		if m.ID == "cup-2" {
			return resultOf(m), nil
		}
		return g.play(ctx, m, replays)
	}
	ended := make(chan error)
	go func() { ended <- league.RunLocal(ctx, nil, c, worker(store, "cup", 3, play)) }()
	g.wait(t, 3)
	cancel()
	require.ErrorIs(t, <-ended, league.ErrStopped)
	require.Equal(t, 1, load(t, store, "cup").Played())
	require.ErrorIs(t, league.RunLocal(ctx, nil, c, worker(store, "cup", 3, play)), league.ErrStopped)
	require.NoError(t, c.Close())
	require.Empty(t, load(t, store, "cup").Failures(1), "that is no failure")
	finish(t, store)
}

// TestDead: an error of the arena's own is tried again, then ends a strict run. What ends at the same time is kept, and the
// next run can try again.
func TestDead(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	begin(t, store, "cup", 5)
	c := coordinate(t, store, "cup", league.Coordinating{Strict: true, Pause: time.Millisecond})
	var tried atomic.Int64
	g := newGate()
	play := func(ctx context.Context, m arena.Match, replays league.Replays) (arena.Result, error) {
		switch m.ID {
		case "cup-2":
			tried.Add(1)
			return arena.Result{}, errors.New("no such program")
		case "cup-1", "cup-3": // which are in play when it ends
			return g.play(ctx, m, replays)
		default:
			return pretends(ctx, m, replays)
		}
	}
	ended := make(chan error)
	go func() { ended <- league.RunLocal(t.Context(), nil, c, worker(store, "cup", 3, play)) }()
	g.wait(t, 2)
	require.Eventually(t, func() bool { return len(load(t, store, "cup").Dead()) == 1 }, within, time.Millisecond)
	close(g.open)
	err := <-ended
	var dead league.DeadError
	require.ErrorAs(t, err, &dead)
	require.EqualError(t, err, "match 2: no such program")
	require.Equal(t, int64(3), tried.Load())
	state := load(t, store, "cup")
	require.True(t, state.Done(1) && state.Done(3))
	require.Equal(t, league.Running, state.Phase)
	require.Len(t, state.Failures(2), 3)
	require.Equal(t, "w", state.Failures(2)[0].Worker)
	require.ErrorAs(t, league.RunLocal(t.Context(), nil, c, worker(store, "cup", 1, pretends)), &dead, "it stays so")
	require.ErrorContains(t, c.Do(t.Context(), league.Command{Requeue: 99}), "has no match 99")
	require.NoError(t, c.Do(t.Context(), league.Command{Requeue: 2}))
	require.NoError(t, c.Close())
	finish(t, store)
}

// TestDeadIsPassedOver: without strictness all others are played, and the tournament waits.
func TestDeadIsPassedOver(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	begin(t, store, "cup", 4)
	c := coordinate(t, store, "cup", league.Coordinating{Attempts: 1})
	ctx, cancel := context.WithCancel(t.Context())
	var broken atomic.Bool
	broken.Store(true)
	play := func(ctx context.Context, m arena.Match, replays league.Replays) (arena.Result, error) {
		if m.ID == "cup-4" && broken.Load() {
			return arena.Result{}, errors.New("no such program")
		}
		return pretends(ctx, m, replays)
	}
	ended := make(chan error)
	go func() { ended <- league.RunLocal(ctx, nil, c, worker(store, "cup", 2, play)) }()
	require.Eventually(t, func() bool {
		state := load(t, store, "cup")
		return state.Played() == 5 && len(state.Dead()) == 1
	}, within, time.Millisecond)
	broken.Store(false)
	require.NoError(t, store.Do(t.Context(), "cup", league.Command{Requeue: -1}))
	require.NoError(t, <-ended)
	cancel()
	requireWhole(t, store, "cup")
}
