package league

import (
	"errors"
	"fmt"
	"slices"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// Format says how tables are made.
type Format string

// RoundRobin seats every choice of bots at a table, or where those are too many a balanced part of them.
const RoundRobin Format = "round-robin"

// format makes what pairs. Nothing of it lasts: the pairings are in the log.
func (t Tournament) format() (schedule.Format, error) {
	switch t.Format {
	case RoundRobin:
		return &roundRobin{cycles: t.Cycles}, nil
	default:
		return nil, fmt.Errorf("format %q is unknown; use %q", t.Format, RoundRobin)
	}
}

// early reports whether stages follow from the entrants alone, so that one can be paired before the last has been played.
func (f Format) early() bool { return f == RoundRobin }

// roundRobin is [schedule.RoundRobin] as a format.
type roundRobin struct {
	cycles int
	stages []schedule.Stage
}

// Next leaves out the tables of those who have withdrawn; whoever would have met them at a table of two has a bye.
func (r *roundRobin) Next(h schedule.History) (schedule.Stage, bool, error) {
	for _, entrant := range h.Entrants {
		if entrant.Joined > 0 {
			return schedule.Stage{}, false, errors.New("a round robin takes no late entries: its schedule is made for all entrants at once")
		}
	}
	if r.stages == nil {
		var err error
		if r.stages, err = schedule.RoundRobin(len(h.Entrants), h.Seats, r.cycles); err != nil {
			return schedule.Stage{}, false, err
		}
	}
	if len(h.Stages) >= len(r.stages) {
		return schedule.Stage{}, false, nil
	}
	stage := schedule.Stage{Byes: slices.Clone(r.stages[len(h.Stages)].Byes)}
	for _, table := range r.stages[len(h.Stages)].Tables {
		absent := func(e int) bool { return h.Entrants[e].Absent }
		if !slices.ContainsFunc(table, absent) {
			stage.Tables = append(stage.Tables, table)
			continue
		}
		if h.Seats == 2 {
			stage.Byes = append(stage.Byes, slices.DeleteFunc(slices.Clone(table), absent)...)
		}
	}
	slices.Sort(stage.Byes)
	return stage, true, nil
}
