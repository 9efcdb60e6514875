package protocol_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

func cards(t *testing.T, ranks ...int) engine.Cards {
	t.Helper()
	c, err := engine.NewCards(ranks...)
	require.NoError(t, err)
	return c
}

// TestWire pins the messages as the protocol prints them, byte for byte.
func TestWire(t *testing.T) {
	rules, err := engine.NewRules(engine.Rulebook, 4)
	require.NoError(t, err)
	last := 3.1
	pass := engine.NewAction(engine.Pass, 0)
	eight := cards(t, 8)
	for want, message := range map[string]protocol.Message{
		`{"type":"hello","protocol":1,"arena":"fivethreefive/0.1.0","limits":{"startup_ms":10000,"line_bytes":65536,"memory_mb":256}}`: protocol.Hello{
			Protocol: 1, Arena: "fivethreefive/0.1.0", Limits: protocol.Limits{StartupMS: 10000, LineBytes: 65536, MemoryMB: 256},
		},
		`{"type":"ready"}`: protocol.Ready{},
		`{"type":"start","game":"G","seat":1,"players":4,"names":["a","b","c","d"],"rules":{"preset":"rulebook","players":4,"copies":4,"hand_size":12,"target":20,"permanent_pass":false,"greater_overwrite":false},"clock":{"move_ms":1000,"bank_ms":0,"increment_ms":0},"seed":123456789}`: protocol.Start{
			Game: "G", Seat: 1, Players: 4, Names: []string{"a", "b", "c", "d"}, Rules: rules, Clock: protocol.Clock{MoveMS: 1000}, Seed: 123456789,
		},
		`{"type":"turn","game":"G","turn":7,"seat":1,"round":1,"half":0,"hand":[2,3,8,8,14],"meld":[7],"meld_seat":0,"counts":[9,5,12,11],"scores":[0,0,0,0],"passed":[3],"undealt":4,"events":[{"type":"clear","seat":2,"reason":"eight"}],"legal":[{"type":"overwrite","cards":[8]},{"type":"overwrite","cards":[14]},{"type":"add","cards":[8]},{"type":"pass","cards":[]}],"clock":{"move_ms":1000,"bank_ms":0,"last_ms":3.1}}`: protocol.Turn{
			Game: "G", Turn: 7,
			Observation: engine.Observation{
				Seat: 1, Round: 1, Hand: cards(t, 2, 3, 8, 8, 14), Meld: cards(t, 7), MeldSeat: 0,
				Counts: []int{9, 5, 12, 11}, Scores: []int{0, 0, 0, 0}, Passed: []int{3}, Undealt: 4,
			},
			Events: protocol.Events{engine.Cleared{Seat: 2, Reason: "eight"}},
			Legal: []engine.Action{
				engine.NewAction(engine.Overwrite, eight), engine.NewAction(engine.Overwrite, cards(t, 14)),
				engine.NewAction(engine.Add, eight), pass,
			},
			Clock: protocol.TurnClock{MoveMS: 1000, LastMS: &last},
		},
		`{"type":"move","turn":7,"action":2}`:                          protocol.Move{Turn: 7, Action: protocol.Choice{Index: 2}},
		`{"type":"move","turn":7,"action":{"type":"add","cards":[8]}}`: protocol.Move{Turn: 7, Action: protocol.Choice{Action: engine.NewAction(engine.Add, eight)}},
		`{"type":"error","turn":7,"code":"illegal","message":"...","applied":{"type":"pass","cards":[]},"strikes":1,"strike_limit":3}`: protocol.Error{
			Turn: 7, Code: protocol.Illegal, Message: "...", Applied: &pass, Strikes: 1, StrikeLimit: 3,
		},
		`{"type":"end","game":"G","reason":"finished","scores":[21,4,9,13],"ranks":[4,1,2,3],"events":[]}`: protocol.End{
			Game: "G", Reason: protocol.Finished, Scores: []int{21, 4, 9, 13}, Ranks: []int{4, 1, 2, 3},
		},
		`{"type":"quit"}`: protocol.Quit{},
	} {
		got, err := protocol.Marshal(message)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
		var back protocol.Message
		switch message.(type) {
		case protocol.Ready, protocol.Move:
			back, err = protocol.ReadBot(got)
		default:
			back, err = protocol.ReadArena(got)
		}
		require.NoError(t, err)
		again, err := protocol.Marshal(back)
		require.NoError(t, err)
		require.Equal(t, want, string(again), "read and written again")
	}
}

