package schedule

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/fivethreefive/fivethreefive/arena/schedule/internal/matching"
)

// maxSwiss entrants take some seconds a stage, and 400 MB; 200 take less than a tenth of a second. Time grows with the cube.
const maxSwiss = 1000

// Swiss pairs entrants of equal points who have not met, at tables of two.
//
// Each stage is the best of all its possible pairings, found as one maximum-weight perfect matching. A pairing is better
// than another if it is so by the first of these that tells them apart:
//
//  1. fewer forbidden pairs;
//  2. fewer pairs that have met most often, then second most often, and so on to once;
//  3. the bye, which an odd number needs, to somebody with fewer byes so far;
//  4. the bye to fewer points;
//  5. fewer pairs with the largest difference of points, then the second largest, and so on;
//  6. the bye to a lower rank, by points and then by seed;
//  7. within equal points the upper half against the lower half in order (first of 8 against fifth), and from one group to
//     the next the nearest ranks; with Adjacent the nearest ranks everywhere;
//  8. smaller sums of numbers that are drawn for each pair once and for all, so that there is one best pairing.
//
// What it had to give up of 1 to 3 is in the notes of the stage. Seats do not enter, as tables play their deals from both.
type Swiss struct {
	// Stages is how many are played. 0 means two more than it takes to leave one entrant without a loss, yet no more than
	// it takes to meet everybody once. It must be 0 or more.
	Stages int
	// Adjacent pairs the first with the second, the third with the fourth and so on, as in the Monrad system.
	Adjacent bool
}

// Next implements [Format]. Entrants who missed a stage have no points from it. The tournament ends early, with a note, when
// fewer than two entrants are present.
func (f Swiss) Next(h History) (stage Stage, ok bool, err error) {
	switch {
	case f.Stages < 0:
		return Stage{}, false, fmt.Errorf("swiss of %d stages: choose 0 for the usual number, or more", f.Stages)
	case h.Seats != 2:
		return Stage{}, false, fmt.Errorf("swiss at tables of %d: choose 2 seats, or pods", h.Seats)
	case len(h.Entrants) < 2 || len(h.Entrants) > maxSwiss:
		return Stage{}, false, fmt.Errorf("swiss with %d entrants: enter 2 to %d", len(h.Entrants), maxSwiss)
	}
	if err := h.check(); err != nil {
		return Stage{}, false, fmt.Errorf("swiss: %w", err)
	}
	if len(h.Stages) >= f.Length(len(h.Entrants)) {
		return Stage{}, false, nil
	}
	p := newPairing(&h, f.Adjacent)
	if len(p.ranking) < 2 {
		return Stage{Notes: []string{tooFew(len(p.ranking))}}, false, nil
	}
	return p.best(), true, nil
}

// Length returns the number of stages that n entrants play.
func (f Swiss) Length(n int) int {
	if f.Stages > 0 {
		return f.Stages
	}
	return min(bits.Len(uint(n-1))+2, n-1+n%2)
}

func tooFew(present int) string {
	return fmt.Sprintf("the tournament ends early: %d of its entrants are present", present)
}

// pairing is what the best pairing of a stage depends on.
type pairing struct {
	ranking   []int // those present, by points and then by seed
	points    []int // by entrant, as the following
	byes      []int
	group     []int // how many of those present have as many points
	adjacent  bool
	met       pairCounts
	forbidden pairCounts
}

func newPairing(h *History, adjacent bool) *pairing {
	p := &pairing{
		ranking: h.present(), points: h.points(), byes: h.byes(), group: make([]int, len(h.Entrants)),
		adjacent: adjacent, met: h.meetings(), forbidden: h.forbidden(),
	}
	slices.SortStableFunc(p.ranking, func(a, b int) int { return p.points[b] - p.points[a] })
	sizes := make(map[int]int)
	for _, e := range p.ranking {
		sizes[p.points[e]]++
	}
	for _, e := range p.ranking {
		p.group[e] = sizes[p.points[e]]
	}
	return p
}

// best returns the best pairing, the tables in the order of the ranking and the higher rank of each in seat 0.
func (p *pairing) best() Stage {
	mate := matching.MaxCardinality(len(p.ranking)+len(p.ranking)%2, p.edges())
	var stage Stage
	for i, a := range p.ranking {
		switch j := mate[i]; {
		case j == len(p.ranking):
			stage.Byes = []int{a}
		case i < j:
			stage.Tables = append(stage.Tables, []int{a, p.ranking[j]})
		}
	}
	stage.Notes = p.notes(stage)
	return stage
}

// notes names what was given up. The pairing is the best, so nothing better was to be had.
func (p *pairing) notes(stage Stage) []string {
	var notes []string
	for _, e := range stage.Byes {
		if p.byes[e] > 0 {
			notes = append(notes, fmt.Sprintf("[%d] has a bye again (bye %d): every bye for somebody with fewer forces more "+
				"rematches or forbidden pairs", e, p.byes[e]+1))
		}
	}
	for _, t := range stage.Tables {
		if met := p.met.of(t[0], t[1]); met > 0 {
			notes = append(notes, fmt.Sprintf("[%d] and [%d] meet again (meeting %d): every pairing of those present has "+
				"rematches or forbidden pairs", t[0], t[1], met+1))
		}
	}
	for _, t := range stage.Tables {
		if p.forbidden.of(t[0], t[1]) > 0 {
			notes = append(notes, fmt.Sprintf("[%d] and [%d] meet although they must not: every pairing of those present has "+
				"forbidden pairs", t[0], t[1]))
		}
	}
	return notes
}
