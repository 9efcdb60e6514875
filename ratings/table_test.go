package ratings_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/ratings"
)

// duels returns so many deal sets of two games; of all games a wins the given number: the first ones of each set before the
// second ones.
func duels(a, b string, sets, wins int) []ratings.DealSet {
	out := make([]ratings.DealSet, sets)
	for i := range out {
		out[i] = ratings.DealSet{Deal: fmt.Sprint(a, "-", b, " ", i), Bots: []string{a, b}}
		for game := range 2 {
			ranks := []int{1, 2}
			if game*sets+i >= wins {
				ranks = []int{2, 1}
			}
			out[i].Ranks = append(out[i].Ranks, ranks)
		}
	}
	return out
}

func TestFitOfAPerfectBot(t *testing.T) {
	sets := duels("ace", "owl", 30, 60)
	sets = append(sets, duels("owl", "elk", 30, 40)...)
	sets = append(sets, duels("elk", "dud", 30, 60)...)
	fit := official(t, sets, "owl")
	assert.Equal(t, [][]string{{"elk", "owl"}, {"ace"}, {"dud"}}, fit.Groups)
	for _, bot := range []string{"ace", "dud"} {
		row := rowOf(fit, bot)
		assert.True(t, row.Perfect, bot)
		assert.Nil(t, row.Interval, "%s: no data say how far away it is", bot)
		assert.False(t, math.IsInf(row.Rating, 0) || math.IsNaN(row.Rating))
	}
	assert.False(t, rowOf(fit, "owl").Perfect)
	assert.Equal(t, "ace", fit.Rows[0].Bot)
	assert.Equal(t, "dud", fit.Rows[3].Bot)
	// 60 wins and the virtual draw: 60(1-p) + 1/2 - p = 0.
	assert.InDelta(t, 1500+math.Log10(60.5/0.5)*400, fit.Rows[0].Rating, 1e-6)

	_, err := collect(t, sets).Fit(ratings.FitConfig{Anchor: "owl", NoPrior: true})
	require.ErrorContains(t, err, "they form 3 groups")
}

func TestFitOfAMillionWins(t *testing.T) {
	set := ratings.DealSet{Deal: "1", Bots: []string{"ace", "owl"}, Ranks: make([][]int, 1_000_000)}
	for i := range set.Ranks {
		set.Ranks[i] = []int{1, 2}
	}
	fit := official(t, []ratings.DealSet{set}, "owl")
	assert.InDelta(t, 1500+math.Log10(1_000_000.5/0.5)*400, fit.Rows[0].Rating, 1e-6)
	assert.Equal(t, 1_000_000, fit.Rows[0].Games)
}

func TestFitOfTwoFields(t *testing.T) {
	sets := append(duels("a", "b", 20, 30), duels("x", "y", 20, 10)...)
	sets = append(sets, duels("x", "z", 20, 20)...)
	fit := official(t, sets, "a")
	assert.Equal(t, [][]string{{"x", "y", "z"}, {"a", "b"}}, fit.Groups)
	assert.NotNil(t, rowOf(fit, "b").Interval)
	assert.Nil(t, rowOf(fit, "x").Interval)

	within, err := fit.Difference("y", "x")
	require.NoError(t, err)
	assert.NotNil(t, within.Interval)
	assert.Greater(t, within.Superiority, 0.97)
	across, err := fit.Difference("b", "x")
	require.NoError(t, err)
	assert.Nil(t, across.Interval)
	assert.Equal(t, 0.5, across.Superiority)
	_, err = fit.Difference("a", "nobody")
	require.EqualError(t, err, `"a" and "nobody": both must have been rated`)
}

