package sandbox_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

var _ = addRoles(map[string]func([]string){"pen-arena": penArena, "pen-user": penUser})

func addRoles(more map[string]func([]string)) bool {
	maps.Copy(roles, more)
	return true
}

// eachWay runs a test with every way to keep the limits that there is here.
func eachWay(t *testing.T, test func(*testing.T, *sandbox.Launcher)) {
	t.Helper()
	for _, way := range []struct {
		name     string
		versions []int
		shows    string
	}{
		{"cgroup v2", []int{2}, "cgroup v2"},
		{"cgroup v1", []int{1}, "cgroup v1"},
		{"without", nil, "signals"},
	} {
		t.Run(way.name, func(t *testing.T) {
			l := confine(t, way.versions...)
			if l.Means().Freeze != way.shows {
				t.Skipf("only %+v here", l.Means())
			}
			test(t, l)
		})
	}
}

func confine(tb testing.TB, versions ...int) *sandbox.Launcher {
	tb.Helper()
	l, err := sandbox.New(sandbox.Config{Confine: true}.WithCgroups(versions...))
	require.NoError(tb, err)
	tb.Cleanup(func() {
		require.NoError(tb, l.Close())
		requireNone(tb, l.Cgroups())
	})
	return l
}

func requireNone(tb testing.TB, dirs []string) {
	tb.Helper()
	for _, dir := range dirs {
		require.NoDirExists(tb, dir)
	}
}

func limited(tb testing.TB, l *sandbox.Launcher, limits sandbox.Limits, args ...string) *sandbox.Process {
	tb.Helper()
	p, err := l.Start(sandbox.Spec{Args: args, Limits: limits, Env: []string{"PATH=" + os.Getenv("PATH")}})
	require.NoError(tb, err)
	return p
}

func requireOutOfMemory(t *testing.T, p *sandbox.Process) {
	t.Helper()
	<-p.Done()
	assert.True(t, p.Exit().OutOfMemory, "%v: %v", p.Exit(), p.Stderr())
	assert.Equal(t, syscall.SIGKILL, p.Exit().Signal)
	require.NoError(t, p.Stop(0))
}

func TestMeansWithoutCgroups(t *testing.T) {
	assert.Equal(t, sandbox.Means{Memory: "watcher", Processes: "rlimit", CPU: "none", Freeze: "signals"}, confine(t).Means())
	assert.Equal(t, sandbox.Means{Memory: "none", Processes: "none", CPU: "none", Freeze: "none"}, startLauncher(t).Means())
}

// What is shared is not in the data of a process, which the kernel bounds by itself.
func TestMemoryOfOne(t *testing.T) {
	eachWay(t, func(t *testing.T, l *sandbox.Launcher) {
		requireOutOfMemory(t, limited(t, l, sandbox.Limits{Memory: 64 << 20}, "python3", "-c", `
import mmap, time
m = mmap.mmap(-1, 1 << 30)
for i in range(0, 1 << 30, 4096): m[i] = 1
time.sleep(1000)`))
	})
}

func TestMemoryOfMany(t *testing.T) {
	eachWay(t, func(t *testing.T, l *sandbox.Launcher) {
		p := limited(t, l, sandbox.Limits{Memory: 256 << 20}, "python3", "-c", `
import os, time
for _ in range(20):
    if os.fork() == 0:
        b = bytearray(b'x') * (40 << 20)
        time.sleep(1000)
time.sleep(1000)`)
		requireOutOfMemory(t, p)
	})
}

// TestMemoryOfPageTables is of memory that a process does not have: it reads a byte of each 2 MiB, which costs a page of tables.
func TestMemoryOfPageTables(t *testing.T) {
	eachWay(t, func(t *testing.T, l *sandbox.Launcher) {
		p := limited(t, l, sandbox.Limits{Memory: 64 << 20}, "python3", "-c", `
import mmap, time
maps = []
for _ in range(64):
    m = mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
    maps.append(m)
    for i in range(0, 1 << 30, 2 << 20): m[i]
time.sleep(1000)`)
		requireOutOfMemory(t, p)
	})
}

