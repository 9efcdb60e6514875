package schedule

import (
	"fmt"
	"slices"
)

// RoundRobinFormat plays the stages of [RoundRobin], which are known before the first, for all entrants.
//
// The absent miss their tables. At two seats who would have met them has a bye; at three and more the table is played with
// those who are there. At two seats the tables of forbidden pairs fall out, and in a stage nothing may remain; at three and
// more such pairs do meet. All this is in the notes.
type RoundRobinFormat struct {
	// Cycles is how often any two meet, at two seats, or how often the tables are played. It must be 1 or more.
	Cycles int
}

// Next implements [Format]. It is an error for anybody to join late, as the stages are made for all. The tournament ends
// early, with a note, when fewer than two entrants are present.
func (f RoundRobinFormat) Next(h History) (stage Stage, ok bool, err error) {
	n := len(h.Entrants)
	if err := checkRoundRobin(n, h.Seats, f.Cycles); err != nil {
		return Stage{}, false, err
	}
	if err := h.check(); err != nil {
		return Stage{}, false, fmt.Errorf("round robin: %w", err)
	}
	for i, e := range h.Entrants {
		if e.Joined > 0 {
			return Stage{}, false, fmt.Errorf("round robin: entrant [%d] joins late, after the stages were made: "+
				"leave it out, or choose swiss or pods", i)
		}
	}
	stages := f.Cycles
	if h.Seats == 2 {
		stages *= bergerStages(n)
	}
	played := len(h.Stages)
	if played >= stages {
		return Stage{}, false, nil
	}
	if here := h.present(); len(here) < 2 {
		return Stage{Notes: []string{tooFew(len(here))}}, false, nil
	}
	if h.Seats == 2 {
		return h.pairsPresent(bergerCycle(n, f.Cycles, played)), true, nil
	}
	return h.tablesPresent(Stage{Tables: roundRobinTables(n, h.Seats)}), true, nil
}

// pairsPresent returns what is left of a stage at two seats.
func (h *History) pairsPresent(planned Stage) Stage {
	var s Stage
	for _, e := range planned.Byes {
		if !h.Entrants[e].Absent {
			s.Byes = append(s.Byes, e)
		}
	}
	forbidden := h.forbidden()
	for _, table := range planned.Tables {
		a, b := table[0], table[1]
		if h.Entrants[a].Absent {
			a, b = b, a
		}
		switch {
		case h.Entrants[a].Absent:
		case forbidden.of(a, b) > 0:
			s.Notes = append(s.Notes, fmt.Sprintf("[%d] and [%d] do not play: they must not meet", table[0], table[1]))
		case h.Entrants[b].Absent:
			s.Byes = append(s.Byes, a)
			s.Notes = append(s.Notes, fmt.Sprintf("[%d] has a bye: [%d] is absent", a, b))
		default:
			s.Tables = append(s.Tables, table)
		}
	}
	slices.Sort(s.Byes)
	return s
}

// tablesPresent returns what is left of a stage at three seats and more.
func (h *History) tablesPresent(planned Stage) Stage {
	var s Stage
	for _, table := range planned.Tables {
		table = slices.DeleteFunc(table, func(e int) bool { return h.Entrants[e].Absent })
		if len(table) > 1 {
			s.Tables = append(s.Tables, table)
		}
	}
	for i, e := range h.Entrants {
		if e.Absent {
			s.Notes = append(s.Notes, fmt.Sprintf("[%d] is absent: its tables are played by the others", i))
		}
	}
	forbidden := h.forbidden()
	for b := range h.Entrants {
		for a := range b {
			if forbidden.of(a, b) > 0 && !h.Entrants[a].Absent && !h.Entrants[b].Absent {
				s.Notes = append(s.Notes, fmt.Sprintf("[%d] and [%d] meet although they must not: "+
					"at tables of %d all meet", a, b, h.Seats))
			}
		}
	}
	return s
}
