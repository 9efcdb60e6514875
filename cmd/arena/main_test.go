package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMain lets the test binary stand in for the program: the arena starts itself as its warden and as its bots.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-test.") {
		exitNow(process())
	}
	code := m.Run()
	_ = os.RemoveAll(buildDir)
	os.Exit(code)
}

// buildDir is where the program is built, as users have it, for tests that start it so often, or let it play so much, that the
// race detector would take most of the time.
var buildDir string

var build = sync.OnceValues(func() (program string, err error) {
	if buildDir, err = os.MkdirTemp("", "arena-built"); err != nil {
		return "", err
	}
	program = filepath.Join(buildDir, "arena")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return program, nil
})

// built prepares the program without the race detector.
func built(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	program, err := build()
	require.NoError(t, err)
	return exec.CommandContext(t.Context(), program, args...)
}

// builtSucceed is succeed without the race detector.
func builtSucceed(t *testing.T, args ...string) string {
	t.Helper()
	cmd := built(t, args...)
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	require.NoError(t, err, "%s\n%s", out, errOut.String())
	return string(out)
}

// outcome is what a command printed, and its exit code.
type outcome struct {
	code        int
	out, errOut string
}

// arenaRun runs a command inside this process, with its data in a folder of the test.
func arenaRun(t *testing.T, args ...string) outcome {
	t.Helper()
	var out, errOut bytes.Buffer
	code := run(t.Context(), args, strings.NewReader(""), &out, &errOut)
	return outcome{code: code, out: out.String(), errOut: errOut.String()}
}

// succeed runs a command that must exit with 0, and returns its output.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	o := arenaRun(t, args...)
	require.Equal(t, exitOK, o.code, "%s\n%s", o.errOut, o.out)
	return o.out
}

// command prepares the program as a process of its own.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	return exec.Command(exe, args...)
}
