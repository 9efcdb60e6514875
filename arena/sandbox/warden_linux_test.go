package sandbox_test

import (
	"bytes"
	"fmt"
	"log/slog"
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

const arenaBots = 1 + 2 + 4 + 2 // as arena starts them

// startArena gives the arena, the pids of its bots, and the folder in which it has a folder.
func startArena(t *testing.T) (*exec.Cmd, []int, string) {
	t.Helper()
	scratch := t.TempDir()
	cmd := exec.Command(os.Args[0], "arena", scratch)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	_, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	bots := hold(t, readPids(t, out, arenaBots))
	requireAlive(t, bots)
	left, err := filepath.Glob(filepath.Join(scratch, "*"))
	require.NoError(t, err)
	require.Len(t, left, 1)
	return cmd, bots, scratch
}

// requireEmpty waits until the warden has removed what its arena had in a folder.
func requireEmpty(t *testing.T, dir string) {
	t.Helper()
	require.Eventually(t, func() bool {
		left, err := os.ReadDir(dir)
		return err == nil && len(left) == 0
	}, 30*time.Second, 10*time.Millisecond)
}

func TestArenaDies(t *testing.T) {
	tests := []struct {
		name   string
		signal syscall.Signal
		group  bool
	}{
		{"killed", syscall.SIGKILL, false},
		{"interrupted", syscall.SIGINT, false},
		{"terminated", syscall.SIGTERM, false},
		{"Ctrl-C at the terminal", syscall.SIGINT, true},
		{"terminal hung up", syscall.SIGHUP, true},
		{"its group killed", syscall.SIGKILL, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cmd, bots, scratch := startArena(t)
			pid := cmd.Process.Pid
			if tt.group {
				pid = -pid
			}
			require.NoError(t, syscall.Kill(pid, tt.signal))
			require.Error(t, cmd.Wait())
			requireDead(t, bots, 30*time.Second)
			requireEmpty(t, scratch)
		})
	}
}

func TestWardenIgnoresRequests(t *testing.T) {
	cmd, bots, scratch := startArena(t)
	warden := wardenOf(t, cmd.Process.Pid)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		require.NoError(t, syscall.Kill(warden, sig))
	}
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	requireDead(t, bots, 30*time.Second)
	requireEmpty(t, scratch)
}

func TestWardenLost(t *testing.T) {
	var log lockedBuffer
	l, err := sandbox.New(sandbox.Config{
		Warden: []string{os.Args[0], "warden"},
		Log:    slog.New(slog.NewTextHandler(&log, nil)),
	})
	require.NoError(t, err)
	pid := wardenOf(t, os.Getpid())
	warden := hold(t, []int{pid})
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	requireDead(t, warden, 30*time.Second)
	for range 3 {
		require.NoError(t, sh(t, l, "exit 0").Stop(time.Minute))
	}
	require.NoError(t, l.Close())
	assert.Equal(t, 1, strings.Count(log.String(), "may outlive"), log.String())
}

func TestWrongWarden(t *testing.T) {
	for _, args := range [][]string{{"/bin/cat"}, {"/bin/true"}, {"/no/such/file"}} {
		_, err := sandbox.New(sandbox.Config{Warden: args})
		assert.ErrorContains(t, err, "start the warden")
	}
}

func TestWardenLines(t *testing.T) {
	run := func(input string) (string, error) {
		cmd := exec.Command(os.Args[0], "warden")
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.Output()
		return string(out), err
	}
	dir := t.TempDir()
	out, err := run("start 1\nstart -1\nstart x\nend\n\nlauncher nobody\nfolder x\nfolder \"x\"\nfolder \"" + dir + "\nsta")
	require.NoError(t, err)
	assert.Equal(t, "ready\n", out)
	assert.DirExists(t, dir, "a torn line means nothing")
	_, err = run("")
	assert.Error(t, err, "it does not know for whom it is")
}

// wardenOf finds the child of a program that was started as a warden.
func wardenOf(t *testing.T, parent int) int {
	t.Helper()
	for _, pid := range withEnv(t, "") {
		cmdline, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		_, rest, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(rest)
		if strings.HasSuffix(string(cmdline), "\x00warden\x00") && len(fields) > 1 && fields[1] == fmt.Sprint(parent) {
			return pid
		}
	}
	require.Fail(t, "no warden")
	return 0
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
