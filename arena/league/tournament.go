package league

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/schedule"
	"github.com/fivethreefive/fivethreefive/engine"
)

// Entrant is a bot in a tournament.
type Entrant struct {
	Label    string `json:"label"` // name@version
	Language string `json:"language"`
	Author   string `json:"author,omitempty"` // empty is nobody's
	Digest   string `json:"digest,omitempty"` // of its files; empty for a bot of the program itself

	// Where workers look for it. This names paths of a machine, and is in no export.
	Source string `json:"source,omitempty"` // as the organiser wrote it, or the absolute path of its folder
	Dir    string `json:"dir,omitempty"`    // what paths in Source are relative to
}

// public is what everybody may know of an entrant.
func (e Entrant) public() Entrant {
	e.Source, e.Dir = "", ""
	return e
}

// public is what everybody may know when the tournament is over.
func (t Tournament) public() Tournament {
	entrants := make([]Entrant, len(t.Entrants))
	for i, entrant := range t.Entrants {
		entrants[i] = entrant.public()
	}
	t.Entrants = entrants
	return t
}

// Tournament is what was decided before the first match.
type Tournament struct {
	ID     string `json:"id"`
	Format Format `json:"format"`
	Choices
	Settings arena.Settings `json:"settings"`
	Entrants []Entrant      `json:"entrants"` // in the order of their seeding
	Seed     engine.Seed    `json:"seed"`     // secret until the tournament is finished
	Created  time.Time      `json:"created"`
}

const (
	maxEntrants = 1000
	maxGames    = 20_000 // of a match: its result is one message
)

// CheckID says whether a text can be the id of a tournament: it names files and stands in subjects.
func CheckID(id string) error {
	if ok, err := regexp.MatchString(`^[a-z0-9][a-z0-9-]{0,39}$`, id); !ok || err != nil {
		return fmt.Errorf("%q cannot name a tournament: use 1 to 40 small letters, digits and -", id)
	}
	return nil
}

// Validate names what keeps the tournament from being played.
func (t Tournament) Validate() error {
	if err := CheckID(t.ID); err != nil {
		return err
	}
	if err := t.Settings.Validate(); err != nil {
		return err
	}
	if err := t.checkChoices(); err != nil {
		return err
	}
	if err := t.checkNumber(); err != nil {
		return err
	}
	labels := map[string]bool{}
	for _, entrant := range t.Entrants {
		if labels[entrant.Label] {
			return fmt.Errorf("%s is entered twice", entrant.Label)
		}
		labels[entrant.Label] = true
	}
	for players := 2; players <= t.Settings.Rules.Players; players++ {
		if games := t.GamesOfMatch(players); games > maxGames {
			return fmt.Errorf("deal_sets: %d make %d games a match, at most %d can be; play more cycles instead",
				t.Settings.DealSets, games, maxGames)
		}
	}
	return t.tryFirst()
}

// checkNumber says how many bots there have to be.
func (t Tournament) checkNumber() error {
	switch n, players := len(t.Entrants), t.Settings.Rules.Players; {
	case n == 0:
		return errors.New(`bots: none is entered; name two or more, as in bots = ["greedy", "random", "./mybot"]`)
	case n == 1:
		return fmt.Errorf(`bots: %s is alone, and a tournament needs two or more; name them, as in bots = ["greedy", "random", "./mybot"]`,
			t.Entrants[0].Label)
	case n > maxEntrants:
		return fmt.Errorf("bots: %d are entered, at most %d can be", n, maxEntrants)
	case t.Format == RoundRobin && n < players:
		return fmt.Errorf("players: a round robin at %d seats needs %d bots, and %d are entered; write players = %d, or name more in bots",
			players, players, n, n)
	default:
		return nil
	}
}

// tryFirst pairs the first stage.
func (t Tournament) tryFirst() error {
	s := &State{}
	if err := s.create(t); err != nil {
		return err
	}
	if !s.anyMeet() {
		return errors.New("forbidden and same_author keep all bots apart; let some of them meet")
	}
	return s.try()
}

// anyMeet reports whether there are two bots who may meet, unless heroes keep them apart.
func (s *State) anyMeet() bool {
	if len(s.Heroes) == len(s.Entrants) {
		return true
	}
	apart := map[[2]int]bool{}
	for _, pair := range s.forbidden {
		apart[[2]int{min(pair[0], pair[1]), max(pair[0], pair[1])}] = true
	}
	for b := range s.Entrants {
		for a := range b {
			both := s.Format != Gauntlet || slices.Contains(s.Heroes, a) != slices.Contains(s.Heroes, b)
			if both && !apart[[2]int{a, b}] {
				return true
			}
		}
	}
	return false
}

// GamesOfMatch counts the games of a match of that many players.
func (t Tournament) GamesOfMatch(players int) int {
	return t.Settings.DealSets * len(schedule.SeatOrders(players))
}

// rulesAt are the rules at a table of fewer seats: those of the preset, with the options that were chosen.
func (t Tournament) rulesAt(players int) (engine.Rules, error) {
	chosen := t.Settings.Rules
	if players == chosen.Players {
		return chosen, nil
	}
	full, err := engine.NewRules(chosen.Preset, chosen.Players)
	if err != nil {
		return engine.Rules{}, err
	}
	rules, err := engine.NewRules(chosen.Preset, players)
	if err != nil {
		return engine.Rules{}, err
	}
	take(&rules.Copies, chosen.Copies, full.Copies)
	take(&rules.HandSize, chosen.HandSize, full.HandSize)
	take(&rules.Target, chosen.Target, full.Target)
	take(&rules.PermanentPass, chosen.PermanentPass, full.PermanentPass)
	take(&rules.GreaterOverwrite, chosen.GreaterOverwrite, full.GreaterOverwrite)
	return rules, rules.Validate()
}

func take[T comparable](to *T, chosen, standard T) {
	if chosen != standard {
		*to = chosen
	}
}

// match makes the match of a number, counted from 1 in the order of the pairings.
func (t Tournament) match(number int, bots []string) (arena.Match, error) {
	m := arena.Match{
		Settings: t.Settings, Tournament: t.ID, Bots: bots,
		ID:   fmt.Sprintf("%s-%d", t.ID, number),
		Seed: t.matchSeed(number),
	}
	var err error
	if m.Rules, err = t.rulesAt(len(bots)); err != nil {
		return arena.Match{}, fmt.Errorf("match %s: %w", m.ID, err)
	}
	return m, m.Validate()
}

// matchSeed is that of the match of a number. No two of a tournament share their deals.
func (t Tournament) matchSeed(number int) engine.Seed { return t.Seed.Child("match", uint64(number-1)) }

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
	names := maps.Clone(was)
	maps.Copy(names, now) // what is not chosen is left out of one
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if name == "seed" && was[name] != now[name] {
			return errors.New("it was started with another seed")
		}
		if was[name] != now[name] {
			return fmt.Errorf("%s: %s, not %s", name, cmp.Or(was[name], "none"), cmp.Or(now[name], "none"))
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
	labels := make([]string, len(t.Entrants))
	for i, entrant := range t.Entrants {
		labels[i] = entrant.Label
	}
	flat := map[string]string{"entrants": strings.Join(labels, " ")}
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
