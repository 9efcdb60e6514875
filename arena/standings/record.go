package standings

import (
	"fmt"
	"math"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// Record is all that standings depend on.
type Record struct {
	// Seats is the number of seats at a full table. At two, results are sums over opponents as in chess; at more, an
	// entrant meets everyone at the table, and Buchholz is a mean because tables differ in size.
	Seats int
	// Entrants is how many there are; they are known by their index.
	Entrants int
	// Ratings are by entrant; nil is level. Millionths count, what is smaller does not.
	Ratings []float64
	// Places are by entrant, 1 for the best, and go before every tie-break: how far each came in a knockout, say. 0 is last.
	// nil is level.
	Places []int
	// Stages are those played.
	Stages []Stage
}

// Stage is one stage with its results. Whoever is in neither list missed it by choice and has no points for it.
type Stage struct {
	Tables   []Table
	Unplayed []Unplayed
}

// Table is the result of one pairing. An entrant may sit at several tables of a stage.
type Table struct {
	Entrants []int
	// Points are those of each of Entrants, 0 to schedule.Unit.
	Points []int
	// Forfeit says that a table of two was not played because somebody did not come: it counts for the points, but not
	// as a meeting. A game lost by a fault, and even by a bot that never answered, is no such forfeit.
	Forfeit bool
}

// Unplayed is a stage without a table.
type Unplayed struct {
	Entrant int
	Points  int
	// Chosen says that the entrant asked for it. A bye for want of opponents is not chosen.
	Chosen bool
}

// FromHistory returns the record of a history, with bye points for a bye: schedule.Unit in a Swiss, 0 in a round robin.
// Ratings are those of the entrants.
func FromHistory(h schedule.History, bye int) Record {
	r := Record{Seats: h.Seats, Entrants: len(h.Entrants)}
	for _, e := range h.Entrants {
		r.Ratings = append(r.Ratings, e.Rating)
	}
	for _, played := range h.Stages {
		var s Stage
		for _, t := range played.Tables {
			s.Tables = append(s.Tables, Table{Entrants: t.Entrants, Points: t.Points})
		}
		for _, e := range played.Byes {
			s.Unplayed = append(s.Unplayed, Unplayed{Entrant: e, Points: bye})
		}
		r.Stages = append(r.Stages, s)
	}
	return r
}

func (r *Record) check() error {
	if r.Seats < 2 {
		return fmt.Errorf("tables of %d seats: choose at least 2", r.Seats)
	}
	if r.Ratings != nil && len(r.Ratings) != r.Entrants {
		return fmt.Errorf("%d ratings for %d entrants: give one each or none", len(r.Ratings), r.Entrants)
	}
	if r.Places != nil && len(r.Places) != r.Entrants {
		return fmt.Errorf("%d places for %d entrants: give one each or none", len(r.Places), r.Entrants)
	}
	for e, rating := range r.Ratings {
		if math.IsNaN(rating) || math.Abs(rating) > 1e9 {
			return fmt.Errorf("entrant [%d] has rating %v: give at most a billion", e, rating)
		}
	}
	for i, s := range r.Stages {
		if err := r.checkStage(s); err != nil {
			return fmt.Errorf("stage %d: %w", i+1, err)
		}
	}
	return nil
}

func (r *Record) checkStage(s Stage) error {
	const atTable, without = 1, 2
	where := map[int]int{}
	for i, t := range s.Tables {
		if err := r.checkTable(t); err != nil {
			return fmt.Errorf("table %d: %w", i+1, err)
		}
		for _, e := range t.Entrants {
			where[e] = atTable
		}
	}
	for _, u := range s.Unplayed {
		if err := r.checkPoints(u.Entrant, u.Points); err != nil {
			return err
		}
		if where[u.Entrant] != 0 {
			return fmt.Errorf("entrant [%d] is there twice: give it tables or a bye", u.Entrant)
		}
		where[u.Entrant] = without
	}
	return nil
}

func (r *Record) checkTable(t Table) error {
	if len(t.Points) != len(t.Entrants) {
		return fmt.Errorf("%d points for %d entrants: give one each", len(t.Points), len(t.Entrants))
	}
	if t.Forfeit && len(t.Entrants) != 2 {
		return fmt.Errorf("a forfeit of %d entrants: give 2, or results", len(t.Entrants))
	}
	seen := map[int]bool{}
	for i, e := range t.Entrants {
		if err := r.checkPoints(e, t.Points[i]); err != nil {
			return err
		}
		if seen[e] {
			return fmt.Errorf("entrant [%d] is there twice", e)
		}
		seen[e] = true
	}
	return nil
}

func (r *Record) checkPoints(entrant, points int) error {
	if entrant < 0 || entrant >= r.Entrants {
		return fmt.Errorf("entrant [%d] of %d is unknown", entrant, r.Entrants)
	}
	if points < 0 || points > schedule.Unit {
		return fmt.Errorf("entrant [%d] has %d points: give 0 to %d", entrant, points, schedule.Unit)
	}
	return nil
}
