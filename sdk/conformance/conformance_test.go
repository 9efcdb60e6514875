package conformance_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/protocol"
)

const testdata = "../../protocol/testdata"

// script is what is sent to a bot: lines with their ends, and what each is answered by.
type script struct {
	lines   []string
	answers []string // "" for none, "ready", or the number of the turn
}

// transcripts are those of whole games, and then the tolerances, one after the other for one process.
func transcripts(t *testing.T) script {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(testdata, "transcripts", "*.txt"))
	require.NoError(t, err)
	require.Greater(t, len(paths), 10)
	var s script
	for _, path := range append(paths, filepath.Join(testdata, "tolerances", "to-bot.txt")) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case line == `> {"type":"quit"}`: // that comes after the last
			case strings.HasPrefix(line, "> "):
				s.add(t, line[2:])
			case strings.HasPrefix(line, "< ") && strings.HasSuffix(path, "to-bot.txt"):
				require.Equal(t, s.answers[len(s.answers)-1], line[2:], "the file says what the protocol says")
			}
		}
	}
	return s
}

// add works out the answer from what the line means to the SDK in Go, which reads with the types of the protocol.
func (s *script) add(t *testing.T, line string) {
	t.Helper()
	if strings.HasPrefix(line, `"`) {
		require.NoError(t, json.Unmarshal([]byte(line), &line))
	}
	answer := ""
	if body, err := protocol.NewLines(strings.NewReader(line + "\n")).Next(); err == nil {
		message, err := protocol.ReadArena(body)
		require.NoError(t, err)
		switch m := message.(type) {
		case protocol.Hello:
			answer = "ready"
		case protocol.Turn:
			answer = strconv.FormatInt(m.Turn, 10)
		}
	}
	s.lines = append(s.lines, line+"\n")
	s.answers = append(s.answers, answer)
}

// check requires the answer of the bot that sees: its name, or the last legal action with its note.
func check(t *testing.T, want, sent, got string) {
	t.Helper()
	message, err := protocol.ReadBot([]byte(got))
	require.NoError(t, err, got)
	if want == "ready" {
		require.Equal(t, protocol.Ready{Name: "conform", Version: `1 "é"`, Protocol: protocol.Version}, message)
		return
	}
	asked, err := protocol.ReadArena([]byte(strings.TrimSpace(sent)))
	require.NoError(t, err)
	turn := asked.(protocol.Turn)
	move, ok := message.(protocol.Move)
	require.True(t, ok, got)
	require.Equal(t, turn.Turn, move.Turn)
	require.Equal(t, turn.Legal[len(turn.Legal)-1], move.Action.Action)
	note := "a \"b\" \\ \n\x01 😀"
	if turn.Turn%2 == 1 {
		note = strings.Repeat("é", 512) // of 40,000: 1 KiB
		require.LessOrEqual(t, len(got), protocol.MaxLine, "the SDK cuts what would be a flood")
	}
	require.Equal(t, note, move.Note)
}

// TestTranscripts plays all of them and requires that each SDK sees and works out what that of Go does, which uses the types and
// functions of the protocol and the engine.
func TestTranscripts(t *testing.T) {
	s := transcripts(t)
	want := strings.Split(play(t, languages()[0].prepared(t), s), "\n")
	require.NotContains(t, strings.Join(want, "\n"), "time wrong")
	each(t, func(t *testing.T, bot program) {
		got := strings.Split(play(t, bot, s), "\n")
		for i, line := range want {
			require.Equal(t, line, got[min(i, len(got)-1)], "line %d", i+1)
		}
		require.Len(t, got, len(want))
	})
}

// play returns what the bot wrote to stderr, stray prints included.
func play(t *testing.T, bot program, s script) string {
	t.Helper()
	b := bot.start(t, "see")
	for i, line := range s.lines {
		b.send(line)
		if s.answers[i] != "" {
			check(t, s.answers[i], line, b.hear())
		}
	}
	return b.quit()
}

