package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	insideUID = 1000      // what a bot sees as its own
	firstUID  = 2_000_001 // of the users that bots are on the host where the arena may choose
	blockUIDs = 1 << 12   // users of one launcher, which takes them in turn
	blocks    = 1 << 17
)

// hostFolders are what every bot sees of the host, where they exist.
func hostFolders() []string {
	return []string{
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store",
		"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/ssl/certs",
		"/etc/java-17-openjdk", "/etc/nsswitch.conf", "/etc/mime.types",
	}
}

// mayChooseUser reports whether this program may make users that are not its own. It depends on capabilities and not on
// being called root: in a container root may have none.
func mayChooseUser() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if unix.Capget(&header, &data[0]) != nil {
		return false
	}
	need := uint32(1<<unix.CAP_SYS_ADMIN | 1<<unix.CAP_SETUID | 1<<unix.CAP_SETGID)
	return data[0].Effective&need == need
}

// hostUser is the user and the group that a bot is on the host where the arena may choose.
//
// Each launcher draws its block, so that two that run side by side hardly share a user.
func (l *Launcher) hostUser(number uint64) int {
	block := crc32.ChecksumIEEE([]byte(l.id)) % blocks
	return firstUID + int(block)*blockUIDs + int(number%blockUIDs)
}

// cageAttr makes the namespaces. The process keeps just the rights that Init needs, by the ambient set, since it is nobody
// special in its own user namespace either.
func (l *Launcher) cageAttr(number uint64, chooses bool) *syscall.SysProcAttr {
	uid, gid := os.Geteuid(), os.Getegid()
	attr := &syscall.SysProcAttr{
		Setsid: true, Pdeathsig: syscall.SIGKILL,
		Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC |
			unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP,
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP, unix.CAP_SYS_CHROOT, unix.CAP_SYS_RESOURCE},
		Credential:  &syscall.Credential{Uid: insideUID, Gid: insideUID, NoSetGroups: true},
	}
	if chooses {
		uid = l.hostUser(number)
		gid = uid
		attr.Credential.NoSetGroups = false
		attr.GidMappingsEnableSetgroups = true
	}
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: insideUID, HostID: uid, Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: insideUID, HostID: gid, Size: 1}}
	return attr
}

// startCaged starts a program by way of Init and returns when it runs, or when it is clear why not.
func (l *Launcher) startCaged(path string, spec Spec, number uint64, theirs [3]*os.File, env []string) (*os.Process, *pen, error) {
	c, err := l.newCage(path, spec, number, env)
	defer func() {
		for _, v := range c.Views {
			_ = v.file.Close()
		}
	}()
	if err != nil {
		return nil, nil, err
	}
	files := []*os.File{theirs[0], theirs[1], theirs[2], nil, nil}
	for i, v := range c.Views {
		if v.file != nil {
			c.Views[i].FD = len(files)
			files = append(files, v.file)
		}
	}
	text, err := json.Marshal(c)
	if err != nil {
		return nil, nil, err
	}
	in, cageEnd, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = in.Close() }()
	reportEnd, out, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = reportEnd.Close() }()
	files[cageFD], files[reportFD] = in, out
	proc, err := l.fork("/proc/self/exe", l.init, &os.ProcAttr{Dir: "/", Env: []string{"GODEBUG=", env[0]}, Files: files, Sys: l.cageAttr(number, mayChooseUser())})
	_ = out.Close()
	if err != nil {
		_ = cageEnd.Close()
		return nil, nil, err
	}
	pen, err := l.fill(proc, number, c.Limits, cageEnd, text, reportEnd)
	if err != nil {
		_ = proc.Kill()
		_, _ = proc.Wait()
		return nil, nil, errors.Join(err, pen.remove())
	}
	return proc, pen, nil
}

