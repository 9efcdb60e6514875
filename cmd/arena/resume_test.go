package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// TestResume ends a tournament in the middle in every way, goes on, and requires the bytes of an undisturbed run.
func TestResume(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals to send")
	}
	file := writeCup(t, t.TempDir(), "cycles = 3\nseed = 12\n")
	args := func(data string) []string {
		return []string{"tournament", "run", file, "--data", data, "--jobs", "2", "--move-time", "60s", "--unsafe-no-sandbox", "--json", "--no-times", "--no-replays"}
	}
	want := succeed(t, append(args(t.TempDir()), "-q")...)
	for name, end := range map[string][]os.Signal{
		"interrupt":       {os.Interrupt},
		"interrupt twice": {os.Interrupt, os.Interrupt},
		"terminate":       {syscall.SIGTERM},
		"kill":            {syscall.SIGKILL},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			errOut := interrupt(t, command(t, args(data)...), end)
			if name != "kill" {
				require.Contains(t, errOut, " matches; go on with: arena tournament run "+file+" --data "+data)
			}
			require.NoFileExists(t, filepath.Join(data, "tournaments", "cup"+league.ExportSuffix), "it was to be ended before its end")
			require.Equal(t, want, succeed(t, append(args(data), "-q")...))
			require.Equal(t, want, succeed(t, append(args(data), "-q")...), "a finished tournament is printed again")
		})
	}
}

// interrupt sends the signals after the first line of progress, and returns what the command wrote to stderr.
func interrupt(t *testing.T, cmd *exec.Cmd, signals []os.Signal) string {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	var out bytes.Buffer
	cmd.Stdout = &out
	require.NoError(t, cmd.Start())
	var text strings.Builder
	lines := bufio.NewScanner(stderr)
	sent := 0
	for lines.Scan() {
		text.WriteString(lines.Text() + "\n")
		progress := strings.Contains(lines.Text(), " games/s")
		stopping := strings.Contains(lines.Text(), "Ctrl-C again")
		if sent < len(signals) && (progress && sent == 0 || stopping && sent == 1) {
			require.NoError(t, cmd.Process.Signal(signals[sent]))
			sent++
		}
	}
	require.Equal(t, len(signals), sent, text.String())
	err = cmd.Wait()
	require.Error(t, err, "%s\n%s", text.String(), out.String())
	if signals[0] != syscall.SIGKILL {
		require.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode(), text.String())
	}
	return text.String()
}

func TestTournamentOfAnotherShape(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	file := writeCup(t, dir, "seed = 1\n")
	succeed(t, "tournament", "run", file, "--data", data, "-q", "--no-replays")
	out := succeed(t, "tournament", "run", file, "--data", data, "-q", "--no-replays")
	require.Contains(t, out, "It is finished")
	for _, more := range []string{"seed = 2\n", "seed = 1\ndeal_sets = 3\n", "cycles = 2\n", "rules = \"bga\"\n"} {
		o := arenaRun(t, "tournament", "run", writeCup(t, dir, more), "--data", data, "-q", "--no-replays")
		require.Equal(t, exitError, o.code, more)
		require.Contains(t, o.errOut, `tournament "cup" exists already and differs`, more)
		require.Contains(t, o.errOut, "choose another name", more)
	}
}
