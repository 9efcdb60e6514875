package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// markName is the environment variable by which a process is known to belong to a bot,
// wherever it went. Its value is the launcher's id, a dot, and the number of the process.
const markName = "ARENA_PROCESS"

const defaultStderr = 64 << 10

// Spec says what to start.
type Spec struct {
	// Args is the command line. A first word without a slash is looked up in the PATH of
	// Env; one with a slash is relative to Dir.
	Args []string
	// Dir is the working directory; empty is that of this program.
	Dir string
	// Writable lets a confined process write to Dir, which must then be a folder of its own that nobody else uses: it is for
	// builds. Where the arena chooses the user of a bot, everybody must be allowed to write to it. How much is written there
	// is bounded by nothing but Limits.Scratch for each file.
	Writable bool
	// Env is the whole environment, as NAME=value; nothing is inherited. The launcher adds
	// ARENA_PROCESS, by which it finds processes that fled, and drops an entry of that name.
	Env []string
	// ReadOnly are paths of the host that a confined process may read besides the usual ones and Dir. There may be no links
	// in them, which could be changed after somebody has allowed them.
	ReadOnly []string
	// Hide are folders that a confined process sees empty, wherever they show in what it sees. They have to exist.
	Hide []string
	// Trusted is for a command line of the user's own: the program that it names may lie anywhere, and the process then
	// sees the folder that it is in. Otherwise it must be in Dir, in ReadOnly, in a folder of the system or in the PATH.
	Trusted bool
	// Limits bound a confined process.
	Limits Limits
	// Stderr is the number of bytes kept of what the process writes to its standard
	// error; 0 is 64 KiB.
	Stderr int
}

func (s Spec) name() string {
	if len(s.Args) == 0 {
		return ""
	}
	return s.Args[0]
}

// environ puts the mark first, where a search sees it soonest.
func (s Spec) environ(mark string) []string {
	env := append(make([]string, 0, len(s.Env)+1), mark)
	for _, e := range s.Env {
		if !strings.HasPrefix(e, markName+"=") {
			env = append(env, e)
		}
	}
	return env
}

// find returns the absolute path of the program.
func (s Spec) find() (string, error) {
	if s.name() == "" {
		return "", errors.New("the command is empty; check the run line")
	}
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return "", err
	}
	if info, statErr := os.Stat(dir); statErr != nil {
		return "", fmt.Errorf("working directory: %w", statErr)
	} else if !info.IsDir() {
		return "", fmt.Errorf("working directory %s: %w", dir, syscall.ENOTDIR)
	}
	if strings.ContainsRune(s.name(), '/') || strings.ContainsRune(s.name(), filepath.Separator) {
		return findFile(join(dir, s.name()))
	}
	path := lastValue(s.Env, "PATH")
	if path == "" {
		return "", fmt.Errorf("%w: its environment has no PATH to look in", exec.ErrNotFound)
	}
	denied := ""
	for _, entry := range filepath.SplitList(path) {
		found, err := exec.LookPath(join(dir, filepath.Join(entry, s.name())))
		if err == nil {
			return found, nil
		}
		if denied == "" && errors.Is(err, fs.ErrPermission) {
			denied = filepath.Join(entry, s.name())
		}
	}
	if denied != "" {
		return "", fmt.Errorf("%s: %w; make it executable", denied, fs.ErrPermission)
	}
	return "", notInPathError{}
}

func findFile(path string) (string, error) {
	found, err := exec.LookPath(path)
	switch {
	case err == nil:
		return found, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%s: %w; check the run line, and whether the bot is built", path, fs.ErrNotExist)
	case errors.Is(err, syscall.EISDIR):
		return "", fmt.Errorf("%s: %w; check the run line", path, syscall.EISDIR)
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("%s: %w; make it executable (chmod +x), or name its interpreter in the run line", path, fs.ErrPermission)
	default:
		return "", err
	}
}

// notInPathError is exec.ErrNotFound in better words.
type notInPathError struct{}

func (notInPathError) Error() string { return "not found in PATH; check the run line" }
func (notInPathError) Unwrap() error { return exec.ErrNotFound }

// explain adds to an error of the system call what it means for a file that was found.
func explain(err error) error {
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%w; it is no program for this system, or a script whose first line does not name its interpreter, as in #!/usr/bin/env python3", err)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w; the file is there, but the interpreter of its first line or its dynamic loader is not, or lies where a confined bot may not see it", err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w; the file, its interpreter or its file system does not allow execution", err)
	default:
		return err
	}
}

func join(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

func lastValue(env []string, name string) string {
	for _, e := range slices.Backward(env) {
		key, value, _ := strings.Cut(e, "=")
		if key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}
