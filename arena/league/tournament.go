package league

import (
	"fmt"
	"slices"
	"time"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/schedule"
	"github.com/fivethreefive/fivethreefive/engine"
)

// Format says how tables are made.
type Format string

// RoundRobin seats every choice of bots at a table, or where those are too many a balanced part of them.
const RoundRobin Format = "round-robin"

// Entrant is a bot in a tournament.
type Entrant struct {
	Label    string `json:"label"` // name@version
	Language string `json:"language"`
}

// Tournament is what was decided before the first match. All matches follow from it.
type Tournament struct {
	ID       string         `json:"id"`
	Format   Format         `json:"format"`
	Cycles   int            `json:"cycles"`
	Settings arena.Settings `json:"settings"`
	Entrants []Entrant      `json:"entrants"`
	Seed     engine.Seed    `json:"seed"` // secret until the tournament is finished
	Created  time.Time      `json:"created"`
}

// Labels are the entrants' names in their order.
func (t Tournament) Labels() []string {
	labels := make([]string, len(t.Entrants))
	for i, entrant := range t.Entrants {
		labels[i] = entrant.Label
	}
	return labels
}

// Matches are all matches in the order of the schedule. Their ids are the tournament's with a number from 1.
func (t Tournament) Matches() ([]arena.Match, error) {
	if t.Format != RoundRobin {
		return nil, fmt.Errorf("format %q is unknown; use %q", t.Format, RoundRobin)
	}
	if err := t.Settings.Validate(); err != nil {
		return nil, err
	}
	stages, err := schedule.RoundRobin(len(t.Entrants), t.Settings.Rules.Players, t.Cycles)
	if err != nil {
		return nil, err
	}
	labels := t.Labels()
	var matches []arena.Match
	for _, stage := range stages {
		for _, table := range stage.Tables {
			match := arena.Match{Settings: t.Settings, Tournament: t.ID}
			for _, entrant := range table {
				match.Bots = append(match.Bots, labels[entrant])
			}
			match.ID = fmt.Sprintf("%s-%d", t.ID, len(matches)+1)
			match.Seed = t.Seed.Child("match", uint64(len(matches)))
			if err := match.Validate(); err != nil {
				return nil, err
			}
			matches = append(matches, match)
		}
	}
	return matches, nil
}

// Games counts the games of all matches.
func (t Tournament) Games(matches []arena.Match) int {
	return len(matches) * t.Settings.DealSets * len(schedule.SeatOrders(t.Settings.Rules.Players))
}

// same names the first thing in which a tournament differs from one that is to be resumed.
func (t Tournament) same(other Tournament) error {
	switch {
	case t.Format != other.Format:
		return fmt.Errorf("its format is %s, not %s", t.Format, other.Format)
	case t.Cycles != other.Cycles:
		return fmt.Errorf("it has %d cycles, not %d", t.Cycles, other.Cycles)
	case t.Settings != other.Settings:
		return fmt.Errorf("its settings are %+v, not %+v", t.Settings, other.Settings)
	case !slices.Equal(t.Labels(), other.Labels()):
		return fmt.Errorf("its entrants are %v, not %v", t.Labels(), other.Labels())
	case other.Seed != engine.Seed{} && t.Seed != other.Seed:
		return fmt.Errorf("it was started with another seed")
	}
	return nil
}
