package league

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/internal/spelling"
	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// Format says how tables are made.
type Format string

const (
	// RoundRobin seats everybody with everybody: at two seats each pair once a cycle, at more every choice of bots or, where
	// those are too many, a balanced part of them.
	RoundRobin Format = "round-robin"
	// Swiss seats bots of equal points who have not met. At three seats and more its tables are known as pods.
	Swiss Format = "swiss"
	// Gauntlet sets some bots, the heroes, against all others.
	Gauntlet Format = "gauntlet"
	// Knockout has whoever loses go out. At three seats and more the better half of a table goes on.
	Knockout Format = "knockout"
	// DoubleElimination is a knockout at two seats in which the second defeat puts out.
	DoubleElimination Format = "double-elimination"
	// Ladder makes the matches from which ratings learn most, if need be until it is cancelled.
	Ladder Format = "ladder"
)

// Formats lists all.
func Formats() []Format {
	return []Format{RoundRobin, Swiss, Gauntlet, Knockout, DoubleElimination, Ladder}
}

// early reports whether stages follow from the entrants alone, so that one can be paired before the last has been played.
func (f Format) early() bool { return f == RoundRobin || f == Gauntlet }

func (f Format) check() error {
	if slices.Contains(Formats(), f) {
		return nil
	}
	var names []string
	for _, known := range Formats() {
		names = append(names, string(known))
	}
	return fmt.Errorf("format %q is unknown; choose from %s%s", f, strings.Join(names, ", "), spelling.Suggestion(string(f), names))
}

// TableSizes are the numbers of seats that its tables may have.
func (t Tournament) TableSizes() []int {
	players := t.Settings.Rules.Players
	least := players
	switch {
	case t.Format == Swiss && players > 2:
		least = max(3, players-2)
	case t.Format == Knockout:
		least = 2
	}
	var sizes []int
	for n := least; n <= players; n++ {
		sizes = append(sizes, n)
	}
	return sizes
}

// format makes what pairs, of choices that were checked. Nothing of it lasts: the pairings are in the log.
func (t Tournament) format() schedule.Format {
	switch t.Format {
	case Swiss:
		if t.Settings.Rules.Players > 2 {
			return schedule.Pods{Stages: t.Stages}
		}
		return schedule.Swiss{Stages: t.Stages, Adjacent: t.Order == OrderAdjacent}
	case Gauntlet:
		return schedule.Gauntlet{Heroes: t.Heroes, Cycles: t.Cycles}
	case Knockout:
		return schedule.Knockout{ThirdPlace: t.ThirdPlace}
	case DoubleElimination:
		return schedule.DoubleElimination{Reset: t.Reset}
	case Ladder:
		return schedule.Ladder{Stages: t.Stages}
	default:
		return schedule.RoundRobinFormat{Cycles: t.Cycles}
	}
}

// bracket is a format that says how far each has come.
type bracket interface {
	Places(h schedule.History) ([]int, error)
}

// cycle gives the number of stages after which all is as at the beginning, for the numbers of tables, and how many such
// cycles there are: 0 where that is not known.
func (t Tournament) cycle(entrants int) (stages, cycles int) {
	players := t.Settings.Rules.Players
	switch {
	case t.Format == RoundRobin && players == 2:
		return entrants - 1 + entrants%2, t.Cycles
	case t.Format.early():
		return 1, t.Cycles
	case t.Format == Swiss && players == 2:
		return 1, schedule.Swiss{Stages: t.Stages}.Length(entrants)
	case t.Format == Swiss:
		return 1, schedule.Pods{Stages: t.Stages}.Length(entrants, players)
	default:
		return 1, t.Stages
	}
}

// history is all that the next pairing depends on.
func (s *State) history() schedule.History {
	h := schedule.History{Seats: s.Settings.Rules.Players, Entrants: s.entrants, Forbidden: s.forbidden, Stages: s.stages}
	if s.Format == Ladder {
		h.Entrants = slices.Clone(h.Entrants)
		for i, entrant := range s.Entrants {
			skill := s.live.skills.of(entrant.Label)
			h.Entrants[i].Rating, h.Entrants[i].Deviation = skill.Mean, skill.Deviation
		}
	}
	return h
}

// pairNext has the names of entrants in its notes and errors.
func (s *State) pairNext() (stage schedule.Stage, ok bool, err error) {
	stage, ok, err = s.format.Next(s.history())
	for i, note := range stage.Notes {
		stage.Notes[i] = s.named(note)
	}
	if err != nil {
		err = errors.New(s.named(err.Error())) // there is nothing in it to look for
	}
	return stage, ok, err
}

// named puts names where a format speaks of entrants by their index, as in [7].
func (s *State) named(text string) string {
	return regexp.MustCompile(`\[\d+\]`).ReplaceAllStringFunc(text, func(index string) string {
		i, err := strconv.Atoi(index[1 : len(index)-1])
		if err != nil || i >= len(s.Entrants) {
			return index
		}
		return s.Entrants[i].Label
	})
}
