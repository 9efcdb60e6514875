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

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// sums is the slow second way to count: with exact fractions, for one bot.
type sums struct {
	games, rounds, penalty, faults, forfeits, moves int
	points, firsts, places                          *big.Rat
	think, slowest                                  float64
}

func sumsOf(bot string, results []*arena.Result) sums {
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

// requireStandings compares with the second way.
func requireStandings(t require.TestingT, labels []string, results []*arena.Result) {
	all := map[string]sums{}
	for _, label := range labels {
		all[label] = sumsOf(label, results)
	}
	rows := league.Standings(labels, results)
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
			state, err := league.Fold(logOf(t, to))
			require.NoError(t, err)
			requireStandings(t, to.Labels(), state.Results)
		}
	}
	require.Empty(t, league.Standings(nil, nil))
	idle := league.Standings([]string{"b", "a"}, []*arena.Result{nil})
	require.Equal(t, []string{"a", "b"}, []string{idle[0].Bot, idle[1].Bot})
	require.Equal(t, 1, idle[1].Rank)
	require.Zero(t, idle[0].MeanPlace)
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
		requireStandings(rt, labels, []*arena.Result{result})
		ranks := map[string]int{}
		for _, row := range league.Standings(labels, []*arena.Result{result}) {
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
func slowElo(states []league.State) map[string]float64 {
	ratings := map[string]float64{}
	for _, state := range states {
		for _, result := range state.Results {
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
	}
	return ratings
}

func TestLeaderboards(t *testing.T) {
	store := &memory{}
	boards, err := league.Leaderboards(t.Context(), store, "b@1")
	require.NoError(t, err)
	require.Empty(t, boards)
	threes := make([]league.State, 2)
	for i, id := range []string{"second", "first"} { // created in another order than that of their names
		to := tournament(t, id, 5, 3)
		to.Settings.DealSets = 2
		to.Created = to.Created.Add(time.Duration(-i) * time.Hour)
		to.Entrants[0].Language = id
		for _, event := range logOf(t, to) {
			require.NoError(t, store.Append(t.Context(), id, event))
		}
		threes[1-i], err = league.Fold(logOf(t, to))
		require.NoError(t, err)
	}
	for _, event := range logOf(t, tournament(t, "pairs", 3, 2)) {
		require.NoError(t, store.Append(t.Context(), "pairs", event))
	}
	begun := tournament(t, "begun", 4, 4)
	require.NoError(t, store.Append(t.Context(), "begun", league.Event{Created: &begun}))

	boards, err = league.Leaderboards(t.Context(), store, "b@1")
	require.NoError(t, err)
	require.Len(t, boards, 2, "what was not played is no board")
	require.Equal(t, 2, boards[0].Players)
	board := boards[1]
	require.Equal(t, 3, board.Players)
	require.True(t, board.Anchored)
	require.Len(t, board.Rows, 5)
	want := slowElo(threes)
	results := slices.Concat(threes[0].Results, threes[1].Results)
	for i, row := range board.Rows {
		require.Equal(t, i+1, row.Rank)
		require.InDelta(t, want[row.Bot]-want["b@1"]+league.AnchorRating, row.Rating, 1e-9)
		require.True(t, i == 0 || board.Rows[i-1].Rating >= row.Rating)
		require.Equal(t, 2*2*6, row.DealSets)
		near(t, sumsOf(row.Bot, results).points, row.Points)
		require.Equal(t, map[bool]string{true: "second", false: "go"}[row.Bot == "a@1"], row.Language)
	}
	boards, err = league.Leaderboards(t.Context(), store, "nobody")
	require.NoError(t, err)
	require.False(t, boards[0].Anchored)
}

// TestLeaderboardTies: bots that always share the first place keep equal ratings, and share the rank.
func TestLeaderboardTies(t *testing.T) {
	events := logOf(t, tournament(t, "cup", 4, 3))
	for _, event := range events {
		if event.Played == nil {
			continue
		}
		for _, game := range event.Played.Sets[0].Games {
			copy(game.Ranks, []int{1, 1, 1})
		}
	}
	boards, err := league.Leaderboards(t.Context(), &memory{logs: map[string][]league.Event{"cup": events}}, "")
	require.NoError(t, err)
	for i, row := range boards[0].Rows {
		require.Equal(t, 1, row.Rank)
		require.Equal(t, string(rune('a'+i))+"@1", row.Bot)
		require.Equal(t, 1500.0, row.Rating)
		require.InDelta(t, float64(row.Games)/3, row.Firsts, 1e-9)
	}
}

// TestAnyOrderOfTheLog: standings and leaderboards are the same, to the byte.
func TestAnyOrderOfTheLog(t *testing.T) {
	to := tournament(t, "cup", 5, 4)
	events := logOf(t, to)
	text := func(t require.TestingT, events []league.Event) string {
		state, err := league.Fold(events)
		require.NoError(t, err)
		boards, err := league.Leaderboards(context.Background(), &memory{logs: map[string][]league.Event{"cup": events}}, "a@1")
		require.NoError(t, err)
		out, err := json.Marshal([]any{league.Standings(to.Labels(), state.Results), boards})
		require.NoError(t, err)
		return string(out)
	}
	want := text(t, events)
	rapid.Check(t, func(rt *rapid.T) {
		rest := rapid.Permutation(slices.Clone(events[1:])).Draw(rt, "order")
		require.Equal(rt, want, text(rt, append(slices.Clone(events[:1]), rest...)))
	})
}
