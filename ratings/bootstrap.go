package ratings

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
)

// Bootstrap sets up the resampling of deals. The same seed and log give the same ranges, in whatever order the log comes,
// and another deal set changes the draws of no other deal.
type Bootstrap struct {
	Replicates int // 0 means 1000
	Seed       uint64
}

func (b Bootstrap) replicates() int {
	if b.Replicates <= 0 {
		return 1000
	}
	return b.Replicates
}

// resampler draws how often each deal occurs in a replicate: by the Poisson distribution of mean 1, from a stream of its
// own that the seed, the name of the deal and the number of the replicate begin.
type resampler struct {
	seed   uint64
	limits []uint64 // a draw below the n-th is n or less
}

func newResampler(seed uint64) resampler {
	r := resampler{seed: seed}
	term, sum := math.Exp(-1), 0.0
	for n := 1; n < 20; n++ { // beyond, less than the last bit
		sum += term
		term /= float64(n)
		if sum >= 1 {
			break
		}
		r.limits = append(r.limits, uint64(math.Ldexp(sum, 64)))
	}
	return r
}

func (r resampler) draw(deal dealKey, replicate int) int64 {
	var pcg rand.PCG
	pcg.Seed(deal.hi^r.seed, deal.lo+uint64(replicate))
	n := int64(0)
	for u := pcg.Uint64(); int(n) < len(r.limits) && u >= r.limits[n]; n++ {
	}
	return n
}

// run collects the ranks of all replicates. Each worker gets a function of its own that sets the values of the bots in a
// replicate; which worker does which replicate does not matter.
func (b Bootstrap) run(places []place, newWorker func() func(replicate int, values []float64)) *rankRanges {
	workers := make([]*rankRanges, runtime.GOMAXPROCS(0))
	var running sync.WaitGroup
	for w := range workers {
		workers[w] = newRankRanges(places)
		running.Go(func() {
			work, values := newWorker(), make([]float64, len(places))
			for replicate := w; replicate < b.replicates(); replicate += len(workers) {
				work(replicate, values)
				workers[w].add(values)
			}
		})
	}
	running.Wait()
	for _, other := range workers[1:] {
		workers[0].merge(other)
	}
	return workers[0]
}

// RankRanges returns the 95 % interval of each rank, in the order of the rows: what the ranks are when the deals are drawn
// anew and the fit is repeated by three Newton steps from its result. It uses all processors; a replicate costs about as
// much as half a fit. Without the prior, bots may be without a win in a replicate, and there are no ranges.
func (f *Fit) RankRanges(bootstrap Bootstrap) []RankRange {
	out := make([]RankRange, len(f.Rows))
	if f.config.NoPrior {
		return out
	}
	places := make([]place, len(f.Rows))
	for i, row := range f.Rows {
		places[i] = place{bot: f.order[i], unranked: row.Rank == 0}
	}
	draws := newResampler(bootstrap.Seed)
	ranges := bootstrap.run(places, func() func(int, []float64) {
		model := f.newLikelihood()
		score, weight := make([]int64, len(f.sums.pairs)), make([]int64, len(f.sums.pairs))
		solution := make([]float64, model.size)
		return func(replicate int, values []float64) {
			f.sums.resample(draws, replicate, score, weight)
			model.observe(score, weight)
			copy(solution, f.solution)
			model.maximize(solution, 3)
			for bot := range values {
				values[bot] = eloScale * f.theta(bot, solution)
			}
		}
	})
	for i, bot := range f.order {
		out[i] = ranges.of(bot)
	}
	return out
}

// resample sets the sums by pair to those of a replicate.
func (s *pairSums) resample(draws resampler, replicate int, score, weight []int64) {
	clear(score)
	clear(weight)
	for _, kind := range s.kinds {
		times := int64(0)
		for _, deal := range s.deals[kind.deals.from:kind.deals.to] {
			times += draws.draw(deal, replicate)
		}
		if times == 0 {
			continue
		}
		for _, part := range s.parts[kind.parts.from:kind.parts.to] {
			score[part.pair] += times * int64(part.score)
			weight[part.pair] += times * int64(part.weight)
		}
	}
}
