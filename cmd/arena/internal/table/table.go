package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/fivethreefive/fivethreefive/engine"
)

// Table is a position with what led to it. All texts are printable.
type Table struct {
	Seats   []Seat
	Centre  Centre
	Undealt Pile
	Target  int    // penalty points that end the game; 0 is one round
	Story   []Note // what happened, the most important first
}

// Note is a text with a short word before it, which may be empty.
type Note struct{ Label, Text string }

// Seat is a place at the table.
type Seat struct {
	Name   string // with its number
	Cards  int
	Hand   *engine.Cards // nil is hidden
	Points int
	Gained int    // in the round that has just ended
	Acted  bool   // it was the last to act
	Passed bool   // since the last play
	Last   string // its last action in the trick
	Mark   string // what is wrong with it, as "timeout"
}

// Centre is what lies in the middle. Without a meld it is only said who leads.
type Centre struct {
	Meld    engine.Cards
	How     string // how the meld came about, as "added by 1 foxy"
	Covered []engine.Cards
	Cleared string // why it will be taken away
	Leads   string // who leads, where there is no meld
}

// Pile are cards of which one may only know the number.
type Pile struct {
	Count int
	Cards *engine.Cards // nil is hidden
}

// Short says an action in few letters, as "over 12 13".
func Short(a engine.Action) string {
	switch a.Kind() {
	case engine.Lead:
		return "lead " + Ranks(a.Cards())
	case engine.Overwrite:
		return "over " + Ranks(a.Cards())
	case engine.Add:
		return "add " + Ranks(a.Cards())
	default:
		return "pass"
	}
}

// Lines draws the table in at most so many lines, none wider than the width. What matters least goes first where there is
// no room.
func (t Table) Lines(s Style, width, height int) []string {
	seats, centre, story := t.seats(s, width), t.centre(s, width), told(t.Story, width)
	const least = 3 // lines of the story that are worth more than wide seats
	if len(seats)+len(centre)+min(len(story), least) > height {
		seats = t.narrowSeats(s, width)
		first := min(len(t.Story), 1) // what happened is told before all else
		centre, story = slices.Concat(told(t.Story[:first], width), centre), told(t.Story[first:], width)
	}
	lines := seats
	if len(seats)+len(centre)+min(len(story), least) < height {
		lines = append(lines, "")
	}
	lines = append(append(lines, centre...), story...)
	return lines[:min(len(lines), max(0, height))]
}

// seats gives each seat a line of its own and one for its hand, or two where it is long.
func (t Table) seats(s Style, width int) (lines []string) {
	name := t.nameWidth(width/3 - 1)
	for _, seat := range t.Seats {
		line := fmt.Sprintf("%s %s %8s %s  %s", s.pointer(seat), pad(seat.Name, name), Cards(seat.Cards), t.points(seat), s.badge(seat))
		lines = append(lines, Cut(s.weight(seat, line), width))
		if seat.Hand == nil {
			lines = append(lines, "    "+s.Faint(strings.TrimRight(strings.Repeat(s.Sign("▒ ", "# "), seat.Cards), " ")))
			continue
		}
		lines = append(lines, indented("    ", s.Hand(*seat.Hand), width)...)
	}
	for i, line := range lines {
		lines[i] = Cut(line, width)
	}
	return lines
}

func indented(before, text string, width int) (lines []string) {
	for _, line := range Wrap(text, width-len(before)) {
		lines = append(lines, before+line)
	}
	return lines
}

// narrowSeats gives each seat one line. Only where there is but one open hand, which is one's own, it is whole.
func (t Table) narrowSeats(s Style, width int) (lines []string) {
	const readable = 12 // columns for a few cards in a line
	name, whole := t.nameWidth(width/4), t.openHands() == 1
	for _, seat := range t.Seats {
		line := fmt.Sprintf("%s %s %2d %s ", s.pointer(seat), pad(seat.Name, name), seat.Cards, s.narrowBadge(seat))
		hand := []string{""}
		if seat.Hand != nil {
			hand = []string{s.Tight(*seat.Hand)}
		}
		if room := width - ansi.StringWidth(line); room >= readable && whole {
			hand = Wrap(hand[0], room)
		}
		for _, part := range hand {
			lines = append(lines, Cut(s.weight(seat, strings.TrimRight(line+part, " ")), width))
			line = strings.Repeat(" ", ansi.StringWidth(line))
		}
	}
	return lines
}

func (t Table) openHands() (n int) {
	for _, seat := range t.Seats {
		if seat.Hand != nil {
			n++
		}
	}
	return n
}

func (t Table) nameWidth(most int) (width int) {
	for _, seat := range t.Seats {
		width = max(width, ansi.StringWidth(seat.Name))
	}
	return min(width, max(8, most))
}

// Cards counts cards, as in "1 card".
func Cards(n int) string {
	if n == 1 {
		return "1 card"
	}
	return fmt.Sprintf("%d cards", n)
}

func (t Table) points(seat Seat) string {
	text := fmt.Sprintf("%2d pts", seat.Points)
	if t.Target > 0 {
		text = fmt.Sprintf("%2d/%d", seat.Points, t.Target)
	}
	if slices.ContainsFunc(t.Seats, func(s Seat) bool { return s.Gained > 0 }) {
		text += fmt.Sprintf(" %3s", fmt.Sprintf("+%d", seat.Gained))
	}
	return text
}

func (s Style) pointer(seat Seat) string {
	if seat.Acted {
		return s.Sign("▸", ">")
	}
	return " "
}

func (s Style) weight(seat Seat, line string) string {
	if seat.Acted {
		return s.Bold(line)
	}
	return line
}

// badge is the most important thing about a seat.
func (s Style) badge(seat Seat) string {
	switch {
	case seat.Mark != "":
		return s.Alarm("! " + seat.Mark)
	case seat.Passed:
		return "PASSED"
	default:
		return seat.Last
	}
}

// narrowBadge is one letter.
func (s Style) narrowBadge(seat Seat) string {
	switch {
	case seat.Mark != "":
		return s.Alarm("!")
	case seat.Passed:
		return "P"
	default:
		return " "
	}
}

func (t Table) centre(s Style, width int) (lines []string) {
	c := t.Centre
	text := c.Leads
	if c.Meld != 0 {
		text = fmt.Sprintf("%s   %s, %s", s.Hand(c.Meld), Meld(c.Meld), c.How)
	}
	lines = append(lines, labelled("centre", text, width)...)
	if len(c.Covered) > 0 {
		var melds []string
		for _, covered := range slices.Backward(c.Covered) {
			melds = append(melds, covered.String())
		}
		lines = append(lines, labelled("below", strings.Join(melds, " on "), width)...)
	}
	if c.Cleared != "" {
		lines = append(lines, labelled("cleared", s.Bold(c.Cleared), width)...)
	}
	undealt := fmt.Sprint(t.Undealt.Count)
	if t.Undealt.Cards != nil && t.Undealt.Count > 0 {
		undealt = s.Hand(*t.Undealt.Cards)
	}
	return append(lines, labelled("undealt", undealt, width)[0])
}

func told(story []Note, width int) (lines []string) {
	for _, note := range story {
		lines = append(lines, labelled(note.Label, note.Text, width)...)
	}
	return lines
}

// labelled puts a word before a text, and breaks the text beside it.
func labelled(label, text string, width int) (lines []string) {
	const column = 9
	for i, line := range Wrap(text, width-column-2) {
		if i > 0 {
			label = ""
		}
		lines = append(lines, Cut("  "+pad(label, column)+line, width))
	}
	return lines
}
