package show

import (
	"fmt"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// Narrator tells people what happens in a tournament.
type Narrator struct {
	Where   string // flags for the commands that are suggested
	Logged  bool   // failures are told elsewhere
	Drawn   bool   // how far it has come is drawn as a bar
	tenths  int
	total   int // matches of the whole tournament; 0 is not known
	counted bool
}

// all finds out how many matches there are in all, as far as that is known.
func (n *Narrator) all(s *league.State) int {
	if !n.counted {
		n.counted = true
		if all, _, known, err := s.Plan(); err == nil && known {
			n.total = all
		}
	}
	return n.total
}

// Lines say what an event was about, and nothing for most. The state is that after the event.
func (n *Narrator) Lines(s *league.State, e league.Event) []string {
	switch {
	case e.Created != nil:
		line := fmt.Sprintf("%s of %s at %d seats", s.Format, Count(len(s.Entrants), "bot", "bots"), s.Settings.Rules.Players)
		if s.Phase == league.Paused {
			line += ", not started yet"
		}
		return []string{line}
	case e.Paired != nil:
		return n.paired(s, *e.Paired)
	case e.Played != nil:
		return n.played(s)
	case e.Failed != nil && n.Logged:
		return nil
	case e.Failed != nil && e.Failed.Unable:
		return []string{fmt.Sprintf("match %d: worker %s %s; others may play it", e.Failed.Match, Printable(e.Failed.Worker), Printable(e.Failed.Cause))}
	case e.Failed != nil && e.Failed.Worker == "":
		return []string{fmt.Sprintf("match %d is tried again: %s", e.Failed.Match, Printable(e.Failed.Cause))}
	case e.Failed != nil:
		return []string{fmt.Sprintf("match %d failed and is tried again: %s", e.Failed.Match, Printable(e.Failed.Cause))}
	case e.Dead != nil:
		return []string{fmt.Sprintf("match %d is given up: %s; try it again with: arena tournament requeue %s %d%s",
			e.Dead.Match, Printable(e.Dead.Cause), s.ID, e.Dead.Match, n.Where)}
	case e.Requeued != 0:
		return []string{fmt.Sprintf("match %d is tried again", e.Requeued)}
	case e.Entered != nil:
		return []string{e.Entered.Label + " has entered"}
	case e.Withdrawn != "":
		return []string{e.Withdrawn + " has withdrawn"}
	default:
		return n.phase(s, e)
	}
}

// paired is silent about schedules that are known from the beginning.
func (n *Narrator) paired(s *league.State, p league.Pairing) (lines []string) {
	stage := s.Stage(p.Stage)
	if n.all(s) == 0 {
		line := fmt.Sprintf("stage %d: %s", p.Stage, Count(len(p.Tables), "table", "tables"))
		if len(stage.Byes) > 0 {
			line += ", no match for " + strings.Join(stage.Byes, ", ")
		}
		lines = append(lines, line)
	}
	for _, note := range p.Notes {
		lines = append(lines, fmt.Sprintf("stage %d: %s", p.Stage, note))
	}
	return lines
}

func (n *Narrator) played(s *league.State) []string {
	if all := n.all(s); all > 0 {
		if tenths := 10 * s.Played() / all; tenths > n.tenths && !n.Drawn {
			n.tenths = tenths
			return []string{fmt.Sprintf("%d of %d matches", s.Played(), all)}
		}
		return nil
	}
	if s.Played() < s.Paired() {
		return nil
	}
	first := s.Standings()[0]
	return []string{fmt.Sprintf("stage %d is played, %s is first", s.Stages(), first.Bot)}
}

func (n *Narrator) phase(s *league.State, e league.Event) []string {
	switch {
	case e.Paused != nil:
		return []string{"paused"}
	case e.Resumed != nil:
		return []string{"goes on"}
	case e.Cancelled != nil:
		return []string{fmt.Sprintf("cancelled after %s", Count(s.Played(), "match", "matches"))}
	case e.Finished != nil:
		lines := append([]string{}, e.Finished.Notes...)
		return append(lines, fmt.Sprintf("finished; see arena tournament standings %s%s", s.ID, n.Where))
	default:
		return nil
	}
}
