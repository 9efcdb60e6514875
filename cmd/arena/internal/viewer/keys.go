package viewer

import (
	tea "charm.land/bubbletea/v2"

	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/engine"
)

// key does what a key asks for.
func (m Model) key(key string) (tea.Model, tea.Cmd) {
	if m.help && key != "?" {
		m.help = false
		if key == "esc" {
			return m, nil
		}
	}
	switch key {
	case "Q", "esc", "ctrl+c":
		return m, tea.Quit
	case "?":
		m.help = !m.help
	case "l":
		m.panel = (m.panel + 1) % (logPanel + 1)
		if m.panel == noPanel && m.width >= besides {
			m.panel = movesPanel
		}
	case "space":
		return m.playOrStop()
	case "+", "=":
		m.speed = min(m.speed+1, fastest)
	case "-":
		m.speed = max(m.speed-1, slowest)
	case "h":
		m.who = steps.All
	case "p":
		m.who = steps.Public
	case "0", "1", "2", "3", "4", "5":
		if seat := int(key[0] - '0'); seat < len(m.show.Names) {
			m.who = steps.Who(seat)
		}
	default:
		return m.move(key), nil
	}
	return m, nil
}

func (m Model) playOrStop() (Model, tea.Cmd) {
	m.plays = !m.plays
	if m.plays && m.at == m.lastStep() {
		m.at = 0
	}
	return m.wait()
}

// move goes to another step, and stops going on by itself.
func (m Model) move(key string) Model {
	to := m.at
	switch key {
	case "right", "d":
		to++
	case "left", "a":
		to--
	case "shift+right", "D":
		to = m.find(1, startsTrick)
	case "shift+left", "A":
		to = m.find(-1, startsTrick)
	case "pgdown":
		to = m.find(1, isDeal)
	case "pgup":
		to = m.find(-1, isDeal)
	case "home":
		to = 0
	case "end":
		to = m.lastStep()
	case "e":
		to = m.find(1, isEvent)
	case "q":
		to = m.find(-1, isEvent)
	default:
		return m
	}
	m.plays = false
	return m.jump(to)
}

func (m Model) jump(to int) Model {
	m.at = max(0, min(to, m.lastStep()))
	return m
}

// find is the next step in a direction of which something is true, or the last one there.
func (m Model) find(direction int, is func(steps.Step) bool) int {
	for i := m.at + direction; i >= 0 && i <= m.lastStep(); i += direction {
		if is(m.show.Game.Steps[i].Step) {
			return i
		}
	}
	if direction < 0 {
		return 0
	}
	return m.lastStep()
}

func isDeal(s steps.Step) bool { return s.Kind == steps.Deal }

func startsTrick(s steps.Step) bool { return s.Action.Kind() == engine.Lead || isDeal(s) }

// isEvent is true of what one looks for in a game: an 8 that clears, a fault, the end of a round.
func isEvent(s steps.Step) bool { return s.Clear == "eight" || s.Fault != "" || s.Score != nil }
