package ratings_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/fivethreefive/fivethreefive/ratings"
)

// addLog adds the log of a season: deal sets of random tables, each with a deal of its own, of bots 2 Elo apart.
func addLog(b *testing.B, add func(ratings.DealSet) error, bots, seats, sets int) {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	names := make([]string, bots)
	for i := range names {
		names[i] = fmt.Sprintf("bot-%03d", i)
	}
	orders := [][]int{{1, 2}, {2, 1}}
	set := ratings.DealSet{
		Bots: make([]string, seats), Ranks: make([][]int, seats), Penalties: make([][]int, seats), Rounds: make([]int, seats),
	}
	for game := range seats {
		set.Ranks[game], set.Penalties[game], set.Rounds[game] = make([]int, seats), make([]int, seats), 5
	}
	for i := range sets {
		set.Deal = fmt.Sprintf("season-%d", i)
		strength := make([]float64, seats)
		for seat := range seats {
			bot := rng.IntN(bots)
			for slices.Contains(set.Bots[:seat], names[bot]) {
				bot = rng.IntN(bots)
			}
			set.Bots[seat], strength[seat] = names[bot], float64(bot)*2*math.Ln10/400
		}
		for game := range seats {
			if seats == 2 {
				winner := 0
				if rng.Float64() > 1/(1+math.Exp(strength[1]-strength[0])) {
					winner = 1
				}
				copy(set.Ranks[game], orders[winner])
				continue
			}
			for seat, place := range rng.Perm(seats) {
				set.Ranks[game][seat] = place + 1
			}
		}
		for game := range seats {
			for seat, rank := range set.Ranks[game] {
				set.Penalties[game][seat] = 5 * rank
			}
		}
		if err := add(set); err != nil {
			b.Fatal(err)
		}
	}
}

// held returns the bytes in use.
func held() float64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

// A season of a million deal sets of 500 bots: reading it, collapsing it with the first fit, any later fit, and ranges of
// the ranks.
func BenchmarkSeason(b *testing.B) {
	for _, seats := range []int{2, 4} {
		before := held()
		var pairs ratings.Pairs
		b.Run(fmt.Sprintf("seats=%d/add", seats), func(b *testing.B) {
			for b.Loop() {
				pairs = ratings.Pairs{}
				addLog(b, pairs.Add, 500, seats, 1_000_000)
			}
		})
		config := ratings.FitConfig{Anchor: "bot-000"}
		extra := ratings.DealSet{Deal: "one more", Bots: []string{"bot-001", "bot-002"}, Ranks: [][]int{{1, 2}}}
		b.Run(fmt.Sprintf("seats=%d/collapse+fit", seats), func(b *testing.B) {
			for b.Loop() {
				if err := pairs.Add(extra); err != nil {
					b.Fatal(err)
				}
				if _, err := pairs.Fit(config); err != nil {
					b.Fatal(err)
				}
			}
		})
		var fit *ratings.Fit
		b.Run(fmt.Sprintf("seats=%d/fit", seats), func(b *testing.B) {
			for b.Loop() {
				var err error
				if fit, err = pairs.Fit(config); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((held()-before)/1e6, "MB-held")
		})
		b.Run(fmt.Sprintf("seats=%d/10-replicates", seats), func(b *testing.B) {
			for b.Loop() {
				fit.RankRanges(ratings.Bootstrap{Replicates: 10})
			}
		})
	}
}
