//go:build unix

package sandbox_test

import (
	"bufio"
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/arena/sandbox/sandboxtest"
)

// The test binary is also the programs that the tests start: its first argument says which.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if role, ok := roles[os.Args[1]]; ok {
			role(os.Args[2:])
			os.Exit(0)
		}
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // else every warden takes a second to end
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGHUP} {
		if signal.Ignored(s) { // as in the background of a shell; those that we start are to die of it
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	sandboxtest.Main(m)
}

func startLauncher(tb testing.TB) *sandbox.Launcher {
	tb.Helper()
	l, err := sandbox.New(sandboxtest.Config(false))
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, l.Close()) })
	return l
}

func start(tb testing.TB, l *sandbox.Launcher, args ...string) *sandbox.Process {
	tb.Helper()
	p, err := l.Start(sandbox.Spec{Args: args, Env: []string{"PATH=" + os.Getenv("PATH"), "GORACE=" + os.Getenv("GORACE")}})
	require.NoError(tb, err)
	return p
}

func sh(tb testing.TB, l *sandbox.Launcher, script string) *sandbox.Process {
	tb.Helper()
	return start(tb, l, "/bin/sh", "-c", script)
}

func readAll(tb testing.TB, p *sandbox.Process) string {
	tb.Helper()
	b, err := io.ReadAll(p.Stdout())
	require.NoError(tb, err)
	return string(b)
}

// readPids reads n lines, each a pid.
func readPids(tb testing.TB, r io.Reader, n int) []int {
	tb.Helper()
	lines := bufio.NewScanner(r)
	pids := make([]int, 0, n)
	for len(pids) < n && lines.Scan() {
		pid, err := strconv.Atoi(lines.Text())
		require.NoError(tb, err)
		pids = append(pids, pid)
	}
	require.Len(tb, pids, n)
	return pids
}