func TestMemoryEnough(t *testing.T) {
	eachWay(t, func(t *testing.T, l *sandbox.Launcher) {
		p := limited(t, l, sandbox.Limits{}, "/bin/sh", "-c", "exit 3")
		<-p.Done()
		assert.Equal(t, 3, p.Exit().Code)
		assert.False(t, p.Exit().OutOfMemory)
		require.NoError(t, p.Stop(0))
	})
}

func TestProcessLimit(t *testing.T) {
	eachWay(t, func(t *testing.T, l *sandbox.Launcher) {
		p := limited(t, l, sandbox.Limits{Processes: 10}, "python3", "-c", `
import os, time
n = 1
try:
    while n < 100:
        if os.fork() == 0: time.sleep(1000)
        n += 1
except BlockingIOError: pass
print(n)`)
		assert.Equal(t, "10\n", readAll(t, p))
		require.NoError(t, p.Stop(0))
	})
}

func TestCgroupFiles(t *testing.T) {
	l := confine(t, 1)
	if l.Means() != (sandbox.Means{Memory: "cgroup v1", Processes: "cgroup v1", CPU: "cgroup v1", Freeze: "cgroup v1"}) {
		t.Skipf("only %+v here", l.Means())
	}
	p := limited(t, l, sandbox.Limits{Memory: 64 << 20, Processes: 7, CPU: 0.25}, "/bin/cat")
	got := make(map[string]string)
	for _, dir := range l.Cgroups() {
		for _, file := range []string{"memory.limit_in_bytes", "pids.max", "cpu.cfs_quota_us", "freezer.state"} {
			if text, err := os.ReadFile(filepath.Join(dir, "1", file)); err == nil {
				got[file] = strings.TrimSpace(string(text))
			}
		}
		inside, err := os.ReadFile(filepath.Join(dir, "1", "cgroup.procs"))
		require.NoError(t, err)
		assert.Equal(t, fmt.Sprintln(p.Pid()), string(inside))
	}
	assert.Equal(t, map[string]string{
		"memory.limit_in_bytes": "67108864", "pids.max": "7", "cpu.cfs_quota_us": "25000", "freezer.state": "THAWED",
	}, got)
	require.NoError(t, p.Stop(time.Minute))
	for _, dir := range l.Cgroups() {
		assert.NoDirExists(t, filepath.Join(dir, "1"))
	}
}

func TestProcessorShare(t *testing.T) {
	l := confine(t, 1)
	if l.Means().CPU != "cgroup v1" {
		t.Skipf("only %+v here", l.Means())
	}
	p := limited(t, l, sandbox.Limits{CPU: 0.1}, "/bin/sh", "-c", "while :; do :; done")
	throttled := func() bool {
		for _, dir := range l.Cgroups() {
			text, err := os.ReadFile(filepath.Join(dir, "1", "cpu.stat"))
			if err == nil {
				return !strings.Contains(string(text), "nr_throttled 0\n")
			}
		}
		return false
	}
	require.Eventually(t, throttled, time.Minute, time.Millisecond)
	require.NoError(t, p.Stop(0))
}

func TestFailedStartLeavesNoCgroup(t *testing.T) {
	eachWay(t, func(t *testing.T, l *sandbox.Launcher) {
		file := filepath.Join(t.TempDir(), "bot")
		write(t, file, "print('hello')\n", 0o755)
		_, err := l.Start(sandbox.Spec{Args: []string{file}})
		require.Error(t, err)
		for _, dir := range l.Cgroups() {
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			for _, e := range entries {
				assert.False(t, e.IsDir(), e.Name())
			}
		}
	})
}

