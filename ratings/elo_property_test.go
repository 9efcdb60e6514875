package ratings_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/ratings"
)

// drawDealSets draws deal sets of 2 to 6 out of 8 bots, some of the same deal.
func drawDealSets(t *rapid.T) []ratings.DealSet {
	set := rapid.Custom(func(t *rapid.T) ratings.DealSet {
		n := rapid.IntRange(2, 6).Draw(t, "bots")
		names := rapid.Permutation([]string{"a", "b", "c", "d", "e", "f", "g", "h"}).Draw(t, "names")
		ranks := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(1, n), n, n), 1, 10).Draw(t, "ranks")
		set := ratings.DealSet{Deal: fmt.Sprint("deal ", rapid.IntRange(1, 25).Draw(t, "deal")), Bots: names[:n], Ranks: ranks}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seats and penalties"), 0))
		for range ranks {
			penalties := make([]int, n)
			for i := range penalties {
				penalties[i] = rng.IntN(30)
			}
			set.Seats, set.Penalties = append(set.Seats, rng.Perm(n)), append(set.Penalties, penalties)
			set.Rounds = append(set.Rounds, 1+rng.IntN(5))
		}
		return set
	})
	return rapid.SliceOfN(set, 1, 30).Draw(t, "deal sets")
}

// slowElo is the definition written out: every bot of a set sums over all others, seen from its own side.
func slowElo(sets []ratings.DealSet, k float64) map[string]float64 {
	rating := map[string]float64{}
	for _, set := range sets {
		after := map[string]float64{}
		for _, bot := range set.Bots {
			if _, ok := rating[bot]; !ok {
				rating[bot] = 1500
			}
		}
		for i, bot := range set.Bots {
			after[bot] = rating[bot]
			for j, other := range set.Bots {
				if i == j {
					continue
				}
				score := 0.0
				for _, ranks := range set.Ranks {
					if ranks[i] < ranks[j] {
						score++
					} else if ranks[i] == ranks[j] {
						score += 0.5
					}
				}
				score /= float64(len(set.Ranks))
				expected := 1 / (1 + math.Exp((rating[other]-rating[bot])*math.Ln10/400))
				after[bot] += k / float64(len(set.Bots)-1) * (score - expected)
			}
		}
		maps.Copy(rating, after)
	}
	return rating
}

func fold(t *rapid.T, config ratings.EloConfig, sets []ratings.DealSet) *ratings.Elo {
	elo, err := ratings.NewElo(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range sets {
		if err := elo.Add(set); err != nil {
			t.Fatal(err)
		}
	}
	return elo
}

func TestEloEqualsTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sets := drawDealSets(t)
		k := rapid.Float64Range(1, 200).Draw(t, "k")
		got, want := byName(fold(t, ratings.EloConfig{K: k}, sets).Table("")), slowElo(sets, k)
		if len(got) != len(want) {
			t.Fatalf("got %d bots, want %d", len(got), len(want))
		}
		for bot, rating := range want {
			if math.Abs(got[bot]-rating) > 1e-9 {
				t.Fatalf("%s: got %v, want %v", bot, got[bot], rating)
			}
		}
	})
}

func TestEloIsZeroSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := fold(t, ratings.EloConfig{}, drawDealSets(t)).Table("").Rows
		sum := 0.0
		for _, row := range rows {
			sum += row.Rating - 1500
		}
		if math.Abs(sum) > 1e-9 {
			t.Fatalf("the changes of %v add up to %v", rows, sum)
		}
	})
}

func TestEloIgnoresTheOrderWithinADealSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sets := drawDealSets(t)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		shuffled := make([]ratings.DealSet, len(sets))
		for i, set := range sets {
			shuffled[i] = shuffle(rng, set)
		}
		got, want := fold(t, ratings.EloConfig{}, shuffled).Table("a"), fold(t, ratings.EloConfig{}, sets).Table("a")
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// shuffle names the bots and lists the games in another order.
func shuffle(rng *rand.Rand, set ratings.DealSet) ratings.DealSet {
	bots := rng.Perm(len(set.Bots))
	out := ratings.DealSet{Deal: set.Deal}
	for _, i := range bots {
		out.Bots = append(out.Bots, set.Bots[i])
	}
	for _, game := range rng.Perm(len(set.Ranks)) {
		var ranks, seats, penalties []int
		for _, i := range bots {
			ranks = append(ranks, set.Ranks[game][i])
			seats = append(seats, set.Seats[game][i])
			penalties = append(penalties, set.Penalties[game][i])
		}
		out.Ranks, out.Seats = append(out.Ranks, ranks), append(out.Seats, seats)
		out.Penalties, out.Rounds = append(out.Penalties, penalties), append(out.Rounds, set.Rounds[game])
	}
	return out
}

func TestEloAnchorOnlyShifts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		elo := fold(t, ratings.EloConfig{}, drawDealSets(t))
		free := elo.Table("")
		for _, anchor := range free.Rows {
			table := elo.Table(anchor.Bot)
			got := byName(table)
			if !table.Anchored || got[anchor.Bot] != 1500 {
				t.Fatalf("the anchor %s has %v", anchor.Bot, got[anchor.Bot])
			}
			for _, row := range free.Rows {
				if math.Abs((got[row.Bot]-1500)-(row.Rating-anchor.Rating)) > 1e-9 {
					t.Fatalf("%s is %v with anchor %s, %v without", row.Bot, got[row.Bot], anchor.Bot, row.Rating)
				}
			}
		}
	})
}
