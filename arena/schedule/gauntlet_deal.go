package schedule

import "slices"

const gauntletStarts = 8

// deal spreads the pool over the fewest tables of the size that seat everybody equally often. It is the best of several
// starts, which differ in who comes first among equals.
func (c *gauntletCycle) deal(pool []int, size int) [][]int {
	if size == 1 {
		return slices.Collect(slices.Chunk(pool, 1))
	}
	var best [][]int
	var least seatCost
	for start := range min(gauntletStarts, len(pool)) {
		from := start * len(pool) / gauntletStarts
		tables := c.spread(slices.Concat(pool[from:], pool[:from]), size)
		c.settle(tables)
		if cost := c.takeBack(tables); best == nil || cost.less(least) {
			best, least = tables, cost
		}
	}
	for _, t := range best {
		for i, e := range t {
			c.count(t[:i], e, 1)
		}
	}
	return best
}

// spread fills one table after the other.
func (c *gauntletCycle) spread(pool []int, size int) [][]int {
	each := size / gcd(size, len(pool))
	left := slices.Repeat([]int{each}, len(pool))
	tables := make([][]int, len(pool)*each/size)
	for i := range tables {
		for range size {
			best := c.choose(tables[i], pool, left)
			left[best]--
			c.count(tables[i], pool[best], 1)
			tables[i] = append(tables[i], pool[best])
		}
	}
	return tables
}

// takeBack uncounts the meetings at the tables and returns by how much less the sum of their squares is now.
func (c *gauntletCycle) takeBack(tables [][]int) seatCost {
	var sum seatCost
	for _, t := range tables {
		for i, e := range t {
			cost := c.cost(t[:i], e)
			sum = sum.plus(seatCost{cost.clashes, 2*cost.met - i})
			c.count(t[:i], e, -1)
		}
	}
	return sum
}

// choose returns the index in the pool of who joins the table: of those who have most tables left to come, which is what
// makes the numbers come out even, the first who knows the table least.
func (c *gauntletCycle) choose(table, pool, left []int) int {
	best := -1
	var least seatCost
	for p, e := range pool {
		if slices.Contains(table, e) || best >= 0 && left[p] < left[best] {
			continue
		}
		if cost := c.cost(table, e); best < 0 || left[p] > left[best] || cost.less(least) {
			best, least = p, cost
		}
	}
	return best
}

// settle exchanges seats between tables while that makes things better, within the limit.
func (c *gauntletCycle) settle(tables [][]int) {
	looked := 0
	for better := true; better; {
		better = false
		for i, one := range tables {
			for _, two := range tables[:i] {
				if looked += len(one) * len(two); looked > gauntletExchanges {
					return
				}
				better = c.exchange(one, two) || better
			}
		}
	}
}

// exchange makes each exchange of one seat of the first table with one of the second that is for the better. The cost of
// what stays is the same before and after.
func (c *gauntletCycle) exchange(one, two []int) bool {
	better := false
	for i, a := range one {
		for j, b := range two {
			if slices.Contains(one, b) || slices.Contains(two, a) {
				continue
			}
			c.count(one, a, -1)
			c.count(two, b, -1)
			stay := c.cost(one, a).plus(c.cost(two, b))
			one[i], two[j] = b, a
			if leave := c.cost(one, b).plus(c.cost(two, a)); leave.less(stay) {
				better = true
			} else {
				one[i], two[j] = a, b
			}
			c.count(one, one[i], 1)
			c.count(two, two[j], 1)
			a = one[i]
		}
	}
	return better
}

// seatCost is compared forbidden pairs first.
type seatCost struct{ clashes, met int }

func (x seatCost) plus(y seatCost) seatCost { return seatCost{x.clashes + y.clashes, x.met + y.met} }

func (x seatCost) less(y seatCost) bool {
	return x.clashes < y.clashes || x.clashes == y.clashes && x.met < y.met
}

// cost of e at a table with the others there. One more meeting of two who met m times adds 2m+1 to the sum of squares,
// and so the sum of m tells which seat keeps the squares small.
func (c *gauntletCycle) cost(table []int, e int) seatCost {
	var sum seatCost
	for _, other := range table {
		if other != e {
			sum.clashes += min(c.forbidden.of(e, other), 1)
			sum.met += c.met.of(e, other)
		}
	}
	return sum
}

func (c *gauntletCycle) count(table []int, e, by int) {
	for _, other := range table {
		if other != e {
			c.met.add(e, other, by)
		}
	}
}

func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}
