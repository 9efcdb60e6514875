package league_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/protocol"
)

func begin(t *testing.T, store league.Store, entrants int) league.State {
	t.Helper()
	state, err := league.Open(t.Context(), store, tournament(t, "cup", entrants, 2))
	require.NoError(t, err)
	return state
}

func load(t *testing.T, store league.Store) league.State {
	t.Helper()
	state, err := league.Load(t.Context(), store, "cup")
	require.NoError(t, err)
	return state
}

// requireWhole requires that each match was played once, to the same result as always.
func requireWhole(t *testing.T, store *memory) {
	t.Helper()
	state := load(t, store)
	require.True(t, state.Finished)
	require.Len(t, store.logs["cup"], 1+len(state.Matches)+1)
	for i, match := range state.Matches {
		require.Equal(t, resultOf(match), *state.Results[i])
	}
}

func TestRun(t *testing.T) {
	for _, jobs := range []int{0, 1, 8} {
		store := &memory{}
		state := begin(t, store, 7)
		require.NoError(t, league.Runner{Store: store, Referee: pretends, Jobs: jobs}.Run(t.Context(), nil, state))
		requireWhole(t, store)
		none := refereeFunc(func(context.Context, arena.Match) (arena.Result, error) { panic("played again") })
		require.NoError(t, league.Runner{Store: store, Referee: none}.Run(t.Context(), nil, load(t, store)))
		requireWhole(t, store)
	}
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

// TestRunGames plays with the referee; the order in which matches end shows nowhere.
func TestRunGames(t *testing.T) {
	var want []*arena.Result
	for _, jobs := range []int{1, 8} {
		store := league.NewFiles(t.TempDir())
		state := begin(t, store, 5)
		require.NoError(t, league.Runner{Store: store, Referee: arena.Referee{Seats: first{}}, Jobs: jobs}.Run(t.Context(), nil, state))
		state = load(t, store)
		require.True(t, state.Finished)
		if want == nil {
			want = state.Results
		}
		require.Equal(t, want, state.Results)
	}
}

// slowly takes a second for each match, and gives up when the context ends.
var slowly = refereeFunc(func(ctx context.Context, m arena.Match) (arena.Result, error) {
	select {
	case <-time.After(time.Second):
		return resultOf(m), nil
	case <-ctx.Done():
		return arena.Result{}, ctx.Err()
	}
})

// TestStop: what runs is finished, nothing more is begun, and the next run plays the rest.
func TestStop(t *testing.T) {
	for _, jobs := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			store := &memory{}
			state := begin(t, store, 5)
			stop := make(chan struct{})
			time.AfterFunc(1500*time.Millisecond, func() { close(stop) })
			started := time.Now()
			runner := league.Runner{Store: store, Referee: slowly, Jobs: jobs}
			require.ErrorIs(t, runner.Run(t.Context(), stop, state), league.ErrStopped)
			require.Equal(t, 2*time.Second, time.Since(started))
			state = load(t, store)
			require.Equal(t, 2*jobs, state.Played())
			require.False(t, state.Finished)
			require.ErrorIs(t, runner.Run(t.Context(), stop, state), league.ErrStopped)
			require.Equal(t, 2*jobs, load(t, store).Played(), "nothing is begun after the stop")
			require.NoError(t, runner.Run(t.Context(), nil, load(t, store)))
			requireWhole(t, store)
		})
	}
}

// TestStopWhileMatchesDiffer: a match that ends makes room for none, and must not disturb those that still run.
func TestStopWhileMatchesDiffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &memory{}
		state := begin(t, store, 5)
		stop := make(chan struct{})
		time.AfterFunc(time.Millisecond, func() { close(stop) })
		var begun atomic.Int64
		referee := refereeFunc(func(ctx context.Context, m arena.Match) (arena.Result, error) {
			begun.Add(1)
			if m.ID != "cup-1" {
				return slowly(ctx, m)
			}
			time.Sleep(10 * time.Millisecond)
			return resultOf(m), nil
		})
		require.ErrorIs(t, league.Runner{Store: store, Referee: referee, Jobs: 3}.Run(t.Context(), stop, state), league.ErrStopped)
		require.Equal(t, int64(3), begun.Load())
		require.Equal(t, 3, load(t, store).Played())
	})
}

// TestStopAtTheEnd: a stop that finds nothing left to begin changes nothing.
func TestStopAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &memory{}
		state := begin(t, store, 3)
		stop := make(chan struct{})
		time.AfterFunc(500*time.Millisecond, func() { close(stop) })
		require.NoError(t, league.Runner{Store: store, Referee: slowly, Jobs: 3}.Run(t.Context(), stop, state))
		requireWhole(t, store)
	})
}

// TestRunCancelled: matches in play are given up, what was finished is kept, and the next run plays the rest.
func TestRunCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &memory{}
		state := begin(t, store, 5)
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		runner := league.Runner{Store: store, Referee: slowly, Jobs: 3}
		require.ErrorIs(t, runner.Run(ctx, nil, state), context.DeadlineExceeded)
		require.Equal(t, 3, load(t, store).Played())
		require.ErrorIs(t, runner.Run(ctx, nil, load(t, store)), context.DeadlineExceeded)
		require.Equal(t, 3, load(t, store).Played())
		require.NoError(t, runner.Run(t.Context(), nil, load(t, store)))
		requireWhole(t, store)
	})
}

// TestRunError: an error of the arena's own ends the run, and a match that ends at the same time is kept.
func TestRunError(t *testing.T) {
	broken := errors.New("no worker")
	synctest.Test(t, func(t *testing.T) {
		store := &memory{}
		state := begin(t, store, 5)
		fails := refereeFunc(func(ctx context.Context, m arena.Match) (arena.Result, error) {
			switch m.ID {
			case "cup-2":
				time.Sleep(time.Second)
				return arena.Result{}, broken
			case "cup-3": // does not look at the context in time
				time.Sleep(2 * time.Second)
				return resultOf(m), nil
			default:
				return slowly(ctx, m)
			}
		})
		runner := league.Runner{Store: store, Referee: fails, Jobs: 3}
		require.ErrorIs(t, runner.Run(t.Context(), nil, state), broken)
		require.NotNil(t, load(t, store).Results[2])
		runner.Referee = slowly
		require.NoError(t, runner.Run(t.Context(), nil, load(t, store)))
		requireWhole(t, store)
	})
}

func TestRunStoreFull(t *testing.T) {
	full := errors.New("the disk is full")
	for _, jobs := range []int{1, 4} {
		store := &memory{}
		state := begin(t, store, 5)
		store.fails, store.after = full, 4
		require.ErrorIs(t, league.Runner{Store: store, Referee: pretends, Jobs: jobs}.Run(t.Context(), nil, state), full)
		require.Equal(t, 3, load(t, store).Played(), "what was stored is kept")
		store.fails = nil
		require.NoError(t, league.Runner{Store: store, Referee: pretends, Jobs: jobs}.Run(t.Context(), nil, load(t, store)))
		requireWhole(t, store)
	}
}
