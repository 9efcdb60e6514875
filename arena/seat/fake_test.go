package seat

import (
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// fake is a bot inside the test, at the far ends of two pipes without buffers, and its process.
type fake struct {
	outOfMemory bool   // set before the end
	memory      int64  // its limit
	stderr      string // before the rest of it

	stdin, stdout net.Conn // the bot's ends
	lines         *protocol.Lines
	near          near

	end    sync.Once
	done   chan struct{}
	how    string
	killed bool
	kill   func() // what happens at the moment of the kill

	logging sync.Mutex
	logged  string
}

// near are our ends of its pipes.
type near struct{ stdin, stdout net.Conn }

func (n near) Read(b []byte) (int, error)         { return n.stdout.Read(b) }
func (n near) Write(b []byte) (int, error)        { return n.stdin.Write(b) }
func (n near) SetReadDeadline(t time.Time) error  { return n.stdout.SetReadDeadline(t) }
func (n near) SetWriteDeadline(t time.Time) error { return n.stdin.SetWriteDeadline(t) }

func (f *fake) exit(how string, killed bool) {
	f.end.Do(func() {
		f.how, f.killed = how, killed
		close(f.done)
	})
}

func (f *fake) Done() <-chan struct{} { return f.done }
func (f *fake) Ended() string         { return f.how }
func (f *fake) OutOfMemory() bool     { return f.outOfMemory }
func (f *fake) MemoryLimit() int64    { return f.memory }

func (f *fake) Killed() bool { return f.killed }

func (f *fake) Stderr() string {
	f.logging.Lock()
	defer f.logging.Unlock()
	return f.stderr + f.logged + "a\nlog\n"
}

func (f *fake) Log(text string) {
	f.logging.Lock()
	defer f.logging.Unlock()
	f.logged += text
}

func (f *fake) Kill() {
	if f.kill != nil {
		f.kill()
	}
	f.exit("signal: killed", true)
	_ = f.near.stdin.Close()
	_ = f.near.stdout.Close()
}

func (f *fake) hear(t *testing.T) string {
	t.Helper()
	line, err := f.lines.Next()
	require.NoError(t, err)
	return string(line)
}

func (f *fake) say(t *testing.T, text string) {
	t.Helper()
	_, err := f.stdout.Write([]byte(text))
	require.NoError(t, err)
}

// converse runs a test of a talk in a bubble of its own time. All that was started has to end by itself when the bot is
// killed.
func converse(t *testing.T, test func(t *testing.T, talk *talk, bot *fake)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{done: make(chan struct{})}
		f.stdin, f.near.stdin = net.Pipe()
		f.near.stdout, f.stdout = net.Pipe()
		f.lines = protocol.NewLines(f.stdin)
		talk := newTalk(f.near, f)
		test(t, talk, f)
		f.Kill()
		talk.reader.Wait()
	})
}
