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

// attr makes the namespaces. The process keeps just the rights that Init needs, by the ambient set, since it is nobody
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
		uid = firstUID + int(number%lastUIDs)
		gid = uid
		attr.Credential.NoSetGroups = false
		attr.GidMappingsEnableSetgroups = true
	}
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: insideUID, HostID: uid, Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: insideUID, HostID: gid, Size: 1}}
	return attr
}

// startCaged starts a program by way of Init and returns when it runs, or when it is clear why not.
func (l *Launcher) startCaged(path string, spec Spec, number uint64, theirs [3]*os.File, env []string) (*os.Process, error) {
	dir, err := filepath.Abs(spec.Dir)
	if err != nil {
		return nil, err
	}
	c := cage{Path: path, Args: spec.Args, Env: env, Dir: dir, Limits: spec.Limits.withDefaults(), UID: insideUID}
	files := []*os.File{theirs[0], theirs[1], theirs[2], nil, nil}
	chooses := mayChooseUser()
	for _, p := range views(path, dir, spec.ReadOnly) {
		v := view{Path: p, FD: -1}
		if chooses {
			fd, err := openView(p)
			if errors.Is(err, unix.ENOENT) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p, err)
			}
			defer func() { _ = unix.Close(fd) }()
			v.FD = len(files)
			files = append(files, os.NewFile(uintptr(fd), p))
		}
		c.Views = append(c.Views, v)
	}
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	in, cageEnd, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	reportEnd, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = reportEnd.Close() }()
	files[cageFD], files[reportFD] = in, out
	proc, err := l.fork("/proc/self/exe", l.init, &os.ProcAttr{Dir: "/", Env: []string{"GODEBUG=", env[0]}, Files: files, Sys: cageAttr(number, chooses)})
	_ = out.Close()
	if err != nil {
		_ = cageEnd.Close()
		return nil, err
	}
	_, werr := cageEnd.Write(text)
	_ = cageEnd.Close()
	report, rerr := io.ReadAll(reportEnd)
	if len(report) == 0 && werr == nil && rerr == nil {
		return proc, nil
	}
	_ = proc.Kill()
	_, _ = proc.Wait()
	return nil, errors.Join(fmt.Errorf("sandbox: %s", bytes.TrimSpace(report)), werr, rerr)
}

// views lists the paths that a bot sees, without those that lie within others.
func views(path, dir string, more []string) []string {
	paths := append(hostFolders(), dir)
	paths = append(paths, more...)
	paths = append(paths, interpreters(path)...)
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

// interpreters finds where a program outside the usual folders lives, by its links: for PREFIX/bin/python3 it is PREFIX.
func interpreters(path string) []string {
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
	if name != "bin" && name != "shims" || prefix == "/" || filepath.Dir(prefix) == "/" || filepath.Dir(prefix) == "/home" {
		return dir
	}
	return prefix
}
