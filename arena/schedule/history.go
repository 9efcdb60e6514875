package schedule

import (
	"fmt"
	"slices"
)

// Unit is one point, that of a sole first place. It divides so that shared places at 2 to 6 seats are whole numbers: place p
// of k seats, counted from 1, is worth Unit*(k-p)/(k-1), and those who share places share their points equally.
const Unit = 120

const (
	minSeats = 2
	maxSeats = 6
)

// A Stage is one round of a tournament.
type Stage struct {
	// Tables lists the entrants of each table; at two seats the index is the seat in the first deal.
	Tables [][]int
	// Byes lists, ascending, the entrants without a table.
	Byes []int
	// Notes says, in words for the organiser, which rule of the format was relaxed and why. It is nil when none was.
	// Entrants stand in it as their index in square brackets, such as [7], for the caller to put names in.
	Notes []string
}

// A Format says what is played next. Its Next is a function of the format's settings and the history alone.
type Format interface {
	// Next returns the stage after those of the history. ok is false, and the stage empty, when the tournament is over;
	// the stage may then still have Notes that say why it ended early. An error means that the settings or the history make
	// no sense, or that nothing can be played, and says what to change.
	Next(h History) (stage Stage, ok bool, err error)
}

// History is all that the pairing of the next stage depends on.
type History struct {
	// Seats is the number of seats at a full table.
	Seats int
	// Entrants are in the order of their seeding; late entries come at the end.
	Entrants []Entrant
	// Forbidden lists pairs that must not meet, such as two bots of one author. The order within a pair means nothing.
	Forbidden [][2]int
	// Stages are those played, oldest first.
	Stages []Played
}

// An Entrant is known by its index in History.Entrants alone.
type Entrant struct {
	// Absent entrants are not paired in the next stage: they have withdrawn or wait.
	Absent bool
	// Joined is the index of the first stage in which the entrant can play. Earlier stages give it nothing.
	Joined int
	// Rating and Deviation, in one unit, are for formats that look for equals.
	Rating, Deviation float64
}

// Played is a stage with its results.
type Played struct {
	Tables []Table
	// Byes lists those who had no table for want of opponents. Whoever is neither here nor at a table was missing.
	Byes []int
}

// A Table is one pairing with its result. A table of one entrant gives points without a game, as for an opponent who did not
// come; those are not a meeting, and with a Unit they count as a bye.
type Table struct {
	Entrants []int
	// Points are those of each of Entrants, in Units: Unit for a sole first and 0 for a sole last.
	Points []int
	// Tiebreak decides where Points are equal and somebody has to go on: more is better. It may be nil.
	Tiebreak []int64
}

// check returns an error for a history that contradicts itself.
func (h *History) check() error {
	if h.Seats < minSeats || h.Seats > maxSeats {
		return fmt.Errorf("tables of %d seats: choose %d to %d", h.Seats, minSeats, maxSeats)
	}
	for _, pair := range h.Forbidden {
		if err := h.known(pair[:]); err != nil {
			return fmt.Errorf("forbidden pair %v: %w", pair, err)
		}
	}
	for i, stage := range h.Stages {
		if err := h.checkStage(stage); err != nil {
			return fmt.Errorf("stage %d: %w", i+1, err)
		}
	}
	return nil
}

func (h *History) checkStage(stage Played) error {
	if err := h.known(stage.Byes); err != nil {
		return fmt.Errorf("byes: %w", err)
	}
	for i, table := range stage.Tables {
		if err := h.checkTable(table); err != nil {
			return fmt.Errorf("table %d: %w", i+1, err)
		}
		for _, e := range table.Entrants {
			if slices.Contains(stage.Byes, e) {
				return fmt.Errorf("entrant [%d] has a bye and a table: choose one", e)
			}
		}
	}
	return nil
}

func (h *History) checkTable(t Table) error {
	if err := h.known(t.Entrants); err != nil {
		return err
	}
	if len(t.Points) != len(t.Entrants) {
		return fmt.Errorf("%d points for %d entrants: give one each", len(t.Points), len(t.Entrants))
	}
	if t.Tiebreak != nil && len(t.Tiebreak) != len(t.Entrants) {
		return fmt.Errorf("%d tie-break values for %d entrants: give one each or none", len(t.Tiebreak), len(t.Entrants))
	}
	for _, p := range t.Points {
		if p < 0 || p > Unit {
			return fmt.Errorf("%d points: give 0 to %d", p, Unit)
		}
	}
	return nil
}

// known returns an error unless all are entrants and different.
func (h *History) known(entrants []int) error {
	for i, e := range entrants {
		if e < 0 || e >= len(h.Entrants) {
			return fmt.Errorf("entrant [%d] of %d is unknown", e, len(h.Entrants))
		}
		if slices.Contains(entrants[:i], e) {
			return fmt.Errorf("entrant [%d] is there twice", e)
		}
	}
	return nil
}

// present returns, ascending, those who can play in the next stage.
func (h *History) present() []int {
	var here []int
	for i, e := range h.Entrants {
		if !e.Absent && e.Joined <= len(h.Stages) {
			here = append(here, i)
		}
	}
	return here
}

// points returns what each entrant has scored, with a Unit for a bye.
func (h *History) points() []int {
	sums := make([]int, len(h.Entrants))
	for _, stage := range h.Stages {
		for _, table := range stage.Tables {
			for i, e := range table.Entrants {
				sums[e] += table.Points[i]
			}
		}
		for _, e := range stage.Byes {
			sums[e] += Unit
		}
	}
	return sums
}

// byes returns how many stages each entrant has won without a game.
func (h *History) byes() []int {
	counts := make([]int, len(h.Entrants))
	for _, stage := range h.Stages {
		for _, table := range stage.Tables {
			if len(table.Entrants) == 1 && table.Points[0] == Unit {
				counts[table.Entrants[0]]++
			}
		}
		for _, e := range stage.Byes {
			counts[e]++
		}
	}
	return counts
}

// meetings counts the tables that any two entrants shared.
func (h *History) meetings() pairCounts {
	met := pairCounts{}
	for _, stage := range h.Stages {
		for _, table := range stage.Tables {
			for i, a := range table.Entrants {
				for _, b := range table.Entrants[:i] {
					met.add(a, b)
				}
			}
		}
	}
	return met
}

// forbidden returns the forbidden pairs, each counted at least once.
func (h *History) forbidden() pairCounts {
	pairs := pairCounts{}
	for _, p := range h.Forbidden {
		pairs.add(p[0], p[1])
	}
	return pairs
}

// pairCounts counts something about unordered pairs of entrants. It must not be ranged over.
type pairCounts map[[2]int]int

func (p pairCounts) add(a, b int)    { p[[2]int{min(a, b), max(a, b)}]++ }
func (p pairCounts) of(a, b int) int { return p[[2]int{min(a, b), max(a, b)}] }
