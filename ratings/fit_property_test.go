package ratings_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/ratings"
)

func collect(t require.TestingT, sets []ratings.DealSet) *ratings.Pairs {
	var pairs ratings.Pairs
	for _, set := range sets {
		require.NoError(t, pairs.Add(set))
	}
	return &pairs
}

func official(t require.TestingT, sets []ratings.DealSet, anchor string) *ratings.Fit {
	fit, err := collect(t, sets).Fit(ratings.FitConfig{Anchor: anchor})
	require.NoError(t, err)
	return fit
}

// rowOf returns the line of a bot.
func rowOf(fit *ratings.Fit, bot string) ratings.Row {
	return fit.Rows[slices.IndexFunc(fit.Rows, func(row ratings.Row) bool { return row.Bot == bot })]
}

// slowFit is the definition written out: dense sums over single games, a numeric inverse, and one gradient for each deal.
// It checks a given solution, and returns its gradient and variance.
func slowFit(sets []ratings.DealSet, bots []string, anchor string, theta map[string]float64) ([]float64, *mat.Dense) {
	n := len(bots)
	at := map[string]int{}
	for i, bot := range bots {
		at[bot] = i
	}
	gradient, information := make([]float64, n), mat.NewDense(n, n, nil)
	byDeal := map[string][]float64{}
	for i, bot := range bots {
		p := 1 / (1 + math.Exp(-theta[bot]))
		gradient[i] += 0.5 - p // the virtual draw
		information.Set(i, i, p*(1-p))
	}
	for _, set := range sets {
		deal := byDeal[set.Deal]
		if deal == nil {
			deal = make([]float64, n)
			byDeal[set.Deal] = deal
		}
		weight := 1 / float64(len(set.Bots)-1)
		for _, ranks := range set.Ranks {
			for i, a := range set.Bots {
				for j, b := range set.Bots {
					if i == j {
						continue
					}
					score := map[bool]float64{true: 1}[ranks[i] < ranks[j]]
					if ranks[i] == ranks[j] {
						score = 0.5
					}
					p := 1 / (1 + math.Exp(theta[b]-theta[a]))
					deal[at[a]] += weight * (score - p)
					information.Set(at[a], at[a], information.At(at[a], at[a])+weight*p*(1-p))
					information.Set(at[a], at[b], information.At(at[a], at[b])-weight*p*(1-p))
				}
			}
		}
	}
	meat := mat.NewDense(n, n, nil)
	for _, deal := range byDeal {
		for i := range n {
			gradient[i] += deal[i]
			for j := range n {
				meat.Set(i, j, meat.At(i, j)+deal[i]*deal[j])
			}
		}
	}
	if i, ok := at[anchor]; ok { // fixed: neither gradient nor variance
		gradient[i] = 0
		for j := range n {
			information.Set(i, j, 0)
			information.Set(j, i, 0)
			meat.Set(i, j, 0)
			meat.Set(j, i, 0)
		}
		information.Set(i, i, 1)
	}
	inverse, variance := new(mat.Dense), new(mat.Dense)
	if err := inverse.Inverse(information); err != nil {
		panic(err)
	}
	variance.Product(inverse, meat, inverse)
	deals := float64(len(byDeal))
	variance.Scale(deals/max(deals-1, 1), variance)
	return gradient, variance
}

// slowError is the error of a bot against the mean of the others of its group, by the quadratic form.
func slowError(fit *ratings.Fit, bots []string, variance mat.Matrix, bot string) float64 {
	group := fit.Groups[slices.IndexFunc(fit.Groups, func(group []string) bool { return slices.Contains(group, bot) })]
	contrast := mat.NewVecDense(len(bots), nil)
	for i, other := range bots {
		switch {
		case other == bot:
			contrast.SetVec(i, 1)
		case slices.Contains(group, other):
			contrast.SetVec(i, -1/float64(len(group)-1))
		}
	}
	return math.Sqrt(max(mat.Inner(contrast, variance, contrast), 0))
}

