package league

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
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

const (
	maxCycles   = 1000
	maxEntrants = 1000
)

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
	if t.Cycles < 1 || t.Cycles > maxCycles {
		return nil, fmt.Errorf("cycles: %d is outside 1 to %d", t.Cycles, maxCycles)
	}
	if n := len(t.Entrants); n > maxEntrants {
		return nil, fmt.Errorf("bots: %d are entered, at most %d can be", n, maxEntrants)
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

// same names the first thing in which a tournament differs from one that is to be resumed. No seed is the same seed.
func (t Tournament) same(other Tournament) error {
	other.Created = t.Created
	if other.Seed == (engine.Seed{}) {
		other.Seed = t.Seed
	}
	was, err := flatten(t)
	if err != nil {
		return err
	}
	now, err := flatten(other)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if name == "seed" && was[name] != now[name] {
			return errors.New("it was started with another seed")
		}
		if was[name] != now[name] {
			return fmt.Errorf("%s: %s, not %s", name, was[name], now[name])
		}
	}
	return nil
}

// flatten gives the settings by their JSON names, those within others joined by dots, and the entrants as a list.
func flatten(t Tournament) (map[string]string, error) {
	text, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	delete(tree, "entrants")
	flat := map[string]string{"entrants": strings.Join(t.Labels(), " ")}
	var walk func(prefix string, tree map[string]any)
	walk = func(prefix string, tree map[string]any) {
		for name, value := range tree {
			if inner, ok := value.(map[string]any); ok {
				walk(prefix+name+".", inner)
				continue
			}
			flat[prefix+name] = fmt.Sprint(value)
		}
	}
	walk("", tree)
	return flat, nil
}
