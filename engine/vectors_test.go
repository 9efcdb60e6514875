package engine_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/engine"
)

// eachLine decodes every line of a JSON Lines file into a fresh value.
func eachLine[T any](t *testing.T, path string, do func(t *testing.T, line T)) {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		n++
		var line T
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line), "line %d", n)
		t.Run(fmt.Sprintf("line %d", n), func(t *testing.T) { do(t, line) })
	}
	require.NoError(t, lines.Err())
	require.Positive(t, n)
}

type position struct {
	Hand             engine.Cards
	Meld             engine.Cards
	Copies           int
	GreaterOverwrite bool `json:"greater_overwrite"`
	Legal            []engine.Action
}

func TestPositions(t *testing.T) {
	eachLine(t, "testdata/positions.jsonl", func(t *testing.T, p position) {
		state := engine.Position(engine.Rules{Players: 4, Copies: p.Copies, GreaterOverwrite: p.GreaterOverwrite}, p.Hand, p.Meld)
		require.Equal(t, p.Legal, state.Legal(nil))
	})
}

type vectorGame struct {
	Rules  engine.Rules
	Leader int
	Steps  []vectorStep
	Scores []int
	Ranks  []int
}

type vectorStep struct {
	Deal *struct {
		Round   int
		Leader  int
		Hands   []engine.Cards
		Hands2  []engine.Cards
		Undealt engine.Cards
	}
	Seat   int
	Legal  int
	Action engine.Action
	Then   []json.RawMessage
}

func (s vectorStep) deal() (d engine.Deal) {
	copy(d.Hands[:], s.Deal.Hands)
	copy(d.Hands2[:], s.Deal.Hands2)
	d.Undealt = s.Deal.Undealt
	return d
}

func TestGames(t *testing.T) {
	eachLine(t, "testdata/games.jsonl", func(t *testing.T, v vectorGame) {
		game, err := engine.NewGame(v.Rules, v.Leader)
		require.NoError(t, err)
		for i, step := range v.Steps {
			if step.Deal != nil {
				require.Equal(t, engine.Dealing, game.Phase(), "step %d", i)
				require.Equal(t, step.Deal.Leader, game.Leader(), "step %d", i)
				require.NoError(t, game.Deal(step.deal()), "step %d", i)
				require.Equal(t, step.Deal.Round, game.Round())
				continue
			}
			require.Equal(t, step.Seat, game.Turn(), "step %d", i)
			require.Len(t, game.Legal(nil), step.Legal, "step %d", i)
			written := len(game.Record(0))
			_, err := game.Apply(step.Action)
			require.NoError(t, err, "step %d", i)
			require.JSONEq(t, string(mustJSON(t, step.Then)), thenJSON(t, game.Record(written)[1:]), "step %d", i)
		}
		require.Equal(t, engine.Ended, game.Phase())
		require.Equal(t, v.Scores, game.Scores())
		require.Equal(t, v.Ranks, game.Ranks())
	})
}

// thenJSON writes what followed a play as the vectors do: clears and scores, without the deal of half two.
func thenJSON(t *testing.T, events []engine.Event) string {
	t.Helper()
	then := []any{}
	for _, event := range events {
		switch e := event.(type) {
		case engine.Cleared:
			then = append(then, struct {
				Type string `json:"type"`
				engine.Cleared
			}{"clear", e})
		case engine.Scored:
			then = append(then, struct {
				Type string `json:"type"`
				engine.Scored
			}{"score", e})
		}
	}
	return string(mustJSON(t, then))
}

func mustJSON(tb testing.TB, v any) []byte {
	tb.Helper()
	data, err := json.Marshal(v)
	require.NoError(tb, err)
	return data
}
