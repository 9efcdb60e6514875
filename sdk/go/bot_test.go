package bot_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/protocol"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

const (
	hello = `{"type":"hello","protocol":1,"arena":"fivethreefive/0.1.0","limits":{"startup_ms":10000,"line_bytes":65536}}`
	start = `{"type":"start","game":"g1","seat":1,"players":4,"rules":{"players":4,"copies":4},"seed":42}`
	turn7 = `{"type":"turn","game":"g1","turn":7,"seat":1,"hand":[4,8],"meld":[3],"counts":[1,2,3,4],` +
		`"legal":[{"type":"overwrite","cards":[4]},{"type":"add","cards":[4]},{"type":"pass","cards":[]}]}`
	turn9 = `{"type":"turn","turn":9,"hand":[8],"future":{"x":1},"legal":[{"type":"lead","cards":[8]}]}`
	end   = `{"type":"end","game":"g1","reason":"finished","scores":[1,2,3,4],"ranks":[1,2,3,4],"events":[]}`
	quit  = `{"type":"quit"}`
	ready = `{"type":"ready","name":"t","version":"3","protocol":1}`
)

// diary plays the last legal action and writes down whatever it is told.
type diary struct{ entries []string }

func (d *diary) Start(s bot.Start) {
	d.entries = append(d.entries, fmt.Sprintf("start %s seat %d copies %d seed %d", s.Game, s.Seat, s.Rules.Copies, s.Seed))
}

func (d *diary) Act(t bot.Turn) bot.Move {
	d.entries = append(d.entries, fmt.Sprintf("turn %d hand %v", t.Turn, t.Hand))
	return bot.Move{Turn: 99, Action: bot.Choice{Index: len(t.Legal) - 1}}
}

func (d *diary) End(e bot.End) { d.entries = append(d.entries, fmt.Sprintf("end %v", e.Scores)) }

func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

func TestServe(t *testing.T) {
	for _, test := range []struct {
		name    string
		in      string
		out     string
		entries []string
		log     string
		err     error
	}{
		{name: "no input"},
		{name: "hello", in: lines(hello), out: lines(ready)},
		{
			name: "a whole game", in: lines(hello, start, turn7, turn9, end, quit),
			out:     lines(ready, `{"type":"move","turn":7,"action":2}`, `{"type":"move","turn":9,"action":0}`),
			entries: []string{"start g1 seat 1 copies 4 seed 42", "turn 7 hand [4 8]", "turn 9 hand [8]", "end [1 2 3 4]"},
		},
		{name: "nothing is read after quit", in: lines(quit, hello, turn7)},
		{name: "windows line ends, byte order mark, blank lines", in: "\ufeff" + hello + "\r\n\r\n \n", out: lines(ready)},
		{name: "unknown messages", in: lines(`{"type":"chat","text":"hi"}`, `{"type":"move","turn":1}`, hello), out: lines(ready)},
		{
			name: "a fault", in: lines(start, `{"type":"error","turn":7,"code":"illegal","message":"index 9",`+
				`"applied":{"type":"pass","cards":[]},"strikes":1,"strike_limit":3}`),
			entries: []string{"start g1 seat 1 copies 4 seed 42"},
			log:     "g1 turn 7: illegal: index 9; the arena played pass; strike 1 of 3\n",
		},
		{
			name: "stale", in: lines(start, `{"type":"error","turn":6,"code":"stale","message":"turn 6 is over"}`, quit),
			entries: []string{"start g1 seat 1 copies 4 seed 42"},
			log:     "g1 turn 6: stale: turn 6 is over\n",
		},
		{name: "not JSON", in: lines(hello, `hello`, hello), out: lines(ready), err: protocol.ErrMalformed},
		{name: "a turn that cannot be read", in: lines(`{"type":"turn","turn":1,"hand":[6]}`), err: protocol.ErrMalformed},
		{name: "end of input within a line", in: lines(hello) + turn7, out: lines(ready), err: io.ErrUnexpectedEOF},
		{name: "a line without end", in: strings.Repeat("x", protocol.MaxLine+9), err: protocol.ErrLineTooLong},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out, log bytes.Buffer
			player := &diary{}
			in := iotest.OneByteReader(strings.NewReader(test.in))
			err := bot.Serve(in, &out, &log, bot.Info{Name: "t", Version: "3"}, player)
			require.ErrorIs(t, err, test.err)
			require.Equal(t, test.out, out.String())
			require.Equal(t, test.log, log.String())
			require.Equal(t, test.entries, player.entries)
		})
	}
}

