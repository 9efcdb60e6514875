package steps_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// anyMatch draws a table with any rules, and bots that fail now and then.
func anyMatch(t *rapid.T) (arena.Match, *desk) {
	rules, err := engine.NewRules(rapid.SampledFrom(engine.Presets()).Draw(t, "preset"), rapid.IntRange(2, 6).Draw(t, "players"))
	require.NoError(t, err)
	rules.PermanentPass = rapid.Bool().Draw(t, "permanent pass")
	rules.GreaterOverwrite = rapid.Bool().Draw(t, "greater overwrite")
	m := matchOf(rules, rapid.Uint64().Draw(t, "seed"))
	m.AskForced = rapid.Bool().Draw(t, "ask forced")
	m.Clock = protocol.Clock{MoveMS: 1000, BankMS: 5000, IncrementMS: 100}
	failing := rapid.IntRange(0, 40).Draw(t, "failing turn")
	code := rapid.SampledFrom([]protocol.Code{protocol.Timeout, protocol.Illegal, protocol.Crash}).Draw(t, "code")
	return m, &desk{wrong: func(turn protocol.Turn) protocol.Code {
		if failing > 0 && int(turn.Turn)%(failing+5) == failing {
			return code
		}
		return ""
	}}
}

// TestSeatsSeeWhatTheyWereSent holds the steps of any game against the turns that the referee sent: each turn is what the
// step before it leaves for that seat, down to the last field, and each step tells what was legal and allowed in it.
func TestSeatsSeeWhatTheyWereSent(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m, d := anyMatch(rt)
		game, err := steps.Read(bytes.NewReader(record(t.Context(), rt, m, d)))
		require.NoError(rt, err)
		asked := map[int]int{}
		for seat := range m.Rules.Players {
			view := game.SeatView(seat)
			for i, step := range view {
				if step.Kind == steps.Deal || step.Seat != seat || step.By != "" && step.Fault == "" {
					continue
				}
				turn := d.turns[seat][asked[seat]]
				asked[seat]++
				require.Equal(rt, turn.Observation, view[i-1].Observation(seat), "step %d", i)
				require.Equal(rt, turn.Legal, step.Own.Legal)
				require.Equal(rt, turn.Meld, step.On)
				require.InDelta(rt, float64(turn.Clock.MoveMS+turn.Clock.BankMS), step.LimitMS, 1)
				require.Equal(rt, seat, view[i-1].Next)
			}
			require.Len(rt, d.turns[seat], asked[seat])
		}
	})
}

// TestNothingHiddenIsShown compares what a seat and the public are shown of two games that differ in hidden cards alone.
func TestNothingHiddenIsShown(t *testing.T) {
	game := read(t, matchOf(rulesOf(t, 3), 5))
	for i, full := range game.Steps {
		spoilt := full
		spoilt.Hands = append([]engine.Cards{}, full.Hands...)
		for seat := range spoilt.Hands {
			if seat != 1 {
				spoilt.Hands[seat] = 0
			}
		}
		spoilt.Hands2, spoilt.UndealtHand = nil, 0
		if full.Seat != 1 {
			spoilt.Own = steps.Own{}
		}
		require.Equal(t, toJSON(t, full.For(1)), toJSON(t, spoilt.For(1)), "step %d", i)
		require.Equal(t, toJSON(t, game.Public()[i]), toJSON(t, spoilt.Step))
	}
}

func read(t *testing.T, m arena.Match) *steps.Game {
	t.Helper()
	game, err := steps.Read(bytes.NewReader(record(t.Context(), t, m, &desk{})))
	require.NoError(t, err)
	return game
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// TestForm pins the JSON of a short game: web viewers and other programs read it.
func TestForm(t *testing.T) {
	rules := rulesOf(t, 2)
	rules.HandSize = 4
	game := read(t, matchOf(rules, 2))
	var text strings.Builder
	for _, part := range []any{game.Steps, game.SeatView(1), game.Public()} {
		raw, err := json.Marshal(part)
		require.NoError(t, err)
		require.NotContains(t, string(raw), "null")
		var lines []json.RawMessage
		require.NoError(t, json.Unmarshal(raw, &lines))
		for _, line := range lines {
			text.Write(append(line, '\n'))
		}
		text.WriteByte('\n')
	}
	golden := filepath.Join("testdata", "steps.jsonl")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(text.String()), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), text.String())
}

func TestTricksAndCover(t *testing.T) {
	for players := 2; players <= 6; players++ {
		game := read(t, matchOf(rulesOf(t, players), uint64(players)))
		trick := 0
		for i, step := range game.Steps {
			require.Equal(t, i, step.Number)
			for seat, hand := range step.Hands {
				require.Equal(t, step.Counts[seat], hand.Len())
			}
			if step.Kind == steps.Deal {
				trick = 0
				continue
			}
			if step.Action.Kind() == engine.Lead {
				trick++
				require.Empty(t, step.Covered)
			}
			require.Equal(t, trick, step.Trick)
			require.Equal(t, step.Action.Kind() == engine.Lead, step.On == 0)
			require.Contains(t, step.Legal, step.Action)
		}
		last := game.Steps[len(game.Steps)-1]
		require.NotNil(t, last.Score)
		require.Equal(t, game.Result.Scores, last.Scores)
		require.Equal(t, -1, last.Next)
	}
}

func TestForfeitsAreMarked(t *testing.T) {
	d := &desk{wrong: func(turn protocol.Turn) protocol.Code {
		if turn.Seat == 1 && turn.Turn <= 3 {
			return protocol.Illegal
		}
		return ""
	}}
	game, err := steps.Read(bytes.NewReader(record(t.Context(), t, matchOf(rulesOf(t, 4), 1), d)))
	require.NoError(t, err)
	var marks []bool
	for _, step := range game.Steps {
		if step.Fault != "" {
			marks = append(marks, step.Forfeit)
		}
	}
	require.Equal(t, []bool{false, false, true}, marks)
}

func TestReadsCompressedAndRefusesWrong(t *testing.T) {
	text := record(t.Context(), t, matchOf(rulesOf(t, 2), 1), &desk{})
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, err := zip.Write(text)
	require.NoError(t, err)
	require.NoError(t, zip.Close())
	plain, err := steps.Read(bytes.NewReader(text))
	require.NoError(t, err)
	unpacked, err := steps.Read(&packed)
	require.NoError(t, err)
	require.Equal(t, plain, unpacked)

	_, err = steps.Read(bytes.NewReader(bytes.Replace(text, []byte(`"note":"hm"`), []byte(`"note":"ha"`), 1)))
	require.ErrorIs(t, err, protocol.ErrSum)
	_, err = steps.Read(bytes.NewReader(text[:len(text)/2]))
	require.Error(t, err)
}
