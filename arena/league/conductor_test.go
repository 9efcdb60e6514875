package league_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// conductAll conducts until the test, or what is returned, ends it.
func conductAll(t *testing.T, store *league.Store) (end func() error) {
	t.Helper()
	c := &league.Conductor{
		Store: store, Log: slog.New(slog.DiscardHandler),
		With: func(string) league.Coordinating { return league.Coordinating{Pool: "p"} },
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	end = func() error {
		cancel()
		return <-ended
	}
	t.Cleanup(cancel)
	return end
}

// TestConductor: tournaments that were there and those that come are conducted, but not those in other hands.
func TestConductor(t *testing.T) {
	t.Parallel()
	url := standalone(t)
	_, store := remoteStore(t, bus.Config{URL: url})
	_, mine := remoteStore(t, bus.Config{URL: url})
	over := func(id string) func() bool {
		return func() bool {
			state, err := store.Load(t.Context(), id)
			return err == nil && state.Phase.Over()
		}
	}
	begin(t, store, "before", 4)
	begin(t, store, "other", 4)
	other := coordinate(t, store, "other", league.Coordinating{Pool: "q"})
	_, own := remoteStore(t, bus.Config{URL: url})
	stop := make(chan struct{})
	working := work(t.Context(), worker(own, "p", 2, pretends), stop)

	end := conductAll(t, mine)
	require.Eventually(t, over("before"), within, 10*time.Millisecond)
	_, err := store.New(t.Context(), tournament(t, "later", 4, 2))
	require.NoError(t, err)
	_, err = store.New(t.Context(), tournament(t, "later", 4, 2))
	require.ErrorIs(t, err, league.ErrExists)
	require.Eventually(t, func() bool {
		conducted, err := store.Conducted(t.Context(), "later")
		return err == nil && conducted
	}, within, 10*time.Millisecond)
	state := load(t, store, "later")
	require.Equal(t, league.Paused, state.Phase)
	require.False(t, state.Started())
	require.Zero(t, state.Paired())
	require.NoError(t, store.Do(t.Context(), "later", league.Command{Resume: true}))
	require.True(t, load(t, store, "later").Started())
	require.Eventually(t, over("later"), within, 10*time.Millisecond)
	require.Zero(t, load(t, store, "other").Played(), "somebody else has it")
	require.NoError(t, other.Close())
	require.Eventually(t, over("other"), within, 10*time.Millisecond)

	require.NoError(t, store.Remove(t.Context(), "before"))
	begin(t, store, "before", 3)
	require.Eventually(t, over("before"), within, 10*time.Millisecond)
	require.NoError(t, end())
	close(stop)
	require.NoError(t, <-working)
	requireWhole(t, store, "before")
	requireWhole(t, store, "later")
	requireWhole(t, store, "other")
}

// TestBeginTaken: what begins a tournament and coordinates it at once is never too late.
func TestBeginTaken(t *testing.T) {
	t.Parallel()
	url := standalone(t)
	_, store := remoteStore(t, bus.Config{URL: url})
	_, mine := remoteStore(t, bus.Config{URL: url})
	conductAll(t, mine)
	for _, id := range []string{"a", "b", "c"} {
		to := tournament(t, id, 4, 2)
		c := coordinate(t, store, id, league.Coordinating{Begin: &to})
		require.NoError(t, league.RunLocal(t.Context(), nil, c, worker(store, id, 2, pretends)))
		require.NoError(t, c.Close())
		requireWhole(t, store, id)
	}
	to := tournament(t, "a", 5, 2)
	_, err := store.Coordinate(t.Context(), "a", league.Coordinating{Begin: &to})
	require.ErrorContains(t, err, "exists already and differs")
}

// TestWatch: whoever watches sees every event once, also when the server was away, until the tournament is over.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := openStore(t, dir)
	require.ErrorIs(t, store.Watch(t.Context(), "cup", nil), league.ErrNoTournament)
	begin(t, store, "cup", 5)
	url := standalone(t)
	p := newProxy(t, url)
	_, far := remoteStore(t, bus.Config{URL: url})
	begin(t, far, "cup", 5)
	_, watching := remoteStore(t, bus.Config{URL: p.address})
	var seen []league.Event
	begun := make(chan struct{})
	watched := make(chan error, 1)
	go func() {
		watched <- watching.Watch(t.Context(), "cup", func(s *league.State, e league.Event) error {
			if seen = append(seen, e); len(seen) == 1 {
				close(begun)
			}
			if s.Played() > len(seen) {
				return errors.New("the state is not that after the event")
			}
			return nil
		})
	}()
	<-begun
	p.block()
	c := coordinate(t, far, "cup", league.Coordinating{})
	require.NoError(t, league.RunLocal(t.Context(), nil, c, worker(far, "cup", 2, pretends)))
	p.heal()
	require.NoError(t, <-watched)
	var all []league.Event
	_, err := far.Events(t.Context(), "cup", func(e league.Event) error {
		all = append(all, e)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, all, seen)

	broken := errors.New("enough")
	require.ErrorIs(t, far.Watch(t.Context(), "cup", func(*league.State, league.Event) error { return broken }), broken)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, store.Watch(ctx, "cup", func(*league.State, league.Event) error { return nil }), context.Canceled)
}

// TestView: tables are shown with their bots, byes, notes and points.
func TestView(t *testing.T) {
	t.Parallel()
	to := tournament(t, "cup", 3, 2)
	result := func(match int, ranks ...int) league.Event {
		game := league.Game{1}
		for _, rank := range ranks {
			game = append(game, rank, rank)
		}
		other := league.Game{1, ranks[0], ranks[0], ranks[1], ranks[1]}
		return league.Event{Played: &league.Played{Match: match, Games: league.Games{game, other}, Bots: make([]league.Behaviour, 2)}}
	}
	events := []league.Event{
		{Created: &to},
		{Paired: &league.Pairing{Stage: 1, Tables: [][]int{{0, 1}}, Byes: []int{2}, Notes: []string{"a note"}}},
		{Paired: &league.Pairing{Stage: 2, Tables: [][]int{{2, 0}}, Byes: []int{1}}},
		result(1, 1, 2),
		{Failed: &league.Failed{Match: 2, Attempt: "x", Worker: "w", Cause: "broken"}},
		{Dead: &league.Dead{Match: 2, Cause: "broken"}},
		{Withdrawn: "b@1"},
	}
	for i := range events {
		events[i].N = i + 1
	}
	state, err := league.Fold(events...)
	require.NoError(t, err)
	require.Equal(t, league.Stage{
		Stage: 1, Byes: []string{"c@1"}, Notes: []string{"a note"},
		Tables: []league.Table{{Match: 1, Bots: []string{"a@1", "b@1"}, Played: true, Points: []float64{1, 0}}},
	}, state.Stage(1))
	require.Equal(t, league.Stage{
		Stage: 2, Byes: []string{"b@1"}, Notes: []string{},
		Tables: []league.Table{{
			Match: 2, Bots: []string{"c@1", "a@1"}, Dead: "broken",
			Failed: []league.Failed{{Match: 2, Attempt: "x", Worker: "w", Cause: "broken"}},
		}},
	}, state.Stage(2))
	require.Equal(t, []string{"a@1", "c@1"}, state.Present())
}
