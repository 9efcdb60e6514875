// Package sandboxtest builds programs for tests that start hundreds of processes. Under the race detector each takes several times
// as long to start, most of all as a cage, where there is nothing to find: a cage has one thread, and a warden hardly more.
package sandboxtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

// Var names the program in the environment of the processes of a test, which build none.
const Var = "ARENA_TEST_PROGRAM"

// guardian is a package whose program is a cage and, with the argument warden, a warden.
const guardian = "github.com/fivethreefive/fivethreefive/arena/sandbox/sandboxtest/program"

// Main runs the tests of a package that makes its launchers by [Config], requires that they leave no goroutine, and ends the process.
func Main(m *testing.M) {
	_, remove, err := Build(guardian)
	if err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		remove()
		os.Exit(code) //nolint:forbidigo // this is the end of a main
	}))
}

// Config is of a launcher whose cages and warden are the program that Main has built.
func Config(confine bool) sandbox.Config {
	program := os.Getenv(Var)
	return sandbox.Config{Program: program, Warden: []string{program, "warden"}, Confine: confine}
}

// Build makes the program of a package in a new folder that everybody may read, and gives what removes it.
func Build(path string) (program string, remove func(), err error) {
	if program = os.Getenv(Var); program != "" {
		return program, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "arena-test-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	program = filepath.Join(dir, "arena")
	out, err := exec.CommandContext(context.Background(), "go", "build", "-o", program, path).CombinedOutput()
	if err == nil {
		err = os.Chmod(dir, 0o755) //nolint:gosec // bots may run as other users
	}
	if err != nil {
		remove()
		return "", nil, fmt.Errorf("build %s: %w\n%s", path, err, out)
	}
	return program, remove, os.Setenv(Var, program)
}
