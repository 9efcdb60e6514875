package registry

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

// What a confined build is ended for, besides its own failure.
var (
	ErrBuildTime   = errors.New("it was not done")
	ErrBuildMemory = errors.New("it used more memory than it may")
	ErrBuildSize   = errors.New("it wrote more than it may")

	// ErrBuildManifest is about a build that changes what the bot says of itself, under which it has been let in.
	ErrBuildManifest = errors.New("it changed " + ManifestName + ", or what read_only in it leads to")
)

// BuildLimits are what a confined build may take.
type BuildLimits struct {
	Time   time.Duration
	Memory int64 // bytes of all its processes, and of what it writes to /tmp
	Output int64 // bytes of the bot's folder after it
	Files  int   // files and folders in it after it
	Caches bool  // whether it may read what this user's compilers have kept; not for strangers' bots
}

// DefaultBuildLimits are enough for a compiler with cold caches.
func DefaultBuildLimits() BuildLimits {
	return BuildLimits{Time: 2 * time.Minute, Memory: 2 << 30, Output: 512 << 20, Files: 50_000}
}

// BuildConfined runs the build command of a stranger's bot, if it has one: as the bot will run, without a network and seeing
// nothing but its folder and the system's programs, only that it may write to the folder. That must be a copy for this
// purpose. A launcher that does not confine runs it with all rights, in the environment of this program.
func (b Bot) BuildConfined(ctx context.Context, launcher *sandbox.Launcher, hide []string, limits BuildLimits) (err error) {
	if len(b.Build) == 0 {
		return nil
	}
	if err = openUp(b.Dir); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, settle(b.Dir)) }()
	said := sayings(b.Dir)
	toolchains, env := toolchains()
	if cache := goCache(); limits.Caches && cache != "" {
		toolchains, env = append(toolchains, cache), append(env, "GOCACHE="+cache)
	}
	env = slices.Concat(b.Environment(), env)
	if !launcher.Confines() {
		env = os.Environ() // where the caches of compilers are
	}
	watching, stop := context.WithCancel(ctx)
	tooMuch, done := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(done)
		watchSize(watching, b.Dir, limits, tooMuch)
	}()
	err = b.build(ctx, launcher, sandbox.Spec{
		Args: b.Build, Dir: b.Dir, Writable: true, Hide: hide, ReadOnly: slices.Concat(b.ReadOnly, toolchains),
		Env: env, Limits: sandbox.Limits{Memory: limits.Memory, Processes: 512, CPU: 4, Files: 4096, Scratch: limits.Output},
	}, limits.Time, tooMuch)
	stop()
	<-done
	if err == nil {
		err = measure(b.Dir, limits)
	}
	if err == nil && sayings(b.Dir) != said {
		err = ErrBuildManifest
	}
	return err
}

// sayings are all that a manifest says, and where its read_only leads. They are the same if these are.
func sayings(dir string) string {
	path := filepath.Join(dir, ManifestName)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "no file"
	}
	m, err := ReadManifest(dir)
	said := []string{fmt.Sprintf("%q %v", fmt.Sprint(m), err)}
	for _, name := range m.ReadOnly {
		actual, err := leadsTo(dir, name)
		said = append(said, fmt.Sprintf("%q %v", actual, err))
	}
	return strings.Join(said, "\n")
}

// toolchains are what compilers need besides the folder that they are in, and the environment that keeps them from looking
// for a network that is not there.
func toolchains() (paths, env []string) {
	env = []string{"GOTOOLCHAIN=local", "GOPROXY=off", "GOTELEMETRY=off", "CARGO_HOME=/tmp/cargo", "CARGO_NET_OFFLINE=true", "npm_config_offline=true"}
	rustup := os.Getenv("RUSTUP_HOME")
	if home, err := os.UserHomeDir(); rustup == "" && err == nil {
		rustup = filepath.Join(home, ".rustup")
	}
	if actual, err := filepath.EvalSymlinks(rustup); rustup != "" && err == nil {
		paths, env = append(paths, actual), append(env, "RUSTUP_HOME="+actual)
	}
	return paths, env
}

// goCache is where Go keeps the packages that this user has compiled, or empty. Without it a build in Go begins with the
// standard library; to read it is enough.
func goCache() string {
	cache := os.Getenv("GOCACHE")
	if dir, err := os.UserCacheDir(); cache == "" && err == nil {
		cache = filepath.Join(dir, "go-build")
	}
	actual, err := filepath.EvalSymlinks(cache)
	if err != nil {
		return ""
	}
	return actual
}

// openUp lets everybody write to a folder, since the build may be another user. The folder that it is in keeps others away.
func openUp(dir string) error {
	return walk(dir, func(root *os.Root, path string, entry fs.DirEntry) error {
		info, err := entry.Info()
		if err != nil {
			return err
		}
		return root.Chmod(path, info.Mode().Perm()|0o222)
	})
}

// settle makes everything in a folder that a build has left this user's own, and readable by everybody. What a build may
// have closed to others could not even be removed.
func settle(dir string) error {
	return walk(dir, func(root *os.Root, path string, entry fs.DirEntry) error {
		if os.Geteuid() == 0 {
			if err := root.Lchown(path, 0, os.Getegid()); err != nil {
				return err
			}
		}
		switch {
		case entry.IsDir():
			return root.Chmod(path, 0o755)
		case entry.Type().IsRegular():
			info, err := entry.Info()
			if err != nil {
				return err
			}
			if info.Mode()&0o100 == 0 {
				return root.Chmod(path, 0o644)
			}
			return root.Chmod(path, 0o755)
		default:
			return nil
		}
	})
}

// walk visits a folder and what is in it, each folder before it is read, and never leaves it by a link.
func walk(dir string, visit func(root *os.Root, path string, entry fs.DirEntry) error) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // it was only read
	return fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return visit(root, path, entry)
	})
}

// watchSize looks several times a second at how much a build has written.
func watchSize(ctx context.Context, dir string, limits BuildLimits, tooMuch chan<- error) {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := measure(dir, limits); errors.Is(err, ErrBuildSize) {
			tooMuch <- err
			return
		}
	}
}

// measure fails with ErrBuildSize for a folder that holds too much. What vanishes meanwhile does not count.
func measure(dir string, limits BuildLimits) error {
	var bytes int64
	files := 0
	return filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || entry == nil {
			return nil
		}
		if err != nil {
			return err
		}
		if info, err := entry.Info(); err == nil && !entry.IsDir() {
			bytes += info.Size()
		}
		if files++; files > limits.Files {
			return fmt.Errorf("%w: more than %d files", ErrBuildSize, limits.Files)
		}
		if bytes > limits.Output {
			return fmt.Errorf("%w: more than %d MiB", ErrBuildSize, limits.Output>>20)
		}
		return nil
	})
}