// TestServeAnswersAtOnce would hang if an answer waited for the next line.
func TestServeAnswersAtOnce(t *testing.T) {
	in, arenaOut := io.Pipe()
	arenaIn, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- bot.Serve(in, out, io.Discard, bot.Info{}, &diary{}) }()
	answers := protocol.NewLines(arenaIn)
	for _, line := range []string{hello, turn7, turn9} {
		_, err := io.WriteString(arenaOut, line+"\n")
		require.NoError(t, err)
		_, err = answers.Next()
		require.NoError(t, err)
	}
	require.NoError(t, arenaOut.Close())
	require.NoError(t, <-done)
}

func TestServeKeepsTheLineShort(t *testing.T) {
	var out bytes.Buffer
	player := bot.Func(func(turn bot.Turn) bot.Move {
		return bot.Move{Action: bot.Choice{Action: turn.Legal[1]}, Note: "x" + strings.Repeat("ä", protocol.MaxLine)}
	})
	require.NoError(t, bot.Serve(strings.NewReader(lines(turn7)), &out, io.Discard, bot.Info{}, player))
	message, err := protocol.ReadBot(bytes.TrimSpace(out.Bytes()))
	require.NoError(t, err)
	move := message.(protocol.Move)
	require.Equal(t, "add [4]", move.Action.Action.String())
	require.Equal(t, "x"+strings.Repeat("ä", protocol.MaxNote/2-1), move.Note)
}

func TestServeFails(t *testing.T) {
	broken := errors.New("broken pipe")
	err := bot.Serve(strings.NewReader(lines(hello)), failing{broken}, io.Discard, bot.Info{}, &diary{})
	require.ErrorIs(t, err, broken)
	err = bot.Serve(iotest.ErrReader(broken), io.Discard, io.Discard, bot.Info{}, &diary{})
	require.ErrorIs(t, err, broken)
	noAction := bot.Func(func(bot.Turn) bot.Move { return bot.Play(1 << 60) })
	err = bot.Serve(strings.NewReader(lines(turn7)), io.Discard, io.Discard, bot.Info{}, noAction)
	require.ErrorContains(t, err, "is not a kind of action")
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestPanicIsNotCaught(t *testing.T) {
	require.PanicsWithValue(t, "mine", func() {
		_ = bot.Serve(strings.NewReader(lines(turn7)), io.Discard, io.Discard, bot.Info{},
			bot.Func(func(bot.Turn) bot.Move { panic("mine") }))
	})
}

// TestRunKeepsPrintsOut replaces the three streams of the process, so it cannot be parallel.
func TestRunKeepsPrintsOut(t *testing.T) {
	dir := t.TempDir()
	open := func(name, content string) *os.File {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		require.NoError(t, err)
		t.Cleanup(func() { file.Close() })
		return file
	}
	in, out, log := os.Stdin, os.Stdout, os.Stderr
	t.Cleanup(func() { os.Stdin, os.Stdout, os.Stderr = in, out, log })
	os.Stdin, os.Stdout, os.Stderr = open("in", lines(hello, turn7, quit)), open("out", ""), open("err", "")
	stdout := os.Stdout

	err := bot.Run(bot.Info{Name: "t", Version: "3"}, bot.Func(func(turn bot.Turn) bot.Move {
		fmt.Println("thinking")
		bot.Logf(turn, "%d legal", len(turn.Legal))
		return bot.Move{}
	}))
	require.NoError(t, err)
	require.Same(t, stdout, os.Stdout)
	read := func(name string) string {
		content, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(content)
	}
	require.Equal(t, lines(ready, `{"type":"move","turn":7,"action":0}`), read("out"))
	require.Equal(t, "thinking\ng1 turn 7: 3 legal\n", read("err"))
}

func TestNewRand(t *testing.T) {
	draw := func(seed uint64) uint64 { return bot.NewRand(bot.Start{Seed: seed}).Uint64() }
	require.Equal(t, draw(1), draw(1))
	require.NotEqual(t, draw(1), draw(2))
}

func FuzzServe(f *testing.F) {
	f.Add([]byte(lines(hello, start, turn7, turn9, end, quit)))
	f.Add([]byte("{\"type\":\"error\",\"code\":3}\n\xff\n{}\n[]\nnull\n{\"type\":\"turn\"}\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		_ = bot.Serve(bytes.NewReader(in), &out, io.Discard, bot.Info{}, bot.Func(func(bot.Turn) bot.Move { return bot.Move{} }))
		for line := range bytes.Lines(out.Bytes()) {
			message, err := protocol.ReadBot(line)
			require.NoError(t, err)
			require.NotNil(t, message)
		}
	})
}
