package schedule

import (
	"cmp"
	"errors"
	"slices"
)

// draw returns the entrants of a bracket in the order of its leaves, with nobody for a bye. After the first stage it
// reads them from the history: who was not in that stage is not in the bracket, whatever is said of them now.
func draw(h *History) ([]int, error) {
	entrants := drawn(h)
	if len(entrants) < 2 {
		return nil, errors.New("fewer than two are present: enter at least 2")
	}
	var leaves []int
	for _, seed := range seedOrder(len(entrants)) {
		if seed < len(entrants) {
			leaves = append(leaves, entrants[seed])
		} else {
			leaves = append(leaves, nobody)
		}
	}
	if len(h.Stages) == 0 {
		keepApart(leaves, h.forbidden())
		return leaves, nil
	}
	return leaves, asPaired(leaves, h.Stages[0].Tables)
}

// asPaired puts the worse seeds of the first matches where the tables of the first stage have them.
func asPaired(leaves []int, tables []Table) error {
	partner := map[int]int{}
	for _, t := range tables {
		if len(t.Entrants) == 2 {
			partner[min(t.Entrants[0], t.Entrants[1])] = max(t.Entrants[0], t.Entrants[1])
		}
	}
	for i := 0; i < len(leaves); i += 2 {
		if leaves[i+1] == nobody {
			continue
		}
		worse, ok := partner[leaves[i]]
		if !ok {
			return errors.New("the first stage is not that of a bracket: give the history as it was paired")
		}
		leaves[i+1] = worse
	}
	return nil
}

// drawn returns, ascending, those in the first stage, or those who can be in it.
func drawn(h *History) []int {
	if len(h.Stages) == 0 {
		return h.present()
	}
	entrants := slices.Clone(h.Stages[0].Byes)
	for _, t := range h.Stages[0].Tables {
		entrants = append(entrants, t.Entrants...)
	}
	slices.Sort(entrants)
	return entrants
}

// seedOrder returns the seeds from 0 in the order of the leaves of the smallest bracket for n. Each is beside the one that
// it would meet first if all better seeds win: in a round of k the seeds s and k-1-s.
func seedOrder(n int) []int {
	order := []int{0}
	for len(order) < n {
		var wider []int
		for _, s := range order {
			wider = append(wider, s, 2*len(order)-1-s)
		}
		order = wider
	}
	return order
}

// keepApart exchanges the worse seeds among the first matches so that as few forbidden pairs as possible meet there: the
// augmenting paths of bipartite matching, each of which prefers partners close to the one that the seeding gives.
func keepApart(leaves []int, forbidden pairCounts) {
	var better, worse []int // by match
	for i := 0; i < len(leaves); i += 2 {
		if leaves[i+1] != nobody {
			better, worse = append(better, leaves[i]), append(worse, leaves[i+1])
		}
	}
	d := drawRepair{better: better, worse: worse, forbidden: forbidden, owner: slices.Repeat([]int{nobody}, len(worse))}
	for m := range better {
		if forbidden.of(better[m], worse[m]) == 0 {
			d.owner[m] = m
		}
	}
	var stuck []int
	for m := range better {
		d.tried = make([]bool, len(worse))
		if !slices.Contains(d.owner, m) && !d.place(m) {
			stuck = append(stuck, m)
		}
	}
	partner := map[int]int{} // of the better seeds
	for w, m := range d.owner {
		if m == nobody {
			m, stuck = stuck[0], stuck[1:]
		}
		partner[better[m]] = worse[w]
	}
	for i := 0; i < len(leaves); i += 2 {
		if leaves[i+1] != nobody {
			leaves[i+1] = partner[leaves[i]]
		}
	}
}

type drawRepair struct {
	better, worse []int
	forbidden     pairCounts
	owner         []int // by worse seed: the match that has it
	tried         []bool
}

// place finds a worse seed for match m, moving others on if it must.
func (d *drawRepair) place(m int) bool {
	near := make([]int, len(d.worse))
	for w := range near {
		near[w] = w
	}
	slices.SortStableFunc(near, func(v, w int) int {
		return cmp.Compare(distance(d.worse[v], d.worse[m]), distance(d.worse[w], d.worse[m]))
	})
	for _, w := range near {
		if d.tried[w] || d.forbidden.of(d.better[m], d.worse[w]) > 0 {
			continue
		}
		d.tried[w] = true
		if d.owner[w] == nobody || d.place(d.owner[w]) {
			d.owner[w] = m
			return true
		}
	}
	return false
}

func distance(x, y int) int { return max(x-y, y-x) }
