package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMain lets the test binary stand in for the program: the arena starts itself as its warden and as its bots.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-test.") {
		exitNow(process())
	}
	os.Exit(m.Run())
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
