package viewer

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
	"github.com/fivethreefive/fivethreefive/engine"
)

// showOf reads a replay of testdata. They were played by built-in bots; in faulty.jsonl one of them fails.
func showOf(t require.TestingT, name string) Show {
	file, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	game, err := steps.Read(bytes.NewReader(file))
	require.NoError(t, err)
	return NewShow(game)
}

func press(t require.TestingT, m Model, keys ...string) Model {
	for _, key := range keys {
		next, _ := m.Update(keyOf(key))
		require.IsType(t, Model{}, next)
		m = next.(Model)
	}
	return m
}

// keyOf is the message for the name of a key.
func keyOf(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
		"esc": tea.KeyEscape, "space": tea.KeySpace,
	}
	word, shifted := strings.CutPrefix(name, "shift+")
	key := tea.KeyPressMsg{Code: codes[word]}
	if shifted {
		key.Mod = tea.ModShift
	}
	if key.Code == 0 {
		key.Code, key.Text = []rune(name)[0], name
	}
	if name == "ctrl+c" {
		key = tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}
	}
	return key
}

func text(m Model) string { return ansi.Strip(strings.Join(m.lines(), "\n")) }

func TestKeysMove(t *testing.T) {
	show := showOf(t, "faulty.jsonl")
	all := show.Game.Steps
	m := New(show, table.Style{}, 0, steps.All)
	m = press(t, m, "left")
	require.Equal(t, 0, m.at, "nothing comes before the first step")
	m = press(t, m, "right", "right", "d", "a")
	require.Equal(t, 2, m.at)
	m = press(t, m, "end")
	require.Equal(t, len(all)-1, m.at)
	m = press(t, m, "right", "pgdown", "e", "shift+right")
	require.Equal(t, len(all)-1, m.at)
	m = press(t, m, "pgup")
	require.Equal(t, steps.Deal, all[m.at].Kind)
	require.Equal(t, all[len(all)-1].Round, all[m.at].Round)
	m = press(t, m, "home")
	require.Equal(t, 0, m.at)

	var tricks, events []int
	for i, step := range all {
		if step.Kind == steps.Deal || step.Action.Kind() == engine.Lead {
			tricks = append(tricks, i)
		}
		if step.Clear == "eight" || step.Fault != "" || step.Score != nil {
			events = append(events, i)
		}
	}
	visit := func(key string) (seen []int) {
		for at := -1; at != m.at; {
			at = m.at
			m = press(t, m, key)
			seen = append(seen, m.at)
		}
		return seen
	}
	require.Subset(t, visit("shift+right"), tricks[1:])
	require.Contains(t, visit("shift+left"), tricks[2])
	require.Subset(t, visit("e"), events)
	require.Contains(t, visit("q"), events[0])
	require.NotEmpty(t, events)
}

func TestSpacePlaysToTheEnd(t *testing.T) {
	show := showOf(t, "pair.jsonl")
	m := New(show, table.Style{}, 0, steps.All)
	next, cmd := m.Update(keyOf("space"))
	m = next.(Model)
	require.True(t, m.plays)
	for range show.Game.Steps {
		if cmd == nil {
			break
		}
		next, cmd = m.Update(tick(m.ticks))
		m = next.(Model)
	}
	require.Equal(t, m.lastStep(), m.at)
	require.False(t, m.plays, "it stops at the end")

	m = press(t, m, "space")
	require.Equal(t, 0, m.at, "from the end it begins again")
	old := m.ticks
	m = press(t, m, "right")
	require.False(t, m.plays, "who moves takes over")
	next, _ = press(t, m, "space").Update(tick(old))
	require.Equal(t, 1, next.(Model).at, "an old tick does not count")

	slow := press(t, m, "-", "-", "-", "-")
	require.Equal(t, "3.2s", slow.interval().String())
	require.Contains(t, text(slow), "speed 1/4")
	fast := press(t, m, "+", "+", "+", "+", "+", "+")
	require.Equal(t, "50ms", fast.interval().String())
	require.Contains(t, text(fast), "speed 16")
}

// TestViews looks for every hidden hand in what is shown, at every step.
func TestViews(t *testing.T) {
	show := showOf(t, "faulty.jsonl")
	m := New(show, table.Style{}, 0, steps.All)
	for at, full := range show.Game.Steps {
		m = m.jump(at)
		for _, who := range []string{"h", "p", "0", "1", "2"} {
			m = press(t, m, who)
			shown := text(m)
			for seat, hand := range full.Hands {
				line := ansi.Strip(m.style.Hand(hand))
				if hand.Len() < 4 || full.Score != nil {
					continue // it may stand there as a meld, or has been shown to all
				}
				sees := who == "h" || who == fmt.Sprint(seat)
				if sees {
					first, _, _ := strings.Cut(line, "  ") // the rest may be on the next line
					require.Contains(t, shown, first, "step %d, seat %d by %s", at, seat, who)
				} else {
					require.NotContains(t, shown, line, "step %d, seat %d by %s", at, seat, who)
				}
			}
		}
	}
	require.Equal(t, steps.Who(2), press(t, m, "2", "5").who, "a seat that is not there changes nothing")
}

