package arena_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const transcriptDir = "../protocol/testdata/transcripts"

// simple decides by the number of the turn alone. It answers by index and in full in turn, sometimes with a note.
func simple(place arena.Place) mind {
	return func(m protocol.Message) (arena.Reply, error) {
		switch m := m.(type) {
		case protocol.Hello:
			ready := []protocol.Ready{{}, {Name: "simple", Version: "1", Author: "me", Protocol: protocol.Version}}[place.Seat%2]
			return say(ready, 40*time.Millisecond), nil
		case protocol.Turn:
			move := protocol.Move{Turn: m.Turn, Action: protocol.Choice{Index: int(m.Turn*5) % len(m.Legal)}}
			if m.Turn%2 == 0 {
				move.Action = protocol.Choice{Action: m.Legal[move.Action.Index]}
			}
			if m.Turn%5 == 0 {
				move.Note = "my hand is \"" + m.Hand.String() + "\""
			}
			return say(move, time.Duration(m.Turn*1375)*time.Microsecond), nil
		}
		return arena.Reply{}, nil
	}
}

func raw(line string) arena.Reply { return arena.Reply{Line: []byte(line), Elapsed: time.Millisecond} }

// staleAt answers the turn before once more, and then the one that is asked. Its seat tells it so, as seats do.
func staleAt(d *desk, number int64) maker {
	return func(place arena.Place) mind {
		think := simple(place)
		return func(m protocol.Message) (arena.Reply, error) {
			if turn, ok := m.(protocol.Turn); ok && turn.Turn == number {
				talk := d.talks[place]
				talk.lines = append(talk.lines, "< "+string(say(protocol.Move{Turn: number - 1}, 0).Line))
				if err := talk.Tell(context.Background(), protocol.Error{
					Turn: number - 1, Code: protocol.Stale,
					Message: "turn 2 is not the one that is open; repeat the number of the turn that you answer",
				}); err != nil {
					return arena.Reply{}, err
				}
			}
			return think(m)
		}
	}
}

// TestTranscripts pins what one seat hears and says in a game, byte for byte.
func TestTranscripts(t *testing.T) {
	stale := &desk{}
	stale.bots = map[string]maker{"b@1": staleAt(stale, 3)}
	faulty := func(replies map[int64]arena.Reply) *desk {
		return &desk{bots: map[string]maker{"b@1": failing(simple, once(replies))}}
	}
	dead := func(code protocol.Code) maker {
		return failing(simple, once(map[int64]arena.Reply{2: {Fault: code, Report: protocol.FaultReport{Detail: "gone"}}}))
	}
	struck := func(reply arena.Reply) maker { return failing(simple, once(map[int64]arena.Reply{2: reply})) }
	for _, test := range []struct {
		name  string
		rules engine.Rules
		desk  *desk
		ask   bool
	}{
		{"two-players", rulesOf(t, engine.Rulebook, 2), &desk{}, false},
		{"two-players-bga", rulesOf(t, engine.BGA, 2), &desk{}, false},
		{"four-players", rulesOf(t, engine.Rulebook, 4), &desk{}, false},
		{"four-players-ask-forced", short(t, 4), &desk{}, true},
		{"six-players-permanent-pass", rulesOf(t, engine.Classic2020, 6), &desk{}, false},
		{"timeout", short(t, 3), faulty(map[int64]arena.Reply{2: {
			Fault: protocol.Timeout, Elapsed: 1510 * time.Millisecond, Report: protocol.FaultReport{Detail: "no answer within 1.51s"},
		}}), false},
		{"illegal-three-strikes", short(t, 3), faulty(map[int64]arena.Reply{
			1: raw(`{"type":"move","turn":1,"action":99}`),
			3: raw(`{"type":"move","turn":3,"action":{"type":"overwrite","cards":[15,15,15]}}`),
			4: raw(`{"type":"move","turn":4,"action":-1}`),
		}), false},
		{"malformed", short(t, 3), faulty(map[int64]arena.Reply{
			2: raw(`{"type":"move","turn":2}`),
			4: raw(`{"type":"move","turn":4,"action":"pass"`),
		}), false},
		{"stale", short(t, 3), stale, false},
		{"others-lost", short(t, 6), &desk{bots: map[string]maker{
			"a@1": absent, "c@1": dead(protocol.Crash), "d@1": dead(protocol.Memory), "e@1": dead(protocol.Flood), "f@1": dead(protocol.Disconnect),
		}}, false},
		{"others-struck", short(t, 4), &desk{bots: map[string]maker{
			"a@1": struck(arena.Reply{Fault: protocol.Timeout, Elapsed: 1510 * time.Millisecond}),
			"c@1": struck(raw(`{"type":"move","turn":2,"action":99}`)),
			"d@1": struck(raw(`{"type":"move","turn":2}`)),
		}}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			seed := uint64(11)
			if test.rules.Players == 2 && test.rules.Target > 0 {
				seed = 1 // a game of several rounds
			}
			m := matchOf(test.rules, seed)
			m.Orders = m.SeatOrders()[:1]
			m.AskForced, m.ID = test.ask, test.name
			m.Limits.MemoryMB = 256
			m.Clock = protocol.Clock{MoveMS: 1000, BankMS: 500, IncrementMS: 10}
			bots := test.desk.bots
			test.desk.bots = map[string]maker{}
			for _, label := range m.Bots {
				test.desk.bots[label] = simple
				if special, ok := bots[label]; ok {
					test.desk.bots[label] = special
				}
			}
			result, _ := play(t, m, test.desk)
			golden(t, test.name, test.desk.at(t, m, result.Sets[0].Games[0], 1).lines)
		})
	}
}

func golden(t *testing.T, name string, lines []string) {
	t.Helper()
	text := strings.Join(append(slices.Clip(lines), `> {"type":"quit"}`), "\n") + "\n"
	path := filepath.Join(transcriptDir, name+".txt")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "make it with: go test ./arena -run Transcripts -update")
	require.Equal(t, string(want), text)
}
