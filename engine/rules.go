package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Preset names a published set of rules.
type Preset string

// The presets: the printed rulebook, Board Game Arena's defaults, and the description of 2020.
const (
	Rulebook    Preset = "rulebook"
	BGA         Preset = "bga"
	Classic2020 Preset = "classic2020"
)

// Presets lists all presets, the default first.
func Presets() []Preset { return []Preset{Rulebook, BGA, Classic2020} }

const (
	minPlayers = 2
	maxPlayers = 6
	maxTarget  = 1000
)

// Rules says which game is played. [NewRules] fills it from a preset; the preset stays named when options change single
// fields after it. The zero value is not valid.
type Rules struct {
	Preset           Preset `json:"preset"`
	Players          int    `json:"players"`
	Copies           int    `json:"copies"`            // cards of each rank in the deck
	HandSize         int    `json:"hand_size"`         // cards dealt to each player; at 2 players for each half
	Target           int    `json:"target"`            // penalty points that end the game; 0: one round
	PermanentPass    bool   `json:"permanent_pass"`    // a pass is for the whole trick
	GreaterOverwrite bool   `json:"greater_overwrite"` // a larger meld of any kind may overwrite
}

// NewRules gives the rules of a preset for 2 to 6 players.
func NewRules(preset Preset, players int) (Rules, error) {
	if players < minPlayers || players > maxPlayers {
		return Rules{}, playersError(players)
	}
	r := Rules{Preset: preset, Players: players, Copies: 4, HandSize: 12, Target: 20}
	switch {
	case players == 2:
		r.Target = 0
	case players == 3:
		r.HandSize = 16
	case players >= 5:
		r.Copies = 5
	}
	if players == 6 {
		r.HandSize = 10
	}
	switch preset {
	case Rulebook:
	case BGA:
		r.Target = 20
		if players == 3 {
			r.HandSize = 13
		}
	case Classic2020:
		r.PermanentPass = true
	default:
		return Rules{}, fmt.Errorf("preset: %q is unknown; use rulebook, bga or classic2020", string(preset))
	}
	return r, nil
}

// Halves is how many hands each player plays in a round: 2 in a game of two, else 1.
func (r Rules) Halves() int {
	if r.Players == 2 {
		return 2
	}
	return 1
}

// Deck is all the cards of the game.
func (r Rules) Deck() Cards { return allRanks * Cards(r.Copies) }

// Validate names the first field that is out of its bounds, and the bounds.
func (r Rules) Validate() error {
	if r.Players < minPlayers || r.Players > maxPlayers {
		return playersError(r.Players)
	}
	if r.Copies < 1 || r.Copies > maxCopies {
		return fmt.Errorf("copies: %d is outside 1 to %d", r.Copies, maxCopies)
	}
	deck := 13 * r.Copies
	if most := deck / (r.Players * r.Halves()); r.HandSize < 1 || r.HandSize > most {
		return fmt.Errorf("hand_size: %d is outside 1 to %d, which is what a deck of %d cards gives %d players",
			r.HandSize, most, deck, r.Players)
	}
	if r.Target < 0 || r.Target > maxTarget {
		return fmt.Errorf("target: %d is outside 0 to %d", r.Target, maxTarget)
	}
	return nil
}

func playersError(n int) error {
	return fmt.Errorf("players: %d is outside %d to %d", n, minPlayers, maxPlayers)
}

// With returns the rules with one option changed, given as text: copies, hand_size, target, permanent_pass or
// greater_overwrite. It does not validate the result, since several options may only make sense together.
func (r Rules) With(option, value string) (Rules, error) {
	var err error
	switch option {
	case "copies":
		r.Copies, err = strconv.Atoi(value)
	case "hand_size":
		r.HandSize, err = strconv.Atoi(value)
	case "target":
		r.Target, err = strconv.Atoi(value)
	case "permanent_pass":
		r.PermanentPass, err = strconv.ParseBool(value)
	case "greater_overwrite":
		r.GreaterOverwrite, err = strconv.ParseBool(value)
	default:
		return r, fmt.Errorf("option %q is unknown; use copies, hand_size, target, permanent_pass or greater_overwrite",
			option)
	}
	if err != nil {
		return r, fmt.Errorf("%s: %q is not %s", option, value, optionKind(err))
	}
	return r, nil
}

func optionKind(err error) string {
	var num *strconv.NumError
	if errors.As(err, &num) && strings.HasPrefix(num.Func, "ParseBool") {
		return "true or false"
	}
	return "a whole number"
}
