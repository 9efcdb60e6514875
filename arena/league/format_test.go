package league_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// shaped is a tournament of a format that it fits.
func shaped(t testing.TB, format league.Format, entrants, players int) league.Tournament {
	t.Helper()
	to := tournament(t, "cup", entrants, players)
	to.Format = format
	to.Settings.DealSets = 2
	to.Shape = league.Shape{Stages: 4, ThirdPlace: players == 2, Reset: true, Forbidden: [][2]string{{"a@1", "b@1"}, {"a@1", "nobody"}}}
	return to
}

// TestFormats plays all formats to the end without a store: in any order within a stage, with some who come and go.
func TestFormats(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		format := rapid.SampledFrom(league.Formats()).Draw(rt, "format")
		players := 2
		switch format {
		case league.Swiss, league.DoubleElimination:
		case league.Pods:
			players = rapid.IntRange(3, 6).Draw(rt, "players")
		default:
			players = rapid.IntRange(2, 6).Draw(rt, "players")
		}
		to := shaped(t, format, rapid.IntRange(players+1, 12).Draw(rt, "entrants"), players)
		if players > 2 {
			to.Shape.ThirdPlace = false
		}
		require.NoError(rt, to.Validate())
		log := []league.Event{}
		state := &league.State{}
		add := func(e league.Event) {
			e.N = len(log) + 1
			log = append(log, e)
			require.NoError(rt, state.Apply(e))
		}
		add(league.Event{Created: &to})
		late := format != league.RoundRobin && format != league.Knockout && format != league.DoubleElimination
		for {
			next, ok, err := state.NextStage()
			require.NoError(rt, err)
			if !ok {
				break
			}
			first := state.Paired() + 1
			add(league.Event{Paired: &next})
			for _, number := range rapid.Permutation(numbers(first, state.Paired())).Draw(rt, "order") {
				match, err := state.Match(number)
				require.NoError(rt, err)
				require.Equal(rt, len(match.Bots), match.Rules.Players)
				played := league.PlayedOf(number, resultOf(match))
				add(league.Event{Played: &played})
			}
			if late && len(state.Entrants) == len(to.Entrants) && rapid.Bool().Draw(rt, "late") {
				add(league.Event{Entered: &league.Entrant{Label: "late@1"}})
				add(league.Event{Withdrawn: "b@1"})
			}
		}
		require.Equal(rt, state.Paired(), state.Played())
		add(league.Event{Finished: &league.End{Time: time.Unix(0, 0)}})
		again, err := league.Fold(log...)
		require.NoError(rt, err)
		require.Equal(rt, state.Standings(), again.Standings())
		total := 0.0
		for _, row := range state.Standings() {
			total += row.Points
		}
		require.InDelta(rt, points(log), total, 1e-6, "a game of k players gives k/2 points")
	})
}

func points(log []league.Event) (sum float64) {
	for _, event := range log {
		if event.Played != nil {
			sum += float64(len(event.Played.Games)*len(event.Played.Bots)) / 2
		}
	}
	return sum
}

func numbers(from, to int) (all []int) {
	for number := from; number <= to; number++ {
		all = append(all, number)
	}
	return all
}

// TestNotes: names stand in the notes.
func TestNotes(t *testing.T) {
	to := shaped(t, league.Swiss, 2, 2)
	state, err := league.Fold(league.Event{N: 1, Created: &to})
	require.NoError(t, err)
	next, ok, err := state.NextStage()
	require.NoError(t, err)
	require.True(t, ok)
	require.Contains(t, fmt.Sprint(next.Notes), "a@1")
	require.NotContains(t, fmt.Sprint(next.Notes), "[0]")
}

// TestSwiss plays stage after stage over a store, with an interruption, a late entry and a withdrawal between them.
func TestSwiss(t *testing.T) {
	t.Parallel()
	var texts []string
	for _, disturbed := range []bool{false, true} {
		store := openStore(t, t.TempDir())
		to := shaped(t, league.Swiss, 6, 2)
		_, err := store.Begin(t.Context(), to)
		require.NoError(t, err)
		require.NoError(t, store.Do(t.Context(), "cup", league.Command{Enter: &league.Entrant{Label: "late@1"}}))
		require.NoError(t, store.Do(t.Context(), "cup", league.Command{Withdraw: "c@1"}))
		if disturbed {
			c := coordinate(t, store, "cup", league.Coordinating{})
			g := newGate()
			stop, ended := make(chan struct{}), make(chan error)
			go func() { ended <- league.RunLocal(t.Context(), stop, c, worker(store, "cup", 2, g.play)) }()
			g.wait(t, 2)
			close(stop)
			close(g.open)
			require.ErrorIs(t, <-ended, league.ErrStopped)
			require.NoError(t, c.Close())
		}
		c := coordinate(t, store, "cup", league.Coordinating{})
		require.NoError(t, league.RunLocal(t.Context(), nil, c, worker(store, "cup", 3, pretends)))
		require.NoError(t, c.Close())
		state := load(t, store, "cup")
		require.Equal(t, 4, state.Stages())
		require.Equal(t, 4*3, state.Played())
		require.False(t, slices.ContainsFunc(state.Standings(), func(s league.Standing) bool { return s.Bot == "c@1" && s.Games > 0 }))
		texts = append(texts, canonical(t, store))
	}
	require.Equal(t, texts[0], texts[1])
}
