package ratings_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/ratings"
)

func margins(t require.TestingT, sets []ratings.DealSet) *ratings.MarginTable {
	var m ratings.Margins
	for _, set := range sets {
		require.NoError(t, m.Add(set))
	}
	table, err := m.Table()
	require.NoError(t, err)
	return table
}

func TestMarginsOfThree(t *testing.T) {
	table := margins(t, []ratings.DealSet{
		{
			Deal: "1", Bots: []string{"fox", "owl", "cat"}, Ranks: [][]int{{1, 2, 3}, {1, 2, 3}},
			Penalties: [][]int{{0, 6, 12}, {3, 3, 9}}, Rounds: []int{2, 4},
		},
		{Deal: "2", Bots: []string{"owl", "fox"}, Ranks: [][]int{{2, 1}}, Penalties: [][]int{{7, 1}}, Rounds: []int{3}},
	})
	// fox: 0-9, 3-6 and 1-7 in 9 rounds; owl: 6-6, 3-6 and 7-1 in 9; cat: 12-3 and 9-3 in 6.
	want := []ratings.MarginRow{
		{Bot: "fox", Margin: -18.0 / 9, Provisional: true, Deals: 2, Games: 3, Rounds: 9, Opponents: 2},
		{Bot: "owl", Margin: 3.0 / 9, Provisional: true, Deals: 2, Games: 3, Rounds: 9, Opponents: 2},
		{Bot: "cat", Margin: 15.0 / 6, Provisional: true, Deals: 1, Games: 2, Rounds: 6, Opponents: 2},
	}
	assert.Equal(t, want, table.Rows)
}

// The definition written out: each bot's games one by one, and the jackknife over deals for the error, which agrees with
// the linearised one as the number of deals grows.
func TestMarginsEqualTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	sets := simulate(rng, table{bots: 6, seats: 4, skill: 0.3, luck: 1}, 400)
	for i := range sets {
		sets[i].Deal = fmt.Sprint(i / 2) // two tables a deal
	}
	for _, row := range margins(t, sets).Rows {
		byDeal := map[string][2]float64{}
		var sum, rounds float64
		for _, set := range sets {
			for game, penalties := range set.Penalties {
				for i, bot := range set.Bots {
					if bot != row.Bot {
						continue
					}
					others := 0.0
					for j, penalty := range penalties {
						if j != i {
							others += float64(penalty) / float64(len(penalties)-1)
						}
					}
					deal := byDeal[set.Deal]
					deal[0] += float64(penalties[i]) - others
					deal[1] += float64(set.Rounds[game])
					byDeal[set.Deal] = deal
					sum += float64(penalties[i]) - others
					rounds += float64(set.Rounds[game])
				}
			}
		}
		assert.InDelta(t, sum/rounds, row.Margin, 1e-9)
		assert.Len(t, byDeal, row.Deals)
		squares := 0.0
		for _, deal := range byDeal {
			moved := (sum-deal[0])/(rounds-deal[1]) - sum/rounds
			squares += moved * moved
		}
		n := float64(len(byDeal))
		assert.InEpsilon(t, math.Sqrt(squares*(n-1)/n), row.Interval.Error, 0.03)
	}
}

func TestMarginsAreZeroSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sum := 0.0
		for _, row := range margins(t, drawDealSets(t)).Rows {
			sum += row.Margin * float64(row.Rounds)
		}
		if math.Abs(sum) > 1e-6 {
			t.Fatalf("the margins add up to %v", sum)
		}
	})
}

func TestMarginsIgnoreTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sets := drawDealSets(t)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		shuffled := make([]ratings.DealSet, len(sets))
		for i, at := range rng.Perm(len(sets)) {
			shuffled[i] = shuffle(rng, sets[at])
		}
		want, got := margins(t, sets), margins(t, shuffled)
		require.Equal(t, want, got)
		draw := ratings.Bootstrap{Replicates: 5, Seed: 4}
		require.Equal(t, want.RankRanges(draw), got.RankRanges(draw))
	})
}

func TestMarginIntervalsCover(t *testing.T) {
	world := table{bots: 5, seats: 4, skill: 0.3, luck: 2.5}
	rng := rand.New(rand.NewPCG(61, 62))
	truth := map[string]float64{}
	for _, row := range margins(t, simulate(rng, world, 10_000)).Rows {
		truth[row.Bot] = row.Margin
	}
	covered, all := 0, 0
	for range 400 {
		for _, row := range margins(t, simulate(rng, world, 40)).Rows {
			all++
			covered += count(row.Interval.Low <= truth[row.Bot] && truth[row.Bot] <= row.Interval.High)
		}
	}
	coverage := float64(covered) / float64(all)
	t.Logf("coverage %.3f of %d", coverage, all)
	assert.InDelta(t, 0.95, coverage, 0.02)
}

func TestMarginRankRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 72))
	table := margins(t, simulate(rng, table{bots: 6, seats: 4, skill: 0.3, luck: 2.5}, 300))
	ranges := table.RankRanges(ratings.Bootstrap{Replicates: 300, Seed: 5})
	for i, row := range table.Rows {
		require.Equal(t, i+1, row.Rank)
		assert.LessOrEqual(t, ranges[i].Low, row.Rank)
		assert.GreaterOrEqual(t, ranges[i].High, row.Rank)
		assert.LessOrEqual(t, ranges[i].High-ranges[i].Low, 2, "%+v %+v", row, ranges[i])
	}
	assert.Equal(t, "bot 5", table.Rows[0].Bot)
}

func TestMarginsRefuse(t *testing.T) {
	var m ratings.Margins
	_, err := m.Table()
	require.EqualError(t, err, "no margins without deal sets: add at least 1")
	set := ratings.DealSet{
		Deal: "1", Bots: []string{"fox", "owl"}, Ranks: [][]int{{1, 2}}, Penalties: [][]int{{1, 2}}, Rounds: []int{1},
	}
	tests := []struct {
		name  string
		spoil func(*ratings.DealSet)
		want  string
	}{
		{"deal", func(s *ratings.DealSet) { s.Deal = "" }, `deal set of ["fox" "owl"]: its deal has no name`},
		{
			"penalties", func(s *ratings.DealSet) { s.Penalties = nil },
			`deal set of ["fox" "owl"]: penalty points of 0 games and rounds of 1 games for 1 games`,
		},
		{
			"rounds", func(s *ratings.DealSet) { s.Rounds = []int{1, 1} },
			`deal set of ["fox" "owl"]: penalty points of 1 games and rounds of 2 games for 1 games`,
		},
		{
			"a penalty", func(s *ratings.DealSet) { s.Penalties = [][]int{{1}} },
			`deal set of ["fox" "owl"], game 0: penalty points of 1 bots for 2 bots`,
		},
		{
			"a round", func(s *ratings.DealSet) { s.Rounds = []int{-1} },
			`deal set of ["fox" "owl"], game 0: -1 rounds: rounds count from 0`,
		},
	}
	for _, tt := range tests {
		bad := set
		tt.spoil(&bad)
		require.EqualError(t, m.Add(bad), tt.want, tt.name)
	}
	_, err = m.Table()
	require.Error(t, err, "nothing was added")

	set.Rounds = []int{0} // a game that ended before its first round
	table := margins(t, []ratings.DealSet{set})
	assert.Zero(t, table.Rows[0].Margin)
	assert.Nil(t, table.Rows[0].Interval)
	assert.True(t, table.Rows[0].Provisional)
}

// TestMarginsOfIslands: a margin says how one did against the others at the table, so those who never met have no rank in
// common, and a small island needs no more opponents than it has.
func TestMarginsOfIslands(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 82))
	here := simulate(rng, table{bots: 4, seats: 2, skill: 0.3}, 600)
	there := simulate(rng, table{bots: 3, seats: 2, skill: 0.3}, 600)
	for i := range there {
		there[i].Deal += " there"
		for at := range there[i].Bots {
			there[i].Bots[at] = "a far " + there[i].Bots[at]
		}
	}
	both := slices.Concat(there, here)
	table := margins(t, both)
	fit := official(t, both, "bot 0")
	ranges := table.RankRanges(ratings.Bootstrap{Replicates: 20})
	rank := 0
	for i, row := range table.Rows {
		require.False(t, row.Provisional, "%+v", row)
		require.Equal(t, rowOf(fit, row.Bot).Rank == 0, row.Rank == 0, row.Bot)
		require.Equal(t, row.Rank == 0, ranges[i] == ratings.RankRange{})
		if row.Rank > 0 {
			rank++
			require.Equal(t, rank, row.Rank)
			require.NotContains(t, row.Bot, "far")
		}
	}
	require.Equal(t, 4, rank)
	shuffled := slices.Clone(both)
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	require.Equal(t, table, margins(t, shuffled))
}
