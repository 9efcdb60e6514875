package sandbox_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

// burned is the processor time in nanoseconds of each thread of a bot.
func burned(tb testing.TB, root int) map[string]int {
	tb.Helper()
	times := make(map[string]int)
	todo := []string{fmt.Sprint(root)}
	for len(todo) > 0 {
		pid := todo[0]
		todo = todo[1:]
		dir := "/proc/" + pid + "/task/"
		threads, err := os.ReadDir(dir)
		require.NoError(tb, err)
		for _, e := range threads {
			text, err := os.ReadFile(dir + e.Name() + "/schedstat")
			require.NoError(tb, err)
			times[e.Name()], err = strconv.Atoi(strings.Fields(string(text))[0])
			require.NoError(tb, err)
			children, err := os.ReadFile(dir + e.Name() + "/children")
			require.NoError(tb, err)
			todo = append(todo, strings.Fields(string(children))...)
		}
	}
	return times
}

// requireIdle allows for the microseconds in the kernel on the way into the freeze.
func requireIdle(t *testing.T, before, after map[string]int) {
	t.Helper()
	require.Len(t, after, len(before))
	for thread, time := range before {
		require.InDelta(t, time, after[thread], 1e6)
	}
}

// passTime lets another bot of the launcher count, which takes some tenths of a second.
func passTime(t *testing.T, l *sandbox.Launcher) {
	t.Helper()
	p := sh(t, l, `i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done`)
	<-p.Done()
	assert.Zero(t, p.Exit().Code)
	require.NoError(t, p.Stop(0))
}

func answer(t *testing.T, p *sandbox.Process, lines *bufio.Reader) {
	t.Helper()
	fmt.Fprintln(p.Stdin(), "are you there")
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, "are you there\n", line)
}

func TestFreeze(t *testing.T) {
	bots := []struct{ name, script string }{
		{"spin", `
for _ in range(3):
    if os.fork() == 0:
        while True: pass`},
		{"continue", `
for _ in range(2):
    if os.fork() == 0:
        while True:
            try: os.kill(-1, signal.SIGCONT)
            except ProcessLookupError: pass`},
		{"fork", `
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(2):
    if os.fork() == 0:
        while True:
            try:
                if os.fork() == 0:
                    if os.fork() == 0:
                        for _ in range(100): pass
                    os._exit(0)
            except OSError: pass`},
		{"head gone", `
if os.fork() == 0:
    threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()
    ctypes.CDLL(None).syscall(` + map[string]string{"amd64": "60", "arm64": "93"}[runtime.GOARCH] + `, 0)`},
		{"vfork", `
if os.fork() == 0:
    while True: subprocess.run(["/bin/sh", "-c", ":"])`},
	}
	for _, bot := range bots {
		t.Run(bot.name, func(t *testing.T) {
			eachWay(t, func(t *testing.T, l *sandbox.Launcher) {
				p := limited(t, l, sandbox.Limits{}, "python3", "-u", "-c", "import ctypes, os, signal, subprocess, sys, threading"+bot.script+`
for line in sys.stdin: print(line, end='')`)
				lines := bufio.NewReader(p.Stdout())
				answer(t, p, lines)
				for range 2 {
					require.NoError(t, p.Freeze())
					before := burned(t, p.Pid())
					require.NoError(t, p.Freeze())
					requireIdle(t, before, burned(t, p.Pid()))
					require.NoError(t, p.Thaw())
					answer(t, p, lines)
				}
				require.NoError(t, p.Freeze())
				before := burned(t, p.Pid())
				passTime(t, l)
				requireIdle(t, before, burned(t, p.Pid()))
				require.NoError(t, p.Thaw())
				require.NoError(t, p.Thaw())
				answer(t, p, lines)
				require.NoError(t, p.Stop(0))
			})
		})
	}
}

func TestKillFrozen(t *testing.T) {
	eachWay(t, func(t *testing.T, l *sandbox.Launcher) {
		p := sh(t, l, "sleep 1000 & cat")
		require.NoError(t, p.Freeze())
		require.NoError(t, p.Kill())
		assert.Equal(t, syscall.SIGKILL, p.Exit().Signal)
		assert.ErrorIs(t, p.Freeze(), os.ErrProcessDone)
		assert.ErrorIs(t, p.Thaw(), os.ErrProcessDone)

		p = sh(t, l, "exit 0")
		<-p.Done()
		assert.ErrorIs(t, p.Freeze(), os.ErrProcessDone)
		require.NoError(t, p.Stop(0))

		sh(t, l, "cat").Freeze() // for Close
	})
}

func TestFreezeAndKill(t *testing.T) {
	eachWay(t, func(t *testing.T, l *sandbox.Launcher) {
		for range 4 {
			p := sh(t, l, "while :; do :; done & while :; do :; done")
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					for {
						err := errors.Join(p.Freeze(), p.Thaw())
						if err != nil {
							assert.ErrorIs(t, err, os.ErrProcessDone)
							return
						}
					}
				})
			}
			require.NoError(t, p.Kill())
			wg.Wait()
		}
	})
}

func TestFreezeUnconfined(t *testing.T) {
	p := sh(t, startLauncher(t), "cat")
	require.ErrorIs(t, p.Freeze(), errors.ErrUnsupported)
	require.ErrorIs(t, p.Thaw(), errors.ErrUnsupported)
	require.NoError(t, p.Stop(0))
}

// A debugger's way to wait would take a stopped process for an ended one.
func TestStoppedIsNotEnded(t *testing.T) {
	l := confine(t, 1, 2)
	p := limited(t, l, sandbox.Limits{}, "/bin/cat")
	lines := bufio.NewReader(p.Stdout())
	for range 20 {
		require.NoError(t, syscall.Kill(p.Pid(), syscall.SIGSTOP))
		for {
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid()))
			require.NoError(t, err)
			if bytes.Contains(stat, []byte(") T ")) {
				break
			}
			runtime.Gosched()
		}
		select {
		case <-p.Done():
			require.Fail(t, "it was only stopped")
		default:
		}
		require.NoError(t, syscall.Kill(p.Pid(), syscall.SIGCONT))
		answer(t, p, lines)
	}
	require.NoError(t, p.Stop(0))
}

func BenchmarkFreeze(b *testing.B) {
	for _, versions := range [][]int{{2}, {1}, nil} {
		b.Run(fmt.Sprint("cgroups ", versions), func(b *testing.B) {
			l := confine(b, versions...)
			for _, bot := range [][]string{{"/bin/cat"}, {"node", "-e", "process.stdin.resume()"}} {
				b.Run(bot[0], func(b *testing.B) {
					p := limited(b, l, sandbox.Limits{Memory: 1 << 30}, bot...)
					for b.Loop() {
						if err := errors.Join(p.Freeze(), p.Thaw()); err != nil {
							b.Fatal(err)
						}
					}
					require.NoError(b, p.Stop(0))
				})
			}
		})
	}
}

func BenchmarkPen(b *testing.B) {
	for _, versions := range [][]int{{1, 2}, {2}, {1}, nil} {
		b.Run(fmt.Sprint("cgroups ", versions), func(b *testing.B) {
			l := confine(b, versions...)
			for b.Loop() {
				p := limited(b, l, sandbox.Limits{}, "/bin/true")
				if err := p.Kill(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
