package standings

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
)

// Rules say how to rank.
type Rules struct {
	// Order is what decides, first things first; nil is SwissOrder. It may be empty for a record with Places.
	Order []TieBreak
	// Unplayed is the rule for stages without a table; 0 is FIDE2026.
	Unplayed Rule
}

// Row is one entrant of the standings.
type Row struct {
	Entrant int
	// Rank counts from 1; those whom nothing parts share the best of theirs.
	Rank int
	// By is the tie-break that puts the entrant behind the row before. It is 0 in the first row, where they share a rank, and
	// where Record.Places does it.
	By TieBreak
	// Values are those of Rules.Order, in points, products of points, or wins. A value is nil where the tie-break does not
	// apply: Direct, for those who are not tied when its turn comes or whose group has not met in full.
	Values []*big.Rat
}

// Rank returns the rows by rank, those who share one by index.
func Rank(record Record, rules Rules) ([]Row, error) {
	if rules.Order == nil {
		rules.Order = SwissOrder()
	}
	if rules.Unplayed == 0 {
		rules.Unplayed = FIDE2026
	}
	if err := rules.check(record.Places == nil); err != nil {
		return nil, fmt.Errorf("standings: %w", err)
	}
	if err := record.check(); err != nil {
		return nil, fmt.Errorf("standings: %w", err)
	}
	t := newTally(&record, rules.Unplayed)
	rows := make([]Row, record.Entrants)
	for e := range rows {
		rows[e] = Row{Entrant: e, Values: make([]*big.Rat, len(rules.Order))}
	}
	groups := record.byPlace()
	for i, by := range rules.Order {
		if by != Direct {
			for e := range rows {
				rows[e].Values[i] = t.value(by, e)
			}
		}
		groups = partAll(groups, by, func(tied []int) [][]int {
			if by == Direct {
				return t.direct(tied, func(e int, v *big.Rat) { rows[e].Values[i] = v })
			}
			return part(tied, func(e int) *big.Rat { return rows[e].Values[i] })
		})
	}
	return ranked(groups, rows), nil
}

// group is entrants that nothing has parted so far, and the tie-break that parts them from the group before.
type group struct {
	entrants []int
	by       TieBreak
}

// partAll parts each group by a tie-break.
func partAll(groups []group, by TieBreak, parts func(tied []int) [][]int) (parted []group) {
	for _, g := range groups {
		for _, p := range parts(g.entrants) {
			parted = append(parted, group{p, g.by})
			g.by = by
		}
	}
	return parted
}

// ranked puts the rows, which are by entrant, into their order.
func ranked(groups []group, rows []Row) []Row {
	sorted := make([]Row, 0, len(rows))
	for _, g := range groups {
		rank := len(sorted) + 1
		rows[g.entrants[0]].By = g.by
		for _, e := range g.entrants {
			rows[e].Rank = rank
			sorted = append(sorted, rows[e])
		}
	}
	return sorted
}

// byPlace returns all entrants, in groups of equal place.
func (r *Record) byPlace() []group {
	all := make([]int, r.Entrants)
	for e := range all {
		all[e] = e
	}
	var groups []group
	for _, p := range part(all, func(e int) *big.Rat {
		if r.Places == nil {
			return new(big.Rat)
		}
		if r.Places[e] < 1 {
			return big.NewRat(math.MinInt64, 1)
		}
		return big.NewRat(-int64(r.Places[e]), 1)
	}) {
		groups = append(groups, group{entrants: p})
	}
	return groups
}

func (r *Rules) check(needed bool) error {
	if needed && len(r.Order) == 0 {
		return errors.New("nothing to rank by: name at least one tie-break")
	}
	for i, by := range r.Order {
		if _, err := by.MarshalText(); err != nil {
			return err
		}
		if slices.Contains(r.Order[:i], by) {
			return fmt.Errorf("tie-break %v is there twice: leave one out", by)
		}
	}
	_, err := r.Unplayed.MarshalText()
	return err
}

// part splits a group by value, the highest first, and keeps the order within.
func part(group []int, value func(e int) *big.Rat) [][]int {
	sorted := slices.Clone(group)
	slices.SortStableFunc(sorted, func(a, b int) int { return value(b).Cmp(value(a)) })
	var parts [][]int
	for i, e := range sorted {
		if i > 0 && value(e).Cmp(value(sorted[i-1])) == 0 {
			parts[len(parts)-1] = append(parts[len(parts)-1], e)
		} else {
			parts = append(parts, []int{e})
		}
	}
	return parts
}

// Text returns a value for a table of standings: with at most two decimals, or nothing for nil.
func Text(value *big.Rat) string {
	if value == nil {
		return ""
	}
	text := value.FloatString(2)
	for text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	if text[len(text)-1] == '.' {
		text = text[:len(text)-1]
	}
	return text
}