const (
	hello = `{"type":"hello","protocol":1,"arena":"fivethreefive/0.1.0","limits":{"startup_ms":1,"line_bytes":65536,"memory_mb":0}}` + "\n"
	start = `{"type":"start","game":"G","seat":0,"players":2,"names":["a@1","b@1"],"rules":{},"clock":{},"seed":1}` + "\n"
	turn5 = `{"type":"turn","game":"G","turn":5,"seat":0,"hand":[2,3],"meld":[],"meld_seat":-1,"counts":[2,2],"scores":[0,0],"passed":[],` +
		`"events":[],"legal":[{"type":"lead","cards":[2]},{"type":"lead","cards":[3]}],"clock":{"move_ms":600000,"bank_ms":0}` // to be closed
)

func TestLongLinesInPieces(t *testing.T) {
	each(t, func(t *testing.T, bot program) {
		b := bot.start(t, "first")
		for i := range len(hello) { // one write a byte
			b.send(hello[i : i+1])
		}
		require.Contains(t, b.hear(), `"ready"`)
		b.send(start)
		rest := turn5 + `,"x":"`
		long := rest + strings.Repeat("ü", (protocol.MaxLine-len(rest)-2)/2)
		long += strings.Repeat("x", protocol.MaxLine-2-len(long)) + `"}`
		require.Len(t, long, protocol.MaxLine)
		for from := 0; from < len(long); from += 1021 { // a prime, so that characters are cut
			b.send(long[from:min(from+1021, len(long))])
		}
		b.send("\n" + turn5 + "}\n" + turn5 + "}\n") // and several lines in one write
		for range 3 {
			require.JSONEq(t, `{"type":"move","turn":5,"action":{"type":"lead","cards":[2]}}`, b.hear())
		}
		require.Empty(t, b.quit())
	})
}

func TestEnds(t *testing.T) {
	each(t, func(t *testing.T, bot program) {
		t.Run("end of input", func(t *testing.T) {
			for _, sent := range []string{"", hello, hello + start + turn5 + "}\n"} {
				b := bot.start(t, "first")
				b.send(sent)
				for range strings.Count(sent, "hello") + strings.Count(sent, `"turn"`)/2 {
					b.hear()
				}
				require.NoError(t, b.stdin.Close())
				stderr, err := b.end()
				require.NoError(t, err, stderr)
				require.Empty(t, stderr)
			}
		})
		t.Run("end of input within a line", func(t *testing.T) {
			b := bot.start(t, "first")
			b.send(hello + turn5)
			b.hear()
			require.NoError(t, b.stdin.Close())
			stderr, err := b.end()
			require.Error(t, err)
			require.NotEmpty(t, stderr)
		})
		t.Run("nothing is read after quit", func(t *testing.T) {
			b := bot.start(t, "first")
			b.send(hello + "{\"type\":\"quit\"}\n" + hello)
			b.hear()
			stderr, err := b.end()
			require.NoError(t, err, stderr)
		})
		t.Run("signal", func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("it has no SIGTERM")
			}
			b := bot.start(t, "first")
			b.send(hello)
			b.hear()
			require.NoError(t, b.command.Process.Signal(syscall.SIGTERM))
			_, err := b.end()
			require.Error(t, err)
		})
	})
}

func TestABrokenBot(t *testing.T) {
	each(t, func(t *testing.T, bot program) {
		b := bot.start(t, "broken")
		b.send(hello + start)
		b.hear()
		b.send(turn5 + "}\n")
		stderr, err := b.end()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		require.Positive(t, exit.ExitCode(), "%v", err)
		require.Contains(t, stderr, "broken on purpose")
		if bot.name != "cpp" { // which has no trace to show
			require.Regexp(t, `(?i)conform\.(go|py|mjs|rs|java):\d+|conform.py", line \d+`, stderr)
		}
	})
}

func TestWhatIsNoJSONEndsTheBot(t *testing.T) {
	each(t, func(t *testing.T, bot program) {
		b := bot.start(t, "first")
		b.send(hello + turn5 + "\n")
		b.hear()
		stderr, err := b.end()
		require.Error(t, err)
		require.NotEmpty(t, stderr)
	})
}
