package league_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/protocol"
	"github.com/fivethreefive/fivethreefive/ratings"
)

// sums is the slow second way to count: with exact fractions, for one bot.
type sums struct {
	games, rounds, penalty, faults, forfeits, moves int
	points, firsts, places                          *big.Rat
	think, slowest                                  float64
}

func sumsOf(bot string, results []arena.Result) sums {
	s := sums{points: new(big.Rat), firsts: new(big.Rat), places: new(big.Rat)}
	for _, result := range results {
		for _, set := range result.Sets {
			for _, game := range set.Games {
				for seat, i := range game.Order {
					if result.Bots[i] == bot {
						s.add(game, seat)
					}
				}
			}
		}
	}
	return s
}

func (s *sums) add(game arena.Game, seat int) {
	n := len(game.Ranks)
	var shared []int64 // the places that are covered, from 1
	for _, rank := range game.Ranks {
		if rank == game.Ranks[seat] {
			shared = append(shared, int64(rank+len(shared)))
		}
	}
	for _, place := range shared {
		share := big.NewRat(1, int64(len(shared)))
		s.places.Add(s.places, new(big.Rat).Mul(share, big.NewRat(place, 1)))
		s.points.Add(s.points, new(big.Rat).Mul(share, big.NewRat(int64(n)-place, int64(n)-1)))
		if place == 1 {
			s.firsts.Add(s.firsts, share)
		}
	}
	s.games++
	s.rounds += game.Rounds
	s.penalty += game.Scores[seat]
	for _, fault := range game.Faults {
		if fault.Seat == seat {
			s.faults += fault.Count
			if fault.Forfeit {
				s.forfeits++
			}
		}
	}
	s.moves += game.Think[seat].Moves
	s.think += game.Think[seat].TotalMS
	s.slowest = max(s.slowest, game.Think[seat].MaxMS)
}

// before reports whether a stands above b, and whether they are equal but for the names.
func before(a, b sums) (above, equal bool) {
	if c := a.points.Cmp(b.points); c != 0 {
		return c > 0, false
	}
	c := big.NewRat(int64(a.penalty), int64(max(1, a.rounds))).Cmp(big.NewRat(int64(b.penalty), int64(max(1, b.rounds))))
	return c < 0, c == 0
}

func near(t require.TestingT, want *big.Rat, got float64) {
	f, _ := want.Float64()
	require.InDelta(t, f, got, 1e-9)
}

// requireSums compares with the second way.
func requireSums(t require.TestingT, rows []league.Standing, labels []string, results []arena.Result) {
	all := map[string]sums{}
	for _, label := range labels {
		all[label] = sumsOf(label, results)
	}
	require.Len(t, rows, len(labels))
	for i, row := range rows {
		s := all[row.Bot]
		rank := 1
		for _, other := range all {
			if above, _ := before(other, s); above {
				rank++
			}
		}
		require.Equal(t, rank, row.Rank, row.Bot)
		if i > 0 {
			_, equal := before(all[rows[i-1].Bot], s)
			require.Equal(t, equal, rows[i-1].Rank == row.Rank)
			require.True(t, !equal || rows[i-1].Bot < row.Bot, "equal bots stand by name")
		}
		require.Equal(t, []int{s.games, s.faults, s.forfeits}, []int{row.Games, row.Faults, row.Forfeits})
		near(t, s.points, row.Points)
		near(t, s.firsts, row.Firsts)
		if s.games == 0 {
			continue
		}
		near(t, s.places.Quo(s.places, big.NewRat(int64(s.games), 1)), row.MeanPlace)
		near(t, big.NewRat(int64(s.penalty), int64(s.rounds)), row.Penalty)
		require.InDelta(t, s.think/float64(s.moves), row.Think.Mean, 1e-9)
		require.Equal(t, s.slowest, row.Think.Max)
	}
}

func TestStandings(t *testing.T) {
	for players := 2; players <= 6; players++ {
		for seed := range 10 {
			to := tournament(t, fmt.Sprintf("cup-%d-%d", players, seed), players+2, players)
			state, err := league.Fold(logOf(t, to)...)
			require.NoError(t, err)
			requireSums(t, state.Standings(), state.Labels(), resultsOf(t, state))
		}
	}
	require.Empty(t, league.StandingsOf(nil))
	idle := league.StandingsOf([]string{"b", "a"})
	require.Equal(t, []string{"a", "b"}, []string{idle[0].Bot, idle[1].Bot})
	require.Equal(t, 1, idle[1].Rank)
	require.Zero(t, idle[0].MeanPlace)
}

// resultsOf makes the results of all matches up again.
func resultsOf(t testing.TB, state *league.State) (results []arena.Result) {
	t.Helper()
	for number := 1; number <= state.Paired(); number++ {
		match, err := state.Match(number)
		require.NoError(t, err)
		results = append(results, resultOf(match))
	}
	return results
}

