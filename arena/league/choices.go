package league

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/internal/spelling"
	"github.com/fivethreefive/fivethreefive/arena/standings"
)

// Choices are what a format leaves open. Each has formats for which it means nothing, and is refused there.
type Choices struct {
	Cycles     int                  `json:"cycles,omitempty"`      // of a round robin or a gauntlet
	Stages     int                  `json:"stages,omitempty"`      // of a swiss, where 0 is the usual number; of a ladder, where 0 is no end
	Order      Order                `json:"order,omitempty"`       // of a swiss at two seats
	Heroes     []int                `json:"heroes,omitempty"`      // of a gauntlet: entrants by index
	ThirdPlace bool                 `json:"third_place,omitempty"` // of a knockout at two seats: play for it
	Reset      bool                 `json:"reset,omitempty"`       // of a double elimination: a second final where the first was not decisive
	Forbidden  [][2]int             `json:"forbidden,omitempty"`   // entrants who must not meet, by index
	SameAuthor SameAuthor           `json:"same_author,omitempty"` //
	TieBreaks  []standings.TieBreak `json:"tiebreaks,omitempty"`   // nil is what is usual for the format; see Tournament.order
	Scoring    Scoring              `json:"scoring,omitempty"`     // empty is what is usual for the format
}

// Order says who of equal points meet.
type Order string

// The default is to fold.
const (
	OrderFold     Order = "fold"     // the first of the upper half and the first of the lower half
	OrderAdjacent Order = "adjacent" // the first and the second
)

// SameAuthor says whether bots of one author meet. Capital letters make no difference.
type SameAuthor string

// The default is to allow it.
const (
	AllowAuthor  SameAuthor = "allow"
	ForbidAuthor SameAuthor = "forbid"
)

// Scoring says what a table is worth.
type Scoring string

const (
	// ScoreMatch gives each the points of its place at the table by the sum over all games: 1 for the first, 0 for the last.
	ScoreMatch Scoring = "match"
	// ScoreGames gives each the mean of the points of its places in all games, rounded to the 120th part of a point.
	ScoreGames Scoring = "games"
)

// scoring is the usual one unless another is chosen. Formats that pair by score or result count matches.
func (t Tournament) scoring() Scoring {
	switch {
	case t.Scoring != "":
		return t.Scoring
	case t.Format.early(), t.Format == Ladder:
		return ScoreGames
	default:
		return ScoreMatch
	}
}

// choices fills in the defaults, and puts entrants in place of words.
func (s Spec) choices(format Format) (Choices, error) {
	c := Choices{
		Cycles: s.Cycles, Stages: s.Stages, Order: s.Order, ThirdPlace: s.Third, Reset: format == DoubleElimination,
		SameAuthor: s.Author, TieBreaks: s.TieBreaks, Scoring: s.Scoring,
	}
	if len(c.TieBreaks) == 0 {
		c.TieBreaks = nil // as it is in the log
	}
	if format.early() && c.Cycles == 0 {
		c.Cycles = 1
	}
	if s.Reset != nil {
		c.Reset = *s.Reset
	}
	for _, word := range s.Heroes {
		heroes, err := s.entered("heroes", word)
		if err != nil {
			return Choices{}, err
		}
		c.Heroes = append(c.Heroes, heroes...)
	}
	for _, pair := range s.Forbidden {
		pairs, err := s.pairs(pair)
		if err != nil {
			return Choices{}, err
		}
		c.Forbidden = append(c.Forbidden, pairs...)
	}
	return c, nil
}

// pairs are all of two words, each of which may have entered several times.
func (s Spec) pairs(words []string) (all [][2]int, err error) {
	if len(words) != 2 {
		return nil, fmt.Errorf(`forbidden: %q is no pair; write pairs, as in forbidden = [["greedy", "./mybot"]]`, words)
	}
	one, err := s.entered("forbidden", words[0])
	if err != nil {
		return nil, err
	}
	two, err := s.entered("forbidden", words[1])
	if err != nil {
		return nil, err
	}
	for _, a := range one {
		for _, b := range two {
			if a < b || a > b && words[0] != words[1] {
				all = append(all, [2]int{a, b})
			}
		}
	}
	if all == nil {
		return nil, fmt.Errorf("forbidden: %q has entered once and does not meet itself; name two bots", words[0])
	}
	return all, nil
}

// entered are the entrants that were entered by a word.
func (s Spec) entered(setting, word string) (entrants []int, err error) {
	for i, bot := range s.Bots {
		if bot == word {
			entrants = append(entrants, i)
		}
	}
	if entrants == nil {
		return nil, fmt.Errorf("%s: %q is not among the bots; use the words that stand there%s", setting, word,
			spelling.Suggestion(word, s.Bots))
	}
	return entrants, nil
}