func TestFitWithoutItsAnchor(t *testing.T) {
	fit := official(t, duels("a", "b", 30, 45), "greedy")
	assert.False(t, fit.Anchored)
	assert.InDelta(t, 3000, fit.Rows[0].Rating+fit.Rows[1].Rating, 1e-6, "around the initial rating")
	assert.NotNil(t, fit.Rows[0].Interval)
	// By hand: 60(0.75-p(2θ)) + 1/2-p(θ) = 0.
	theta := (fit.Rows[0].Rating - 1500) * natural
	assert.InDelta(t, 0, 60*(0.75-1/(1+math.Exp(-2*theta)))+0.5-1/(1+math.Exp(-theta)), 1e-8)

	_, err := collect(t, duels("a", "b", 30, 45)).Fit(ratings.FitConfig{Anchor: "greedy", NoPrior: true})
	require.EqualError(t, err, `anchor "greedy" has not played: keep the prior or name a bot that has`)
}

func TestFitRefuses(t *testing.T) {
	var pairs ratings.Pairs
	_, err := pairs.Fit(ratings.FitConfig{})
	require.EqualError(t, err, "no ratings without deal sets: add at least 1")
	_, err = pairs.Fit(ratings.FitConfig{Initial: math.NaN()})
	require.EqualError(t, err, "initial rating is NaN: choose a finite number")

	two := []string{"fox", "owl"}
	tests := []struct {
		name string
		set  ratings.DealSet
		want string
	}{
		{"shape", ratings.DealSet{Deal: "1", Bots: two[:1], Ranks: [][]int{{1}}}, `deal set with 1 bots: name at least 2`},
		{"deal", ratings.DealSet{Bots: two, Ranks: [][]int{{1, 2}}}, `deal set of ["fox" "owl"]: its deal has no name`},
		{
			"seven",
			ratings.DealSet{
				Deal: "1", Bots: []string{"a", "b", "c", "d", "e", "f", "g"}, Ranks: [][]int{{1, 2, 3, 4, 5, 6, 7}},
			},
			`deal set of ["a" "b" "c" "d" "e" "f" "g"]: 7 bots: at most 6`,
		},
	}
	for _, tt := range tests {
		require.EqualError(t, pairs.Add(tt.set), tt.want, tt.name)
	}
	seats := ratings.NewSeatPairs()
	for _, given := range [][][]int{nil, {{0, 1}, {1, 0}}} {
		err = seats.Add(ratings.DealSet{Deal: "1", Bots: two, Ranks: [][]int{{1, 2}}, Seats: given})
		require.EqualError(t, err, fmt.Sprintf(`deal set of ["fox" "owl"]: seats of %d games for 1 games`, len(given)))
	}
	for _, given := range [][]int{nil, {0}, {0, 0}, {1, 2}, {-1, 0}, {0, 1, 2}} {
		err = seats.Add(ratings.DealSet{Deal: "1", Bots: two, Ranks: [][]int{{1, 2}}, Seats: [][]int{given}})
		require.ErrorContains(t, err, "give each from 0 to 1 once", given)
	}
	_, err = seats.Fit(ratings.FitConfig{})
	require.EqualError(t, err, "no ratings without deal sets: add at least 1")
}

// Where the first seat wins all games, no finite advantage is the most likely.
func TestFitOfAPerfectSeat(t *testing.T) {
	pairs := ratings.NewSeatPairs()
	games(t, pairs, "a", "b", 20, 0, 0)
	games(t, pairs, "b", "a", 20, 0, 0)
	_, err := pairs.Fit(ratings.FitConfig{Anchor: "a"})
	require.ErrorContains(t, err, "no finite maximum of likelihood")

	games(t, pairs, "a", "b", 0, 0, 1)
	fit, err := pairs.Fit(ratings.FitConfig{Anchor: "a"})
	require.NoError(t, err)
	assert.Greater(t, fit.Rows[0].Rating-fit.Rows[1].Rating, 0.0)
	assert.Less(t, fit.Seats[1].Advantage, -400.0)
	assert.NotNil(t, fit.Seats[1].Interval)
	assert.Nil(t, fit.Seats[0].Interval)
}

