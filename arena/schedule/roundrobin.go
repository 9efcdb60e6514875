package schedule

import (
	"fmt"
	"slices"
)

const (
	maxEntrants = 200 // for tables of three and more; up to here every design is known to be found
	maxSubsets  = 210 // up to here every subset of entrants makes a table
)

// RoundRobin returns a schedule in which every two of n entrants meet, the given number of cycles over.
//
// At 2 seats a cycle is a Berger table: n-1 stages, or n with one bye each when n is odd, in which everybody plays at most
// once and meets everybody once. The first entrant of a table takes seat 0. Every second cycle swaps the seats, and each
// cycle that another one follows exchanges its last two stages, so that with an even n nobody has the same seat three
// times running (four entrants: in the first two cycles).
//
// At 3 to 6 seats a cycle is one stage without byes, in which an entrant sits at many tables; a table is ascending and
// leaves its seats to SeatOrders. Up to 210 subsets of that many entrants all make a table each, in lexicographic order.
// Beyond that the tables are a cyclic design: everybody sits at equally many tables, any two entrants meet at least once,
// and no two meet more than once more often than any other two. It takes the fewest tables that a bounded search finds: from
// 60 entrants on at most 1.5 times, below that at most 4 times the n(n-1)/(seats(seats-1)) of a perfect design.
//
// It is an error to ask for fewer than 2 or more than 6 seats, fewer entrants than seats, more than 200 entrants at three
// seats or more, or less than one cycle.
func RoundRobin(n, seats, cycles int) ([]Stage, error) {
	if err := checkRoundRobin(n, seats, cycles); err != nil {
		return nil, err
	}
	if seats == 2 {
		return bergerCycles(n, cycles), nil
	}
	tables := roundRobinTables(n, seats)
	stages := make([]Stage, cycles)
	for i := range stages {
		stages[i].Tables = cloneTables(tables)
	}
	return stages, nil
}

func checkRoundRobin(n, seats, cycles int) error {
	switch {
	case seats < minSeats || seats > maxSeats:
		return fmt.Errorf("round robin with %d seats: choose %d to %d", seats, minSeats, maxSeats)
	case n < seats:
		return fmt.Errorf("round robin with %d entrants at tables of %d: enter at least %d", n, seats, seats)
	case seats > 2 && n > maxEntrants:
		return fmt.Errorf("round robin with %d entrants at tables of %d: enter at most %d", n, seats, maxEntrants)
	case cycles < 1:
		return fmt.Errorf("round robin of %d cycles: choose at least 1", cycles)
	}
	return nil
}

// roundRobinTables returns the tables of a cycle at three seats or more.
func roundRobinTables(n, seats int) [][]int {
	if tables := subsets(n, seats, maxSubsets); tables != nil {
		return tables
	}
	return cyclicDesign(n, seats)
}

// subsets returns all subsets of k of 0..n-1 in lexicographic order, or nil when they are more than limit.
func subsets(n, k, limit int) [][]int {
	subset := make([]int, k)
	for i := range subset {
		subset[i] = i
	}
	var all [][]int
	for len(all) < limit {
		all = append(all, slices.Clone(subset))
		i := k - 1
		for i >= 0 && subset[i] == n-k+i {
			i--
		}
		if i < 0 {
			return all
		}
		subset[i]++
		for j := i + 1; j < k; j++ {
			subset[j] = subset[j-1] + 1
		}
	}
	return nil
}

func cloneTables(tables [][]int) [][]int {
	clone := make([][]int, len(tables))
	for i, t := range tables {
		clone[i] = slices.Clone(t)
	}
	return clone
}