const maxStages = 1000

// checkChoices names the first choice that the format cannot take.
func (t Tournament) checkChoices() error {
	if err := t.Format.check(); err != nil {
		return err
	}
	if err := t.checkMeaning(); err != nil {
		return err
	}
	switch {
	case t.Format.early() && (t.Cycles < 1 || t.Cycles > maxStages):
		return fmt.Errorf("cycles: %d is outside 1 to %d", t.Cycles, maxStages)
	case t.Stages < 0 || t.Stages > maxStages:
		return fmt.Errorf("stages: %d is outside 1 to %d; leave it out for what is usual", t.Stages, maxStages)
	case t.Format == Gauntlet && len(t.Heroes) == 0:
		return errors.New(`heroes is missing; name the bots that a gauntlet tests, as in heroes = ["./mybot"]`)
	case t.Format == DoubleElimination && t.Settings.Rules.Players != 2:
		return fmt.Errorf("players: a double elimination has tables of 2, not of %d; write players = 2, or choose a knockout",
			t.Settings.Rules.Players)
	}
	return errors.Join(
		oneOf("order", t.Order, OrderFold, OrderAdjacent),
		oneOf("same_author", t.SameAuthor, ForbidAuthor, AllowAuthor),
		oneOf("scoring", t.Scoring, ScoreMatch, ScoreGames),
		t.checkTieBreaks(),
	)
}

// checkMeaning refuses what means nothing in the format.
func (t Tournament) checkMeaning() error {
	two := t.Settings.Rules.Players == 2
	knockout := t.Format == Knockout || t.Format == DoubleElimination
	for _, choice := range []struct {
		key       string
		made, has bool
		remedy    string
	}{
		{"cycles", t.Cycles != 0, t.Format.early(), "only a round robin and a gauntlet are played in cycles; leave it out" +
			t.instead(Swiss, Ladder, "stages")},
		{"stages", t.Stages != 0, t.Format == Swiss || t.Format == Ladder, "only a swiss and a ladder can be so many stages long; leave it out" +
			t.instead(RoundRobin, Gauntlet, "cycles")},
		{"order", t.Order != "", t.Format == Swiss && two, "only a swiss at 2 seats pairs by it; leave it out"},
		{"heroes", t.Heroes != nil, t.Format == Gauntlet, `only a gauntlet has them; leave it out, or write format = "gauntlet"`},
		{"third_place", t.ThirdPlace, t.Format == Knockout && two, "only a knockout at 2 seats has a match for it; leave it out"},
		{"reset", t.Reset, t.Format == DoubleElimination, "only a double elimination has a second final; leave it out"},
		{"forbidden", t.Forbidden != nil, t.Format != RoundRobin || two, `at larger tables of a round robin all meet; leave it out, or write format = "swiss"`},
		{"same_author", t.SameAuthor != "", t.Format != RoundRobin || two, `at larger tables of a round robin all meet; leave it out, or write format = "swiss"`},
		{"scoring", t.Scoring != "", !knockout, "the place at the table decides who goes on; leave it out"},
	} {
		if choice.made && !choice.has {
			return fmt.Errorf("%s: it means nothing in a %s at %d seats: %s", choice.key, t.Format, t.Settings.Rules.Players, choice.remedy)
		}
	}
	return nil
}

// instead is advice for two formats.
func (t Tournament) instead(one, two Format, key string) string {
	if t.Format == one || t.Format == two {
		return fmt.Sprintf(", or write %s = N", key)
	}
	return ""
}

func (t Tournament) checkTieBreaks() error {
	for i, by := range t.TieBreaks {
		if _, err := by.MarshalText(); err != nil {
			return fmt.Errorf("tiebreaks: %w", err)
		}
		if slices.Contains(t.TieBreaks[:i], by) {
			return fmt.Errorf("tiebreaks: %v is there twice; leave one out", by)
		}
		if by == standings.Rating && t.Format.early() {
			return fmt.Errorf("tiebreaks: a %s keeps no rating; leave it out", t.Format)
		}
	}
	return nil
}

// oneOf allows what was not chosen.
func oneOf[T ~string](key string, value T, known ...T) error {
	if value == "" || slices.Contains(known, value) {
		return nil
	}
	var names []string
	for _, name := range known {
		names = append(names, fmt.Sprintf("%q", name))
	}
	return fmt.Errorf("%s: %q is unknown; use %s", key, value, strings.Join(names, " or "))
}