func TestEvents(t *testing.T) {
	hand := cards(t, 2, 3)
	for want, event := range map[string]engine.Event{
		`[{"type":"deal","round":1,"half":0,"leader":2,"counts":[12,12],"hand":[2,3]}]`:  engine.Dealt{Round: 1, Leader: 2, Counts: []int{12, 12}, Hand: &hand},
		`[{"type":"play","seat":2,"action":{"type":"lead","cards":[2,3]},"meld":[2,3]}]`: protocol.Play{Played: engine.Played{Seat: 2, Action: engine.NewAction(engine.Lead, hand), Meld: hand}},
		`[{"type":"play","seat":2,"action":{"type":"pass","cards":[]},"meld":[2,3],"by":"arena","fault":"timeout"}]`: protocol.Play{
			Played: engine.Played{Seat: 2, Action: engine.NewAction(engine.Pass, 0), Meld: hand}, By: protocol.ByArena, Fault: protocol.Timeout,
		},
		`[{"type":"clear","seat":2,"reason":"passes"}]`: engine.Cleared{Seat: 2, Reason: "passes"},
		`[{"type":"score","round":1,"half":0,"out":2,"hands":[[2,3],[]],"points":[2,0],"scores":[7,0]}]`: engine.Scored{
			Round: 1, Out: 2, Hands: []engine.Cards{hand, 0}, Points: []int{2, 0}, Scores: []int{7, 0},
		},
	} {
		got, err := json.Marshal(protocol.Events{event})
		require.NoError(t, err)
		require.Equal(t, want, string(got))
		var back protocol.Events
		require.NoError(t, json.Unmarshal(got, &back))
		require.Equal(t, protocol.Events{event}, back)
	}
	var events protocol.Events
	require.NoError(t, json.Unmarshal([]byte(`[{"type":"later"},{"type":"clear","seat":1,"reason":"set","new":[]}]`), &events))
	require.Equal(t, protocol.Events{engine.Cleared{Seat: 1, Reason: "set"}}, events)
	for _, bad := range []string{`{}`, `[{}]`, `[3]`, `[{"type":"play","action":{}}]`, `[{"type":"clear","seat":"x"}]`} {
		require.Error(t, json.Unmarshal([]byte(bad), &events), bad)
	}
}

func TestReadBot(t *testing.T) {
	add := engine.NewAction(engine.Add, cards(t, 2, 8))
	deep := strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)
	for line, want := range map[string]protocol.Message{
		`{"type":"ready"}`: protocol.Ready{},
		`{"type":"ready","name":"foxy","version":"3","author":"me","protocol":1}`:       protocol.Ready{Name: "foxy", Version: "3", Author: "me", Protocol: 1},
		`{"type":"move","turn":7,"action":2}`:                                           protocol.Move{Turn: 7, Action: protocol.Choice{Index: 2}},
		`{"turn":7.0,"action":2e0,"type":"move"}`:                                       protocol.Move{Turn: 7, Action: protocol.Choice{Index: 2}},
		`{"type":"move","action":-1}`:                                                   protocol.Move{Action: protocol.Choice{Index: -1}},
		`{"type":"move","turn":null,"action":0}`:                                        protocol.Move{},
		`{"type":"move","turn":1,"action":{"type":"add","cards":[8,2]}}`:                protocol.Move{Turn: 1, Action: protocol.Choice{Action: add}},
		`{"type":"move","turn":1,"turn":2,"action":9,"action":1}`:                       protocol.Move{Turn: 2, Action: protocol.Choice{Index: 1}},
		`{"type":"move","turn":1,"TURN":2,"action":1,"Action":9}`:                       protocol.Move{Turn: 1, Action: protocol.Choice{Index: 1}},
		`{"type":"move","turn":1,"action":1,"x":` + deep + `}`:                          protocol.Move{Turn: 1, Action: protocol.Choice{Index: 1}},
		"{\"type\":\"move\",\"turn\":1,\"action\":1,\"note\":\"a\xffb\"}":               protocol.Move{Turn: 1, Action: protocol.Choice{Index: 1}, Note: "a\ufffdb"},
		`{"type":"move","turn":1,"action":1,"note":"` + strings.Repeat("é", 600) + `"}`: protocol.Move{Turn: 1, Action: protocol.Choice{Index: 1}, Note: strings.Repeat("é", 512)},
		`{"type":"chat","text":"hi"}`:                                                   nil,
	} {
		got, err := protocol.ReadBot([]byte(line))
		require.NoError(t, err, line)
		require.Equal(t, want, got, line)
	}
	for line, want := range map[string]string{
		`{`:                                     "not a JSON object",
		`{}`:                                    `no "type"`,
		`{"type":7}`:                            `no "type"`,
		`{"Type":"move"}`:                       `no "type"`,
		`{"type":"move","turn":7}`:              `needs an "action"`,
		`{"type":"move","turn":7,"action":2} x`: "not a JSON object",
		`{"type":"move","turn":"7","action":2}`: "turn is the number",
		`{"type":"move","turn":7.5,"action":2}`: "turn is the number",
		`{"type":"move","turn":1e400,"action":2}`:                      "turn is the number",
		`{"type":"move","turn":7,"action":null}`:                       "action is an index",
		`{"type":"move","turn":7,"action":"pass"}`:                     "action is an index",
		`{"type":"move","turn":7,"action":99999999999}`:                "action is an index",
		`{"type":"move","turn":7,"action":1e999}`:                      "action is an index",
		`{"type":"move","turn":7,"action":{"type":"jump"}}`:            "an action needs a type",
		`{"type":"move","turn":7,"action":{"type":"add","cards":[6]}}`: "6 is not a rank",
		`{"type":"move","turn":7,"action":1,"note":7}`:                 "note is a text",
		`{"type":"ready","name":7}`:                                    "name is a text",
		`{"type":"ready","protocol":"1"}`:                              "protocol is a number",
		strings.Repeat(`{"a":`, 20000):                                 "not a JSON object",
	} {
		_, err := protocol.ReadBot([]byte(line))
		require.ErrorIs(t, err, protocol.ErrMalformed, "%.80s", line)
		require.ErrorContains(t, err, want, "%.80s", line)
	}
}

