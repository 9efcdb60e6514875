// Package sandboxtest builds programs for tests that start hundreds of processes. Under the race detector each takes several times
// as long to start, most of all as a cage, where there is nothing to find: a cage has one thread, and a warden hardly more.
package sandboxtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Var names the program in the environment of the processes of a test, which build none.
const Var = "ARENA_TEST_PROGRAM"

// Program is a package whose program is a cage and, with the argument warden, a warden.
const Program = "github.com/fivethreefive/fivethreefive/arena/sandbox/sandboxtest/program"

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
