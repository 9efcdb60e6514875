package league

import (
	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// Stage is a stage as people look at it.
type Stage struct {
	Stage  int      `json:"stage"`
	Tables []Table  `json:"tables"`
	Byes   []string `json:"byes"`
	Notes  []string `json:"notes"`
}

// Table is a table of a stage, with what came of its match.
type Table struct {
	Match  int       `json:"match"`
	Bots   []string  `json:"bots"`
	Played bool      `json:"played"`
	Points []float64 `json:"points,omitempty"` // for the places in the match, in the order of the bots
	Dead   string    `json:"dead,omitempty"`   // why it was given up
	Failed []Failed  `json:"failed,omitempty"` // attempts that failed since it was queued
}

// Stage shows a stage that is paired, counted from 1.
func (s *State) Stage(number int) Stage {
	stage := s.stages[number-1]
	view := Stage{Stage: number, Tables: make([]Table, len(stage.Tables)), Byes: []string{}, Notes: append([]string{}, s.notes[number-1]...)}
	for _, entrant := range stage.Byes {
		view.Byes = append(view.Byes, s.Entrants[entrant].Label)
	}
	for i := range stage.Tables {
		view.Tables[i] = s.Table(s.firsts[number-1] + i)
	}
	return view
}

// Table shows the table of a match that is paired.
func (s *State) Table(match int) Table {
	table := s.table(match)
	view := Table{Match: match, Played: s.isDone(match), Dead: s.dead[match].Cause, Failed: s.failures[match]}
	for i, entrant := range table.Entrants {
		view.Bots = append(view.Bots, s.Entrants[entrant].Label)
		if view.Played {
			view.Points = append(view.Points, float64(table.Points[i])/schedule.Unit)
		}
	}
	return view
}

// Started reports whether it is more than made.
func (s *State) Started() bool { return s.started > 0 }

// StartedBy reports whether it was this event that started it.
func (s *State) StartedBy(e Event) bool { return e.N == s.started }

// Present are the labels of the entrants that have not withdrawn.
func (s *State) Present() []string {
	labels := []string{}
	for i, entrant := range s.entrants {
		if !entrant.Absent {
			labels = append(labels, s.Entrants[i].Label)
		}
	}
	return labels
}

// entrantsOf are those of a match, in the order of its bots.
func (s *State) entrantsOf(match int) []Entrant {
	table := s.table(match)
	entrants := make([]Entrant, len(table.Entrants))
	for i, entrant := range table.Entrants {
		entrants[i] = s.Entrants[entrant]
	}
	return entrants
}
