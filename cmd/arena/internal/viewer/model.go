package viewer

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
)

// Model is the state of the view. Its methods return changed copies and do nothing else.
type Model struct {
	show   Show
	style  table.Style
	at     int // step
	who    steps.Who
	panel  panel
	help   bool
	plays  bool // it goes on by itself
	ticks  int  // number of the tick that is awaited, so that an old one does not count
	speed  int  // power of two
	width  int
	height int
}

type panel int

// What stands beside the table, or in its place where there is no room for both.
const (
	noPanel panel = iota
	movesPanel
	logPanel
)

// New begins at a step.
func New(show Show, style table.Style, at int, who steps.Who) Model {
	return Model{show: show, style: style, at: at, who: who, width: 80, height: 24}
}

// tick says that the next step is due.
type tick int

// Init implements [tea.Model].
func (m Model) Init() tea.Cmd { return nil }

// Update implements [tea.Model].
func (m Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return m.key(msg.String())
	case tick:
		return m.tick(int(msg))
	}
	return m, nil
}

func (m Model) tick(number int) (Model, tea.Cmd) {
	if !m.plays || number != m.ticks {
		return m, nil
	}
	return m.jump(m.at + 1).wait()
}

// wait asks for the next tick, if there is a step for it.
func (m Model) wait() (Model, tea.Cmd) {
	if m.at >= m.lastStep() {
		m.plays = false
	}
	if !m.plays {
		return m, nil
	}
	m.ticks++
	number := m.ticks
	return m, tea.Tick(m.interval(), func(time.Time) tea.Msg { return tick(number) })
}

const (
	slowest = -2
	fastest = 4
)

// interval is the time between two steps: 800 ms at the usual speed, which is 0.
func (m Model) interval() time.Duration {
	if m.speed < 0 {
		return 800 * time.Millisecond << -m.speed
	}
	return 800 * time.Millisecond >> m.speed
}

func (m Model) lastStep() int { return len(m.show.Game.Steps) - 1 }