// If every bot holds every seat equally often against every other, telling seats apart changes hardly anything.
func TestFitOfRotatedSeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var pairs ratings.Pairs
	seats := ratings.NewSeatPairs()
	for _, set := range simulate(rng, table{bots: 4, seats: 3, skill: 0.3}, 400) {
		for turn := range set.Ranks {
			set.Seats = append(set.Seats, []int{turn, (turn + 1) % 3, (turn + 2) % 3})
		}
		require.NoError(t, pairs.Add(set))
		require.NoError(t, seats.Add(set))
	}
	plain, err := pairs.Fit(ratings.FitConfig{Anchor: "bot 0"})
	require.NoError(t, err)
	told, err := seats.Fit(ratings.FitConfig{Anchor: "bot 0"})
	require.NoError(t, err)
	require.Len(t, told.Seats, 3)
	for _, row := range plain.Rows {
		assert.InDelta(t, row.Rating, rowOf(told, row.Bot).Rating, 2)
	}
	for _, seat := range told.Seats[1:] {
		assert.LessOrEqual(t, seat.Interval.Low, 0.0, "no seat is better in these games")
		assert.GreaterOrEqual(t, seat.Interval.High, 0.0, "no seat is better in these games")
	}
}

func TestFitProvisional(t *testing.T) {
	// Everybody against everybody, 25 deal sets of 2 games with as many wins: 100 games, 50 deals.
	names := []string{"a", "b", "c", "d", "e"}
	var field []ratings.DealSet
	for i, a := range names {
		for _, b := range names[:i] {
			field = append(field, duels(a, b, 25, 25)...)
		}
	}
	fit := official(t, field, "a")
	for _, row := range fit.Rows {
		assert.False(t, row.Provisional, "%+v", row)
		assert.Equal(t, 1, row.Rank, "equal ratings share a rank")
		assert.InDelta(t, 1500, row.Rating, 1e-6)
	}
	assert.Equal(t, "a", fit.Rows[0].Bot, "equal ratings stand by name")
	assert.Equal(t, "e", fit.Rows[4].Bot, "equal ratings stand by name")

	tests := []struct {
		name        string
		more        []ratings.DealSet
		provisional bool
		interval    bool
	}{
		{"one opponent of many", duels("new", "b", 100, 90), true, true},
		{"7 deals", duels("new", "b", 7, 7), true, false},
		{"8 deals", duels("new", "b", 8, 7), true, true},
		{"8 deals that came to the same", duels("new", "b", 8, 8), true, false},
		{
			"4 opponents",
			slicesOf(duels("new", "a", 15, 10), duels("new", "b", 15, 10), duels("new", "c", 15, 10), duels("new", "d", 15, 10)),
			false, true,
		},
		{
			"4 opponents, 96 games",
			slicesOf(duels("new", "a", 12, 10), duels("new", "b", 12, 10), duels("new", "c", 12, 10), duels("new", "d", 12, 10)),
			true, true,
		},
		{"3 opponents", slicesOf(duels("new", "a", 99, 90), duels("new", "b", 99, 90), duels("new", "c", 99, 90)), true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			row := rowOf(official(t, slicesOf(field, tt.more), "a"), "new")
			assert.Equal(t, tt.provisional, row.Provisional, "%+v %+v", row, row.Interval)
			assert.Equal(t, tt.provisional, row.Rank == 0)
			assert.Equal(t, tt.interval, row.Interval != nil)
		})
	}
}

// A bot can have games and deals enough and yet a large error: if its results swing from deal to deal.
func TestFitProvisionalByError(t *testing.T) {
	var sets []ratings.DealSet
	for i, a := range []string{"a", "b", "c"} {
		for _, b := range []string{"a", "b", "c"}[:i] {
			for deal := range 25 { // of the same outcome at 16 tables
				for range 16 {
					set := duels(a, b, 1, deal%2*2)[0]
					set.Deal = fmt.Sprint(deal)
					sets = append(sets, set)
				}
			}
		}
	}
	fit := official(t, sets, "a")
	for _, row := range fit.Rows {
		assert.Equal(t, 25, row.Deals)
		if row.Bot != "b" { // which is always in the middle
			assert.Greater(t, row.Error, 40.0)
			assert.True(t, row.Provisional)
			assert.Zero(t, row.Rank)
		}
	}
}

