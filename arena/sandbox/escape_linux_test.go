package sandbox_test

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

// hold returns a descriptor for each process that stays with it, whoever gets its number.
func hold(t *testing.T, pids []int) []int {
	t.Helper()
	fds := make([]int, 0, len(pids))
	for _, pid := range pids {
		fd, err := unix.PidfdOpen(pid, 0)
		require.NoError(t, err)
		t.Cleanup(func() { unix.Close(fd) })
		fds = append(fds, fd)
	}
	return fds
}

func dead(fd int, within time.Duration) bool {
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(within.Milliseconds()))
		if err != unix.EINTR {
			return n == 1
		}
	}
}

func requireDead(t *testing.T, fds []int, within time.Duration) {
	t.Helper()
	for _, fd := range fds {
		require.True(t, dead(fd, within))
	}
}

func requireAlive(t *testing.T, fds []int) {
	t.Helper()
	for _, fd := range fds {
		require.False(t, dead(fd, 0))
	}
}

func TestChildHoldsPipes(t *testing.T) {
	p := sh(t, startLauncher(t), "sleep 1000 & echo $!; exit 7")
	child := hold(t, readPids(t, p.Stdout(), 1))
	<-p.Done()
	assert.Equal(t, 7, p.Exit().Code)
	rest, err := io.ReadAll(p.Stdout())
	require.NoError(t, err, "the group dies with its head, so the pipe ends")
	assert.Empty(t, rest)
	require.NoError(t, p.Stop(time.Hour))
	requireDead(t, child, 0)
}

func TestEscapee(t *testing.T) {
	p := start(t, startLauncher(t), os.Args[0], "flee", "1")
	escaped := hold(t, readPids(t, p.Stdout(), 2))
	<-p.Done()
	requireAlive(t, escaped)
	require.NoError(t, p.Stop(time.Hour))
	requireDead(t, escaped, 0)
}

func TestEscapedTree(t *testing.T) {
	p := start(t, startLauncher(t), os.Args[0], "flee", "4")
	escaped := hold(t, readPids(t, p.Stdout(), 16))
	require.NoError(t, p.Stop(0))
	requireDead(t, escaped, 0)
}

// Processes in the middle of a fork or an exec have to be found too.
func TestEscapeDuringStop(t *testing.T) {
	l := startLauncher(t)
	marks := make([]string, 0, 30)
	for i := range cap(marks) {
		p := sh(t, l, `while :; do setsid sh -c 'echo "$ARENA_PROCESS"; setsid env sleep 1000 & exec env env sleep 1000' & done`)
		lines := bufio.NewScanner(p.Stdout())
		for range 1 + i%6 {
			require.True(t, lines.Scan())
		}
		marks = append(marks, lines.Text())
		require.NoError(t, p.Stop(0))
	}
	for _, mark := range marks {
		require.NotEmpty(t, mark)
		assert.Empty(t, withEnv(t, mark+"\x00"))
	}
}

func TestStopSparesOthers(t *testing.T) {
	l := startLauncher(t)
	var all []*sandbox.Process
	var escaped []int
	for range 12 { // so that the number of the first is the beginning of another
		p := start(t, l, os.Args[0], "flee", "1")
		escaped = append(escaped, hold(t, readPids(t, p.Stdout(), 2))...)
		all = append(all, p)
	}
	require.NoError(t, all[0].Stop(0))
	requireDead(t, escaped[:2], 0)
	requireAlive(t, escaped[2:])
	require.NoError(t, l.Close())
	requireDead(t, escaped, 0)
}

func TestUnmarkedHolderDoesNotBlockStop(t *testing.T) {
	l := startLauncher(t)
	p := sh(t, l, `env -i setsid sh -c 'echo $$; exec sleep 1000' & wait`)
	pids := readPids(t, p.Stdout(), 1)
	defer syscall.Kill(pids[0], syscall.SIGKILL)
	require.NoError(t, p.Stop(0), "what erased its mark is not found, and holds nothing up")
	_, err := p.Stdout().Read(make([]byte, 1))
	assert.ErrorIs(t, err, os.ErrClosed)
}

func TestLeaksNoDescriptors(t *testing.T) {
	l := startLauncher(t)
	run := func() {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 50 {
					assert.NoError(t, sh(t, l, "exit 0").Stop(time.Minute))
				}
			})
		}
		wg.Wait()
	}
	run()
	before := openFiles(t)
	run()
	assert.Equal(t, before, openFiles(t))
}

func TestInheritsOnlyPipes(t *testing.T) {
	fd, err := unix.Open("/dev/null", unix.O_RDONLY, 0) // stays open in children, as what a shell leaves open
	require.NoError(t, err)
	defer unix.Close(fd)
	l := startLauncher(t)
	other := start(t, l, "/bin/cat")
	p := sh(t, l, "ls /proc/$$/fd; sleep 0")
	assert.Equal(t, "0\n1\n2\n", readAll(t, p))
	require.NoError(t, p.Stop(0))
	require.NoError(t, other.Stop(0))
}

func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(files)
}

// withEnv lists the processes whose environment contains text.
func withEnv(t *testing.T, text string) []int {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	require.NoError(t, err)
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if env, err := os.ReadFile("/proc/" + e.Name() + "/environ"); err == nil && strings.Contains(string(env), text) {
			pids = append(pids, pid)
		}
	}
	return pids
}