// TestStandingsTies: points that are equal as fractions are equal, in whatever order they were won.
func TestStandingsTies(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		players := rapid.IntRange(3, 6).Draw(rt, "players")
		labels := []string{"a", "b", "c", "d", "e", "f"}[:players]
		rows := rapid.SliceOfN(rapid.Permutation(places(players)), 1, 12).Draw(rt, "games")
		result := &arena.Result{Bots: labels, Sets: []arena.DealSet{{}}}
		add := func(ranks []int) {
			game := arena.Game{Rounds: 1, Ranks: ranks, Scores: make([]int, players), Faults: []protocol.SeatFault{}}
			for seat := range players {
				game.Order = append(game.Order, seat)
				game.Think = append(game.Think, arena.Think{Moves: 1})
			}
			result.Sets[0].Games = append(result.Sets[0].Games, game)
		}
		for _, ranks := range rows {
			add(ranks)
		}
		for _, ranks := range slices.Backward(rows) { // a and b win the same, in another order
			swapped := slices.Clone(ranks)
			swapped[0], swapped[1] = ranks[1], ranks[0]
			add(swapped)
		}
		table := league.StandingsOf(labels, *result)
		requireSums(rt, table, labels, []arena.Result{*result})
		ranks := map[string]int{}
		for _, row := range table {
			ranks[row.Bot] = row.Rank
		}
		require.Equal(rt, ranks["a"], ranks["b"])
	})
}

func places(n int) (all []int) {
	for i := range n {
		all = append(all, i+1)
	}
	return all
}

// slowElo rates a log by the formula, one deal set after the other.
func slowElo(results []arena.Result) map[string]float64 {
	ratings := map[string]float64{}
	for _, result := range results {
		for _, bot := range result.Bots {
			if _, ok := ratings[bot]; !ok {
				ratings[bot] = 1500
			}
		}
		for _, set := range result.Sets {
			change := map[string]float64{}
			for i, a := range result.Bots {
				for j, b := range result.Bots {
					if i == j {
						continue
					}
					score := 0.0
					for _, game := range set.Games {
						switch ra, rb := game.Ranks[slices.Index(game.Order, i)], game.Ranks[slices.Index(game.Order, j)]; {
						case ra < rb:
							score++
						case ra == rb:
							score += 0.5
						}
					}
					expected := 1 / (1 + math.Pow(10, (ratings[b]-ratings[a])/400))
					change[a] += 20 / float64(len(result.Bots)-1) * (score/float64(len(set.Games)) - expected)
				}
			}
			for bot, points := range change {
				ratings[bot] += points
			}
		}
	}
	return ratings
}

// boards plays tournaments in a store and gives its leaderboards.
func boards(t *testing.T, store *league.Store, anchor string, tournaments ...league.Tournament) []league.Leaderboard {
	t.Helper()
	for _, to := range tournaments {
		_, err := store.Begin(t.Context(), to)
		require.NoError(t, err)
		c := coordinate(t, store, to.ID, league.Coordinating{})
		require.NoError(t, league.RunLocal(t.Context(), nil, c, worker(store, to.ID, 4, pretends)))
	}
	all, err := store.Leaderboards(t.Context(), league.Leaderboards{Anchor: anchor, Replicates: 100})
	require.NoError(t, err)
	return all
}

func TestLeaderboards(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	require.Empty(t, boards(t, store, "b@1"))
	var threes []league.Tournament
	for i, id := range []string{"second", "first"} { // created in another order than that of their names
		to := tournament(t, id, 5, 3)
		to.Settings.DealSets = 2
		to.Created = to.Created.Add(time.Duration(-i) * time.Hour)
		to.Entrants[0].Language = id
		threes = append(threes, to)
	}
	all := boards(t, store, "b@1", threes[0], threes[1], tournament(t, "pairs", 3, 2))
	_, err := store.Begin(t.Context(), tournament(t, "begun", 4, 4))
	require.NoError(t, err)
	require.Equal(t, all, boards(t, store, "b@1"), "what was not played is no board")
	require.Len(t, all, 2)
	require.Equal(t, 2, all[0].Players)
	board := all[1]
	require.Equal(t, 3, board.Players)
	require.True(t, board.Anchored)
	require.Len(t, board.Rows, 5)
	results := append(resultsOf(t, load(t, store, "first")), resultsOf(t, load(t, store, "second"))...)
	want := slowElo(results)
	fit := slowFit(t, results, "b@1")
	for i, row := range board.Rows {
		require.InDelta(t, want[row.Bot]-want["b@1"]+league.AnchorRating, row.Elo, 1e-3)
		requireFitted(t, fit.Rows[i], row)
		require.True(t, i == 0 || board.Rows[i-1].Rating >= row.Rating)
		require.Equal(t, 2*2*6, row.DealSets)
		near(t, sumsOf(row.Bot, results).points, row.Points)
		require.Equal(t, map[bool]string{true: "second", false: "go"}[row.Bot == "a@1"], row.Language)
	}
	require.False(t, boards(t, store, "nobody")[0].Anchored)
}

