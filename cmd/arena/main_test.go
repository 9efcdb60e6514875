package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/sandbox/sandboxtest"
)

// TestMain lets the test binary be the program. The program as users have it stands in for the cages, wardens and built-in bots of all
// tests, and is the arena of those that play much.
func TestMain(m *testing.M) {
	standIn = os.Getenv(sandboxtest.Var)
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-test.") {
		exitNow(process())
	}
	os.Exit(testAll(m))
}

func testAll(m *testing.M) int {
	var remove func()
	var err error
	if standIn, remove, err = sandboxtest.Build("."); err != nil {
		panic(err)
	}
	defer remove()
	return m.Run()
}

// built prepares the program without the race detector.
func built(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return exec.CommandContext(t.Context(), standIn, args...)
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
