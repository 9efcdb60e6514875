package ratings_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/ratings"
)

// table describes simulated games: what a bot makes of a hand is its skill, the luck of the seat and noise, all of about
// the same size, and the luck is the same in all games of a deal. The bots change seats by rotation.
type table struct {
	bots, seats int
	skill       float64 // between two neighbours
	luck        float64
	ahead       float64 // more skill of bot 0
}

// simulate returns deal sets of the tables in turn, each table as often as the others but for one.
func simulate(rng *rand.Rand, world table, count int) []ratings.DealSet {
	var tables [][]int
	var choose func(from int, chosen []int)
	choose = func(from int, chosen []int) {
		if len(chosen) == world.seats {
			tables = append(tables, slices.Clone(chosen))
			return
		}
		for bot := from; bot < world.bots; bot++ {
			choose(bot+1, append(chosen, bot))
		}
	}
	choose(0, nil)
	sets := make([]ratings.DealSet, count)
	luck, hand := make([]float64, world.seats), make([]float64, world.seats)
	for i := range sets {
		set := ratings.DealSet{Deal: fmt.Sprint(i)}
		bots := tables[i%len(tables)]
		for _, bot := range bots {
			set.Bots = append(set.Bots, fmt.Sprint("bot ", bot))
		}
		for seat := range luck {
			luck[seat] = world.luck * rng.NormFloat64()
		}
		for turn := range world.seats {
			ranks, penalties := make([]int, world.seats), make([]int, world.seats)
			for at, bot := range bots {
				hand[at] = world.skill*float64(bot) + luck[(at+turn)%world.seats] + rng.NormFloat64()
				if bot == 0 {
					hand[at] += world.ahead
				}
			}
			for at := range hand {
				ranks[at] = 1
				penalties[at] = 100 - int(10*hand[at])
				for _, other := range hand {
					if other > hand[at] {
						ranks[at]++
					}
				}
			}
			set.Ranks, set.Penalties = append(set.Ranks, ranks), append(set.Penalties, penalties)
			set.Rounds = append(set.Rounds, 1+rng.IntN(3))
		}
		sets[i] = set
	}
	return sets
}

// The intervals have the coverage that they claim, though the games of a deal are dependent.
func TestIntervalsCover(t *testing.T) {
	tests := []struct {
		world    table
		sets     int
		low, top float64
	}{
		{table{bots: 5, seats: 2, skill: 0.3, luck: 2.5}, 100, 0.93, 0.97},
		{table{bots: 5, seats: 4, skill: 0.3, luck: 2.5}, 60, 0.93, 0.97},
		{table{bots: 5, seats: 4, skill: 0.3, luck: 0}, 60, 0.93, 0.97},
		{table{bots: 4, seats: 2, skill: 0.3, luck: 1}, 24, 0.93, 0.98}, // 12 deals a bot: Student's distribution
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%+v", tt.world), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, uint64(tt.sets)))
			truth := official(t, simulate(rng, tt.world, 10_000), "bot 0")
			covered, modelled, all := 0, 0, 0
			var errors, modelErrors, squares float64
			for range 400 {
				pairs := collect(t, simulate(rng, tt.world, tt.sets))
				fit, err := pairs.Fit(ratings.FitConfig{Anchor: "bot 0"})
				require.NoError(t, err)
				model, err := pairs.Fit(ratings.FitConfig{Anchor: "bot 0", Independent: true})
				require.NoError(t, err)
				for _, row := range fit.Rows {
					want := rowOf(truth, row.Bot).Rating
					if row.Interval == nil {
						continue
					}
					all++
					squares += (row.Rating - want) * (row.Rating - want)
					covered += count(row.Interval.Low <= want && want <= row.Interval.High)
					plain := rowOf(model, row.Bot).Interval
					modelled += count(plain.Low <= want && want <= plain.High)
					errors += row.Interval.Error
					modelErrors += plain.Error
				}
			}
			coverage := float64(covered) / float64(all)
			spread := math.Sqrt(squares / float64(all))
			t.Logf("coverage %.3f of %d, mean error %.1f for %.1f; by single games %.3f, %.1f", coverage, all,
				errors/float64(all), spread, float64(modelled)/float64(all), modelErrors/float64(all))
			assert.InEpsilon(t, spread, errors/float64(all), 0.1)
			assert.GreaterOrEqual(t, coverage, tt.low)
			assert.LessOrEqual(t, coverage, tt.top)
		})
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
