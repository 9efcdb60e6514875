package schedule

import (
	"math/rand/v2"
	"slices"
)

const (
	podReach  = 16     // tables further apart in the order of points do not exchange members
	podShakes = 200    // how often the search goes on from a stage that no exchange improves
	podBudget = 50_000 // the same times the number of entrants, so that time is linear
)

// podCost is what tables cost, the most important first.
type podCost [4]int

func (c podCost) plus(d podCost) podCost {
	for i := range c {
		c[i] += d[i]
	}
	return c
}

func (c podCost) minus(d podCost) podCost {
	for i := range c {
		c[i] -= d[i]
	}
	return c
}

func (c podCost) less(d podCost) bool {
	for i := range c {
		if c[i] != d[i] {
			return c[i] < d[i]
		}
	}
	return false
}

// podSearch holds the tables of a stage on their way to a better one.
type podSearch struct {
	seats  int
	points []int // by entrant, as the following
	byes   []int
	short  []int     // tables with fewer seats than most, so far
	rivals [][]rival // whom it has met or must not meet
	seen   []podCost // zero but while a table pair is looked at

	tables [][]int
	costs  []podCost // by table, as the following
	dirty  []bool    // it has changed since it was last compared with those around it
	ex     podExchange
}

// A rival is somebody with whom it costs something to share a table.
type rival struct {
	entrant int
	met     int
	never   bool // a forbidden pair
}

func (r rival) cost() podCost {
	if r.never {
		return podCost{1, r.met * r.met}
	}
	return podCost{0, r.met * r.met}
}

func newPodSearch(h *History) *podSearch {
	n := len(h.Entrants)
	p := &podSearch{
		seats: h.Seats, points: h.points(), byes: h.byes(), short: make([]int, n),
		rivals: make([][]rival, n), seen: make([]podCost, n),
	}
	for _, pair := range h.Forbidden {
		p.rival(pair[0], pair[1]).never = true
		p.rival(pair[1], pair[0]).never = true
	}
	for _, stage := range h.Stages {
		for _, table := range stage.Tables {
			p.remember(table.Entrants)
		}
	}
	return p
}

func (p *podSearch) remember(table []int) {
	for _, a := range table {
		if k := len(table); k > 1 && k < p.seats {
			p.short[a]++
		}
		for _, b := range table {
			if a != b {
				p.rival(a, b).met++
			}
		}
	}
}

// rival returns what a knows of b, to be written to.
func (p *podSearch) rival(a, b int) *rival {
	for i := range p.rivals[a] {
		if r := &p.rivals[a][i]; r.entrant == b {
			return r
		}
	}
	p.rivals[a] = append(p.rivals[a], rival{entrant: b})
	return &p.rivals[a][len(p.rivals[a])-1]
}

func (p *podSearch) total() podCost {
	var total podCost
	for _, c := range p.costs {
		total = total.plus(c)
	}
	return total
}

// improve searches from the tables as dealt: it goes down to where no exchange helps, then shakes a few members to other
// tables and goes down again, from wherever that led unless it is worse. Of equally good stages it keeps the first.
func (p *podSearch) improve(seed1, seed2 uint64) {
	n := 0
	for _, table := range p.tables {
		p.costs = append(p.costs, p.tableCost(table))
		n += len(table)
	}
	p.dirty = slices.Repeat([]bool{true}, len(p.tables))
	p.descend()
	if len(p.tables) < 2 {
		return
	}
	best, at := p.save(), p.save()
	rng := rand.New(rand.NewPCG(seed1, seed2))
	for range min(podShakes, podBudget/n) {
		if p.total() == (podCost{}) {
			break
		}
		p.shake(rng)
		p.descend()
		if at.total.less(p.total()) {
			p.restore(at)
			continue
		}
		at = p.save()
		if at.total.less(best.total) {
			best = at
		}
	}
	p.restore(best)
}

// podTables is a stage that the search may come back to.
type podTables struct {
	tables [][]int
	costs  []podCost
	total  podCost
}

func (p *podSearch) save() podTables {
	return podTables{tables: slices.Clone(p.tables), costs: slices.Clone(p.costs), total: p.total()}
}

func (p *podSearch) restore(t podTables) {
	copy(p.tables, t.tables)
	copy(p.costs, t.costs)
}

// shake exchanges one to three times two members of tables in reach of one another, one of which costs something.
func (p *podSearch) shake(rng *rand.Rand) {
	var costly []int
	for i, c := range p.costs {
		if c != (podCost{}) {
			costly = append(costly, i)
		}
	}
	for range 1 + rng.IntN(3) {
		i := costly[rng.IntN(len(costly))]
		low, high := max(i-podReach, 0), min(i+podReach, len(p.tables)-1)
		j := low + rng.IntN(high-low+1)
		if i == j {
			continue
		}
		first, second := slices.Clone(p.tables[i]), slices.Clone(p.tables[j])
		x, y := rng.IntN(len(first)), rng.IntN(len(second))
		first[x], second[y] = second[y], first[x]
		p.put(i, first)
		p.put(j, second)
	}
}

// put replaces table i. Tables are not written to, so that saved stages can share them.
func (p *podSearch) put(i int, table []int) {
	p.tables[i], p.costs[i], p.dirty[i] = table, p.tableCost(table), true
}

// descend makes the best exchange of each two tables in reach, in order and over again, until none makes the stage better.
func (p *podSearch) descend() {
	before := make([]bool, len(p.dirty))
	for slices.Contains(p.dirty, true) {
		copy(before, p.dirty)
		clear(p.dirty)
		for i := range p.tables {
			for j := i + 1; j < min(i+podReach+1, len(p.tables)); j++ {
				if before[i] || before[j] || p.dirty[i] || p.dirty[j] {
					p.exchange(i, j)
				}
			}
		}
	}
}
