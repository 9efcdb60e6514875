package schedule

import (
	"errors"
	"fmt"
	"slices"
)

const (
	maxGauntlet       = 2000    // at three seats and more, for the memory and the time that balance takes
	gauntletExchanges = 200_000 // that are looked at in one start for one hero: some milliseconds
)

// Gauntlet sets one or several heroes against all others, the field. A stage is a whole cycle of tables that can be played at
// once, in which an entrant sits at many. Heroes do not meet each other.
//
// A table is one hero and seats-1 of the field, all tables are full, and in a cycle a hero meets everyone in the field
// equally often: once if seats-1 divides the field (so always at two seats), else (seats-1)/gcd(seats-1, field) times.
// Who of the field sit together is balanced over all cycles as far as a bounded local search does it. If fewer than
// seats-1 of the field are present they make one smaller table, and a note says so.
//
// At two seats the hero has seat 0 against every second of the field, and the other one in the next cycle. Larger tables
// are ascending.
//
// Late entries join the next cycle; cycles missed are not made up. A hero never meets those whom it must not meet, and a
// note of the first cycle says so; forbidden pairs within the field are kept apart unless the search finds no way, which
// is noted. The gauntlet ends early when no hero or nobody of the field is present.
type Gauntlet struct {
	// Heroes are the entrants to be tested, by index.
	Heroes []int
	// Cycles is the number of stages, at least 1.
	Cycles int
}

// Next returns the next cycle.
func (g Gauntlet) Next(h History) (stage Stage, ok bool, err error) {
	if err := g.check(&h); err != nil {
		return Stage{}, false, fmt.Errorf("gauntlet: %w", err)
	}
	if len(h.Stages) >= g.Cycles {
		return Stage{}, false, nil
	}
	c := gauntletCycle{number: len(h.Stages), seats: h.Seats, forbidden: h.forbidden(), busy: make([]bool, len(h.Entrants))}
	if h.Seats > 2 {
		c.met = meetingsOf(&h)
	}
	var heroes, field []int
	for _, e := range h.present() {
		if slices.Contains(g.Heroes, e) {
			heroes = append(heroes, e)
		} else {
			field = append(field, e)
		}
	}
	for _, hero := range heroes {
		c.play(hero, field)
	}
	if len(c.stage.Tables) == 0 {
		if len(h.Stages) == 0 {
			return Stage{}, false, errors.New("gauntlet: no hero has anyone to meet: enter heroes and others who may meet them")
		}
		return Stage{Notes: []string{"the gauntlet ends early: no hero has anyone left to meet"}}, false, nil
	}
	for _, e := range h.present() {
		if !c.busy[e] {
			c.stage.Byes = append(c.stage.Byes, e)
		}
	}
	return c.stage, true, nil
}

func (g Gauntlet) check(h *History) error {
	if err := h.check(); err != nil {
		return err
	}
	if err := h.known(g.Heroes); err != nil {
		return fmt.Errorf("heroes: %w", err)
	}
	switch {
	case len(g.Heroes) == 0:
		return errors.New("no heroes: name at least 1")
	case g.Cycles < 1:
		return fmt.Errorf("%d cycles: choose at least 1", g.Cycles)
	case h.Seats > 2 && len(h.Entrants) > maxGauntlet:
		return fmt.Errorf("%d entrants at tables of %d: enter at most %d", len(h.Entrants), h.Seats, maxGauntlet)
	}
	return nil
}

// gauntletCycle is a stage that is being made.
type gauntletCycle struct {
	number, seats int
	forbidden     pairCounts
	met           pairTable // tables shared so far, those of the cycle included
	busy          []bool
	stage         Stage
}

// play adds the tables of one hero.
func (c *gauntletCycle) play(hero int, field []int) {
	var pool []int
	for _, e := range field {
		switch {
		case c.forbidden.of(hero, e) == 0:
			pool = append(pool, e)
		case c.number == 0:
			c.note("[%d] does not meet [%d]: the pair is forbidden", hero, e)
		}
	}
	if len(pool) == 0 {
		return
	}
	size := min(c.seats-1, len(pool))
	if size < c.seats-1 {
		c.note("[%d] plays at a table of %d for want of others whom it may meet", hero, size+1)
	}
	c.busy[hero] = true
	for i, t := range c.deal(pool, size) {
		for j, b := range t {
			c.busy[b] = true
			for _, a := range t[:j] {
				if c.forbidden.of(a, b) > 0 {
					c.note("[%d] and [%d] meet although they must not: no exchange of seats parts them", min(a, b), max(a, b))
				}
			}
		}
		table := append([]int{hero}, t...)
		switch {
		case c.seats > 2:
			slices.Sort(table)
		case (i+c.number)%2 == 1:
			slices.Reverse(table)
		}
		c.stage.Tables = append(c.stage.Tables, table)
	}
}

func (c *gauntletCycle) note(format string, entrants ...any) {
	c.stage.Notes = append(c.stage.Notes, fmt.Sprintf(format, entrants...))
}
