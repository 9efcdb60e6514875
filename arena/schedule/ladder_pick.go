package schedule

import (
	"cmp"
	"slices"
)

// closeness is the square of 800/ln 10: two whose ratings differ by its root teach half of what equals do.
const closeness = 120_710

// teaches returns what a table of a and b can teach, in an arbitrary unit.
func (m *matchmaker) teaches(a, b int) int64 {
	const unit = 1e12 // two variances of at most a million each stay within 63 bits
	apart := int64(min(distance(m.rating[a], m.rating[b]), 10_000))
	return (m.variance[a] + m.variance[b]) * unit / ((closeness + apart*apart) * int64(1+m.met.of(a, b)))
}

// waits returns for how many stages two have not met, from the beginning if never.
func (m *matchmaker) waits(a, b int) int64 { return int64(m.now + 1 - m.last.of(a, b)) }

// pair is two of those present who may meet.
type pair struct {
	a, b    int
	waits   int64
	teaches int64
}

// pairs returns all that may meet, ascending.
func (m *matchmaker) pairs() []pair {
	pairs := make([]pair, 0, len(m.present)*len(m.present)/2)
	for i, a := range m.present {
		for _, b := range m.present[i+1:] {
			if m.forbidden.of(a, b) == 0 {
				pairs = append(pairs, pair{a, b, m.waits(a, b), m.teaches(a, b)})
			}
		}
	}
	return pairs
}

// full returns the number of tables that those present fill, at least 1.
func (m *matchmaker) full() int { return max(len(m.present)/m.seats, 1) }

// coverFirst begins all tables with the pairs that have waited longest before it fills any: the guarantee rests on that.
func (m *matchmaker) coverFirst() {
	pairs := m.pairs()
	slices.SortStableFunc(pairs, func(p, q pair) int {
		return cmp.Or(cmp.Compare(q.waits, p.waits), cmp.Compare(q.teaches, p.teaches))
	})
	for _, p := range pairs {
		if len(m.tables) < m.full() && m.free[p.a] && m.free[p.b] {
			m.begin(p)
		}
	}
	for i := range m.tables {
		m.fill(i, func(a, b int) (first, second int64) { return m.waits(a, b), m.teaches(a, b) })
	}
}

// learnFirst makes the best table, then the best of those left.
func (m *matchmaker) learnFirst() {
	pairs := m.pairs()
	slices.SortStableFunc(pairs, func(p, q pair) int {
		return cmp.Or(cmp.Compare(q.teaches, p.teaches), cmp.Compare(q.waits, p.waits))
	})
	for _, p := range pairs {
		if len(m.tables) < m.full() && m.free[p.a] && m.free[p.b] {
			m.begin(p)
			m.fill(len(m.tables)-1, func(a, b int) (first, second int64) { return m.teaches(a, b), m.waits(a, b) })
		}
	}
}

func (m *matchmaker) begin(p pair) {
	m.tables = append(m.tables, []int{p.a, p.b})
	m.free[p.a], m.free[p.b] = false, false
}

// fill adds to table i whoever has the largest sums of worth with those there, as long as there are seats and somebody who
// may sit with all.
func (m *matchmaker) fill(i int, worth func(a, b int) (first, second int64)) {
	for len(m.tables[i]) < m.seats {
		best, most := -1, [2]int64{}
		for _, e := range m.present {
			if !m.free[e] || !m.mayJoin(m.tables[i], e) {
				continue
			}
			var sum [2]int64
			for _, other := range m.tables[i] {
				first, second := worth(e, other)
				sum[0] += first
				sum[1] += second
			}
			if best < 0 || slices.Compare(sum[:], most[:]) > 0 {
				best, most = e, sum
			}
		}
		if best < 0 {
			return
		}
		m.tables[i] = append(m.tables[i], best)
		m.free[best] = false
	}
}

func (m *matchmaker) mayJoin(table []int, e int) bool {
	return !slices.ContainsFunc(table, func(other int) bool { return m.forbidden.of(e, other) > 0 })
}