func TestFitEqualsTheDefinition(t *testing.T) {
	errors := 0
	defer func() { require.Greater(t, errors, 200) }()
	rapid.Check(t, func(t *rapid.T) {
		sets := slices.Concat(drawDealSets(t), drawDealSets(t))
		fit := official(t, sets, "a")
		theta, bots := map[string]float64{}, []string{}
		for _, row := range fit.Rows {
			theta[row.Bot] = (row.Rating - 1500) * natural
			bots = append(bots, row.Bot)
		}
		gradient, variance := slowFit(sets, bots, "a", theta)
		for i, bot := range bots {
			if math.Abs(gradient[i]) > 1e-8 {
				t.Fatalf("the likelihood rises by %v at %s", gradient[i], bot)
			}
			if got, want := rowOf(fit, bot).Error*natural, slowError(fit, bots, variance, bot); got != 0 && math.Abs(got-want) > 1e-7 {
				t.Fatalf("error of %s: got %v, want %v", bot, got, want)
			}
			for j, other := range bots {
				difference, err := fit.Difference(bot, other)
				require.NoError(t, err)
				if difference.Interval == nil {
					continue
				}
				errors++
				want := math.Sqrt(max(variance.At(i, i)+variance.At(j, j)-2*variance.At(i, j), 0))
				if math.Abs(difference.Interval.Error*natural-want) > 1e-7 {
					t.Fatalf("error of %s-%s: got %v, want %v", bot, other, difference.Interval.Error*natural, want)
				}
			}
		}
	})
}

func TestFitIgnoresTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sets := drawDealSets(t)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		shuffled := make([]ratings.DealSet, len(sets))
		for i, at := range rng.Perm(len(sets)) {
			shuffled[i] = shuffle(rng, sets[at])
		}
		for _, collect := range []func([]ratings.DealSet) *ratings.Pairs{
			func(sets []ratings.DealSet) *ratings.Pairs { return collect(t, sets) },
			func(sets []ratings.DealSet) *ratings.Pairs {
				pairs := ratings.NewSeatPairs()
				for _, set := range sets {
					require.NoError(t, pairs.Add(set))
				}
				return pairs
			},
		} {
			want, wantErr := collect(sets).Fit(ratings.FitConfig{Anchor: "a"})
			got, err := collect(shuffled).Fit(ratings.FitConfig{Anchor: "a"})
			require.Equal(t, wantErr, err)
			if err != nil {
				continue // a seat may win everything
			}
			require.Equal(t, text(want), text(got))
			draw := ratings.Bootstrap{Replicates: 5, Seed: 3}
			require.Equal(t, want.RankRanges(draw), got.RankRanges(draw))
		}
	})
}

// text shows all figures of a fit to the last bit.
func text(fit *ratings.Fit) string {
	var out strings.Builder
	fmt.Fprintln(&out, fit.Groups, fit.Anchored)
	for _, row := range fit.Rows {
		interval := row.Interval
		row.Interval = nil
		fmt.Fprintf(&out, "%+v %+v\n", row, interval)
	}
	for _, row := range fit.Seats {
		fmt.Fprintln(&out, row.Advantage, row.Interval)
	}
	for _, a := range fit.Rows {
		for _, b := range fit.Rows {
			d, _ := fit.Difference(a.Bot, b.Bot)
			fmt.Fprintln(&out, d.Elo, d.Interval, d.Superiority)
		}
	}
	return out.String()
}

func TestFitOfTheSameLogInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sets := drawDealSets(t)
		pairs := collect(t, sets[:1])
		for _, set := range sets[1:] {
			_, err := pairs.Fit(ratings.FitConfig{Anchor: "b"})
			require.NoError(t, err)
			require.NoError(t, pairs.Add(set))
		}
		got, err := pairs.Fit(ratings.FitConfig{Anchor: "b"})
		require.NoError(t, err)
		require.Equal(t, text(official(t, sets, "b")), text(got))
	})
}

