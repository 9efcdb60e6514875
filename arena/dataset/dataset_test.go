package dataset_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/dataset"
)

// TestDictionary: every column has a name of its own, a type and a meaning.
func TestDictionary(t *testing.T) {
	tables := dataset.Dictionary()
	require.Len(t, tables, 4)
	for _, table := range tables {
		names := map[string]bool{}
		for _, column := range table.Columns {
			require.Regexp(t, `^[a-z][a-z0-9_]+$`, column.Name, table.Name)
			require.False(t, names[column.Name], column.Name)
			require.NotEmpty(t, column.Type, column.Name)
			require.NotEmpty(t, column.Meaning, column.Name)
			names[column.Name] = true
		}
	}
}

// TestCSVKeepsTexts: whatever a bot says comes back as one cell, and begins with no formula.
func TestCSVKeepsTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		note := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", `"quoted"`, "a,b", "two\nlines", "'", "", "a\x00b", "\x1b[31mred\x1b]0;x\a", "\u202Eright to left", `\`, "=HYPERLINK(\"http://127.0.0.1\",\"x\")",
		})).Draw(t, "note")
		var out bytes.Buffer
		w, err := dataset.NewWriter[dataset.DecisionRow](&out, dataset.CSV)
		require.NoError(t, err)
		require.NoError(t, w.Write(dataset.DecisionRow{Game: "g-1", Note: note, MS: new(1.25)}))
		require.NoError(t, w.Flush())
		records, err := csv.NewReader(&out).ReadAll()
		require.NoError(t, err)
		require.Len(t, records, 2)
		got := records[1][len(records[1])-1]
		require.NotContains(t, []string{"=", "+", "-", "@", "\t", "\r", "\n"}, got[:min(1, len(got))])
		require.NotRegexp(t, `[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]`, got)
		want := regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{61c}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}]`).
			ReplaceAllString(note, "\uFFFD")
		if got != want {
			require.Equal(t, "'"+want, got)
			require.Contains(t, "=+-@\t\n", note[:1])
		}
		require.Equal(t, "1.25", records[1][len(records[1])-2])
	})
}

// TestJSONL: one object a line, in the order of the dictionary, with texts as they are.
func TestJSONL(t *testing.T) {
	var out bytes.Buffer
	w, err := dataset.NewWriter[dataset.DecisionRow](&out, dataset.JSONL)
	require.NoError(t, err)
	require.NoError(t, w.Write(dataset.DecisionRow{Note: "=1<2"}))
	require.NoError(t, w.Write(dataset.DecisionRow{MS: new(2.0)}))
	require.NoError(t, w.Flush())
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 2)
	at := -1
	for _, column := range dataset.Dictionary()[2].Columns {
		next := strings.Index(lines[0], `"`+column.Name+`":`)
		require.Greater(t, next, at, column.Name)
		at = next
	}
	var row map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &row))
	require.Equal(t, "=1<2", row["note"])
	require.Nil(t, row["ms"])
	_, err = dataset.NewWriter[dataset.GameRow](&out, "xml")
	require.EqualError(t, err, `format "xml" is unknown; choose csv or jsonl`)
}
