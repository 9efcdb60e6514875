package show

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/compare"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/ratings"
)

// Comparison is a comparison as it is told.
type Comparison struct {
	New, Old       string // as the user wrote them
	NewBot, OldBot string // labels
	Field          []string
	Settings       arena.Settings
	Test           ratings.Sequential
	Seed           engine.Seed
	Most           int
	Report         compare.Report
	Stopped        bool
}

// names are labels, unless those are the same but for a number: then what the user wrote.
func (c Comparison) names() (fresh, old string) {
	kind := func(label string) string {
		before, _, _ := strings.Cut(label, "#")
		return before
	}
	if kind(c.NewBot) != kind(c.OldBot) {
		return c.NewBot, c.OldBot
	}
	return Printable(c.New), Printable(c.Old)
}

// ComparisonHead says what is going to be played.
func ComparisonHead(out io.Writer, c Comparison) {
	fresh, old := c.names()
	against := fmt.Sprintf("%s (new) v %s (old)", fresh, old)
	if len(c.Field) > 0 {
		against += " against " + strings.Join(c.Field, ", ")
	}
	fmt.Fprintf(out, "%s, %d seats, %v a move\n", against, c.Settings.Rules.Players, time.Duration(c.Settings.Clock.MoveMS)*time.Millisecond)
	fmt.Fprintf(out, "Test: normalised Elo %g or %g, errors %g %% and %g %%, at most %s\n",
		c.Test.Elo0, c.Test.Elo1, 100*c.Test.Alpha, 100*c.Test.Beta, Count(c.Most, "deal set", "deal sets"))
	fmt.Fprintf(out, "SHA-256 of the seed: %s\n\n", c.Seed.Commitment())
}

// ComparisonEnd says what came of it, and by which seed it can be repeated.
func ComparisonEnd(out io.Writer, c Comparison) {
	fmt.Fprintf(out, "%s\n", c.Sentence())
	if llr := c.Report.LLR; llr != nil {
		fmt.Fprintf(out, "LLR %.2f (%.2f to %.2f), %s", *llr, c.Report.Lower, c.Report.Upper, Count(c.Report.Games, "game", "games"))
		if superiority := c.Report.Superiority; superiority != nil {
			fmt.Fprintf(out, ", likelihood of superiority %s", percent(*superiority, 1))
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "Seed: %s\n", c.Seed)
}

// Sentence tells all of it.
func (c Comparison) Sentence() string {
	fresh, old := c.names()
	r := c.Report
	if r.DealSets == 0 {
		return fmt.Sprintf("%s v %s at %d seats: no deal set was finished, so nothing is known.", fresh, old, c.Settings.Rules.Players)
	}
	versus := "v " + old
	if len(c.Field) > 0 {
		versus += " against the field"
	}
	so := ""
	if c.Stopped {
		so = " so far"
	}
	return fmt.Sprintf("%s %s %s at %d seats after %s%s: %s%s.%s%s%s", fresh, c.figure(), versus, c.Settings.Rules.Players,
		Count(r.DealSets, "deal set", "deal sets"), so, c.Word(), c.margin(), c.unknown(), blame(fresh, r.New), blame(old, r.Old))
}

func (c Comparison) figure() string {
	elo, score := c.Report.Elo, c.Report.Score
	switch {
	case elo == nil && score >= 1:
		return "won everything"
	case elo == nil && score <= 0:
		return "lost everything"
	case elo == nil && score > 0.5:
		return fmt.Sprintf("is ahead by %s of the points", percent(2*score-1, 1))
	case elo == nil && score < 0.5:
		return fmt.Sprintf("is behind by %s of the points", percent(1-2*score, 1))
	case elo == nil, elo.Value == 0 && c.Report.Normalized == nil && elo.Interval == nil: // in every deal set
		return "is level"
	default:
		return "is " + eloText(*elo)
	}
}

// eloText gives a difference with its interval, of which both ends are told where it reaches further on one side.
func eloText(elo ratings.Estimate) string {
	i := elo.Interval
	switch {
	case i == nil:
		return fmt.Sprintf("%+.0f Elo (not known how exactly)", elo.Value)
	case lopsided(elo.Value, i.Low, i.High):
		return fmt.Sprintf("%+.0f Elo (%+.0f to %+.0f)", elo.Value, i.Low, i.High)
	default:
		return fmt.Sprintf("%+.0f ± %.0f Elo", elo.Value, (i.High-i.Low)/2)
	}
}

// lopsided tells whether the half of an interval would be wrong by more than a tenth of it.
func lopsided(value, low, high float64) bool {
	return math.Abs(high+low-2*value)/2 > (high-low)/20
}

// unknown says why the Elo of a comparison against a field is not known, where one of the two had all or none of its points.
func (c Comparison) unknown() string {
	r := c.Report
	if r.Elo != nil || r.Against == nil {
		return ""
	}
	var why []string
	fresh, old := c.names()
	for i, bot := range []string{fresh, old} {
		switch score := r.Against[i]; {
		case score >= 1:
			why = append(why, bot+" beat the field in every game")
		case score <= 0:
			why = append(why, bot+" lost to the field in every game")
		}
	}
	if len(why) == 2 && r.Against[0] == r.Against[1] {
		why = []string{"both" + strings.TrimPrefix(why[0], fresh)}
	}
	return fmt.Sprintf(" The Elo difference is not known, since %s.", strings.Join(why, " and "))
}

// margin is how large a difference the verdict is about, where it would be taken for more without.
func (c Comparison) margin() string {
	by := c.Test.Elo1
	switch c.Word() {
	case "not better":
	case "not worse":
		by = -c.Test.Elo0
	default:
		return ""
	}
	return fmt.Sprintf(" by %g normalised Elo", by)
}

// Word is the verdict. A test of hypotheses below 0 asks whether the new bot is worse.
func (c Comparison) Word() string {
	known := c.Report.Elo
	if known == nil {
		known = c.Report.Normalized // of the same sign
	}
	worse := c.Report.Score <= 0 || known != nil && known.Interval != nil && known.Interval.High < 0
	switch {
	case c.Report.Decision == ratings.AcceptH1 && c.Test.Elo1 <= 0:
		return "not worse"
	case c.Report.Decision == ratings.AcceptH1:
		return "better"
	case c.Report.Decision == ratings.AcceptH0 && (worse || c.Test.Elo0 < 0 && c.Test.Elo1 <= 0):
		return "worse"
	case c.Report.Decision == ratings.AcceptH0:
		return "not better"
	default:
		return "undecided"
	}
}

func blame(bot string, of compare.Conduct) string {
	if of.Faults == 0 {
		return ""
	}
	text := fmt.Sprintf(" %s had %s", bot, Count(of.Faults, "fault", "faults"))
	if of.Forfeits > 0 {
		text += fmt.Sprintf(" and forfeited %s", Count(of.Forfeits, "game", "games"))
	}
	return text + "."
}
