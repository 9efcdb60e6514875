package standings

import (
	"math/big"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// direct splits a group by the points against each other, and what is left tied again in the same way. set gets the value of
// the first split for each of the group. A group in which not all have met stays whole and has no values.
func (t *tally) direct(group []int, set func(e int, v *big.Rat)) [][]int {
	if len(group) < 2 || !t.allMet(group) {
		return [][]int{group}
	}
	sums := map[int]*big.Rat{}
	for _, e := range group {
		sum := new(big.Rat)
		for _, other := range group {
			if r := t.met[e][other]; r.times > 0 {
				sum.Add(sum, big.NewRat(int64(r.points), int64(r.times)*schedule.Unit))
			}
		}
		sums[e] = sum
		set(e, sum)
	}
	parts := part(group, func(e int) *big.Rat { return sums[e] })
	if len(parts) == 1 {
		return parts
	}
	var all [][]int
	for _, p := range parts {
		all = append(all, t.direct(p, func(int, *big.Rat) {})...)
	}
	return all
}

func (t *tally) allMet(group []int) bool {
	for _, e := range group {
		if len(t.met[e]) < len(group)-1 {
			return false
		}
		for _, other := range group {
			if other != e && t.met[e][other].times == 0 {
				return false
			}
		}
	}
	return true
}
