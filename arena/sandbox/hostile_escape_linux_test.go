package sandbox_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

func TestHostileSeenFromOutside(t *testing.T) {
	l := startCaged(t)
	one, two := status(t, start(t, l, "/bin/cat")), status(t, start(t, l, "/bin/cat"))
	for _, s := range []map[string]string{one, two} {
		for _, set := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"} {
			assert.Equal(t, "0000000000000000", s[set], set)
		}
		assert.Equal(t, "1", s["NoNewPrivs"])
		assert.Equal(t, "2", s["Seccomp"])
		for _, ids := range []string{"Uid", "Gid"} {
			id := strings.Fields(s[ids])
			assert.Equal(t, []string{id[0], id[0], id[0], id[0]}, id)
			assert.NotEqual(t, "0", id[0], "a bot is never root")
		}
	}
	if os.Geteuid() == 0 {
		assert.NotEqual(t, one["Uid"], two["Uid"], "each bot is a user of its own")
		assert.NotEqual(t, one["Gid"], two["Gid"])
		assert.Empty(t, one["Groups"])
		return
	}
	assert.Equal(t, strconv.Itoa(os.Getuid()), strings.Fields(one["Uid"])[0])
}

// status reads what the kernel says about a process.
func status(t *testing.T, p *sandbox.Process) map[string]string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid()))
	require.NoError(t, err)
	fields := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		fields[name] = strings.TrimSpace(value)
	}
	return fields
}

func TestHostileEnvironment(t *testing.T) {
	t.Setenv("SECRET", "of the arena")
	h := newHost(t)
	got := h.run(t, startCaged(t), sandbox.Limits{}, []string{"environment"})
	assert.Regexp(t, regexp.MustCompile(`^ARENA_PROCESS=\w+\.\d+\nGIVEN=1$`), got)
}

func TestHostileInheritsNothing(t *testing.T) {
	h := newHost(t)
	caged, free := startCaged(t), startLauncher(t)
	fd, err := unix.Open("/dev/null", unix.O_RDONLY, 0) // as a library does that knows of no children
	require.NoError(t, err)
	defer unix.Close(fd)
	assert.Equal(t, "0 1 2", h.run(t, caged, sandbox.Limits{}, []string{"descriptors"}))
	assert.Equal(t, fmt.Sprintf("0 1 2 %d", fd), h.run(t, free, sandbox.Limits{}, []string{"descriptors"}))
}

// A pipe can be written to on a read-only mount, so two bots of one folder could talk.
func TestHostileJoinedFolder(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, unix.Mkfifo(filepath.Join(dir, "fifo"), 0o666))
	_, err := startCaged(t).Start(sandbox.Spec{Args: []string{"/bin/cat"}, Dir: dir})
	assert.ErrorContains(t, err, "fifo is a pipe or a socket")
}

// The first process of its namespace cannot stop itself. One that could would have to be continued by the arena.
func TestHostileStopsItself(t *testing.T) {
	h := newHost(t)
	assert.Equal(t, "EPERM", h.run(t, startCaged(t), sandbox.Limits{}, []string{"stop"}))
	p, err := startLauncher(t).Start(sandbox.Spec{Args: []string{"./attack", "stop"}, Dir: h.bot})
	require.NoError(t, err)
	var info unix.Siginfo
	require.NoError(t, unix.Waitid(unix.P_PID, p.Pid(), &info, unix.WSTOPPED|unix.WNOWAIT, nil))
	require.NoError(t, p.Kill())
}

func TestHostileSiege(t *testing.T) {
	h := newHost(t)
	l := startCaged(t)
	siege, err := l.Start(sandbox.Spec{Args: []string{"./attack", "besiege"}, Dir: h.bot})
	require.NoError(t, err)
	line, err := bufio.NewReader(siege.Stdout()).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "EAGAIN", outcome(line))
	other := start(t, l, "/bin/sh", "-c", "/bin/echo it works & wait")
	assert.Equal(t, "it works\n", readAll(t, other), "a bot has room beside one that has none left")
	all := hold(t, inside(t, siege.Pid()))
	assert.Greater(t, len(all), 10)
	require.NoError(t, siege.Kill())
	requireDead(t, all, 0)
}