func TestNotesAreOnlyForTheirSeat(t *testing.T) {
	show := showOf(t, "faulty.jsonl")
	for i := range show.Game.Steps {
		if show.Game.Steps[i].Seat == 1 && show.Game.Steps[i].Kind == steps.Play {
			show.Game.Steps[i].Note = "my secret plan"
		}
	}
	for _, keys := range [][]string{{"end"}, {"l", "l", "end"}} {
		m := press(t, New(show, table.Style{}, 0, steps.All), keys...)
		m = press(t, m, "left", "left")
		for !strings.Contains(text(m), "my secret plan") {
			require.NotZero(t, m.at)
			m = press(t, m, "left")
		}
		require.Contains(t, text(press(t, m, "1")), "my secret plan")
		for _, who := range []string{"0", "2", "p"} {
			require.NotContains(t, text(press(t, m, who)), "my secret plan")
		}
	}
}

func TestFaultsAndResultAreShown(t *testing.T) {
	show := showOf(t, "faulty.jsonl")
	m := New(show, table.Style{}, 0, steps.All)
	for show.Game.Steps[m.at].Fault == "" {
		m = press(t, m, "e")
	}
	shown := text(m)
	require.Contains(t, shown, "  fault    "+string(show.Game.Steps[m.at].Fault)+" after")
	require.Contains(t, shown, "! "+string(show.Game.Steps[m.at].Fault))
	wide, _ := press(t, m, "end").Update(tea.WindowSizeMsg{Width: 100, Height: 24})
	end := text(wide.(Model))
	require.Contains(t, end, "result")
	require.Contains(t, end, "goes out")
	require.Contains(t, end, "forfeited", "a seat that was forfeited is marked to the end")
}

// TestSmallWindow has the result in sight, each text in one piece.
func TestSmallWindow(t *testing.T) {
	m := press(t, New(showOf(t, "faulty.jsonl"), table.Style{}, 0, steps.All), "end")
	next, _ := m.Update(tea.WindowSizeMsg{Width: 40, Height: 12})
	shown := text(next.(Model))
	result := m.show.outcome(m.at)[0].Text
	flat := strings.Join(strings.Fields(shown), " ")
	require.Contains(t, flat, "result "+result)
	for at := range m.show.Game.Steps {
		flat = strings.Join(strings.Fields(text(next.(Model).jump(at))), " ")
		story := m.show.Table(at, steps.All).Story[0]
		require.Contains(t, flat, story.Label+" "+story.Text)
	}
}

// TestAnyWindow presses any keys in windows of any size: the screen is always full, and never too wide.
func TestAnyWindow(t *testing.T) {
	faulty, pair := showOf(t, "faulty.jsonl"), showOf(t, "pair.jsonl")
	rapid.Check(t, func(t *rapid.T) {
		m := New(rapid.SampledFrom([]Show{faulty, pair}).Draw(t, "show"), table.Style{ASCII: rapid.Bool().Draw(t, "ascii")}, 0, steps.All)
		for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{
			"left", "right", "shift+left", "shift+right", "pgup", "pgdown", "home", "end", "space", "+", "-", "0", "1", "2", "3", "5", "h", "p", "e", "q", "l", "?", "x",
		}), 0, 12).Draw(t, "keys") {
			m = press(t, m, key)
			width, height := rapid.IntRange(1, 200).Draw(t, "width"), rapid.IntRange(2, 60).Draw(t, "height")
			next, _ := m.Update(tea.WindowSizeMsg{Width: width, Height: height})
			m = next.(Model)
			lines := m.lines()
			require.Len(t, lines, height)
			for _, line := range lines {
				require.LessOrEqual(t, ansi.StringWidth(line), width)
			}
		}
	})
}

func TestQuitAndHelp(t *testing.T) {
	m := New(showOf(t, "pair.jsonl"), table.Style{}, 0, steps.All)
	for _, key := range []string{"Q", "esc", "ctrl+c"} {
		_, cmd := m.Update(keyOf(key))
		require.NotNil(t, cmd, key)
		require.Equal(t, tea.QuitMsg{}, cmd())
	}
	help := press(t, m, "?")
	require.Contains(t, text(help), "all hands")
	require.Contains(t, text(help), "PgUp PgDn")
	next, cmd := help.Update(keyOf("esc"))
	require.Nil(t, cmd, "esc closes the help first")
	require.False(t, next.(Model).help)
	require.Equal(t, 1, press(t, help, "right").at, "other keys close it and do their work")
}

func TestText(t *testing.T) {
	show := showOf(t, "pair.jsonl")
	lines := show.Text(3, steps.Who(0))
	require.Equal(t, fmt.Sprintf("step 3 of %d  round 1, half 1, trick 1  as seat %s  %s", len(show.Game.Steps)-1, show.Names[0], show.Game.Header.Game), lines[0])
	for _, line := range lines {
		require.Equal(t, ansi.Strip(line), line)
	}
}

func TestColours(t *testing.T) {
	for when, want := range map[string]bool{"auto": false, "never": true, "auto NO_COLOR": true, "always NO_COLOR": false} {
		color, env, _ := strings.Cut(when, " ")
		profile, ok := profileOf(color, func(name string) string {
			if name == env {
				return "yes"
			}
			return ""
		})
		require.Equal(t, want, ok && profile == colorprofile.ASCII, when)
	}
}
