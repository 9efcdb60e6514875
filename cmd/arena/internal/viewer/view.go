package viewer

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
)

const (
	besides    = 78 // columns from which on there is room for two things
	panelWidth = 33
)

// View implements [tea.Model].
func (m Model) View() tea.View {
	view := tea.NewView(strings.Join(m.lines(), "\n"))
	view.AltScreen = true
	return view
}

// lines fill the window.
func (m Model) lines() []string {
	height := m.height - 2
	lines := []string{m.style.Bold(m.title())}
	lines = append(lines, table.Fill(m.body(height), height)...)
	lines = append(lines, m.style.Faint(m.footer()))
	for i, line := range lines {
		lines[i] = table.Cut(line, m.width)
	}
	return lines
}

func (m Model) title() string {
	step := m.show.Game.Steps[m.at]
	text := fmt.Sprintf("step %d of %d  %s", m.at, m.lastStep(), place(step.Step))
	if step.Trick > 0 {
		text += fmt.Sprintf(", trick %d", step.Trick)
	}
	return fmt.Sprintf("%s  %s  %s", text, m.whoWords(), m.show.Game.Header.Game)
}

func (m Model) whoWords() string {
	switch m.who {
	case steps.All:
		return "all hands"
	case steps.Public:
		return "public"
	default:
		return "as seat " + m.show.Names[m.who]
	}
}

func (m Model) body(height int) []string {
	switch {
	case m.help:
		return m.helpLines()
	case m.width >= besides:
		left := m.width - panelWidth - 2
		return table.Beside(m.style, m.show.Table(m.at, m.who).Lines(m.style, left-1, height),
			table.Panel(m.style, m.side(), panelWidth, height), left, height)
	case m.panel == noPanel:
		return m.show.Table(m.at, m.who).Lines(m.style, m.width, height)
	default:
		return table.Panel(m.style, m.side(), m.width, height)
	}
}

func (m Model) side() []table.Row {
	if m.panel == logPanel {
		return m.show.log(m.at, m.who)
	}
	return m.show.moves(m.at, m.who)
}

func (m Model) footer() string {
	state := ""
	if m.plays {
		state = "playing, "
	}
	if m.speed < 0 {
		state += fmt.Sprintf("speed 1/%d", 1<<-m.speed)
	} else {
		state += fmt.Sprintf("speed %d", 1<<m.speed)
	}
	return "? keys  Q quit  " + m.style.Sign("←/→", "left/right") + " step  space plays  " + state
}

func (m Model) helpLines() []string {
	rows := [][2]string{
		{m.style.Sign("← →", "left right"), "a step back, on"},
		{m.style.Sign("shift+← →", "shift+left right"), "a trick"},
		{"PgUp PgDn", "a round, or a half"},
		{"Home End", "the first, the last step"},
		{"q e", "8s that clear, faults, ends of rounds"},
		{"space", "play, stop"},
		{"+ -", "faster, slower"},
		{"0 to 5", "what the seat of that number sees"},
		{"h", "all hands"},
		{"p", "what the public sees"},
		{"l", "moves, then notes and faults"},
		{"?", "this help"},
		{"Q esc ctrl+c", "quit"},
	}
	var lines []string
	for _, row := range rows {
		lines = append(lines, fmt.Sprintf("  %-17s %s", row[0], row[1]))
	}
	return lines
}

// Text is one position for a pipe or a file: without colours, as wide as 100 columns.
func (s Show) Text(at int, who steps.Who) []string {
	m := New(s, table.Style{}, at, who)
	lines := append([]string{m.title()}, s.Table(at, who).Lines(m.style, 100, 1000)...)
	for i, line := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return lines
}