func TestFitAnchorOnlyShifts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sets := drawDealSets(t)
		initial := rapid.Float64Range(1, 3000).Draw(t, "initial")
		low := official(t, sets, "a")
		high, err := collect(t, sets).Fit(ratings.FitConfig{Anchor: "a", Initial: initial})
		require.NoError(t, err)
		for _, row := range high.Rows {
			other := rowOf(low, row.Bot)
			require.InDelta(t, row.Rating-initial, other.Rating-1500, 1e-9)
			require.Equal(t, row.Interval == nil, other.Interval == nil)
			if row.Interval != nil {
				require.InDelta(t, row.Interval.Low-initial, other.Interval.Low-1500, 1e-9)
				require.Equal(t, row.Interval.Error, other.Interval.Error)
			}
		}
		if low.Anchored {
			require.Equal(t, 1500.0, rowOf(low, "a").Rating)
			require.Equal(t, initial, rowOf(high, "a").Rating)
		}
	})
}

// ring adds games in which everybody beats the next one once, so that the bots are connected.
func ring(sets []ratings.DealSet) []ratings.DealSet {
	for i := range 8 {
		two := []string{string(rune('a' + i)), string(rune('a' + (i+1)%8))}
		sets = append(sets, ratings.DealSet{Deal: fmt.Sprint("ring ", i), Bots: two, Ranks: [][]int{{1, 2}}})
	}
	return sets
}

func TestFitDifferencesDoNotDependOnTheAnchor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pairs := collect(t, ring(drawDealSets(t)))
		first, err := pairs.Fit(ratings.FitConfig{Anchor: "a", NoPrior: true})
		require.NoError(t, err)
		second, err := pairs.Fit(ratings.FitConfig{Anchor: "h", NoPrior: true})
		require.NoError(t, err)
		require.Len(t, first.Groups, 1)
		for _, row := range first.Rows {
			want, err := first.Difference("c", row.Bot)
			require.NoError(t, err)
			got, err := second.Difference("c", row.Bot)
			require.NoError(t, err)
			require.InDelta(t, want.Elo, got.Elo, 1e-6)
			if want.Interval != nil {
				require.InDelta(t, want.Interval.Error, got.Interval.Error, 1e-6)
				require.InDelta(t, want.Superiority, got.Superiority, 1e-6)
			}
		}
	})
}

// copies lists every deal set k times, as if played again with other deals of the same outcome.
func copies(sets []ratings.DealSet, k int) []ratings.DealSet {
	var out []ratings.DealSet
	for i := range k {
		for _, set := range sets {
			set.Deal = fmt.Sprint(set.Deal, " copy ", i)
			out = append(out, set)
		}
	}
	return out
}

func TestFitOfCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sets := ring(drawDealSets(t))
		k := rapid.IntRange(2, 5).Draw(t, "k")
		config := ratings.FitConfig{Anchor: "a", NoPrior: true}
		one, err := collect(t, copies(sets, 1)).Fit(config)
		require.NoError(t, err)
		many, err := collect(t, copies(sets, k)).Fit(config)
		require.NoError(t, err)
		deals := map[string]bool{}
		for _, set := range sets {
			deals[set.Deal] = true
		}
		c, kc := float64(len(deals)), float64(k*len(deals))
		for _, row := range one.Rows {
			other := rowOf(many, row.Bot)
			require.InDelta(t, row.Rating, other.Rating, 1e-6)
			require.Equal(t, k*row.Games, other.Games)
			require.Equal(t, k*row.Deals, other.Deals)
			if row.Interval != nil {
				want := row.Interval.Error / math.Sqrt(float64(k)) * math.Sqrt(kc/(kc-1)*(c-1)/c)
				require.InEpsilon(t, want, other.Interval.Error, 1e-6)
			}
		}
	})
}

func TestFitDoesNotDependOnProcessors(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	sets := simulate(rng, table{bots: 80, seats: 2}, 1500)
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	draw := ratings.Bootstrap{Replicates: 7}
	one := official(t, sets, "bot 0")
	ranges := one.RankRanges(draw)
	runtime.GOMAXPROCS(8)
	eight := official(t, sets, "bot 0")
	require.Equal(t, text(one), text(eight))
	require.Equal(t, ranges, eight.RankRanges(draw))
}
