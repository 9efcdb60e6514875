package seat

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"
	"syscall"
)

// tight is a limit in bytes under which common runtimes do not get so far as to say what they lack: Go ends or is ended
// while it starts, and Node.js waits for ever. Under a few MiB nothing is even loaded.
const tight = 128 << 20

// raise says what a limit in bytes is, and what raises it. The words are those of the arena's command line, since whoever
// reads a card has typed it.
func raise(limit int64) string {
	return fmt.Sprintf("the limit is %d MiB with all its processes; --memory raises it, or memory_mb in a tournament file", limit>>20)
}

// lacks is what cards add where something points to the limit. Without a limit nothing does.
func lacks(how string, limit int64) string {
	if limit == 0 {
		return ""
	}
	return how + ": " + raise(limit)
}

// perhaps is what cards add where nothing is known but a tight limit.
func perhaps(limit int64) string {
	if limit >= tight {
		return ""
	}
	return lacks("; perhaps it lacks memory", limit)
}

// startHint is the same for a program that was not loaded, unless the error is of what the command line names.
func startHint(err error, limit int64) string {
	for _, named := range []error{fs.ErrNotExist, fs.ErrPermission, exec.ErrNotFound, syscall.ENOEXEC, syscall.ENOTDIR, syscall.EISDIR} {
		if errors.Is(err, named) {
			return ""
		}
	}
	return perhaps(limit)
}

// memoryLine finds the first line in which a runtime or the system says that there is no more memory, or nothing. What
// comes after such a line may be a long trace.
func memoryLine(stderr string) string {
	for line := range strings.Lines(stderr) {
		small := strings.ToLower(line)
		for _, words := range []string{
			"out of memory",        // Go, V8, Perl, musl
			"cannot allocate",      // glibc, Go, bash
			"memoryerror",          // Python, Ruby
			"outofmemory",          // Java, .NET
			"insufficient memory",  // Java
			"errno=12",             // Java
			"failed to allocate",   // Java, Ruby
			"bad_alloc",            // C++
			"memory allocation of", // Rust
			"not enough memory",    // Lua
		} {
			if strings.Contains(small, words) {
				return strings.TrimSuffix(line, "\n")
			}
		}
	}
	return ""
}

// excerpt is the part of a bot's stderr that its author will want to see: the last lines, below what is said about memory
// if that came before them.
func excerpt(stderr string) string {
	const size = 200
	last, line := lastLines(stderr), memoryLine(stderr)
	line = strings.ToValidUTF8(line[:min(len(line), size)], "\ufffd")
	if strings.Contains(last, line) {
		return last
	}
	return line + "\n[...]\n" + last
}