func TestHostileDaemon(t *testing.T) {
	p := sh(t, startCaged(t), fleeing)
	_, err := p.Stdout().Read(make([]byte, len("ready\n")))
	require.NoError(t, err)
	all := hold(t, inside(t, p.Pid()))
	assert.GreaterOrEqual(t, len(all), 3)
	require.NoError(t, p.Kill())
	requireDead(t, all, 0)
}

func TestHostileArenaKilled(t *testing.T) {
	startCaged(t) // skips where there is nothing to test
	mounts := countMounts(t)
	cmd := exec.Command(os.Args[0], "caged")
	_, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var all []int
	for _, pid := range readPids(t, out, 4) {
		escaped := inside(t, pid)
		assert.GreaterOrEqual(t, len(escaped), 3)
		all = append(all, hold(t, escaped)...)
	}
	requireAlive(t, all)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	requireDead(t, all, 30*time.Second)
	assert.Equal(t, mounts, countMounts(t))
}

// inside lists the processes that share the namespace of a process.
func inside(t *testing.T, pid int) []int {
	t.Helper()
	want, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/pid", pid))
	require.NoError(t, err)
	entries, err := os.ReadDir("/proc")
	require.NoError(t, err)
	var pids []int
	for _, e := range entries {
		if got, err := os.Readlink("/proc/" + e.Name() + "/ns/pid"); err == nil && got == want && e.Name() != "self" && e.Name() != "thread-self" {
			id, _ := strconv.Atoi(e.Name())
			pids = append(pids, id)
		}
	}
	return pids
}

func countMounts(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/mountinfo")
	require.NoError(t, err)
	return strings.Count(string(text), "\n")
}

// TestHostileLeavesNothing starts and ends many bots; ARENA_TEST_STARTS says how many.
func TestHostileLeavesNothing(t *testing.T) {
	starts, err := strconv.Atoi(os.Getenv("ARENA_TEST_STARTS"))
	if err != nil {
		starts = 100
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	l := startCaged(t)
	mark := strings.TrimSpace(readAll(t, sh(t, l, `echo "${ARENA_PROCESS%.*}"`)))
	require.NotEmpty(t, mark)
	run := func(n int) {
		var wg sync.WaitGroup
		for worker := range 4 {
			wg.Go(func() {
				for i := worker; i < n; i += 4 {
					endOne(t, l, i)
				}
			})
		}
		wg.Wait()
	}
	run(8) // what stays is made once
	files, mounts, goroutines := openFiles(t), countMounts(t), runtime.NumGoroutine()
	run(starts)
	assert.Equal(t, files, openFiles(t))
	assert.Equal(t, mounts, countMounts(t))
	within(t, "as many goroutines as before", func() bool { return runtime.NumGoroutine() <= goroutines+1 }) // the one of the check itself
	assert.Empty(t, withEnv(t, "ARENA_PROCESS="+mark+"."))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func endOne(t *testing.T, l *sandbox.Launcher, i int) {
	scripts := []string{
		"exit 3",
		"setsid sleep 1000 & setsid sleep 1000 & exit 0",
		"i=0; while [ $i -lt 30 ]; do i=$((i+1)); sleep 1000 & done; echo ready; wait",
		"echo x >/tmp/x; echo y >/dev/shm/y; echo ready; cat",
		fleeing,
	}
	p, err := l.Start(sandbox.Spec{Args: []string{"/bin/sh", "-c", scripts[i%len(scripts)]}, Env: []string{"PATH=/usr/bin:/bin"}})
	if !assert.NoError(t, err) {
		return
	}
	_, err = p.Stdout().Read(make([]byte, 8))
	if err != nil {
		assert.ErrorIs(t, err, io.EOF)
	}
	assert.NoError(t, p.Kill())
}
