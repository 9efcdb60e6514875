package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// within is for whatever must happen; no pause of the machine is that long.
const within = time.Minute

// program is the arena as a process of its own.
type program struct {
	cmd    *exec.Cmd
	errOut *lockedBuffer
	ended  chan struct{} // closed when it has
}

// launch starts a program, which is ended with the test at the latest.
func launch(t *testing.T, args ...string) *program {
	t.Helper()
	return launchCommand(t, command(t, args...))
}

func launchCommand(t *testing.T, cmd *exec.Cmd) *program {
	t.Helper()
	p := &program{cmd: cmd, errOut: &lockedBuffer{}, ended: make(chan struct{})}
	p.cmd.Stderr = p.errOut
	require.NoError(t, p.cmd.Start())
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait() // its exit code tells
	}()
	t.Cleanup(func() {
		select {
		case <-p.ended:
			return // by the test
		default:
		}
		if t.Failed() { // what it does is of interest
			_ = p.cmd.Process.Signal(syscall.SIGQUIT)
			<-p.ended
			t.Logf("%v\n%v", cmd.Args, p.errOut)
		}
		p.kill()
	})
	return p
}

// kill gives the program no moment to do anything more.
func (p *program) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.ended
}

// stop is Ctrl-C, and gives the exit code.
func (p *program) stop(t *testing.T) int {
	t.Helper()
	require.NoError(t, p.cmd.Process.Signal(os.Interrupt), "%v", p.errOut)
	return p.code(t)
}

// code waits for the end of the program.
func (p *program) code(t *testing.T) int {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(within):
		require.Fail(t, "it does not end", p.errOut.String())
	}
	return p.cmd.ProcessState.ExitCode()
}

// says waits until the program has written that to stderr.
func (p *program) says(t *testing.T, text string) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(p.errOut.String(), text) }, within, 10*time.Millisecond, text)
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// freeAddress is one that nobody listens at now.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return listener.Addr().String()
}

// follow sends the events of a tournament, each as soon as it is in the log, and closes the channel behind the last. It
// needs a server that somebody else runs, which may go away and come back.
func follow(t *testing.T, data, id string) <-chan league.Event {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	b, err := bus.Open(bus.Config{Dir: filepath.Join(data, "tournaments"), Guest: true})
	require.NoError(t, err)
	t.Cleanup(b.Close)
	store, err := league.Open(ctx, b, league.Options{})
	require.NoError(t, err)
	events := make(chan league.Event, 1<<16)
	go func() {
		defer close(events)
		_ = store.Watch(ctx, id, func(_ *league.State, e league.Event) error { // what it came to is looked at later
			events <- e
			return nil
		})
	}()
	return events
}

// await takes events until one is as wanted. It is an error if none is, or none comes any more.
func await(events <-chan league.Event, wanted func(league.Event) bool) error {
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return errors.New("the tournament is over")
			}
			if wanted(e) {
				return nil
			}
		case <-time.After(within):
			return fmt.Errorf("no event within %v", within)
		}
	}
}

func isPlayed(e league.Event) bool { return e.Played != nil }

// whole is what a tournament came to: its standings, and its export without times.
func whole(t *testing.T, data, id string) string {
	t.Helper()
	standings := succeed(t, "tournament", "standings", id, "--data", data, "--json", "--no-times")
	return standings + succeed(t, "tournament", "export", id, "--data", data, "--no-times")
}

// requireOnce requires that every match was counted once.
func requireOnce(t *testing.T, data, id string) {
	t.Helper()
	counted := map[int]int{}
	for e := range follow(t, data, id) {
		if e.Played != nil {
			counted[e.Played.Match]++
		}
	}
	require.NotEmpty(t, counted)
	for match := 1; match <= len(counted); match++ {
		require.Equal(t, 1, counted[match], "match %d", match)
	}
}