func TestManyPens(t *testing.T) {
	eachWay(t, func(t *testing.T, l *sandbox.Launcher) {
		run := func(n int) {
			var wg sync.WaitGroup
			for range n {
				wg.Go(func() {
					p, err := l.Start(sandbox.Spec{Args: []string{"/bin/cat"}})
					if !assert.NoError(t, err) {
						return
					}
					answers := bufio.NewReader(p.Stdout())
					for range 3 {
						assert.NoError(t, p.Freeze())
						assert.NoError(t, p.Thaw())
						fmt.Fprintln(p.Stdin(), "hello")
						line, err := answers.ReadString('\n')
						assert.NoError(t, err)
						assert.Equal(t, "hello\n", line)
					}
					assert.NoError(t, p.Stop(time.Minute))
				})
			}
			wg.Wait()
		}
		run(2)
		before := openFiles(t)
		run(20)
		assert.Equal(t, before, openFiles(t))
	})
}

// penArena starts and freezes a bot, says the directories of its cgroups and stays.
func penArena(args []string) {
	cfg := sandbox.Config{Confine: true}.WithCgroups(1, 2)
	if args[0] == "1" {
		cfg = cfg.WithCgroups(1)
	}
	if args[1] == "warden" {
		cfg.Warden = []string{os.Args[0], "warden"}
	}
	l, err := sandbox.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := l.Start(sandbox.Spec{Args: []string{"/bin/cat"}})
	if err == nil {
		err = p.Freeze()
	}
	fmt.Println(strings.Join(l.Cgroups(), " "), err)
	io.Copy(io.Discard, os.Stdin)
}

func TestArenaDiesWithPens(t *testing.T) {
	for _, version := range []string{"1", "all"} {
		for _, warden := range []string{"warden", "none"} {
			t.Run(version+" "+warden, func(t *testing.T) {
				cmd := exec.Command(os.Args[0], "pen-arena", version, warden)
				_, err := cmd.StdinPipe()
				require.NoError(t, err)
				out, err := cmd.StdoutPipe()
				require.NoError(t, err)
				require.NoError(t, cmd.Start())
				line, err := bufio.NewReader(out).ReadString('\n')
				require.NoError(t, err)
				text, ok := strings.CutSuffix(line, " <nil>\n")
				require.True(t, ok, line)
				dirs := strings.Fields(text)
				var guard []int
				if warden == "warden" {
					guard = hold(t, []int{wardenOf(t, cmd.Process.Pid)})
				}
				require.NoError(t, cmd.Process.Kill())
				require.Error(t, cmd.Wait())
				if warden == "warden" {
					requireDead(t, guard, 30*time.Second)
				} else {
					confine(t, 1, 2)
				}
				requireNone(t, dirs)
			})
		}
	}
}

// penUser is the test of an ordinary user.
func penUser([]string) {
	l, err := sandbox.New(sandbox.Config{Confine: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	text, _ := json.Marshal(l.Means())
	fmt.Println(string(text))
	p, err := l.Start(sandbox.Spec{Args: []string{"/bin/cat"}, Dir: "/usr"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Freeze(), p.Thaw(), p.Stop(time.Minute), p.Exit())
	p, err = l.Start(sandbox.Spec{
		Args:   []string{"python3", "-c", "import mmap\nm = mmap.mmap(-1, 1 << 30)\nwhile True:\n for i in range(0, 1 << 30, 4096): m[i] = 1"},
		Env:    []string{"PATH=" + os.Getenv("PATH")},
		Dir:    "/usr",
		Limits: sandbox.Limits{Memory: 64 << 20},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	<-p.Done()
	fmt.Println(p.Exit().OutOfMemory, p.Stop(0))
}

func TestOrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("the other tests are by an ordinary user")
	}
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	self, err := os.ReadFile(os.Args[0])
	require.NoError(t, err)
	program := filepath.Join(dir, "test")
	write(t, program, string(self), 0o755)
	cmd := exec.Command(program, "pen-user")
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err)
	assert.Equal(t, `{"memory":"watcher","processes":"rlimit","cpu":"none","freeze":"signals"}
<nil> <nil> <nil> exit status 0
true <nil>
`, string(out))
}