// newCage decides what the bot sees. The files of its views are the caller's to close, also after an error.
func (l *Launcher) newCage(path string, spec Spec, number uint64, env []string) (c cage, err error) {
	dir, err := workDir(spec.Dir)
	if err != nil {
		return cage{}, err
	}
	paths, err := views(path, dir, spec)
	if err != nil {
		return cage{}, err
	}
	hidden, err := hidings(paths, dir, spec.Hide)
	if err != nil {
		return cage{}, err
	}
	c = cage{Path: path, Args: spec.Args, Env: env, Dir: dir, Hide: hidden, Limits: spec.Limits.withDefaults()}
	c.Views, err = l.openViews(paths, dir, hidden, number)
	return c, err
}

// fill puts an Init into its pen, gives it the cage, and waits until the bot runs.
func (l *Launcher) fill(proc *os.Process, number uint64, limits Limits, in io.WriteCloser, text []byte, out io.Reader) (*pen, error) {
	pen, err := l.pens.add(proc.Pid, number, limits)
	if err != nil {
		_ = in.Close()
		return pen, err
	}
	_, werr := in.Write(text)
	_ = in.Close()
	report, rerr := io.ReadAll(out)
	if len(report) > 0 {
		err = readReport(report)
	}
	err = errors.Join(err, werr, rerr)
	if err == nil {
		err = pen.tighten()
	}
	return pen, err
}

// hidings are the names under which the views show what is to be hidden: a view keeps the name by which it was asked for,
// also if that is a link.
func hidings(views []string, dir string, hide []string) (names []string, err error) {
	for _, h := range hide {
		if within(dir, h) {
			return nil, fmt.Errorf("its folder lies in %s, which no bot may see; put it elsewhere", h)
		}
		names = append(names, h)
		for _, v := range views {
			if actual, err := filepath.EvalSymlinks(v); err == nil && actual != v && within(h, actual) {
				names = append(names, v+strings.TrimPrefix(h, actual))
			}
		}
	}
	return names, nil
}

// readReport makes an error of what Init has said: the number of the error and its text.
func readReport(report []byte) error {
	number, text, _ := bytes.Cut(bytes.TrimSpace(report), []byte(" "))
	errno, err := strconv.ParseUint(string(number), 10, 32)
	if err != nil || errno == 0 {
		return fmt.Errorf("sandbox: %s", report)
	}
	cause := syscall.Errno(errno)
	return fmt.Errorf("sandbox: %s%w", strings.TrimSuffix(string(text), cause.Error()), cause)
}

// views lists the paths that a bot sees, without those that lie within others.
func views(path, dir string, spec Spec) ([]string, error) {
	paths := hostFolders()
	if dir != "/" {
		paths = append(paths, dir)
	}
	for _, more := range spec.ReadOnly {
		actual, err := checkReadOnly(more)
		if err != nil {
			return nil, err
		}
		paths = append(paths, actual)
	}
	if path != "" {
		own, err := programViews(path, paths, spec)
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

func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// checkReadOnly refuses what would undo the confinement, and resolves links, so that nothing else is meant than is said.
func checkReadOnly(path string) (string, error) {
	actual, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("read-only path: %w", err)
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
func programViews(path string, seen []string, spec Spec) ([]string, error) {
	if self, err := os.Executable(); err == nil && self == path {
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

// interpreters finds where a program outside the usual folders lives, by its links: for PREFIX/bin/python3 it is PREFIX.
func interpreters(path string) []string {
	var out []string
	for range 10 { // links
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			break
		}
		out = append(out, home(path), home(filepath.Join(dir, filepath.Base(path))))
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		path = join(dir, to)
	}
	return out
}

// home is the folder that a program's files are in: what has a bin or shims, unless that would be somebody's whole home.
func home(path string) string {
	dir := filepath.Dir(path)
	prefix := filepath.Dir(dir)
	name := filepath.Base(dir)
	switch {
	case dir == "/" || isHome(dir):
		return path // the program alone
	case name != "bin" && name != "shims" || isHome(prefix) || filepath.Base(prefix) == ".local":
		return dir
	default:
		return prefix
	}
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