func TestChoice(t *testing.T) {
	legal := []engine.Action{engine.NewAction(engine.Add, cards(t, 8)), engine.NewAction(engine.Pass, 0)}
	for _, c := range []protocol.Choice{{Index: 1}, {Action: legal[1]}, {Index: 5, Action: legal[1]}} {
		got, err := c.In(legal)
		require.NoError(t, err)
		require.Equal(t, legal[1], got)
	}
	_, err := protocol.Choice{Index: 2}.In(legal)
	require.ErrorContains(t, err, "index 2 is outside the legal list, which has entries 0 to 1")
	_, err = protocol.Choice{Index: -1}.In(legal)
	require.Error(t, err)
	_, err = protocol.Choice{Action: engine.NewAction(engine.Add, cards(t, 9))}.In(legal)
	require.ErrorContains(t, err, "add [9] is not in the legal list")
}

// FuzzReadBot holds any line against what must be true of every answer.
func FuzzReadBot(f *testing.F) {
	for _, line := range []string{
		`{"type":"move","turn":7,"action":2}`, `{"type":"move","turn":7,"action":{"type":"add","cards":[8]},"note":"x"}`,
		`{"type":"ready","name":"a"}`, `{"type":"x"}`, `{`, `{"type":"move","turn":1e99,"action":[]}`, "\x00", `null`, `[]`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		message, err := protocol.ReadBot(line)
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrMalformed)
			require.Nil(t, message)
			return
		}
		if message == nil {
			return
		}
		written, err := protocol.Marshal(message)
		require.NoError(t, err)
		back, err := protocol.ReadBot(written)
		require.NoError(t, err)
		require.Equal(t, message, back)
	})
}

func FuzzReadArena(f *testing.F) {
	f.Add([]byte(`{"type":"turn","turn":1,"hand":[1],"events":[{"type":"clear"}],"legal":[{"type":"pass"}]}`))
	f.Add([]byte(`{"type":"quit"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if _, err := protocol.ReadArena(line); err != nil {
			require.ErrorIs(t, err, protocol.ErrMalformed)
		}
	})
}

func TestSeatSubject(t *testing.T) {
	require.Equal(t, "arena.seat.foxy-3.m1-2.0", protocol.SeatSubject("foxy-3", "m1-2", 0))
	for _, name := range []string{"", "a.b", "*", ">", "a b", "Ä", "foxy@3", strings.Repeat("x", 65), "a\n"} {
		subject := protocol.SeatSubject(name, "g", 1)
		require.Regexp(t, `^arena\.seat\._[0-9a-f]{24}\.g\.1$`, subject, name)
	}
	require.NotEqual(t, protocol.SeatSubject("A", "g", 1), protocol.SeatSubject("B", "g", 1))
}
