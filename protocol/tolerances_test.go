package protocol_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// TestTolerances reads what careless bots write.
func TestTolerances(t *testing.T) {
	text, err := os.ReadFile("testdata/tolerances/to-arena.txt")
	require.NoError(t, err)
	var raw string
	cases := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if from, ok := strings.CutPrefix(line, "< "); ok {
			raw = unquoted(t, from)
		}
		want, ok := strings.CutPrefix(line, "= ")
		if !ok {
			continue
		}
		cases++
		require.Equal(t, want, taken(t, raw), raw)
	}
	require.Greater(t, cases, 20)
}

// unquoted is the line that a line of a file stands for.
func unquoted(t *testing.T, text string) (line string) {
	t.Helper()
	if !strings.HasPrefix(text, `"`) {
		return text
	}
	require.NoError(t, json.Unmarshal([]byte(text), &line))
	return line
}

func taken(t *testing.T, raw string) string {
	t.Helper()
	line, err := protocol.NewLines(strings.NewReader(raw + "\n")).Next()
	require.NoError(t, err)
	if line[0] != '{' {
		return "stray"
	}
	message, err := protocol.ReadBot(line)
	switch {
	case err != nil:
		require.ErrorIs(t, err, protocol.ErrMalformed)
		return "malformed"
	case message == nil:
		return "ignored"
	}
	again, err := protocol.Marshal(message)
	require.NoError(t, err)
	return string(again)
}
