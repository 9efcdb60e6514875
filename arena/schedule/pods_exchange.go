package schedule

import "slices"

// seatCost returns what a table costs beside its pairs.
func (p *podSearch) seatCost(table []int) podCost {
	most, least, short := p.points[table[0]], p.points[table[0]], 0
	for _, e := range table {
		most, least = max(most, p.points[e]), min(least, p.points[e])
		if len(table) < p.seats {
			short += p.short[e]
		}
	}
	return podCost{2: most - least, 3: short}
}

func (p *podSearch) tableCost(table []int) podCost {
	cost := p.seatCost(table)
	for i, a := range table {
		for _, r := range p.rivals[a] {
			if slices.Contains(table[:i], r.entrant) {
				cost = cost.plus(r.cost())
			}
		}
	}
	return cost
}

// exchange makes the best of all swaps of a member of table i with one of table j and, where one table is a seat shorter,
// moves of a member to it; of equally good ones the first. It does nothing when none makes the stage better.
func (p *podSearch) exchange(i, j int) {
	if p.costs[i] == (podCost{}) && p.costs[j] == (podCost{}) {
		return
	}
	x := &p.ex
	x.begin(p, p.tables[i], p.tables[j])
	for a := range x.first {
		for b := x.first; b < len(x.members); b++ {
			x.try(a, b)
		}
	}
	switch second := len(x.members) - x.first; {
	case x.first == second+1:
		for a := range x.first {
			x.try(a, -1)
		}
	case second == x.first+1:
		for b := x.first; b < len(x.members); b++ {
			x.try(-1, b)
		}
	}
	if x.gain.less(podCost{}) {
		first, second := x.after(x.a, x.b)
		p.put(i, slices.Clone(first))
		p.put(j, slices.Clone(second))
	}
}

// podExchange compares what two tables cost before and after a change. It is used again and again.
type podExchange struct {
	p       *podSearch
	members []int                               // of both tables
	first   int                                 // how many of them are at the first table
	cost    podCost                             // of the seats of both
	pairs   [2 * maxSeats][2 * maxSeats]podCost // of two members
	with    [2 * maxSeats][2]podCost            // of a member with all others at the first table and at the second

	gain podCost // the best change so far: what it adds to the cost, and its members
	a, b int

	room [2][2 * maxSeats]int // for after
}

func (x *podExchange) begin(p *podSearch, first, second []int) {
	x.p, x.first, x.gain = p, len(first), podCost{}
	x.members = append(append(x.members[:0], first...), second...)
	x.cost = p.seatCost(first).plus(p.seatCost(second))
	for i, a := range x.members {
		x.with[i] = [2]podCost{}
		for _, r := range p.rivals[a] {
			p.seen[r.entrant] = r.cost()
		}
		for j, b := range x.members {
			x.pairs[i][j] = p.seen[b]
			x.with[i][x.side(j)] = x.with[i][x.side(j)].plus(p.seen[b])
		}
		for _, r := range p.rivals[a] {
			p.seen[r.entrant] = podCost{}
		}
	}
}

func (x *podExchange) side(i int) int {
	if i < x.first {
		return 0
	}
	return 1
}

// try costs the change that takes member a of the first table to the second and member b the other way. Either may be -1.
func (x *podExchange) try(a, b int) {
	var gain podCost
	if a >= 0 {
		gain = x.with[a][1].minus(x.with[a][0])
	}
	if b >= 0 {
		gain = gain.plus(x.with[b][0]).minus(x.with[b][1])
	}
	if a >= 0 && b >= 0 {
		gain = gain.minus(x.pairs[a][b]).minus(x.pairs[a][b])
	}
	if gain[0] > x.gain[0] || gain[0] == x.gain[0] && gain[1] > x.gain[1] {
		return // what the seats cost comes after what the pairs cost
	}
	first, second := x.after(a, b)
	gain = gain.plus(x.p.seatCost(first)).plus(x.p.seatCost(second)).minus(x.cost)
	if gain.less(x.gain) {
		x.gain, x.a, x.b = gain, a, b
	}
}

// after returns both tables as they are after a change, until it is called again.
func (x *podExchange) after(a, b int) (first, second []int) {
	first, second = x.room[0][:0], x.room[1][:0]
	for i, e := range x.members {
		if (i < x.first) == (i != a && i != b) {
			first = append(first, e)
		} else {
			second = append(second, e)
		}
	}
	return first, second
}
