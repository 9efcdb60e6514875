package schedule

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// nextTables draws a stage of a knockout at tables of three to six.
func nextTables(h *History) (Stage, bool, error) {
	in, notes := goOn(h)
	present := h.present()
	if len(h.Stages) == 0 {
		if in = present; len(in) < 2 {
			return Stage{}, false, errors.New("knockout: fewer than two are present: enter at least 2")
		}
	}
	stage := Stage{Notes: notes}
	in = slices.DeleteFunc(in, func(e int) bool {
		_, here := slices.BinarySearch(present, e)
		if !here {
			stage.Notes = append(stage.Notes, fmt.Sprintf("[%d] is out: it is absent", e))
		}
		return !here
	})
	if len(in) < 2 {
		return stage, false, nil
	}
	forbidden := h.forbidden()
	tables := snake(in, h.Seats)
	for exchangeInRow(tables, forbidden) {
		continue
	}
	for _, t := range tables {
		slices.Sort(t)
		if len(tables) > 1 && len(t) <= h.Seats/2 {
			stage.Byes = append(stage.Byes, t...)
			continue
		}
		stage.Tables = append(stage.Tables, t)
		stage.Notes = append(stage.Notes, notApart(t, forbidden)...)
	}
	slices.Sort(stage.Byes)
	for _, e := range present {
		if h.Entrants[e].Joined == len(h.Stages) && len(h.Stages) > 0 {
			stage.Notes = append(stage.Notes, fmt.Sprintf("[%d] is not in the knockout: it came after the first draw", e))
		}
	}
	return stage, true, nil
}

// goOn returns, ascending, those whom the last stage leaves in, and notes on those who owe it to their seed. After a final
// that is the winner, and before the first stage nobody.
func goOn(h *History) (in []int, notes []string) {
	if len(h.Stages) == 0 {
		return nil, nil
	}
	last := h.Stages[len(h.Stages)-1]
	in = slices.Clone(last.Byes)
	for _, t := range last.Tables {
		order, decided := rankTable(t)
		q := min(h.Seats/2, len(order))
		if isFinal(last) {
			q = 1
		}
		if q < len(order) && !decided[q-1] {
			notes = append(notes, fmt.Sprintf("[%d] and [%d] were level: [%d] goes before as the better seed",
				order[q-1], order[q], order[q-1]))
		}
		in = append(in, order[:q]...)
	}
	slices.Sort(in)
	return in, notes
}

func isFinal(p Played) bool { return len(p.Tables) == 1 && len(p.Byes) == 0 }

// snake deals the seeds to the fewest tables that hold them: forth in one row, back in the next. The rest of an incomplete
// last row goes to the tables of the worse first seeds.
func snake(in []int, seats int) [][]int {
	tables := make([][]int, (len(in)+seats-1)/seats)
	for i, e := range in {
		row, at := i/len(tables), i%len(tables)
		if row%2 == 1 || len(in)-row*len(tables) < len(tables) {
			at = len(tables) - 1 - at
		}
		tables[at] = append(tables[at], e)
	}
	return tables
}

// exchangeInRow makes the first exchange of two in the same row of the snake, last rows first, that lowers the number of
// forbidden pairs, and says whether there was one.
func exchangeInRow(tables [][]int, forbidden pairCounts) bool {
	for i, one := range tables {
		if clashes(one, forbidden) == 0 {
			continue
		}
		for j, two := range tables {
			for row := min(len(one), len(two)) - 1; row >= 0; row-- {
				before := clashes(one, forbidden) + clashes(two, forbidden)
				one[row], two[row] = two[row], one[row]
				if i != j && clashes(one, forbidden)+clashes(two, forbidden) < before {
					return true
				}
				one[row], two[row] = two[row], one[row]
			}
		}
	}
	return false
}

// clashes counts the forbidden pairs at a table.
func clashes(table []int, forbidden pairCounts) int {
	n := 0
	for i, a := range table {
		for _, b := range table[:i] {
			n += min(forbidden.of(a, b), 1)
		}
	}
	return n
}

// notApart notes the forbidden pairs at a table.
func notApart(table []int, forbidden pairCounts) []string {
	var notes []string
	for i, b := range table {
		for _, a := range table[:i] {
			if forbidden.of(a, b) > 0 {
				notes = append(notes, fmt.Sprintf("[%d] and [%d] meet although they must not: no exchange of equal seeds parts them",
					a, b))
			}
		}
	}
	return notes
}

// rankTable returns the entrants of a table, best first: by points, by Tiebreak, by seed. decided[i] says that it is not
// the seed that puts the i-th before the next one.
func rankTable(t Table) (order []int, decided []bool) {
	at := make([]int, len(t.Entrants))
	for i := range at {
		at[i] = i
	}
	result := func(i, j int) int {
		if c := cmp.Compare(t.Points[j], t.Points[i]); c != 0 || t.Tiebreak == nil {
			return c
		}
		return cmp.Compare(t.Tiebreak[j], t.Tiebreak[i])
	}
	slices.SortFunc(at, func(i, j int) int { return cmp.Or(result(i, j), cmp.Compare(t.Entrants[i], t.Entrants[j])) })
	for n, i := range at {
		order = append(order, t.Entrants[i])
		decided = append(decided, n+1 == len(at) || result(i, at[n+1]) != 0)
	}
	return order, decided
}

// placesOfTables ranks by the stage in which an entrant went out and by its place at the table there. Those who went on
// and did not come count as last at a table of the next stage.
func placesOfTables(h *History) []int {
	level := make([]int, len(h.Entrants))
	step := h.Seats + 1
	for s, stage := range h.Stages {
		for _, e := range stage.Byes {
			level[e] = (s + 2) * step
		}
		for _, t := range stage.Tables {
			order, _ := rankTable(t)
			for place, e := range order {
				level[e] = (s+1)*step + h.Seats - place
				if place < h.Seats/2 && !isFinal(stage) {
					level[e] = (s + 2) * step
				}
			}
		}
	}
	return placesByLevel(level)
}
