package league_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/engine"
)

// TestHeadToHead counts by hand what two bots did at the same tables.
func TestHeadToHead(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	to := tournament(t, "cup", 5, 3)
	to.Settings.DealSets = 3
	leaderboards := boards(t, store, "a@1", to, tournament(t, "pairs", 3, 2), tournament(t, "fours", 4, 4))
	all, known, err := store.HeadToHeads(t.Context(), league.Filter{}, "a@1", "b@1", "e@1")
	require.NoError(t, err)
	require.Equal(t, []string{"a@1", "b@1", "c@1", "d@1", "e@1"}, known)
	require.Len(t, all, 1, "e has played at three seats only")
	got := all[0]
	results := resultsOf(t, load(t, store, "cup"))
	want := league.HeadToHead{Players: 3}
	deals := 0
	for _, result := range results {
		b, e := slices.Index(result.Bots, "b@1"), slices.Index(result.Bots, "e@1")
		if b < 0 || e < 0 {
			continue
		}
		for _, set := range result.Sets {
			deals++
			for _, game := range set.Games {
				ranks := game.ByBot(game.Ranks)
				want.Games++
				switch {
				case ranks[b] < ranks[e]:
					want.Ahead++
				case ranks[b] == ranks[e]:
					want.Level++
				default:
					want.Behind++
				}
			}
		}
	}
	require.Equal(t, []int{want.Games, deals, want.Ahead, want.Level, want.Behind}, []int{got.Games, got.Deals, got.Ahead, got.Level, got.Behind})
	require.InDelta(t, (float64(want.Ahead)+float64(want.Level)/2)/float64(want.Games), got.Score.Value, 1e-3)
	require.NotNil(t, got.Score.Interval)
	fit := slowFit(t, results, "a@1")
	apart, err := fit.Difference("b@1", "e@1")
	require.NoError(t, err)
	require.InDelta(t, apart.Elo, got.Official.Value, 1e-3)
	rating := map[string]float64{}
	for _, row := range leaderboards[1].Rows {
		rating[row.Bot] = row.Rating
	}
	require.InDelta(t, rating["b@1"]-rating["e@1"], got.Official.Value, 2e-3, "what the leaderboard says")
	around, _, err := store.HeadToHeads(t.Context(), league.Filter{}, "nobody", "b@1", "e@1")
	require.NoError(t, err)
	require.NotEqual(t, got.Official.Value, around[0].Official.Value, "the prior draws towards the anchor")
	turned, _, err := store.HeadToHeads(t.Context(), league.Filter{}, "a@1", "e@1", "b@1")
	require.NoError(t, err)
	require.Equal(t, []int{got.Behind, got.Level, got.Ahead}, []int{turned[0].Ahead, turned[0].Level, turned[0].Behind})
	require.InDelta(t, 1, got.Score.Value+turned[0].Score.Value, 2e-3)
	require.InDelta(t, 1, *got.Superiority+*turned[0].Superiority, 2e-3)
	none, _, err := store.HeadToHeads(t.Context(), league.Filter{Players: 2}, "a@1", "b@1", "e@1")
	require.NoError(t, err)
	require.Empty(t, none)
}

// TestFilter: only what is wanted counts, and the ratings are those of that alone.
func TestFilter(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	old, other, late := tournament(t, "old", 4, 2), tournament(t, "other", 4, 2), tournament(t, "late", 4, 3)
	var err error
	other.Settings.Rules, err = engine.NewRules(engine.BGA, 2)
	require.NoError(t, err)
	late.Created = late.Created.Add(48 * time.Hour)
	boards(t, store, "a@1", old, other, late)
	alone := func(id string) []league.Leaderboard {
		only := openStore(t, t.TempDir())
		return boards(t, only, "a@1", map[string]league.Tournament{"old": old, "other": other, "late": late}[id])
	}
	for _, of := range []struct {
		filter league.Filter
		want   string
	}{
		{league.Filter{Players: 3}, "late"},
		{league.Filter{Rules: engine.BGA}, "other"},
		{league.Filter{Tournaments: []string{"old"}}, "old"},
		{league.Filter{Since: late.Created}, "late"},
		{league.Filter{Rules: engine.Rulebook, Players: 2}, "old"},
	} {
		got, failed := store.Leaderboards(t.Context(), league.Leaderboards{Filter: of.filter, Anchor: "a@1", Replicates: 100})
		require.NoError(t, failed)
		require.Equal(t, alone(of.want), got, "%+v", of.filter)
	}
	_, err = store.Leaderboards(t.Context(), league.Leaderboards{Filter: league.Filter{Tournaments: []string{"nothing"}}})
	require.ErrorIs(t, err, league.ErrNoTournament)
	both, err := store.Leaderboards(t.Context(), league.Leaderboards{Filter: league.Filter{Players: 2}, Anchor: "a@1", Replicates: 100})
	require.NoError(t, err)
	require.Equal(t, []engine.Preset{engine.BGA, engine.Rulebook}, both[0].Rules)
	require.Equal(t, 2, both[0].Tournaments)
	some, err := store.Leaderboards(t.Context(), league.Leaderboards{Language: "GO", Replicates: 1})
	require.NoError(t, err)
	require.Len(t, some[0].Rows, 4)
	some, err = store.Leaderboards(t.Context(), league.Leaderboards{Language: "rust", Replicates: 1})
	require.NoError(t, err)
	require.Empty(t, some)
}