// slowFit takes the deals for what they are: those of one match.
func slowFit(t *testing.T, results []arena.Result, anchor string) *ratings.Fit {
	t.Helper()
	var pairs ratings.Pairs
	for _, result := range results {
		for i, set := range result.Sets {
			rated := ratings.DealSet{Deal: fmt.Sprint(result.Match, i), Bots: result.Bots}
			for _, game := range set.Games {
				rated.Ranks = append(rated.Ranks, game.ByBot(game.Ranks))
			}
			require.NoError(t, pairs.Add(rated))
		}
	}
	fit, err := pairs.Fit(ratings.FitConfig{Anchor: anchor})
	require.NoError(t, err)
	return fit
}

func requireFitted(t *testing.T, want ratings.Row, got league.Rated) {
	t.Helper()
	require.Equal(t, want.Bot, got.Bot)
	require.InDelta(t, want.Rating, got.Rating, 1e-3)
	require.InDelta(t, want.Error, got.FieldError, 1e-3)
	require.Equal(t, []int{want.Rank, want.Deals, want.Opponents}, []int{got.Rank, got.Deals, got.Opponents})
	require.Equal(t, want.Provisional, got.Provisional)
	require.Equal(t, want.Interval == nil, got.Interval == nil)
	if want.Interval != nil {
		require.InDelta(t, want.Interval.Low, got.Interval.Low, 1e-3)
		require.InDelta(t, want.Interval.High, got.Interval.High, 1e-3)
	}
	require.Equal(t, want.Rank != 0, got.RankRange != nil)
}

// TestLeaderboardTies: bots that always share the first place keep equal ratings, and share the rank.
func TestLeaderboardTies(t *testing.T) {
	t.Parallel()
	b, store := remoteStore(t, bus.Config{URL: standalone(t)})
	to := tournament(t, "cup", 4, 3)
	to.Settings.DealSets = 30
	events := logOf(t, to)
	for _, event := range events {
		if event.Played != nil {
			for _, game := range event.Played.Games {
				game[1], game[3], game[5] = 1, 1, 1
			}
		}
	}
	rows := written(t, store, streams(t, b), events)[0].Rows
	for i, row := range rows {
		require.Equal(t, 1, row.Rank)
		require.Equal(t, string(rune('a'+i))+"@1", row.Bot)
		require.Equal(t, 1500.0, row.Rating)
		require.InDelta(t, float64(row.Games)/3, row.Firsts, 1e-9)
	}
}

// written puts a log into the store, past all that keeps it in order, and gives the leaderboards.
func written(t require.TestingT, store *league.Store, js jetstream.JetStream, events []league.Event) []league.Leaderboard {
	ctx := context.Background()
	stream, err := js.Stream(ctx, bus.Events)
	require.NoError(t, err)
	require.NoError(t, stream.Purge(ctx))
	for _, event := range events {
		text, textErr := json.Marshal(event)
		require.NoError(t, textErr)
		_, err = js.Publish(ctx, bus.EventSubject(events[0].Created.ID), text)
		require.NoError(t, err)
	}
	all, err := store.Leaderboards(ctx, league.Leaderboards{Anchor: "a@1", Replicates: 100})
	require.NoError(t, err)
	return all
}

// TestAnyOrderOfTheLog: leaderboards are the same, to the byte, in whatever order matches ended.
func TestAnyOrderOfTheLog(t *testing.T) {
	t.Parallel()
	b, store := remoteStore(t, bus.Config{URL: standalone(t)})
	js := streams(t, b)
	events := logOf(t, tournament(t, "cup", 5, 4))
	want, err := json.Marshal(written(t, store, js, events))
	require.NoError(t, err)
	rapid.Check(t, func(rt *rapid.T) {
		some := shuffled(rt, events)
		if rapid.Bool().Draw(rt, "part") { // what is still to be played holds nothing up
			some = some[:len(some)-2]
			require.Equal(rt, written(rt, store, js, ordered(some)), written(rt, store, js, some))
			return
		}
		got, gotErr := json.Marshal(written(rt, store, js, some))
		require.NoError(rt, gotErr)
		require.Equal(rt, string(want), string(got))
	})
}

// ordered puts matches into the order of the schedule.
func ordered(events []league.Event) []league.Event {
	events = slices.Clone(events)
	slices.SortStableFunc(events, func(a, b league.Event) int {
		if a.Played == nil || b.Played == nil {
			return 0
		}
		return a.Played.Match - b.Played.Match
	})
	return renumber(events)
}
