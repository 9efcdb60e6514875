package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	insideUID = 1000      // what a bot sees as its own
	firstUID  = 2_000_001 // of the users that bots are on the host where the arena may choose
	lastUIDs  = 1_000_000
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
func hostUser(number uint64) int { return firstUID + int(number%lastUIDs) }

// cageAttr makes the namespaces. The process keeps just the rights that Init needs, by the ambient set, since it is nobody
// special in its own user namespace either.
func cageAttr(number uint64, chooses bool) *syscall.SysProcAttr {
	uid, gid := os.Geteuid(), os.Getegid()
	attr := &syscall.SysProcAttr{
		Setsid: true, Pdeathsig: syscall.SIGKILL,
		Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC |
			unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP,
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP, unix.CAP_SYS_CHROOT, unix.CAP_SYS_RESOURCE},
		Credential:  &syscall.Credential{Uid: insideUID, Gid: insideUID, NoSetGroups: true},
	}
	if chooses {
		uid = hostUser(number)
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
	dir, err := workDir(spec.Dir)
	if err != nil {
		return nil, nil, err
	}
	c := cage{Path: path, Args: spec.Args, Env: env, Dir: dir, Limits: spec.Limits.withDefaults(), UID: insideUID}
	files := []*os.File{theirs[0], theirs[1], theirs[2], nil, nil}
	c.Views, err = l.openViews(views(path, dir, spec.ReadOnly), dir, number)
	defer func() {
		for _, v := range c.Views {
			_ = v.file.Close()
		}
	}()
	if err != nil {
		return nil, nil, err
	}
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
	proc, err := l.fork("/proc/self/exe", l.init, &os.ProcAttr{Dir: "/", Env: []string{"GODEBUG=", env[0]}, Files: files, Sys: cageAttr(number, mayChooseUser())})
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
		err = fmt.Errorf("sandbox: %s", bytes.TrimSpace(report))
	}
	err = errors.Join(err, werr, rerr)
	if err == nil {
		err = pen.tighten()
	}
	return pen, err
}

// views lists the paths that a bot sees, without those that lie within others.
func views(path, dir string, more []string) []string {
	paths := append(hostFolders(), more...)
	if dir != "/" {
		paths = append(paths, dir)
	}
	if path != "" {
		paths = append(paths, interpreters(path)...)
	}
	slices.Sort(paths)
	var out []string
	for _, p := range paths {
		if _, err := os.Lstat(p); err != nil {
			continue
		}
		if len(out) > 0 && (p == out[len(out)-1] || strings.HasPrefix(p, out[len(out)-1]+"/")) {
			continue
		}
		out = append(out, p)
	}
	return out
}

// workDir is where the bot is started. A bot that needs none of its own gets the root, which has nothing in it that others
// do not see too.
func workDir(dir string) (string, error) {
	if dir == "" {
		return "/", nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if home, err := os.UserHomeDir(); dir == "/" || err == nil && dir == home {
		return "", fmt.Errorf("its folder is %s, of which a bot may not see all; put it into a folder of its own", dir)
	}
	return dir, nil
}

// interpreters finds where a program outside the usual folders lives, by its links: for PREFIX/bin/python3 it is PREFIX.
func interpreters(path string) []string {
	if self, err := os.Executable(); err == nil && self == path {
		return []string{path}
	}
	var out []string
	for range 10 { // links
		out = append(out, home(path))
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		path = join(filepath.Dir(path), to)
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

// isHome also takes the folders of the root for homes.
func isHome(dir string) bool {
	home, err := os.UserHomeDir()
	parent := filepath.Dir(dir)
	return parent == "/" || parent == "/home" || err == nil && dir == home
}
