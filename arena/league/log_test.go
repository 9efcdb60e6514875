package league_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/engine"
)

func TestMatches(t *testing.T) {
	to := tournament(t, "cup", 4, 2)
	to.Cycles, to.Settings.DealSets = 2, 3
	matches, err := to.Matches()
	require.NoError(t, err)
	require.Len(t, matches, 2*6)
	require.Equal(t, 2*6*3*2, to.Games(matches))
	seeds := map[engine.Seed]bool{}
	for i, match := range matches {
		seeds[match.Seed] = true
		require.Equal(t, "cup", match.Tournament)
		require.Equal(t, to.Settings, match.Settings)
		require.Equal(t, to.Seed.Child("match", uint64(i)), match.Seed)
	}
	require.Len(t, seeds, len(matches))
	require.Equal(t, "cup-1", matches[0].ID)
	require.Equal(t, "cup-12", matches[11].ID)
	for want, spoil := range map[string]func(to *league.Tournament){
		`format "knockout" is unknown; use "round-robin"`:              func(to *league.Tournament) { to.Format = "knockout" },
		"cycles: 0 is outside 1 to 1000":                               func(to *league.Tournament) { to.Cycles = 0 },
		"deal_sets: 0 is outside 1 to 100000":                          func(to *league.Tournament) { to.Settings.DealSets = 0 },
		"round robin with 1 entrants at tables of 2: enter at least 2": func(to *league.Tournament) { to.Entrants = to.Entrants[:1] },
		"match cup-1: a@1 sits at the table twice": func(to *league.Tournament) {
			to.Entrants = []league.Entrant{{Label: "a@1"}, {Label: "a@1"}}
		},
	} {
		spoilt := to
		spoil(&spoilt)
		_, err := spoilt.Matches()
		require.EqualError(t, err, want)
	}
}

// TestFoldOrder: results may come in any order and more than once.
func TestFoldOrder(t *testing.T) {
	events := logOf(t, tournament(t, "cup", 4, 3))
	want, err := league.Fold(events)
	require.NoError(t, err)
	require.True(t, want.Finished)
	require.Equal(t, len(want.Matches), want.Played())
	rapid.Check(t, func(rt *rapid.T) {
		rest := rapid.Permutation(append(slices.Clone(events[1:]), events[1:]...)).Draw(rt, "order")
		got, foldErr := league.Fold(append(slices.Clone(events[:1]), rest...))
		require.NoError(rt, foldErr)
		require.Equal(rt, want, got)
	})
	part, err := league.Fold(events[:3])
	require.NoError(t, err)
	require.False(t, part.Finished)
	require.Equal(t, 2, part.Played())
	require.Nil(t, part.Results[2])
}

func TestFoldFirstCounts(t *testing.T) {
	events := logOf(t, tournament(t, "cup", 2, 2))
	again := *events[1].Played
	again.Faults = []arena.Fault{{Bot: "a@1"}}
	state, err := league.Fold(slices.Insert(slices.Clone(events), 2, league.Event{Played: &again}))
	require.NoError(t, err)
	require.Equal(t, events[1].Played, state.Results[0])
}

