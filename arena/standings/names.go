package standings

import (
	"fmt"
	"slices"
	"strings"
)

// TieBreak is a criterion of the order. More is better for all. It marshals as its name.
type TieBreak int

const (
	// Points is the sum of the points of all tables and of stages without one.
	Points TieBreak = iota + 1
	// Direct is the points of those tied against each other, if every two of them have met: it is not applied otherwise.
	// If two met repeatedly their mean result counts. It is applied again to those whom it leaves tied.
	Direct
	// BuchholzCut1 is Buchholz without its lowest term, or its lowest for a stage missed by choice if there is one.
	BuchholzCut1
	// Buchholz is the sum of the scores of all opponents at two seats, and the mean at more. Rule says what counts for
	// stages that were not played.
	Buchholz
	// SonnebornBerger is the sum over all opponents of their score times the result against them. At three seats and more
	// the result is 1 for who has more points at the table, 0 for who has fewer, and 1/2 where they are level.
	SonnebornBerger
	// Wins counts full points: sole first places, and byes and forfeits that count as much.
	Wins
	// Rating is an input.
	Rating
)

// tieBreakNames are in the order of the constants.
func tieBreakNames() []string {
	return []string{"points", "direct", "buchholz-cut-1", "buchholz", "sonneborn-berger", "wins", "rating"}
}

// SwissOrder returns the usual order for a Swiss tournament at any number of seats.
func SwissOrder() []TieBreak {
	return []TieBreak{Points, Direct, BuchholzCut1, Buchholz, SonnebornBerger, Wins, Rating}
}

// RoundRobinOrder returns the usual order where everybody meets everybody, so that Buchholz says nothing.
func RoundRobinOrder() []TieBreak {
	return []TieBreak{Points, Direct, SonnebornBerger, Wins, Rating}
}

func (b TieBreak) String() string {
	if names := tieBreakNames(); b >= 1 && int(b) <= len(names) {
		return names[b-1]
	}
	return fmt.Sprintf("TieBreak(%d)", int(b))
}

// MarshalText refuses what is no tie-break.
func (b TieBreak) MarshalText() ([]byte, error) {
	return marshal(b, int(b), tieBreakNames(), "tie-break")
}

// UnmarshalText refuses what is no name and says which there are.
func (b *TieBreak) UnmarshalText(text []byte) error {
	i, err := unmarshal(string(text), tieBreakNames(), "tie-break")
	*b = TieBreak(i)
	return err
}

// Rule says what a stage without a table counts for in Buchholz and Sonneborn-Berger. It marshals as its name. Years are
// those of the FIDE Handbook, C.07, article 16; half a point is schedule.Unit/2.
//
// Under both years the score of an opponent is corrected before it counts: what it missed by choice after its last table or
// bye counts as half a point each. At two seats a stage of one's own that was not played counts as a table against an
// opponent with a made-up score, with one's points for that stage as the result. At three seats and more Buchholz is the
// mean over opponents met and nothing else, while Sonneborn-Berger counts such a stage as one at a full table of opponents
// with the made-up score.
type Rule int

const (
	// FIDE2023 makes up one's own final score, also for a forfeit.
	FIDE2023 Rule = iota + 1
	// FIDE2026 makes up one's own final score but at most half a point a stage, so that a bye is no better than a table;
	// for a forfeit, at most the score of the opponent who was due. It applies from February 2026.
	FIDE2026
	// PlayedOnly counts tables that were played, and scores as they are: for a round robin, where byes are all alike.
	PlayedOnly
)

func ruleNames() []string { return []string{"fide-2023", "fide-2026", "played-only"} }

func (r Rule) String() string {
	if names := ruleNames(); r >= 1 && int(r) <= len(names) {
		return names[r-1]
	}
	return fmt.Sprintf("Rule(%d)", int(r))
}

// MarshalText refuses what is no rule.
func (r Rule) MarshalText() ([]byte, error) {
	return marshal(r, int(r), ruleNames(), "rule for unplayed stages")
}

// UnmarshalText refuses what is no name and says which there are.
func (r *Rule) UnmarshalText(text []byte) error {
	i, err := unmarshal(string(text), ruleNames(), "rule for unplayed stages")
	*r = Rule(i)
	return err
}

func marshal(value fmt.Stringer, i int, names []string, what string) ([]byte, error) {
	if i < 1 || i > len(names) {
		return nil, fmt.Errorf("%v is no %s: choose from %s", value, what, strings.Join(names, ", "))
	}
	return []byte(names[i-1]), nil
}

func unmarshal(name string, names []string, what string) (int, error) {
	i := slices.Index(names, name)
	if i < 0 {
		return 0, fmt.Errorf("unknown %s %q: choose from %s", what, name, strings.Join(names, ", "))
	}
	return i + 1, nil
}
