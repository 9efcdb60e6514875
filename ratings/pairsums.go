package ratings

import (
	"cmp"
	"maps"
	"slices"
)

// pairSums is what a log of any length and order collapses to: bots and pairs sorted, totals by pair, and the deals
// gathered into kinds that had the same outcome.
type pairSums struct {
	names  []string
	pairs  []pair  // a < b
	score  []int64 // by pair, of a
	weight []int64
	kinds  []dealKind
	parts  []part    // of all kinds
	deals  []dealKey // of all kinds
	bots   []botSums // by name
}

// dealKind is what one or more deals came to.
type dealKind struct {
	parts, deals span
}

type span struct{ from, to int }

// part is the share of a kind of deal in one pair.
type part struct {
	pair          int32
	score, weight int32
}

// botSums are the totals of a bot.
type botSums struct {
	deals         int
	opponents     int
	score, weight int64
}

func (b botSums) games() int { return int(b.weight / gameUnits) }

// perfect is true if the bot won everything, or lost everything.
func (b botSums) perfect() bool { return b.score == 0 || b.score == b.weight }

// fold returns the sums, from the last time if nothing was added since.
func (p *Pairs) fold() *pairSums {
	if p.sums != nil {
		return p.sums
	}
	sums := &pairSums{names: slices.Sorted(slices.Values(p.bots.names))}
	clusters, cells := p.clusters(sums.names)
	slices.SortFunc(clusters, func(a, b pairSet) int {
		return cmp.Or(slices.CompareFunc(cells[a.from:a.to], cells[b.from:b.to], cell.compare), a.deal.compare(b.deal))
	})
	numbers := sums.numberPairs(cells)
	for i, cluster := range clusters {
		own := cells[cluster.from:cluster.to]
		if i == 0 || !slices.Equal(own, cells[clusters[i-1].from:clusters[i-1].to]) {
			kind := dealKind{span{len(sums.parts), len(sums.parts)}, span{i, i}}
			for _, cell := range own {
				sums.parts = append(sums.parts, part{numbers[cell.pair], cell.score, cell.weight})
			}
			kind.parts.to = len(sums.parts)
			sums.kinds = append(sums.kinds, kind)
		}
		sums.kinds[len(sums.kinds)-1].deals.to = i + 1
		sums.deals = append(sums.deals, cluster.deal)
	}
	sums.total()
	p.sums = sums
	return sums
}

func (c cell) compare(other cell) int {
	return cmp.Or(c.pair.compare(other.pair), cmp.Compare(c.score, other.score), cmp.Compare(c.weight, other.weight))
}

// clusters gathers the deal sets by deal, with the bots numbered in the order of the names.
func (p *Pairs) clusters(names []string) ([]pairSet, []cell) {
	byName := make([]int32, len(names))
	for at, name := range names {
		byName[p.bots.numbers[name]] = int32(at)
	}
	sets := slices.Clone(p.sets)
	slices.SortFunc(sets, func(a, b pairSet) int { return cmp.Or(a.deal.compare(b.deal), cmp.Compare(a.from, b.from)) })
	cells := make([]cell, 0, len(p.cells))
	clusters := sets[:0]
	for next := 0; next < len(sets); {
		deal, from := sets[next].deal, len(cells)
		for ; next < len(sets) && sets[next].deal == deal; next++ {
			for _, cell := range p.cells[sets[next].from:sets[next].to] {
				cell.a, cell.b = byName[cell.a], byName[cell.b]
				if cell.a > cell.b {
					cell = cell.turned()
				}
				cells = append(cells, cell)
			}
		}
		cells = cells[:from+merge(cells[from:])]
		clusters = append(clusters, pairSet{deal, from, len(cells)})
	}
	return clusters, cells
}

// merge sorts the cells and adds up those of the same pair. It returns how many are left, at the front.
func merge(cells []cell) int {
	slices.SortFunc(cells, cell.compare)
	n := 0
	for _, cell := range cells {
		if n > 0 && cells[n-1].pair == cell.pair {
			cells[n-1].score += cell.score
			cells[n-1].weight += cell.weight
			continue
		}
		cells[n] = cell
		n++
	}
	return n
}

// numberPairs lists the pairs that occur and returns their places in the list.
func (s *pairSums) numberPairs(cells []cell) map[pair]int32 {
	numbers := make(map[pair]int32)
	for _, cell := range cells {
		numbers[cell.pair] = 0
	}
	s.pairs = slices.SortedFunc(maps.Keys(numbers), pair.compare)
	for i, pair := range s.pairs {
		numbers[pair] = int32(i)
	}
	return numbers
}

// total adds up the pairs and the bots.
func (s *pairSums) total() {
	s.score, s.weight = make([]int64, len(s.pairs)), make([]int64, len(s.pairs))
	s.bots = make([]botSums, len(s.names))
	counted := make([]int, len(s.names)) // the last kind in which the bot was seen, from 1
	for k, kind := range s.kinds {
		deals := kind.deals.to - kind.deals.from
		for _, part := range s.parts[kind.parts.from:kind.parts.to] {
			s.score[part.pair] += int64(deals) * int64(part.score)
			s.weight[part.pair] += int64(deals) * int64(part.weight)
			for _, bot := range []int32{s.pairs[part.pair].a, s.pairs[part.pair].b} {
				if counted[bot] != k+1 {
					counted[bot] = k + 1
					s.bots[bot].deals += deals
				}
			}
		}
	}
	for i, pair := range s.pairs {
		a, b := &s.bots[pair.a], &s.bots[pair.b]
		a.score += s.score[i]
		b.score += s.weight[i] - s.score[i]
		a.weight += s.weight[i]
		b.weight += s.weight[i]
		if i == 0 || s.pairs[i-1].a != pair.a || s.pairs[i-1].b != pair.b { // not the same two in other seats
			a.opponents++
			b.opponents++
		}
	}
}