func TestFoldErrors(t *testing.T) {
	events := logOf(t, tournament(t, "cup", 3, 2))
	_, err := league.Fold(nil)
	require.ErrorIs(t, err, league.ErrNoTournament)
	_, err = league.Fold(events[1:])
	require.ErrorContains(t, err, "does not begin with its tournament")
	_, err = league.Fold(slices.Insert(slices.Clone(events), 1, events[0]))
	require.ErrorContains(t, err, "it begins twice")
	for _, test := range []struct {
		want  string
		spoil func(r *arena.Result)
	}{
		{"match cup-9 is not in its schedule", func(r *arena.Result) { r.Match = "cup-9" }},
		{"match cup-2: its result is that of another match", func(r *arena.Result) { r.Match = "cup-2" }},
		{"match cup-1: its result is that of another match", func(r *arena.Result) { r.Seed[0]++ }},
		{"match cup-1: its result is that of another match", func(r *arena.Result) { r.Sets = nil }},
		{"match cup-1: a deal set has 1 games, not 2", func(r *arena.Result) { r.Sets[0].Games = r.Sets[0].Games[:1] }},
		{"match cup-1: game cup-1 is damaged", func(r *arena.Result) { r.Sets[0].Games[1].Order = []int{0, 9} }},
		{"match cup-1: game cup-1 is damaged", func(r *arena.Result) { r.Sets[0].Games[1].Scores = nil }},
		{"match cup-1: game cup-1 is damaged", func(r *arena.Result) { r.Sets[0].Games[1].Ranks[0] = 0 }},
		{"match cup-1: game cup-1 is damaged", func(r *arena.Result) { r.Sets[0].Games[1].Think = r.Sets[0].Games[1].Think[:1] }},
	} {
		result := resultOf(mustMatches(t, tournament(t, "cup", 3, 2))[0])
		test.spoil(&result)
		_, err = league.Fold([]league.Event{events[0], {Played: &result}})
		require.EqualError(t, err, "log of cup: "+test.want)
	}
	bad := tournament(t, "cup", 3, 2)
	bad.Format = "?"
	_, err = league.Fold([]league.Event{{Created: &bad}})
	require.EqualError(t, err, `log of cup: format "?" is unknown; use "round-robin"`)
}

func mustMatches(t *testing.T, to league.Tournament) []arena.Match {
	t.Helper()
	matches, err := to.Matches()
	require.NoError(t, err)
	return matches
}

func TestOpen(t *testing.T) {
	store := &memory{}
	to := tournament(t, "cup", 3, 2)
	_, err := league.Load(t.Context(), store, "cup")
	require.ErrorIs(t, err, league.ErrNoTournament)
	require.EqualError(t, err, `tournament "cup": there is no such tournament`)
	made, err := league.Open(t.Context(), store, to)
	require.NoError(t, err)
	require.Len(t, made.Matches, 3)
	later := to
	later.Created, later.Seed = time.Now(), engine.Seed{}
	later.Entrants = slices.Clone(to.Entrants)
	later.Entrants[0].Language = "rust"
	resumed, err := league.Open(t.Context(), store, later)
	require.NoError(t, err, "time and language do not matter, and no seed is any seed")
	require.Equal(t, made, resumed)
	require.Len(t, store.logs["cup"], 1)

	bad := to
	bad.ID, bad.Cycles = "bad", -1
	_, err = league.Open(t.Context(), store, bad)
	require.ErrorContains(t, err, "cycles: -1 is outside 1 to 1000")
	require.NotContains(t, store.logs, "bad", "what cannot be played is not begun")
	bad = to
	bad.ID, store.fails = "new", errors.New("full")
	_, err = league.Open(t.Context(), store, bad)
	require.EqualError(t, err, "full")
}

// TestOpenAnother: a tournament is not resumed as another one.
func TestOpenAnother(t *testing.T) {
	store := &memory{}
	to := tournament(t, "cup", 3, 2)
	_, err := league.Open(t.Context(), store, to)
	require.NoError(t, err)
	for want, change := range map[string]func(to *league.Tournament){
		"format: round-robin, not swiss":           func(to *league.Tournament) { to.Format = "swiss" },
		"cycles: 1, not 2":                         func(to *league.Tournament) { to.Cycles = 2 },
		"settings.clock.bank_ms: 0, not 1":         func(to *league.Tournament) { to.Settings.Clock.BankMS++ },
		"entrants: a@1 b@1 c@1, not a@1 b@1;":      func(to *league.Tournament) { to.Entrants = to.Entrants[:2] },
		"it was started with another seed":         func(to *league.Tournament) { to.Seed[31]++ },
		"entrants: a@1 b@1 c@1, not a@1 b@1 c@1#2": func(to *league.Tournament) { to.Entrants[2].Label = "c@1#2" },
	} {
		other := to
		other.Entrants = slices.Clone(to.Entrants)
		change(&other)
		_, err := league.Open(t.Context(), store, other)
		require.ErrorContains(t, err, `tournament "cup" exists already and differs: `+want)
		require.ErrorContains(t, err, "choose another name for the new one")
	}
}
