package table

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/fivethreefive/fivethreefive/engine"
)

// Style is how things look. Colours only repeat what signs and words say too. The zero value uses signs beyond ASCII.
type Style struct{ ASCII bool }

// NewStyle looks in the environment, as in os.Getenv, whether the terminal can show more than ASCII.
func NewStyle(env func(string) string) Style {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToUpper(env(name)); locale != "" {
			return Style{ASCII: !strings.Contains(locale, "UTF-8") && !strings.Contains(locale, "UTF8")}
		}
	}
	return Style{}
}

// Sign gives the first text, or the second where only ASCII can be shown.
func (s Style) Sign(sign, ascii string) string {
	if s.ASCII {
		return ascii
	}
	return sign
}

// Bold is for what matters most.
func (Style) Bold(text string) string { return lipgloss.NewStyle().Bold(true).Render(text) }

// Faint is for what matters least.
func (Style) Faint(text string) string { return lipgloss.NewStyle().Faint(true).Render(text) }

// Alarm is for faults.
func (Style) Alarm(text string) string {
	return lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Red).Render(text)
}

// Mark is for the line that is chosen; it fills the width.
func (Style) Mark(text string, width int) string {
	return lipgloss.NewStyle().Reverse(true).Render(pad(ansi.Strip(text), width))
}

// Hand shows cards in order, the three groups of ranks apart and 8s in rings.
func (s Style) Hand(cards engine.Cards) string {
	return s.groups(cards, "  ", func(sign string, ranks []string) string {
		for i, rank := range ranks {
			if rank == "8" {
				ranks[i] = "(8)"
			}
		}
		return sign + " " + strings.Join(ranks, " ")
	})
}

// Tight is Hand in less room.
func (s Style) Tight(cards engine.Cards) string {
	return s.groups(cards, " ", func(sign string, ranks []string) string { return sign + strings.Join(ranks, " ") })
}

func (s Style) groups(cards engine.Cards, between string, write func(sign string, ranks []string) string) string {
	if cards == 0 {
		return s.Faint("no cards")
	}
	var groups []string
	for _, group := range []struct {
		sign, ascii string
		low, high   int
		look        lipgloss.Style
	}{
		{"▲", "^", 1, 5, lipgloss.NewStyle().Foreground(lipgloss.Cyan)},
		{"◆", "+", 7, 9, lipgloss.NewStyle().Foreground(lipgloss.Yellow)},
		{"●", "o", 11, 15, lipgloss.NewStyle().Foreground(lipgloss.Green)},
	} {
		var ranks []string
		for rank := group.low; rank <= group.high; rank++ {
			for range cards.Count(rank) {
				ranks = append(ranks, strconv.Itoa(rank))
			}
		}
		if len(ranks) > 0 {
			groups = append(groups, group.look.Render(write(s.Sign(group.sign, group.ascii), ranks)))
		}
	}
	return strings.Join(groups, between)
}

// pad fills a text with blanks to a width, or cuts it.
func pad(text string, width int) string {
	text = Cut(text, width)
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}

// Cut shortens a text that is too wide and shows that.
func Cut(text string, width int) string { return ansi.Truncate(text, max(0, width), "~") }

// Wrap breaks a text at blanks into lines of a width.
func Wrap(text string, width int) []string {
	return strings.Split(ansi.Wordwrap(text, max(1, width), ""), "\n")
}
