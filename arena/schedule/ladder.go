package schedule

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Ladder makes matches without end, those first that teach most. In each stage it fills as many tables as those present
// can fill, and the others have a bye.
//
// What a pair can teach is the sum of the squares of both deviations, times closeness 1/(1+(d/347)^2), in which d is the
// difference of the ratings and 347 = 800/ln 10 makes it the start of the series of p(1-p) for the logistic curve of 400
// points, and divided by one more than the number of tables the two have shared. A deviation of 0 or less means that
// nothing is known and counts as 350. Ratings and deviations are rounded to whole numbers, and all else is integers. Tables
// are filled one after the other, each beginning with the best pair left and then taking whoever teaches most with those
// there.
//
// In every stage whose number, from 0, Cover divides, coverage comes first: each table begins with the pair left that has
// not met for longest. This is a guarantee. Let m entrants be present and nobody come or go, and P of their pairs be
// allowed. With t = m/seats tables, rounded down but at least 1, every allowed pair meets at least once in any
//
//	Cover * (2(m-2) + 1)             stages running, at two seats,
//	Cover * (2(m-2) + (P-1)/t + 1)   stages running, at more.
//
// (A pair is passed over only for tables that begin with pairs that have waited at least as long, and those go to the end
// of the queue: either such a pair shares an entrant with it, of which there are 2(m-2), or t of them fill all tables.)
//
// Forbidden pairs never share a table. A table that only they could fill, and the only table of too few, has empty seats,
// and a note says so. Late entries have waited longest with everybody, so that coverage begins with them.
//
// With m present of n entrants a stage takes O(m^2 log m) time, 12n^2 bytes of memory, and one pass over the history.
type Ladder struct {
	// Cover is how often coverage comes first: 1 is always, and 0 stands for 2, every second stage.
	Cover int
	// Stages ends the ladder after so many; 0 is never.
	Stages int
}

const (
	unknownDeviation = 350
	defaultCover     = 2
)

// Next returns the next stage.
func (l Ladder) Next(h History) (stage Stage, ok bool, err error) {
	if err := l.check(&h); err != nil {
		return Stage{}, false, fmt.Errorf("ladder: %w", err)
	}
	if l.Stages > 0 && len(h.Stages) >= l.Stages {
		return Stage{}, false, nil
	}
	m := newMatchmaker(&h)
	cover := l.Cover
	if cover == 0 {
		cover = defaultCover
	}
	if len(h.Stages)%cover == 0 {
		m.coverFirst()
	} else {
		m.learnFirst()
	}
	if len(m.tables) == 0 {
		return Stage{}, false, errors.New("ladder: no two who may meet are present: enter at least 2")
	}
	return m.stage(), true, nil
}

func (l Ladder) check(h *History) error {
	switch {
	case l.Cover < 0:
		return fmt.Errorf("coverage in every %d-th stage: choose at least 1", l.Cover)
	case l.Stages < 0:
		return fmt.Errorf("%d stages: choose at least 1, or 0 for no end", l.Stages)
	}
	for i, e := range h.Entrants {
		if math.IsNaN(e.Rating) || math.Abs(e.Rating) > 1e6 || math.IsNaN(e.Deviation) || e.Deviation > 1e3 {
			return fmt.Errorf("entrant [%d] has rating %v and deviation %v: give at most a million and a thousand",
				i, e.Rating, e.Deviation)
		}
	}
	return h.check()
}

// matchmaker makes one stage of a ladder.
type matchmaker struct {
	seats     int
	now       int // number of the stage
	present   []int
	free      []bool
	rating    []int
	variance  []int64
	met       pairTable
	last      pairTable // one more than the number of the last stage in which two met
	forbidden pairTable
	tables    [][]int
}

func newMatchmaker(h *History) *matchmaker {
	n := len(h.Entrants)
	m := &matchmaker{
		seats: h.Seats, now: len(h.Stages), present: h.present(), free: make([]bool, n), rating: make([]int, n),
		variance: make([]int64, n), met: meetingsOf(h), last: newPairTable(n), forbidden: newPairTable(n),
	}
	for _, e := range m.present {
		m.free[e] = true
	}
	for i, e := range h.Entrants {
		deviation := int64(unknownDeviation)
		if e.Deviation > 0 {
			deviation = max(int64(math.Round(e.Deviation)), 1)
		}
		m.rating[i], m.variance[i] = int(math.Round(e.Rating)), deviation*deviation
	}
	for _, pair := range h.Forbidden {
		m.forbidden.set(pair[0], pair[1], 1)
	}
	for s, stage := range h.Stages {
		for _, table := range stage.Tables {
			for i, a := range table.Entrants {
				for _, b := range table.Entrants[:i] {
					m.last.set(a, b, s+1)
				}
			}
		}
	}
	return m
}

// stage returns the tables made, ascending within each, and byes for those who are left.
func (m *matchmaker) stage() Stage {
	var s Stage
	for _, t := range m.tables {
		slices.Sort(t)
		if empty := m.seats - len(t); empty > 0 {
			s.Notes = append(s.Notes, fmt.Sprintf("the table of [%d] and [%d] has %d of %d seats empty: nobody is left who may join it",
				t[0], t[1], empty, m.seats))
		}
	}
	s.Tables = m.tables
	for _, e := range m.present {
		if m.free[e] {
			s.Byes = append(s.Byes, e)
		}
	}
	return s
}