// TestLanguage: whoever is not wanted is no row, nor the next bot of one.
func TestLanguage(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	to, pairs := tournament(t, "cup", 4, 3), tournament(t, "pairs", 3, 2)
	to.Settings.DealSets = 10
	whole := boards(t, store, "a@1", to)[0]
	for i, row := range whole.Rows {
		if i%3 != 0 {
			at := slices.IndexFunc(to.Entrants, func(e league.Entrant) bool { return e.Label == row.Bot })
			to.Entrants[at].Language = "rust"
		}
	}
	store = openStore(t, t.TempDir())
	boards(t, store, "a@1", to, pairs)
	all, err := store.Leaderboards(t.Context(), league.Leaderboards{Anchor: "a@1", Language: "Rust", Replicates: 100})
	require.NoError(t, err)
	require.Len(t, all, 1, "at two seats there is nobody")
	require.Equal(t, []string{whole.Rows[1].Bot, whole.Rows[2].Bot}, []string{all[0].Rows[0].Bot, all[0].Rows[1].Bot})
	require.Nil(t, all[0].Rows[1].OverNext, "there is no next one")
	require.Equal(t, whole.Rows[1].OverNext, all[0].Rows[0].OverNext)
	all, err = store.Leaderboards(t.Context(), league.Leaderboards{Anchor: "a@1", Filter: league.Filter{Players: 3}, Language: "go", Replicates: 100})
	require.NoError(t, err)
	require.Len(t, all[0].Rows, 2)
	ends, _, err := store.HeadToHeads(t.Context(), league.Filter{Players: 3}, "a@1", whole.Rows[0].Bot, whole.Rows[3].Bot)
	require.NoError(t, err)
	require.Equal(t, ends[0].Superiority, all[0].Rows[0].OverNext)
	require.Equal(t, whole.Rows[3].Rank, all[0].Rows[1].Rank, "ranks are those among all")
}

// TestSameDeals: the same cards are one observation, also in two tournaments. Playing the same again teaches nothing new, and
// the intervals do not shrink for it.
func TestSameDeals(t *testing.T) {
	t.Parallel()
	once := openStore(t, t.TempDir())
	to := tournament(t, "cup", 4, 2)
	to.Settings.DealSets = 20
	want := boards(t, once, "a@1", to)[0]
	again := to
	again.ID = "again"
	got := boards(t, once, "a@1", again)[0]
	require.Equal(t, 2*want.Games, got.Games)
	require.Equal(t, want.Deals, got.Deals)
	for i, row := range got.Rows {
		require.Equal(t, want.Rows[i].Bot, row.Bot)
		require.InEpsilon(t, want.Rows[i].FieldError, row.FieldError, 0.1)
		require.Equal(t, 2*want.Rows[i].DealSets, row.DealSets)
	}
	other := to
	other.ID, other.Seed = "other", engine.Seed{}.Child("other", 9)
	more := boards(t, once, "a@1", other)[0]
	require.Equal(t, 2*want.Deals, more.Deals)
}

// TestThinkTimes: the percentiles of a bot are those of all its moves, and a log without them reads as ever.
func TestThinkTimes(t *testing.T) {
	to := tournament(t, "cup", 3, 2)
	log := logOf(t, to)
	state, err := league.Fold(log...)
	require.NoError(t, err)
	require.Nil(t, state.Standings()[0].Think.P50, "older logs have none")
	all := map[string]*arena.Histogram{}
	for i := range log {
		if log[i].Played == nil {
			continue
		}
		match, failed := state.Match(log[i].Played.Match)
		require.NoError(t, failed)
		for j, bot := range match.Bots {
			times := arena.Histogram{10 * (j + 1), 98, 200, 2 + log[i].Played.Match}
			log[i].Played.Times = append(log[i].Played.Times, times)
			if all[bot] == nil {
				all[bot] = &arena.Histogram{}
			}
			all[bot].Merge(times)
		}
	}
	text, err := json.Marshal(log[len(log)-2])
	require.NoError(t, err)
	require.Contains(t, string(text), `"times":[[10,98,200,`)
	state = foldText(t, textOf(t, log))
	for _, row := range state.Standings() {
		require.Equal(t, min(all[row.Bot].Percentile(50), row.Think.Max), *row.Think.P50, row.Bot)
		require.Equal(t, min(all[row.Bot].Percentile(99), row.Think.Max), *row.Think.P99, row.Bot)
	}
	for _, damaged := range [][]arena.Histogram{{{1, 1}}, {{1, 1}, {1}}, {{1, 1}, {2, 1, 1, 1}}} {
		spoilt := *log[len(log)-2].Played
		spoilt.Times = damaged
		events := append(slices.Clone(log[:len(log)-2]), league.Event{Played: &spoilt})
		_, err := league.Fold(renumber(events)...)
		require.ErrorIs(t, err, league.ErrDamaged)
	}
}

// TestLeaderboardGolden pins all numbers. They are the same to the byte on processors that round products and sums together,
// and on those that do not.
func TestLeaderboardGolden(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	ladder := formatCup(t, league.Ladder, 6, 2)
	ladder.Settings.DealSets = 8
	four := tournament(t, "four", 5, 4)
	four.Settings.DealSets = 6
	got, err := json.MarshalIndent(boards(t, store, "a@1", ladder, four), "", " ")
	require.NoError(t, err)
	golden := filepath.Join("testdata", "leaderboards.json")
	if *update {
		require.NoError(t, os.WriteFile(golden, append(got, '\n'), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got)+"\n")
}
