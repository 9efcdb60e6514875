package league

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// Format says how tables are made. What each does is in [schedule].
type Format string

// All formats.
const (
	RoundRobin        Format = "round-robin"
	Swiss             Format = "swiss"
	Pods              Format = "pods"
	Gauntlet          Format = "gauntlet"
	Knockout          Format = "knockout"
	DoubleElimination Format = "double-elimination"
	Ladder            Format = "ladder" // by coverage alone: nothing here estimates strength while it runs
)

// Formats lists all formats, the default first.
func Formats() []Format {
	return []Format{RoundRobin, Swiss, Pods, Gauntlet, Knockout, DoubleElimination, Ladder}
}

// Shape is what some formats can be told besides. The zero value leaves all to the format.
type Shape struct {
	Stages     int  `json:"stages,omitempty"`      // of swiss, pods and ladder
	Heroes     int  `json:"heroes,omitempty"`      // of a gauntlet: the first so many entrants; 0 is 1
	Cover      int  `json:"cover,omitempty"`       // of a ladder
	Adjacent   bool `json:"adjacent,omitempty"`    // of swiss
	ThirdPlace bool `json:"third_place,omitempty"` // of a knockout
	Reset      bool `json:"reset,omitempty"`       // of a double elimination

	// Forbidden are pairs of labels that should not meet, such as two bots of one author.
	Forbidden [][2]string `json:"forbidden,omitempty"`
}

// format makes what pairs. Nothing of it lasts: the pairings are in the log.
func (t Tournament) format() (schedule.Format, error) {
	switch t.Format {
	case RoundRobin:
		return schedule.RoundRobinFormat{Cycles: t.Cycles}, nil
	case Swiss:
		return schedule.Swiss{Stages: t.Shape.Stages, Adjacent: t.Shape.Adjacent}, nil
	case Pods:
		return schedule.Pods{Stages: t.Shape.Stages}, nil
	case Gauntlet:
		heroes := make([]int, max(1, t.Shape.Heroes))
		for i := range heroes {
			heroes[i] = i
		}
		return schedule.Gauntlet{Heroes: heroes, Cycles: t.Cycles}, nil
	case Knockout:
		return schedule.Knockout{ThirdPlace: t.Shape.ThirdPlace}, nil
	case DoubleElimination:
		return schedule.DoubleElimination{Reset: t.Shape.Reset}, nil
	case Ladder:
		return schedule.Ladder{Cover: t.Shape.Cover, Stages: t.Shape.Stages}, nil
	default:
		known := make([]string, 0, len(Formats()))
		for _, format := range Formats() {
			known = append(known, strconv.Quote(string(format)))
		}
		return nil, fmt.Errorf("format %q is unknown; use %s", t.Format, strings.Join(known, ", "))
	}
}

// early reports whether stages do not depend on results, so that one can be paired before the last has been played.
func (f Format) early() bool { return f == RoundRobin || f == Gauntlet }

// history is what the next stage is paired from.
func (t Tournament) history(entrants []schedule.Entrant, index map[string]int, stages []schedule.Played) schedule.History {
	h := schedule.History{Seats: t.Settings.Rules.Players, Entrants: entrants, Stages: stages}
	if t.Format == RoundRobin { // which looks at the number of stages alone
		h.Stages = make([]schedule.Played, len(stages))
	}
	for _, pair := range t.Shape.Forbidden {
		a, ok := index[pair[0]]
		b, both := index[pair[1]]
		if ok && both && a != b {
			h.Forbidden = append(h.Forbidden, [2]int{a, b})
		}
	}
	return h
}

// begun is the history before the first stage.
func (t Tournament) begun() schedule.History {
	index := map[string]int{}
	for i, entrant := range t.Entrants {
		index[entrant.Label] = i
	}
	return t.history(make([]schedule.Entrant, len(t.Entrants)), index, nil)
}

// name puts names into an error of a format.
func (t Tournament) name(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(t.named([]string{err.Error()})[0])
}

// named puts names into what a format has said of entrants by their indices.
func (t Tournament) named(notes []string) []string {
	var out []string
	for _, note := range notes {
		out = append(out, regexp.MustCompile(`\[\d+\]`).ReplaceAllStringFunc(note, func(index string) string {
			i, err := strconv.Atoi(strings.Trim(index, "[]"))
			if err != nil || i >= len(t.Entrants) {
				return index
			}
			return t.Entrants[i].Label
		}))
	}
	return out
}
