package viewer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
	"github.com/fivethreefive/fivethreefive/engine"
)

// Show is a game to be shown, with the names of its seats made printable.
type Show struct {
	Game  *steps.Game
	Names []string // by seat, with the number of the seat
}

// NewShow makes the texts of strangers in the game printable.
func NewShow(game *steps.Game) Show {
	s := Show{Game: game}
	for seat, bot := range game.Header.Bots {
		s.Names = append(s.Names, fmt.Sprintf("%d %s", seat, show.Printable(bot)))
	}
	for i := range game.Steps {
		game.Steps[i].Note = strings.Join(strings.Fields(show.Printable(game.Steps[i].Note)), " ")
	}
	return s
}

// Table is the position after a step as somebody sees it.
func (s Show) Table(at int, who steps.Who) table.Table {
	step := see(who, &s.Game.Steps[at])
	t := table.Table{
		Target: s.Game.Header.Rules.Target, Undealt: table.Pile{Count: step.Undealt, Cards: step.pile},
		Centre: s.centre(at), Story: s.story(step),
	}
	last := s.lastActions(at)
	for seat, name := range s.Names {
		place := table.Seat{
			Name: name, Cards: step.Counts[seat], Hand: step.hands[seat], Points: step.Scores[seat], Last: last[seat],
			Acted: step.Kind == steps.Play && step.Seat == seat, Passed: slices.Contains(step.Passed, seat), Mark: s.mark(at, seat),
		}
		if step.Score != nil {
			place.Gained = step.Score.Points[seat]
		}
		t.Seats = append(t.Seats, place)
	}
	return t
}

// mark is the fault of the step, or that the seat was forfeited before.
func (s Show) mark(at, seat int) string {
	if step := s.Game.Steps[at]; step.Seat == seat && step.Fault != "" && !step.Forfeit {
		return string(step.Fault)
	}
	for _, step := range s.Game.Steps[:at+1] {
		if step.Seat == seat && step.Forfeit {
			return "forfeited"
		}
	}
	for _, fault := range s.Game.Result.Faults {
		if fault.Seat == seat && fault.Code == "start" {
			return "not started"
		}
	}
	return ""
}

// lastActions are those of each seat in the trick.
func (s Show) lastActions(at int) []string {
	last := make([]string, len(s.Names))
	trick := s.Game.Steps[at]
	for i := at; i >= 0; i-- {
		step := s.Game.Steps[i]
		if step.Kind == steps.Deal || step.Trick != trick.Trick {
			break
		}
		if last[step.Seat] == "" {
			last[step.Seat] = table.Short(step.Action)
		}
	}
	return last
}

func (s Show) centre(at int) table.Centre {
	step := s.Game.Steps[at]
	if step.Kind == steps.Deal {
		return table.Centre{Leads: s.Names[step.Seat] + " leads"}
	}
	c := table.Centre{Meld: step.Meld, How: s.how(at)}
	for _, covered := range step.Covered {
		c.Covered = append(c.Covered, covered.Meld)
	}
	switch {
	case step.Score != nil:
		c.Cleared = s.Names[step.Score.Out] + " goes out"
	case step.Clear != "":
		c.Cleared = fmt.Sprintf("%s; %s leads", table.Clear(step.Clear), s.Names[step.Next])
	}
	return c
}

// how tells of the last action in the trick that was no pass.
func (s Show) how(at int) string {
	for ; at > 0 && s.Game.Steps[at].Action.Kind() == engine.Pass; at-- {
	}
	step := s.Game.Steps[at]
	return howWords(step.Action.Kind()) + " by " + s.Names[step.Seat]
}

func howWords(kind engine.Kind) string {
	switch kind {
	case engine.Overwrite:
		return "overwritten"
	case engine.Add:
		return "added to"
	default:
		return "led"
	}
}

func (s Show) story(step sight) []table.Note {
	if step.Kind == steps.Deal {
		return []table.Note{{Label: "now", Text: "the cards are dealt"}}
	}
	notes := append(s.outcome(step.Number), table.Note{Label: "now", Text: s.Names[step.Seat] + " " + table.Action(step.Action)})
	switch {
	case step.Fault != "":
		notes = append(notes, table.Note{Label: "fault", Text: fmt.Sprintf("%s after %.1f of %.0f ms, so the arena played", step.Fault, step.MS, step.LimitMS)})
	case step.By != "" && step.own != nil && len(step.own.Legal) > 1:
		notes = append(notes, table.Note{Label: "time", Text: "the arena played for the seat"})
	case step.By != "":
		notes = append(notes, table.Note{Label: "time", Text: "not asked, the arena played"})
	default:
		notes = append(notes, table.Note{Label: "time", Text: fmt.Sprintf("%.1f of %.0f ms", step.MS, step.LimitMS)})
	}
	if step.own == nil {
		return notes
	}
	if step.own.Note != "" {
		notes = append(notes, table.Note{Label: "note", Text: step.own.Note})
	}
	return append(notes, table.Note{Label: "choices", Text: choices(step.own.Legal, step.Action)})
}

// choices lists what could have been done, what was done in brackets.
func choices(legal []engine.Action, chosen engine.Action) string {
	words := make([]string, len(legal))
	for i, action := range legal {
		words[i] = table.Short(action)
		if action == chosen {
			words[i] = "[" + words[i] + "]"
		}
	}
	return strings.Join(words, ", ")
}

// outcome is how the game ended, after its last step.
func (s Show) outcome(at int) []table.Note {
	if at != len(s.Game.Steps)-1 {
		return nil
	}
	r := s.Game.Result
	seats := make([]int, len(r.Ranks))
	for seat := range seats {
		seats[seat] = seat
	}
	slices.SortStableFunc(seats, func(a, b int) int { return r.Ranks[a] - r.Ranks[b] })
	var places []string
	for _, seat := range seats {
		places = append(places, fmt.Sprintf("%d. %s (%d)", r.Ranks[seat], s.Names[seat], r.Scores[seat]))
	}
	return []table.Note{{Label: "result", Text: strings.Join(places, ", ")}}
}
