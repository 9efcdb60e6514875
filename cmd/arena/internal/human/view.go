package human

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
)

const (
	besides    = 78 // columns from which on there is room for two things
	panelWidth = 29
)

// View implements [tea.Model].
func (m model) View() tea.View {
	view := tea.NewView(strings.Join(m.lines(), "\n"))
	view.AltScreen = true
	return view
}

// lines fill the window.
func (m model) lines() []string {
	height := m.height - 2
	lines := append([]string{m.style.Bold(m.title())}, table.Fill(m.body(height), height)...)
	lines = append(lines, m.style.Faint(m.footer()))
	for i, line := range lines {
		lines[i] = table.Cut(line, m.width)
	}
	return lines
}

func (m model) title() string {
	words := map[phase]string{waiting: "the others play", reading: "the round is over", choosing: "your turn", over: "the game is over"}[m.phase]
	if m.follow == nil || m.phase != choosing {
		return words
	}
	words += ": " + roundWords(m.follow.seen.Round, m.follow.seen.Half)
	if m.limited {
		words += fmt.Sprintf(", %d s left", m.seconds)
	}
	if m.filter != "" {
		words += fmt.Sprintf(", only %q", m.filter)
	}
	return words
}

func (m model) footer() string {
	switch {
	case m.leaving && m.phase != over:
		return "Q again leaves, any other key stays; the arena then plays your seat to the end"
	case m.said != "":
		return m.said
	case m.phase == reading:
		return "enter goes on  ? keys  Q leaves"
	case m.phase == over:
		return "Q quits"
	default:
		return m.style.Sign("↑↓", "up/down") + " and enter choose  type cards to filter  h hint  ? keys  Q leaves"
	}
}

func (m model) body(height int) []string {
	if m.help {
		return m.helpLines()
	}
	if m.follow == nil || m.follow.seen.Counts == nil && m.follow.scored == nil {
		return []string{"", "  waiting for your first turn"}
	}
	if m.width >= besides {
		left := m.width - panelWidth - 2
		return table.Beside(m.style, m.table().Lines(m.style, left-1, height), m.side(panelWidth, height), left, height)
	}
	if m.log {
		return m.side(m.width, height)
	}
	room := min(len(m.choices()), max(3, height/3))
	lines := m.table().Lines(m.style, m.width, height-room)
	return append(table.Fill(lines, height-room), m.side(m.width, room)...)
}

func (m model) table() table.Table {
	switch {
	case m.phase == over && m.follow.scored != nil:
		return m.follow.scoreTable(table.Note{Label: "result", Text: m.result})
	case m.phase == over:
		return m.follow.table(table.Note{Label: "result", Text: m.result})
	case m.phase == reading:
		return m.follow.scoreTable()
	case m.phase == choosing:
		return m.follow.table(m.before()...)
	default:
		return m.follow.table()
	}
}

// before is what has happened since the last choice, where that has no place of its own.
func (m model) before() (notes []table.Note) {
	const most = 8
	if m.width >= besides {
		return nil
	}
	news := m.follow.log[m.follow.news:]
	for _, line := range news[max(0, len(news)-most):] {
		notes = append(notes, table.Note{Text: strings.TrimSpace(line)})
	}
	if len(notes) > 0 {
		notes[0].Label = "before"
	}
	return notes
}

// side has the choices, and below them what has happened.
func (m model) side(width, height int) []string {
	if m.phase != choosing || m.log {
		return m.logLines(width, height)
	}
	var rows []table.Row
	for i, choice := range m.choices() {
		rows = append(rows, table.Row{Text: fmt.Sprintf("#%-3d %s", choice.number, table.Short(choice.action)), Marked: i == m.cursor})
	}
	room := min(len(rows), height)
	if m.width >= besides {
		room = min(len(rows), height/2)
	}
	lines := table.Panel(m.style, rows, width, room)
	if height-room <= 2 {
		return lines
	}
	return append(append(lines, ""), m.logLines(width, height-room-1)...)
}

func (m model) logLines(width, height int) []string {
	var rows []table.Row
	for _, line := range m.follow.log[max(0, len(m.follow.log)-height):] {
		rows = append(rows, table.Row{Text: line})
	}
	return table.Panel(m.style, rows, width, height)
}

func (m model) helpLines() (lines []string) {
	for _, row := range [][2]string{
		{m.style.Sign("↑ ↓", "up down"), "the choice above, below"},
		{"enter", "play it"},
		{"3 4", "only choices with these cards"},
		{"add, o 8, pass", "only this kind, with these cards"},
		{"#12", "only choice 12"},
		{"backspace esc", "take back what was typed"},
		{"h", "what heuristic would do"},
		{"tab", "what has happened, and back"},
		{"?", "this help"},
		{"Q ctrl+c", "leave"},
	} {
		lines = append(lines, fmt.Sprintf("  %-15s %s", row[0], row[1]))
	}
	return lines
}
