package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// hostFolders are what every bot sees of the host, where they exist.
func hostFolders() []string {
	return []string{
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store",
		"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/ssl/certs",
		"/etc/java-17-openjdk", "/etc/nsswitch.conf", "/etc/mime.types",
	}
}

// seen decides what a bot sees: the paths, and the folders in them that are empty for it.
func (l *Launcher) seen(path string, spec Spec) (paths, hidden []string, err error) {
	if paths, err = l.views(path, spec); err != nil {
		return nil, nil, err
	}
	hidden, err = hidings(paths, spec.Dir, spec.Hide)
	return paths, hidden, err
}

// views lists the paths that a bot sees, without those that lie within others.
func (l *Launcher) views(path string, spec Spec) ([]string, error) {
	paths := hostFolders()
	if spec.Dir != "/" {
		paths = append(paths, spec.Dir)
	}
	for _, more := range spec.ReadOnly {
		actual, err := checkReadOnly(more)
		if err != nil {
			return nil, err
		}
		paths = append(paths, actual)
	}
	if path != "" {
		own, err := l.programViews(path, paths, spec)
		if err != nil {
			return nil, err
		}
		paths = append(paths, own...)
	}
	slices.Sort(paths)
	var out []string
	for _, p := range paths {
		if _, err := os.Lstat(p); err != nil {
			continue
		}
		if len(out) > 0 && within(p, out[len(out)-1]) {
			continue
		}
		out = append(out, p)
	}
	return out, nil
}

func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// checkReadOnly refuses what would undo the confinement, and links: somebody allowed a path, and where a link leads may be
// changed after that.
func checkReadOnly(path string) (string, error) {
	actual, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("read-only path: %w", err)
	}
	if actual != path {
		return "", fmt.Errorf("read-only path %q: it leads to %q now; name that instead, if it is what the bot may read", path, actual)
	}
	for _, own := range []string{"/", "/proc", "/sys", "/dev", "/run", "/tmp", "/dev/shm"} {
		if actual == own || within(actual, own) && (own == "/proc" || own == "/sys" || own == "/dev" || own == "/run") {
			return "", fmt.Errorf("read-only path %s: a bot has none or its own of this; name a folder with files", path)
		}
	}
	return actual, nil
}

// programViews are the folders that the program needs besides those that are seen already. A program that was looked up in
// the PATH brings its own along, and so does one of a command line that is trusted. Any other must lie in what is seen: the
// command line may be a stranger's, who would name a link to what he wants to see.
func (l *Launcher) programViews(path string, seen []string, spec Spec) ([]string, error) {
	own := l.program
	if own == "" {
		own, _ = os.Executable() // where that fails, nothing is it
	}
	if own == path {
		return []string{path}, nil
	}
	if spec.Trusted || !strings.ContainsRune(spec.name(), '/') {
		return interpreters(path), nil
	}
	actual, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(seen, func(dir string) bool { return within(actual, dir) }) {
		return nil, fmt.Errorf("the program is %s, outside of the bot's folder; name it without a folder to look it up in PATH, "+
			"or let the bot read the folder that it is in", actual)
	}
	return nil, nil
}

// workDir is where the bot is started, without links. A bot that needs none of its own gets the root, which has nothing in
// it that others do not see too.
func workDir(dir string) (string, error) {
	if dir == "" {
		return "/", nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	home, err := os.UserHomeDir()
	if err == nil {
		home, err = filepath.EvalSymlinks(home)
	}
	if dir == "/" || err == nil && within(home, dir) {
		return "", fmt.Errorf("its folder is %s, of which a bot may not see all; put it into a folder of its own", dir)
	}
	return dir, nil
}

// interpreters finds what a program outside the usual folders needs, by its links.
func interpreters(path string) []string {
	var out []string
	for range 10 { // links
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			break
		}
		out = slices.Concat(out, home(path), home(filepath.Join(dir, filepath.Base(path))))
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		path = join(dir, to)
	}
	return out
}

// home is what belongs to a program: the folder that it is in, or for PREFIX/bin/python3 what of PREFIX is made to be used by
// programs. The rest of PREFIX may be somebody's: tools keep what only their user may know beside their bin.
func home(path string) []string {
	dir := filepath.Dir(path)
	prefix := filepath.Dir(dir)
	name := filepath.Base(dir)
	switch {
	case dir == "/" || isHome(dir):
		return []string{path} // the program alone
	case name != "bin" && name != "shims" || isHome(prefix) || filepath.Base(prefix) == ".local":
		return []string{dir}
	}
	var parts []string
	for _, part := range []string{
		"bin", "sbin", "shims", "lib", "lib32", "lib64", "libexec", "share", "include",
		"pyvenv.cfg", "version", "versions", "installs", "plugins", "pyenv.d", // environments and version managers
		"conf", "jmods", "jre", "release", // Java
		"src", "pkg", "go.env", "VERSION", // Go
	} {
		parts = append(parts, filepath.Join(prefix, part))
	}
	return parts
}

// isHome also takes the folders of the root for homes, and what holds a home.
func isHome(dir string) bool {
	parent := filepath.Dir(dir)
	if parent == "/" || parent == "/home" {
		return true
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	if within(home, dir) {
		return true
	}
	actualHome, err := filepath.EvalSymlinks(home)
	if err != nil {
		return false
	}
	actual, err := filepath.EvalSymlinks(dir)
	return within(actualHome, dir) || err == nil && within(actualHome, actual)
}
