package engine_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/engine"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares the value with a file of testdata, as indented JSON.
func golden(t *testing.T, name string, v any) {
	t.Helper()
	got, err := json.MarshalIndent(v, "", " ")
	require.NoError(t, err)
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, append(got, '\n'), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got)+"\n")
}

// TestObservationShape pins names and order of the fields that bots read.
func TestObservationShape(t *testing.T) {
	game := newGame(t, rulesOf(t, 4), 3)
	legal := game.Legal(nil)
	_, err := game.Apply(legal[0])
	require.NoError(t, err)
	golden(t, "observation.json", map[string]any{"observation": game.Observe(game.Turn()), "record": game.RecordFor(game.Turn(), 0)})
}

func ExampleState() {
	rules, _ := engine.NewRules(engine.Rulebook, 4)
	var seed engine.Seed
	state, _ := engine.NewState(rules, seed.Leader(rules.Players))
	buffer := make([]engine.Action, 0, engine.MaxLegal)
	for state.Phase() != engine.Ended {
		if state.Phase() == engine.Dealing {
			_ = state.Deal(seed.Deal(rules, state.Round()+1))
		}
		_, _ = state.Apply(state.Legal(buffer)[0])
	}
	fmt.Println(state.Scores(), state.Ranks())
	// Output: [15 10 19 20] [2 1 3 4]
}
