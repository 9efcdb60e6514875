package schedule

import "slices"

// cyclicDesign returns tables of k of n entrants from base blocks developed modulo n: every block is shifted by 0, 1, 2
// and so on until it repeats. Each orbit of shifts seats everybody equally often, so the whole does too, and how often two
// entrants meet depends on their difference modulo n alone. The tables of an orbit stand together.
func cyclicDesign(n, k int) [][]int {
	var tables [][]int
	for _, block := range baseBlocks(n, k) {
		tables = append(tables, develop(block, n)...)
	}
	return tables
}

// baseBlocks tries plans with more and more tables and takes the first for which the search succeeds. A plan is a number
// of full orbits of n tables each, with or without the short orbit of the subgroup when k divides n. That it ends has been
// seen for every n up to maxEntrants, not proved.
func baseBlocks(n, k int) [][]int {
	for full := 1; ; full++ {
		if blocks := searchBlocks(n, k, full, nil); blocks != nil {
			return blocks
		}
		if n%k != 0 {
			continue
		}
		short := subgroup(n, k)
		if blocks := searchBlocks(n, k, full, short); blocks != nil {
			return append(blocks, short)
		}
	}
}

// subgroup returns the k multiples of n/k. Its orbit has n/k tables, seats everybody once and lets those meet once who are
// a multiple of n/k apart.
func subgroup(n, k int) []int {
	block := make([]int, k)
	for i := range block {
		block[i] = i * (n / k)
	}
	return block
}

// develop returns the distinct shifts of a block modulo n, in the order of the shifts.
func develop(block []int, n int) [][]int {
	tables := make([][]int, period(block, n))
	for shift := range tables {
		tables[shift] = shifted(block, shift, n)
	}
	return tables
}

// period returns the smallest shift above 0 that maps the block onto itself: n, or n/p when the block falls into cycles of
// p members.
func period(block []int, n int) int {
	for p := len(block); p > 1; p-- {
		if len(block)%p == 0 && n%p == 0 && slices.Equal(shifted(block, 0, n), shifted(block, n/p, n)) {
			return n / p
		}
	}
	return n
}

// shifted returns block + shift modulo n, ascending.
func shifted(block []int, shift, n int) []int {
	table := make([]int, len(block))
	for i, x := range block {
		table[i] = (x + shift) % n
	}
	slices.Sort(table)
	return table
}
