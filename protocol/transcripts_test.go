package protocol_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// TestTranscripts reads every line of every transcript and writes it again, and follows the conversation.
func TestTranscripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/transcripts/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
			require.IsType(t, protocol.Hello{}, fromArena(t, lines[0]))
			require.IsType(t, protocol.Ready{}, fromBot(t, lines[1], ""))
			require.IsType(t, protocol.Start{}, fromArena(t, lines[2]))
			require.IsType(t, protocol.End{}, fromArena(t, lines[len(lines)-2]))
			require.IsType(t, protocol.Quit{}, fromArena(t, lines[len(lines)-1]))
			follow(t, lines[3:len(lines)-2])
		})
	}
}

// follow requires that every turn is answered by its move or followed by an error, and that their numbers grow.
func follow(t *testing.T, lines []string) {
	t.Helper()
	var number int64
	open := false
	for i, line := range lines {
		if strings.HasPrefix(line, "< ") {
			next := ""
			if i+1 < len(lines) {
				next = lines[i+1]
			}
			if move, ok := fromBot(t, line, next).(protocol.Move); ok && move.Turn == number {
				require.True(t, open, line)
				open = strings.Contains(next, `"code":"illegal"`)
			}
			continue
		}
		switch m := fromArena(t, line).(type) {
		case protocol.Turn:
			require.False(t, open, line)
			require.Equal(t, number+1, m.Turn)
			number, open = m.Turn, true
		case protocol.Error:
			if m.Code == protocol.Stale {
				require.Less(t, m.Turn, number)
				continue
			}
			require.True(t, open, line)
			require.NotNil(t, m.Applied)
			require.Equal(t, number, m.Turn)
			open = false
		default:
			t.Fatalf("not within a game: %s", line)
		}
	}
	require.False(t, open)
}

func fromArena(t *testing.T, line string) protocol.Message {
	t.Helper()
	body, ok := strings.CutPrefix(line, "> ")
	require.True(t, ok, line)
	message, err := protocol.ReadArena([]byte(body))
	require.NoError(t, err)
	same(t, body, message)
	return message
}

// fromBot lets a line be wrong if the arena says so next.
func fromBot(t *testing.T, line, next string) protocol.Message {
	t.Helper()
	body, ok := strings.CutPrefix(line, "< ")
	require.True(t, ok, line)
	message, err := protocol.ReadBot([]byte(body))
	if err != nil {
		require.ErrorIs(t, err, protocol.ErrMalformed)
		require.Contains(t, next, `"code":"malformed"`)
		return nil
	}
	same(t, body, message)
	return message
}

func same(t *testing.T, line string, message protocol.Message) {
	t.Helper()
	again, err := protocol.Marshal(message)
	require.NoError(t, err)
	require.Equal(t, line, string(again))
}
