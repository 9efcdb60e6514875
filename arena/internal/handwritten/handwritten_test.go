package handwritten_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/internal/handwritten"
)

type inner struct {
	Limit int `toml:"limit"`
}

type file struct {
	Name    string         `toml:"name"`
	Players int            `toml:"players"`
	Wait    int64          `toml:"wait_ms"`
	Freeze  *bool          `toml:"freeze"`
	Bots    []string       `toml:"bots"`
	Pairs   [][]string     `toml:"pairs"`
	Options map[string]any `toml:"options"`
	Faults  *inner         `toml:"faults"`
	Seed    any            `toml:"seed"`
}

func TestDecode(t *testing.T) {
	var f file
	meta, err := handwritten.Decode([]byte("name = \"cup\"\nplayers = 3\nseed = 5\n[faults]\nlimit = 1"), &f, "a cup")
	require.NoError(t, err)
	require.True(t, meta.IsDefined("faults", "limit"))
	require.Equal(t, file{Name: "cup", Players: 3, Seed: int64(5), Faults: &inner{1}}, f)

	for text, want := range map[string]string{
		"name = \"cup\"\nplayers = \"two\"": "line 2: players: a whole number is expected, not a text; write it as in players = 2",
		"\n\nwait_ms = 1.5":                 "line 3: wait_ms: a whole number is expected, not a fraction; write it as in wait_ms = 2",
		"name = 3":                          `line 1: name: a text is expected, not a whole number; write it as in name = "..."`,
		"freeze = \"no\"":                   "line 1: freeze: true or false is expected, not a text; write it as in freeze = true",
		"bots = \"greedy\"":                 `line 1: bots: a list of texts is expected, not a text; write it as in bots = ["...", "..."]`,
		"bots = [1]":                        `line 1: bots: a list of texts is expected; write it as in bots = ["...", "..."]`,
		"pairs = [\"a\", \"b\"]":            `line 1: pairs: a list of lists is expected; write it as in pairs = [["...", "..."]]`,
		"faults = true":                     "line 1: faults: a table is expected, not true or false; write it as in faults = {...}",
		"[faults]\nlimit = \"x\"":           "line 2: faults.limit: a whole number is expected, not a text; write it as in limit = 2",
		"# plyers\nplyers = 2":              `line 2: "plyers" is no setting of a cup; did you mean players?`,
		"colour = 1":                        `line 1: "colour" is no setting of a cup; known are name, players, wait_ms, freeze, bots, pairs, options, faults, seed`,
		"[faults]\nlimitt = 1":              `line 2: "faults.limitt" is no setting of a cup; did you mean limit?`,
		"limit = 1\n[faults]\nlimit = 2":    `"limit" is no setting of a cup; known are name, players, wait_ms, freeze, bots, pairs, options, faults, seed`,
		"[colour]\nred = 1":                 `line 1: "colour" is no setting of a cup; known are name, players, wait_ms, freeze, bots, pairs, options, faults, seed`,
		"players = 2\nplayers = 3":          "line 2: Key 'players' has already been defined.",
		"name = cup":                        "line 1: expected value but found \"cup\" instead",
		"name = \"cup\nplayers = 2":         "line 1: strings cannot contain newlines",
		"seed = {a = 1}\nplayers = [2]\n":   "line 2: players: a whole number is expected, not a list; write it as in players = 2",
		"name = 1979-05-27T07:32:00Z":       `line 1: name: a text is expected, not a time; write it as in name = "..."`,
		"players = 99999999999999999999":    "line 1: 99999999999999999999 is out of range for int64",
	} {
		_, err := handwritten.Decode([]byte(text), &file{}, "a cup")
		assert.EqualError(t, err, want, text)
	}
}
