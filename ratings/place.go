package ratings

import (
	"cmp"
	"math"
	"slices"
)

// A bot is provisional as long as it has fewer than these.
const (
	enoughGames     = 100
	enoughDeals     = 20
	enoughOpponents = 4 // or all others, in a smaller field
)

func provisional(games, deals, opponents, field int) bool {
	return games < enoughGames || deals < enoughDeals || opponents < min(enoughOpponents, field-1)
}

// same is the difference up to which values count as equal.
const same = 1e-6

// place is where a bot stands in a table.
type place struct {
	bot      int
	name     string
	value    float64 // more is better
	unranked bool
	rank     int // from 1, shared for equal values; 0 if unranked
}

// order sorts the places, best first and equal ones by name, and gives the ranks.
func order(places []place) []place {
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.name, b.name)) })
	for from, to := 0, 1; from < len(places); from, to = to, to+1 {
		for to < len(places) && places[to-1].value-places[to].value <= same {
			to++
		}
		slices.SortFunc(places[from:to], func(a, b place) int { return cmp.Compare(a.name, b.name) })
	}
	ranked, last := 0, math.Inf(1)
	shared := 0
	for i := range places {
		at := &places[i]
		if at.unranked {
			continue
		}
		ranked++
		if last-at.value > same {
			shared = ranked
		}
		at.rank, last = shared, at.value
	}
	return places
}

// RankRange is the 95 % interval of a rank, zero for a bot without one.
type RankRange struct {
	Low, High int
}

// rankRanges collects the ranks that some bots have in replicates of a log.
type rankRanges struct {
	counts     [][]int // by bot, then by rank from 0; nil for one that is unranked
	replicates int
	values     []float64
}

// newRankRanges are those of the bots of the places, by number.
func newRankRanges(places []place) *rankRanges {
	r := &rankRanges{counts: make([][]int, len(places))}
	for _, at := range places {
		if !at.unranked {
			r.counts[at.bot] = make([]int, len(places))
		}
	}
	return r
}

// add counts the ranks of one replicate. The values are by bot, more is better.
func (r *rankRanges) add(values []float64) {
	r.replicates++
	r.values = r.values[:0]
	for bot, counts := range r.counts {
		if counts != nil {
			r.values = append(r.values, values[bot])
		}
	}
	slices.Sort(r.values)
	for bot, counts := range r.counts {
		if counts != nil {
			notBetter, _ := slices.BinarySearch(r.values, math.Nextafter(values[bot]+same, math.Inf(1)))
			counts[len(r.values)-notBetter]++
		}
	}
}

// merge adds the replicates of another part of the work.
func (r *rankRanges) merge(other *rankRanges) {
	r.replicates += other.replicates
	for bot, counts := range other.counts {
		for rank, count := range counts {
			r.counts[bot][rank] += count
		}
	}
}

// of returns the range of a bot: an equal number of replicates, at most 2.5 % each, is better and worse.
func (r *rankRanges) of(bot int) RankRange {
	if r.counts[bot] == nil || r.replicates == 0 {
		return RankRange{}
	}
	tail := r.replicates / 40
	return RankRange{Low: r.percentile(bot, tail), High: r.percentile(bot, r.replicates-1-tail)}
}

// percentile returns the rank of the bot in the replicate that is the n-th by its rank, from 0.
func (r *rankRanges) percentile(bot, n int) int {
	for rank, count := range r.counts[bot] {
		if n -= count; n < 0 {
			return rank + 1
		}
	}
	return len(r.counts[bot])
}
