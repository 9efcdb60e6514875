package human

import (
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// phase is what the screen waits for.
type phase int

const (
	waiting  phase = iota + 1 // for the others
	reading                   // for the person to have seen the end of a round
	choosing                  // for the person to choose
	over                      // for the person to go
)

// model is the state of the screen.
type model struct {
	style   table.Style
	hint    func(protocol.Turn) engine.Action
	limited bool

	follow  *follower // nil before the start
	phase   phase
	turn    turnMsg // while reading or choosing
	seconds int     // left for it; where time is limited
	filter  string
	cursor  int // among the actions that pass the filter
	said    string
	log     bool // the log stands in place of the choices
	help    bool
	leaving bool // the person was asked whether to leave
	result  string
	width   int
	height  int
}

func newModel(style table.Style, limited bool, hint func(protocol.Turn) engine.Action) model {
	return model{style: style, limited: limited, hint: hint, phase: waiting, width: 80, height: 24}
}

// Init implements [tea.Model].
func (m model) Init() tea.Cmd { return nil }

// second is the tick of the clock for a turn.
type second struct{ turn int64 }

// Update implements [tea.Model].
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case protocol.Start:
		m.follow = newFollower(msg)
	case turnMsg:
		return m.asked(msg)
	case lateMsg:
		if m.turn.turn.Turn == msg.turn && m.phase != over {
			m.phase, m.said = waiting, "too late: the arena played for you"
		}
	case second:
		return m.tick(msg)
	case protocol.End:
		m.follow.fold(msg.Events)
		m.phase, m.result = over, m.follow.ending(msg)
	case tea.KeyPressMsg:
		return m.key(msg)
	}
	return m, nil
}

func (m model) asked(msg turnMsg) (tea.Model, tea.Cmd) {
	m.follow.turn(msg.turn)
	m.turn, m.phase = msg, choosing
	m.filter, m.cursor, m.said = "", 0, ""
	if m.follow.scored != nil {
		m.phase = reading
	}
	if !m.limited {
		return m, nil
	}
	m.seconds = int(msg.turn.Clock.MoveMS / 1000)
	return m, clock(msg.turn.Turn)
}

func clock(turn int64) tea.Cmd {
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return second{turn} })
}

func (m model) tick(msg second) (tea.Model, tea.Cmd) {
	if m.turn.turn.Turn != msg.turn || m.phase != choosing && m.phase != reading || m.seconds == 0 {
		return m, nil
	}
	m.seconds--
	return m, clock(msg.turn)
}

// key does what a key asks for. While one chooses, letters and digits are typed.
func (m model) key(key tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	name := key.String()
	if m.help {
		m.help = false
		return m, nil
	}
	leaves := name == "ctrl+c" || name == "Q"
	if leaves && (m.leaving || m.phase == over) {
		return m, tea.Quit
	}
	if leaves || m.leaving {
		m.leaving = leaves
		return m, nil
	}
	switch {
	case name == "?":
		m.help = true
	case name == "tab":
		m.log = !m.log
	case m.phase == over && (name == "esc" || name == "q"):
		return m, tea.Quit
	case m.phase == reading && (name == "enter" || name == "space"):
		m.phase = choosing
	case m.phase == choosing:
		return m.choose(name), nil
	}
	return m, nil
}

func (m model) choose(name string) model {
	choices := m.choices()
	m.said = ""
	switch name {
	case "up":
		m.cursor--
	case "down":
		m.cursor++
	case "pgup":
		m.cursor -= 10
	case "pgdown":
		m.cursor += 10
	case "home":
		m.cursor = 0
	case "end":
		m.cursor = len(choices) - 1
	case "esc":
		m.filter, m.cursor = "", 0
	case "backspace":
		m.filter, m.cursor = m.filter[:max(0, len(m.filter)-1)], 0
	case "h":
		m.filter = ""
		return m.point(m.hint(m.turn.turn))
	case "enter":
		return m.play(choices)
	default:
		m = m.typed(name)
	}
	m.cursor = max(0, min(m.cursor, len(m.choices())-1))
	return m
}

// typed adds a character to the filter, if anything then passes it.
func (m model) typed(name string) model {
	if name == "space" {
		name = " "
	}
	if len(name) != 1 {
		return m
	}
	before := m.filter
	m.filter, m.cursor = m.filter+name, 0
	if len(m.choices()) == 0 {
		m.filter, m.said = before, strconv.Quote(before+name)+" is in no choice"
	}
	return m
}

// point moves the cursor to an action.
func (m model) point(action engine.Action) model {
	for i, choice := range m.choices() {
		if choice.action == action {
			m.cursor = i
		}
	}
	m.said = "heuristic would: " + table.Short(action)
	return m
}

func (m model) play(choices []choice) model {
	if len(choices) == 0 {
		return m
	}
	m.turn.answer <- choices[m.cursor].action
	m.phase = waiting
	return m
}

// choice is a legal action with its number, from 1.
type choice struct {
	number int
	action engine.Action
}

// choices are those that pass the filter: cards and kinds as they are written, or # and a number.
func (m model) choices() (found []choice) {
	if m.phase != choosing {
		return nil
	}
	number, numbered := strings.CutPrefix(m.filter, "#")
	for i, action := range m.turn.turn.Legal {
		fits := numbered && strings.HasPrefix(strconv.Itoa(i+1), number) || !numbered && begins(m.filter, action)
		if fits {
			found = append(found, choice{i + 1, action})
		}
	}
	return found
}
