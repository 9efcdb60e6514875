package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

var errPrivate = errors.New("not for everybody")

// private reports whether something in a folder is closed to those who do not own it.
func private(dir string) bool {
	return filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		need := fs.FileMode(0o004)
		switch {
		case info.IsDir():
			need = 0o005
		case info.Mode()&0o100 != 0:
			need = 0o005
		case !info.Mode().IsRegular():
			need = 0
		}
		if info.Mode()&need != need {
			return errPrivate
		}
		return nil
	}) != nil
}

// lend makes the files of a folder's owner appear as those of the bot with a number, in a view that is not placed yet and
// that stays read-only. Not every file system can do so; the bot then sees of its folder what everybody sees.
func (l *Launcher) lend(view int, number uint64) error {
	var stat unix.Stat_t
	if err := unix.Fstat(view, &stat); err != nil {
		return err
	}
	user := hostUser(number)
	users, err := l.openUsers(&syscall.SysProcAttr{
		Pdeathsig:   syscall.SIGKILL,
		Cloneflags:  unix.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: int(stat.Uid), HostID: user, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: int(stat.Gid), HostID: user, Size: 1}},
	})
	if err != nil {
		return err
	}
	defer func() { _ = users.Close() }()
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_IDMAP, Userns_fd: uint64(users.Fd())}
	return unix.MountSetattr(view, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &attr)
}

// openUsers makes a user namespace. A process has to be its first: it is an Init that waits for a cage in vain.
func (l *Launcher) openUsers(attr *syscall.SysProcAttr) (*os.File, error) {
	in, hold, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = hold.Close() }()
	defer func() { _ = in.Close() }()
	files := make([]*os.File, viewFD)
	files[cageFD] = in
	proc, err := l.fork("/proc/self/exe", l.init, &os.ProcAttr{Dir: "/", Env: []string{"GODEBUG="}, Files: files, Sys: attr})
	if err != nil {
		return nil, err
	}
	defer func() {
		_ = proc.Kill()
		_, _ = proc.Wait()
	}()
	return os.Open(fmt.Sprintf("/proc/%d/ns/user", proc.Pid))
}