// TestFitErrorAgainstTheOthers: how far a field is ahead of its anchor may be unknown, and yet who is ahead of whom is not.
func TestFitErrorAgainstTheOthers(t *testing.T) {
	field := slicesOf(duels("a", "b", 60, 70), duels("b", "c", 60, 70), duels("c", "a", 60, 40))
	weak := slicesOf(field, duels("a", "anchor", 30, 59), duels("b", "anchor", 30, 59), duels("c", "anchor", 30, 59))
	fit := official(t, weak, "anchor")
	for _, row := range fit.Rows[:3] {
		assert.Greater(t, row.Interval.Error, 40.0, row.Bot)
		assert.Less(t, row.Error, 40.0, row.Bot)
		assert.False(t, row.Provisional, row.Bot)
	}
	var errors [2][]float64
	for i, anchor := range []string{"anchor", "b"} {
		free, err := collect(t, weak).Fit(ratings.FitConfig{Anchor: anchor, NoPrior: true})
		require.NoError(t, err)
		for _, row := range free.Rows {
			errors[i] = append(errors[i], row.Error)
		}
	}
	assert.InDeltaSlice(t, errors[0], errors[1], 1e-6, "it does not depend on the anchor, but for the prior")
	two := official(t, duels("a", "b", 60, 70), "a")
	apart, err := two.Difference("a", "b")
	require.NoError(t, err)
	for _, row := range two.Rows {
		assert.InDelta(t, apart.Interval.Error, row.Error, 1e-9)
	}
}

// TestFitOfIslands: bots that never met those of another island, directly or through others, are not ranked with them. Those
// that only lost are.
func TestFitOfIslands(t *testing.T) {
	here := slicesOf(duels("a", "b", 60, 70), duels("b", "c", 60, 70), duels("c", "a", 60, 40),
		duels("a", "loser", 20, 40), duels("b", "loser", 20, 40), duels("c", "loser", 60, 120))
	fit := official(t, slicesOf(here, duels("x", "y", 60, 70)), "a")
	assert.Equal(t, [][]string{{"a", "b", "c", "loser"}, {"x", "y"}}, fit.Islands)
	assert.Equal(t, [][]string{{"a", "b", "c"}, {"x", "y"}, {"loser"}}, fit.Groups)
	assert.Len(t, official(t, here, "a").Islands, 1)
	for _, name := range fit.Islands[1] {
		assert.Zero(t, rowOf(fit, name).Rank, name)
	}
	for _, name := range []string{"a", "b", "c"} {
		assert.NotZero(t, rowOf(fit, name).Rank, name)
	}
}

func slicesOf(logs ...[]ratings.DealSet) []ratings.DealSet {
	var out []ratings.DealSet
	for _, log := range logs {
		out = append(out, log...)
	}
	return out
}

// If every deal is a single game, nothing depends on anything, and the robust error is that of the model.
func TestFitErrorsOfIndependentGames(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	pairs := &ratings.Pairs{}
	for i := range 6000 {
		two := rng.Perm(5)[:2]
		ranks := []int{1, 2}
		if rng.Float64() > ratings.Expected(float64(100*two[0]), float64(100*two[1])) {
			ranks = []int{2, 1}
		}
		require.NoError(t, pairs.Add(ratings.DealSet{
			Deal: fmt.Sprint(i), Bots: []string{fmt.Sprint(two[0]), fmt.Sprint(two[1])}, Ranks: [][]int{ranks},
		}))
	}
	robust, err := pairs.Fit(ratings.FitConfig{Anchor: "2"})
	require.NoError(t, err)
	model, err := pairs.Fit(ratings.FitConfig{Anchor: "2", Independent: true})
	require.NoError(t, err)
	for _, row := range robust.Rows {
		if row.Bot != "2" {
			assert.InEpsilon(t, rowOf(model, row.Bot).Interval.Error, row.Interval.Error, 0.05)
		}
	}
}

func TestRankRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	sets := simulate(rng, table{bots: 6, seats: 2, skill: 0.25, luck: 1}, 600)
	for i := range sets { // bots 4 and 5 are far ahead of all others
		for at, bot := range sets[i].Bots {
			if other := sets[i].Bots[1-at]; bot >= "bot 4" && other < "bot 4" && i%4 != 0 {
				sets[i].Ranks[0][at], sets[i].Ranks[0][1-at] = 1, 2
				sets[i].Ranks[1][at], sets[i].Ranks[1][1-at] = 1, 2
			}
		}
	}
	fit := official(t, sets, "bot 0")
	draw := ratings.Bootstrap{Replicates: 400, Seed: 1}
	ranges := fit.RankRanges(draw)
	require.Len(t, ranges, 6)
	for i, row := range fit.Rows {
		require.False(t, row.Provisional, "%+v %+v", row, row.Interval)
		assert.LessOrEqual(t, ranges[i].Low, row.Rank)
		assert.GreaterOrEqual(t, ranges[i].High, row.Rank)
		if row.Bot >= "bot 4" {
			assert.LessOrEqual(t, ranges[i].High, 2, row.Bot)
		} else {
			assert.GreaterOrEqual(t, ranges[i].Low, 3, row.Bot)
		}
	}
	assert.Equal(t, ranges, fit.RankRanges(draw), "the seed decides")

	bare, err := collect(t, sets).Fit(ratings.FitConfig{Anchor: "bot 0", NoPrior: true})
	require.NoError(t, err)
	assert.Equal(t, make([]ratings.RankRange, 6), bare.RankRanges(draw), "unsafe without the prior")
}

// The bootstrap and the sandwich are two ways to the same spread: two bots are exchanged in as many replicates as the
// likelihood of superiority says.
func TestRankRangesAgreeWithSuperiority(t *testing.T) {
	sure, unsure := 0, 0
	for seed := range 60 {
		rng := rand.New(rand.NewPCG(41, uint64(seed)))
		fit := official(t, simulate(rng, table{bots: 2, seats: 2, skill: 0.35, luck: 1}, 80), "bot 0")
		difference, err := fit.Difference(fit.Rows[0].Bot, fit.Rows[1].Bot)
		require.NoError(t, err)
		high := fit.RankRanges(ratings.Bootstrap{Replicates: 400})[0].High
		switch {
		case difference.Superiority > 0.99:
			assert.Equal(t, 1, high, "%+v", difference)
			sure++
		case difference.Superiority < 0.95:
			assert.Equal(t, 2, high, "%+v", difference)
			unsure++
		}
	}
	assert.Greater(t, min(sure, unsure), 5)
}

func TestRankRangesSkipProvisionalBots(t *testing.T) {
	sets := slicesOf(duels("a", "b", 60, 90), duels("b", "c", 60, 90), duels("c", "a", 60, 40), duels("new", "a", 10, 15),
		duels("new", "b", 5, 5), duels("new", "c", 5, 5))
	fit := official(t, sets, "b")
	ranges := fit.RankRanges(ratings.Bootstrap{Replicates: 50})
	for i, row := range fit.Rows {
		if row.Bot == "new" {
			assert.Zero(t, ranges[i])
		} else {
			assert.NotZero(t, ranges[i].Low)
			assert.LessOrEqual(t, ranges[i].High, 3)
		}
	}
}

// A bot that only the prior holds stays finite in all replicates, also in those without any of its games.
func TestRankRangesOfWeakLogs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fit := official(t, drawDealSets(t), "a")
		for i, ranges := range fit.RankRanges(ratings.Bootstrap{Replicates: 3}) {
			row := fit.Rows[i]
			if (row.Rank == 0) != (ranges == ratings.RankRange{}) || ranges.Low > ranges.High || ranges.High > len(fit.Rows) {
				t.Fatalf("%+v has %+v", row, ranges)
			}
		}
	})
}
