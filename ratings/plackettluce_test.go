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

func TestOrdersEqualChoix(t *testing.T) {
	var file likelihoods
	readJSON(t, "bt_pl_mle.json", &file)
	c := file.Cases[2]
	require.Equal(t, "choix rankings-2", c.Name)
	var orders ratings.Orders
	for i, order := range c.Data {
		set := ratings.DealSet{Deal: fmt.Sprint(i), Ranks: [][]int{nil}}
		for place, item := range order {
			set.Bots, set.Ranks[0] = append(set.Bots, fmt.Sprint(item)), append(set.Ranks[0], place+1)
		}
		require.NoError(t, orders.Add(set))
	}
	rows, err := orders.Fit()
	require.NoError(t, err)
	require.Len(t, rows, 4)
	for _, row := range rows {
		var item int
		fmt.Sscan(row.Bot, &item)
		assert.InDelta(t, c.ML[item], row.Rating*natural, c.Tolerance, "as published")
		assert.InDelta(t, c.ML2[item], row.Rating*natural, 1e-9, "recomputed")
	}
}

// slowOrderLikelihood averages over all orders among the bots of a shared place.
func slowOrderLikelihood(sets []ratings.DealSet, theta map[string]float64) float64 {
	sum := 0.0
	for _, set := range sets {
		for _, ranks := range set.Ranks {
			mean, orders := 0.0, 0
			permute(len(set.Bots), func(order []int) {
				for at := range order[1:] {
					if ranks[order[at]] > ranks[order[at+1]] {
						return
					}
				}
				orders++
				for at := range order {
					rest := 0.0
					for _, i := range order[at:] {
						rest += math.Exp(theta[set.Bots[i]])
					}
					mean += theta[set.Bots[order[at]]] - math.Log(rest)
				}
			})
			sum += mean / float64(orders)
		}
	}
	return sum
}

// permute calls with every order of 0 to n-1.
func permute(n int, call func([]int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var at func(int)
	at = func(k int) {
		if k == n {
			call(order)
			return
		}
		for i := k; i < n; i++ {
			order[k], order[i] = order[i], order[k]
			at(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	at(0)
}

func TestOrdersMaximizeTheLikelihood(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var sets []ratings.DealSet
	var orders ratings.Orders
	for i := range 30 {
		n := 2 + i%4
		set := ratings.DealSet{Deal: fmt.Sprint(i), Ranks: [][]int{make([]int, n)}}
		for at, bot := range rng.Perm(5)[:n] {
			set.Bots = append(set.Bots, fmt.Sprint(bot))
			set.Ranks[0][at] = 1 + rng.IntN(3)
		}
		sets = append(sets, set)
		require.NoError(t, orders.Add(set))
	}
	rows, err := orders.Fit()
	require.NoError(t, err)
	theta := map[string]float64{}
	for _, row := range rows {
		theta[row.Bot] = row.Rating * natural
	}
	for bot := range theta {
		const h = 1e-4
		theta[bot] += h
		up := slowOrderLikelihood(sets, theta)
		theta[bot] -= 2 * h
		down := slowOrderLikelihood(sets, theta)
		theta[bot] += h
		assert.InDelta(t, 0, (up-down)/(2*h), 1e-6, "slope at bot %s", bot)
	}
}

func TestOrdersOfTwoAreTheOfficialModel(t *testing.T) {
	var orders ratings.Orders
	var pairs ratings.Pairs
	rng := rand.New(rand.NewPCG(7, 8))
	for i := range 200 {
		two := rng.Perm(6)[:2]
		set := ratings.DealSet{
			Deal: fmt.Sprint(i), Bots: []string{fmt.Sprint(two[0]), fmt.Sprint(two[1])},
			Ranks: [][]int{{1 + rng.IntN(2), 1 + rng.IntN(2)}, {1 + rng.IntN(3), 2}},
		}
		require.NoError(t, orders.Add(set))
		require.NoError(t, pairs.Add(set))
	}
	rows, err := orders.Fit()
	require.NoError(t, err)
	want := centred(fit(t, &pairs, "0"))
	require.Len(t, want, 6)
	for _, row := range rows {
		assert.InDelta(t, want[row.Bot], row.Rating, 1e-6, row.Bot)
	}
}

func TestOrdersIgnoreTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sets := drawDealSets(t)
		var first, second ratings.Orders
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for i := range sets {
			require.NoError(t, first.Add(sets[i]))
		}
		for _, i := range rng.Perm(len(sets)) {
			require.NoError(t, second.Add(shuffle(rng, sets[i])))
		}
		want, wantErr := first.Fit()
		got, err := second.Fit()
		assert.Equal(t, wantErr, err)
		assert.Equal(t, want, got)
	})
}

func TestOrdersRefuse(t *testing.T) {
	var orders ratings.Orders
	_, err := orders.Fit()
	require.EqualError(t, err, "no ratings without deal sets: add at least 1")
	require.ErrorContains(t, orders.Add(ratings.DealSet{Deal: "1"}), "name at least 2")
	_, err = orders.Fit()
	require.EqualError(t, err, "no ratings without deal sets: add at least 1")
	require.NoError(t, orders.Add(ratings.DealSet{Deal: "1", Bots: []string{"a", "b", "c"}, Ranks: [][]int{{1, 1, 3}}}))
	_, err = orders.Fit()
	require.ErrorContains(t, err, "they form 2 groups")
}
