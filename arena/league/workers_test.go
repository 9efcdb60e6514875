package league_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// announced starts a worker that is known to all, and ends it with the test.
func announced(t *testing.T, w *league.Worker) {
	t.Helper()
	quit, err := w.Announce()
	require.NoError(t, err)
	stop := make(chan struct{})
	ended := work(t.Context(), w, stop)
	t.Cleanup(func() {
		close(stop)
		<-ended
		_ = quit() // the connection may be gone
	})
}

// TestAnnounce: everybody can see who the workers are, what they play, and what they have played.
func TestAnnounce(t *testing.T) {
	t.Parallel()
	url := standalone(t)
	_, store := remoteStore(t, bus.Config{URL: url})
	none, err := store.Workers(t.Context())
	require.NoError(t, err)
	require.Empty(t, none)
	begin(t, store, "cup", 3)
	conduct(t, coordinate(t, store, "cup", league.Coordinating{Pool: "p"}))
	g := newGate()
	for _, name := range []string{"two", "one"} {
		_, own := remoteStore(t, bus.Config{URL: url})
		w := worker(own, "p", 2, g.play)
		w.Name, w.Version = name, "1.2.3"
		announced(t, w)
	}
	g.wait(t, 3)
	workers, err := store.Workers(t.Context())
	require.NoError(t, err)
	require.Len(t, workers, 2)
	var playing []int
	for i, w := range workers {
		require.Equal(t, []string{"one", "two"}[i], w.Name)
		require.Equal(t, "1.2.3", w.Version)
		require.Equal(t, "p", w.Pool)
		require.Equal(t, 2, w.Slots)
		require.Zero(t, w.Matches)
		for _, match := range w.Playing {
			require.Equal(t, "cup", match.Tournament)
			playing = append(playing, match.Match)
		}
	}
	slices.Sort(playing)
	require.Equal(t, []int{1, 2, 3}, playing)
	close(g.open)
	require.Eventually(t, func() bool {
		workers, err = store.Workers(t.Context())
		return err == nil && workers[0].Matches+workers[1].Matches == 3 && len(workers[0].Playing)+len(workers[1].Playing) == 0
	}, within, time.Millisecond)
	require.Equal(t, 3*2, workers[0].Games+workers[1].Games)
}

// TestUnable: a worker that lacks a bot leaves its matches to others, and only when everybody has said so is one given up.
func TestUnable(t *testing.T) {
	t.Parallel()
	url := standalone(t)
	_, store := remoteStore(t, bus.Config{URL: url})
	to := tournament(t, "cup", 4, 2)
	to.Entrants[0].Source, to.Entrants[0].Dir, to.Entrants[0].Digest = "cmd:a", "/home/a", "1234"
	_, err := store.Begin(t.Context(), to)
	require.NoError(t, err)
	conduct(t, coordinate(t, store, "cup", league.Coordinating{Pool: "p"}))
	lacks := func(label string) func(context.Context, arena.Match, []league.Entrant) error {
		return func(_ context.Context, m arena.Match, entrants []league.Entrant) error {
			for i, e := range entrants {
				if e.Label != m.Bots[i] || e.Label == "a@1" && e != to.Entrants[0] {
					return errors.New("got what was not entered")
				}
				if e.Label == label {
					return fmt.Errorf("has no bot %s", label)
				}
			}
			return nil
		}
	}
	join := func(name, lacking string) {
		_, own := remoteStore(t, bus.Config{URL: url})
		w := worker(own, "p", 2, pretends)
		w.Name, w.Version, w.Ready = name, "1.0.0", lacks(lacking)
		announced(t, w)
	}
	join("one", "a@1")
	require.Eventually(t, func() bool { return len(load(t, store, "cup").Dead()) == 3 }, within, 10*time.Millisecond)
	require.Eventually(t, func() bool { return load(t, store, "cup").Played() == 3 }, within, 10*time.Millisecond)
	for _, dead := range load(t, store, "cup").Dead() {
		require.Equal(t, "worker one has no bot a@1", dead.Cause)
	}
	join("two", "b@1")
	require.NoError(t, store.Do(t.Context(), "cup", league.Command{Requeue: -1}))
	require.Eventually(t, func() bool {
		state := load(t, store, "cup")
		return state.Played() == 5 && len(state.Dead()) == 1
	}, within, 10*time.Millisecond)
	dead := load(t, store, "cup").Dead()[0]
	require.Equal(t, "worker one has no bot a@1; worker two has no bot b@1", dead.Cause)
	require.Equal(t, []string{"a@1", "b@1"}, slices.Sorted(slices.Values(load(t, store, "cup").Table(dead.Match).Bots)))
	join("three", "")
	require.NoError(t, store.Do(t.Context(), "cup", league.Command{Requeue: dead.Match}))
	require.Eventually(t, func() bool { return load(t, store, "cup").Phase == league.Finished }, within, 10*time.Millisecond)
	requireWhole(t, store, "cup")
	text := canonical(t, store)
	require.NotContains(t, text, "/home/a")
	require.NotContains(t, text, "cmd:a")
	require.Contains(t, text, `"digest":"1234"`)
}

// TestReclaim: what a coordinator and all workers that died with it had in play is queued again long before the queue itself
// would give it up; what a worker still plays is left to it.
func TestReclaim(t *testing.T) {
	t.Parallel()
	url := standalone(t)
	_, store := remoteStore(t, bus.Config{URL: url})
	begin(t, store, "cup", 5)
	first := coordinate(t, store, "cup", league.Coordinating{Pool: "p"})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- first.Run(ctx) }()
	g := newGate()
	victim, own := remoteStore(t, bus.Config{URL: url})
	doomed, kill := context.WithCancel(t.Context())
	died := work(doomed, worker(own, "p", 3, g.play), nil)
	g.wait(t, 3)
	_, lasts := remoteStore(t, bus.Config{URL: url})
	steady := worker(lasts, "p", 1, g.play)
	steady.Version = "1.0.0"
	announced(t, steady)
	g.wait(t, 1)
	victim.Close() // so that it cannot hand back what it has
	kill()
	require.Error(t, <-died)
	cancel()
	require.ErrorIs(t, <-ended, league.ErrStopped)
	require.NoError(t, first.Close())

	conduct(t, coordinate(t, store, "cup", league.Coordinating{Pool: "p"}))
	require.Eventually(t, func() bool {
		lost := 0
		_, err := store.Events(t.Context(), "cup", func(e league.Event) error {
			if e.Failed != nil {
				require.Equal(t, "its worker ended before the match did", e.Failed.Cause)
				lost++
			}
			return nil
		})
		return err == nil && lost == 3
	}, 25*time.Second, 10*time.Millisecond, "the queue itself takes 30 s")
	close(g.open)
	require.Eventually(t, func() bool { return load(t, store, "cup").Phase == league.Finished }, within, 10*time.Millisecond)
	requireWhole(t, store, "cup")
}
