package human

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

func action(t require.TestingT, kind engine.Kind, ranks ...int) engine.Action {
	cards, err := engine.NewCards(ranks...)
	require.NoError(t, err)
	return engine.NewAction(kind, cards)
}

func someLegal(t require.TestingT) []engine.Action {
	return []engine.Action{
		action(t, engine.Overwrite, 8), action(t, engine.Overwrite, 12), action(t, engine.Add, 7), action(t, engine.Add, 8),
		action(t, engine.Add, 7, 9), action(t, engine.Add, 1, 12), action(t, engine.Pass),
	}
}

func TestParseAction(t *testing.T) {
	legal := someLegal(t)
	for text, want := range map[string]int{
		"1": 0, "7": 6, "over 8": 0, "o 8": 0, "overwrite 8": 0, "add 8": 3, "a 9 7": 4, "7 9": 4, "p": 6, "PASS": 6, "add 12 1": 5, "1 12": 5,
	} {
		got, err := parseAction(text, legal)
		require.NoError(t, err, text)
		require.Equal(t, legal[want], got, text)
	}
	for text, want := range map[string]string{
		"":      "write a number from 1 to 7",
		"0":     "0 is not in the list; choose from 1 to 7",
		"8":     "8 is not in the list; choose from 1 to 7",
		"add":   `"add" is not in the list; write a number, or as in "over 8"`,
		"add 9": `"add 9" is not in the list; write a number, or as in "over 8"`,
		"add 6": `"add 6" is not in the list; write a number, or as in "over 8"`,
		"foo 8": `"foo 8" is not in the list; write a number, or as in "over 8"`,
	} {
		_, err := parseAction(text, legal)
		require.EqualError(t, err, want)
	}
	_, err := parseAction("9 7 7", legal)
	require.Error(t, err)
	two := []engine.Action{action(t, engine.Overwrite, 3, 4), action(t, engine.Add, 3, 4)}
	_, err = parseAction("3 4", two)
	require.EqualError(t, err, `"3 4" can be over 3 4 or add 3 4; write which`)
}

// ask begins a turn with some choices.
func ask(t require.TestingT, limited bool) (model, chan engine.Action) {
	m := newModel(table.Style{}, limited, func(turn protocol.Turn) engine.Action { return turn.Legal[3] })
	m = send(m, protocol.Start{Seat: 0, Players: 2, Names: []string{"human@1", "greedy@1"}})
	got := make(chan engine.Action, 1)
	turn := protocol.Turn{
		Turn: 5, Legal: someLegal(t), Clock: protocol.TurnClock{MoveMS: 10_000},
		Observation: engine.Observation{Counts: []int{3, 3}, Scores: []int{0, 0}, MeldSeat: -1},
	}
	return send(m, turnMsg{turn, got}), got
}

func send(m model, msgs ...tea.Msg) model {
	for _, msg := range msgs {
		next, _ := m.Update(msg)
		m = next.(model)
	}
	return m
}

func typed(m model, keys ...string) model {
	codes := map[string]rune{"enter": tea.KeyEnter, "up": tea.KeyUp, "down": tea.KeyDown, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace, "end": tea.KeyEnd, "home": tea.KeyHome, "tab": tea.KeyTab}
	for _, key := range keys {
		msg := tea.KeyPressMsg{Code: codes[key]}
		if msg.Code == 0 {
			msg = tea.KeyPressMsg{Code: []rune(key)[0], Text: key}
		}
		m = send(m, msg)
	}
	return m
}

func TestChoosing(t *testing.T) {
	legal := someLegal(t)
	for _, test := range []struct {
		keys []string
		want int
	}{
		{[]string{"enter"}, 0},
		{[]string{"down", "down", "enter"}, 2},
		{[]string{"up", "enter"}, 0},
		{[]string{"end", "down", "enter"}, 6},
		{[]string{"1", "2", "enter"}, 1},
		{[]string{"1", " ", "enter"}, 5},
		{[]string{"9", "enter"}, 4},
		{[]string{"a", "d", "d", " ", "8", "enter"}, 3},
		{[]string{"p", "enter"}, 6},
		{[]string{"#", "3", "enter"}, 2},
		{[]string{"p", "esc", "enter"}, 0},
		{[]string{"p", "backspace", "down", "enter"}, 1},
		{[]string{"h", "enter"}, 3},
		{[]string{"9", "h", "enter"}, 3},
		{[]string{"x", "9", "enter"}, 4},
		{[]string{"?", "x", "tab", "tab", "enter"}, 0},
		{[]string{"Q", "down", "enter"}, 0},
	} {
		m, got := ask(t, false)
		m = typed(m, test.keys...)
		require.Len(t, got, 1, "%v", test.keys)
		require.Equal(t, legal[test.want], <-got, "%v", test.keys)
		require.Equal(t, waiting, m.phase)
		typed(m, "enter")
		require.Empty(t, got, "it answers once")
	}
	m, _ := ask(t, false)
	require.Contains(t, typed(m, "6").footer(), `"6" is in no choice`)
	require.Contains(t, typed(m, "a", "9").title(), `only "a`, "what is typed is shown")
}

func TestLeavingTheScreenTakesTwoKeys(t *testing.T) {
	m, _ := ask(t, false)
	quits := func(m model, key tea.KeyPressMsg) bool {
		_, cmd := m.Update(key)
		return cmd != nil
	}
	interrupt, capital := tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}, tea.KeyPressMsg{Code: 'Q', Text: "Q"}
	for _, key := range []tea.KeyPressMsg{interrupt, capital} {
		require.False(t, quits(m, key))
		asked := send(m, key)
		require.Contains(t, asked.footer(), "Q again leaves")
		require.True(t, quits(asked, key))
		require.False(t, quits(typed(asked, "x"), key), "any other key stays")
	}
	ended := send(m, protocol.End{Ranks: []int{1, 2}, Scores: []int{0, 3}})
	require.True(t, quits(ended, capital))
	require.Contains(t, ended.result, "1. 0 you (0 points), 2. 1 greedy@1 (3 points)")
	require.False(t, quits(ended, tea.KeyPressMsg{Code: tea.KeyEnter}), "who types ahead still sees the result")
}

func TestTheClockIsShown(t *testing.T) {
	m, _ := ask(t, true)
	require.Contains(t, m.title(), "10 s left")
	m = send(m, second{5}, second{5}, second{4})
	require.Contains(t, m.title(), "8 s left", "ticks of another turn do not count")
	m = send(m, lateMsg{4})
	require.Equal(t, choosing, m.phase)
	m = send(m, lateMsg{5})
	require.Equal(t, waiting, m.phase)
	require.Contains(t, m.footer(), "too late")
	free, _ := ask(t, false)
	require.NotContains(t, free.title(), "left")
}
