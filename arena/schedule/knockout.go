package schedule

import (
	"fmt"
	"slices"
)

// Knockout is a single elimination: whoever loses is out.
//
// At two seats it is a bracket in the standard order of seeds, in which the first two can meet in the final only (1 v 16,
// 8 v 9, 4 v 13, ...). Where the entrants are no power of two the best seeds have a bye in the first stage. A drawn match
// goes to the side with the higher Tiebreak of its table, and failing that to the better seed, which the notes of the stage
// that follows say. Whoever is absent when a match is due loses it by walkover and is out for good: the opponent is listed
// among the byes, so that a stage may consist of byes alone. Absent from the first stage means not in the bracket, and
// so does late. Forbidden pairs are kept apart in the first stage if any draw can do it that leaves the better half of the
// seeds where they are; later they meet, and a note says so.
//
// At three to six seats the top half of each table goes on, rounded down and the same number from all: 1 of 3, 2 of 4 or 5,
// 3 of 6. Every stage is drawn anew by seed: as few tables as hold all who are still in, their sizes at most one apart, the
// smaller ones for the best seeds, filled in snake order. A table of no more than go on anyway is not played but a bye.
// Once all fit at one table it is the final, which may have empty seats. Points decide a table, then Tiebreak, then the
// seed, noted if it decides who goes on. Two in the same row of the snake change places as long as that lowers the number of
// forbidden pairs that meet; the others are noted.
type Knockout struct {
	// ThirdPlace adds a match between the losers of the semifinals to the last stage. It needs tables of two seats.
	ThirdPlace bool
}

// Next draws the next stage.
func (k Knockout) Next(h History) (stage Stage, ok bool, err error) {
	if err = k.check(&h); err != nil {
		return Stage{}, false, err
	}
	if h.Seats > 2 {
		return nextTables(&h)
	}
	b, err := k.bracket(&h)
	if err != nil {
		return Stage{}, false, err
	}
	return b.next(&h)
}

// Places returns the place of each entrant by how far it came, 1 for the winner. Those who went out at the same point share
// the best of their places, as do those who are still in, and whoever was never drawn has 0. At three seats and more,
// the place at the table parts those who went out in one stage.
func (k Knockout) Places(h History) ([]int, error) {
	if err := k.check(&h); err != nil {
		return nil, err
	}
	if h.Seats > 2 {
		return placesOfTables(&h), nil
	}
	b, err := k.bracket(&h)
	if err != nil {
		return nil, err
	}
	p, err := b.replay(&h)
	if err != nil {
		return nil, err
	}
	return placesByLevel(p.level), nil
}

func (k Knockout) check(h *History) error {
	if err := h.check(); err != nil {
		return fmt.Errorf("knockout: %w", err)
	}
	if k.ThirdPlace && h.Seats > 2 {
		return fmt.Errorf("knockout: third-place match with tables of %d seats: leave it out, the final gives that place",
			h.Seats)
	}
	return nil
}

func (k Knockout) bracket(h *History) (*bracket, error) {
	leaves, err := draw(h)
	if err != nil {
		return nil, fmt.Errorf("knockout: %w", err)
	}
	b := &bracket{name: "knockout", leaves: leaves}
	round, semis := b.leafMatches(2), []int(nil)
	for stage := 1; len(round) > 1; stage++ {
		semis = round
		round = b.pairWinners(round, match{stage: stage, lose: 2 * (stage + 1)})
	}
	final := &b.matches[round[0]]
	final.win = final.lose + 2
	if k.ThirdPlace && len(semis) == 2 {
		b.add(match{
			stage: final.stage,
			sides: [2]source{loserOf(semis[0]), loserOf(semis[1])},
			lose:  final.lose - 2,
			win:   final.lose - 1,
		})
	}
	return b, nil
}

// placesByLevel ranks by level, the highest first. Level 0 has no place.
func placesByLevel(level []int) []int {
	sorted := slices.Sorted(slices.Values(level))
	places := make([]int, len(level))
	for e, l := range level {
		if l > 0 {
			above, _ := slices.BinarySearch(sorted, l+1)
			places[e] = 1 + len(sorted) - above
		}
	}
	return places
}
