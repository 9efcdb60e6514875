package schedule

import (
	"fmt"
	"slices"
	"strings"
)

// Pods seats entrants of about equal points who have not met, at tables of 3 to 6.
//
// Tables are full or one seat short, with as few short ones as can be. Where no such sizes add up, for few entrants, some
// tables are two short, or there is one smaller table of all; only 7 at tables of 6 leave one with a bye. It goes to
// the fewest byes, then the fewest points, then the lowest seed. Each of this is in the notes.
//
// Entrants are dealt to the tables by points from the top down, those of equal points to and fro in the order of the
// seeds. Then members of tables change places as long as that makes the stage better, which it is by the first of:
//
//  1. fewer forbidden pairs at a table;
//  2. a smaller sum, over all pairs at a table, of the square of their earlier meetings;
//  3. a smaller sum, over all tables, of the difference between the most and the fewest points at it;
//  4. fewer at short tables who have been at one, counted as often as they have.
//
// This is a search, of bounded time: it ends with a stage that no exchange between two tables near one another makes
// better, not always with the best of all. It takes its chance from the numbers of stages and entrants alone. Forbidden pairs
// and meetings that it could not avoid are in the notes.
type Pods struct {
	// Stages is how many are played. 0 means two more than it takes to single out one entrant when only the winner of a full
	// table goes on, yet no more than it takes to meet everybody once, and at least one. It must be 0 or more.
	Stages int
}

// Next implements [Format]. Entrants who missed a stage have no points from it. The tournament ends early, with a note, when
// fewer than two entrants are present.
func (f Pods) Next(h History) (stage Stage, ok bool, err error) {
	switch {
	case f.Stages < 0:
		return Stage{}, false, fmt.Errorf("pods of %d stages: choose 0 for the usual number, or more", f.Stages)
	case h.Seats < 3 || h.Seats > maxSeats:
		return Stage{}, false, fmt.Errorf("pods at tables of %d: choose 3 to %d seats, or swiss", h.Seats, maxSeats)
	case len(h.Entrants) < 2:
		return Stage{}, false, fmt.Errorf("pods with %d entrants: enter at least 2", len(h.Entrants))
	}
	if err := h.check(); err != nil {
		return Stage{}, false, fmt.Errorf("pods: %w", err)
	}
	if len(h.Stages) >= f.Length(len(h.Entrants), h.Seats) {
		return Stage{}, false, nil
	}
	here := h.present()
	if len(here) < 2 {
		return Stage{Notes: []string{tooFew(len(here))}}, false, nil
	}
	return seatPods(&h, here), true, nil
}

// Length returns the number of stages that n entrants play at tables of that many seats.
func (f Pods) Length(n, seats int) int {
	if f.Stages > 0 {
		return f.Stages
	}
	knockout := 0
	for left := 1; left < n; left *= seats {
		knockout++
	}
	everybody := (n - 1 + seats - 2) / (seats - 1)
	return max(1, min(knockout+2, everybody))
}

func seatPods(h *History, here []int) Stage {
	sizes, byes := podSizes(len(here), h.Seats)
	p := newPodSearch(h)
	ranking, out := p.rank(here, byes)
	p.deal(ranking, sizes)
	p.improve(uint64(len(h.Stages)), uint64(len(here)))

	place := make([]int, len(h.Entrants))
	for i, e := range ranking {
		place[e] = i
	}
	byPlace := func(a, b int) int { return place[a] - place[b] }
	stage := Stage{Tables: p.tables, Byes: out}
	for _, table := range stage.Tables {
		slices.SortFunc(table, byPlace)
	}
	slices.SortFunc(stage.Tables, func(a, b []int) int { return byPlace(a[0], b[0]) })
	stage.Notes = append(sizeNotes(len(here), h.Seats, sizes), p.notes(stage)...)
	return stage
}

// podSizes returns the sizes of the tables, descending, and how many entrants remain.
func podSizes(n, seats int) (sizes []int, byes int) {
	for ; byes < n; byes++ {
		if sizes := splitPods(n-byes, seats); sizes != nil {
			return sizes, byes
		}
	}
	return nil, n
}

// splitPods returns the sizes of tables for n entrants: as few as can be are two seats short, then as few as can be one.
func splitPods(n, seats int) []int {
	if n >= 2 && n < seats {
		return []int{n}
	}
	for two := 0; two*(seats-2) <= n && two < seats; two++ {
		for one := range seats {
			full := n - one*(seats-1) - two*(seats-2)
			if full < 0 || full%seats != 0 || two > 0 && seats-2 < minSeats {
				continue
			}
			return slices.Concat(
				slices.Repeat([]int{seats}, full/seats), slices.Repeat([]int{seats - 1}, one), slices.Repeat([]int{seats - 2}, two),
			)
		}
	}
	return nil
}

func sizeNotes(n, seats int, sizes []int) []string {
	smallest := sizes[len(sizes)-1]
	if smallest >= seats-1 && n == sum(sizes) {
		return nil
	}
	var words []string
	for _, s := range sizes {
		words = append(words, fmt.Sprint(s))
	}
	return []string{fmt.Sprintf("tables of %s: %d entrants do not fill tables of %d and %d",
		strings.Join(words, ", "), n, seats, seats-1)}
}

func sum(list []int) int {
	total := 0
	for _, x := range list {
		total += x
	}
	return total
}

// notes names what the search could not avoid.
func (p *podSearch) notes(stage Stage) []string {
	var notes []string
	for _, e := range stage.Byes {
		if p.byes[e] > 0 {
			notes = append(notes, fmt.Sprintf("[%d] has a bye again (bye %d): nobody present has had fewer", e, p.byes[e]+1))
		}
	}
	var again, forbidden []string
	for _, table := range stage.Tables {
		for i, b := range table {
			for _, a := range table[:i] {
				r := p.rival(a, b)
				if r.met > 0 {
					again = append(again, fmt.Sprintf("[%d] and [%d] (meeting %d)", a, b, r.met+1))
				}
				if r.never {
					forbidden = append(forbidden, fmt.Sprintf("[%d] and [%d]", a, b))
				}
			}
		}
	}
	if again != nil {
		notes = append(notes, "no tables were found at which fewer meet again: "+strings.Join(again, ", "))
	}
	if forbidden != nil {
		notes = append(notes, "no tables were found that keep apart who must not meet: "+strings.Join(forbidden, ", "))
	}
	return notes
}
