package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/fivethreefive/fivethreefive/arena/sandbox/internal/cage"
)

// view is a path of the host that a bot sees.
type view struct {
	path string
	file *os.File // a clone of its mounts, or nil where the cage may take one itself
}

func closeViews(views []view) {
	for _, v := range views {
		_ = v.file.Close() // a nil file only returns an error
	}
}

// openViews opens what the bot will see, if the arena may: its own user need not be able to reach it. The files belong to
// the caller, also after an error.
func (l *Launcher) openViews(paths []string, spec Spec, hidden []string, number uint64) (views []view, err error) {
	private, dir := false, spec.Dir
	if slices.Contains(paths, dir) && !slices.Contains(hostFolders(), dir) {
		if private, err = l.lookThrough(dir, hidden); err != nil {
			return nil, err
		}
	}
	chooses := mayChooseUser()
	for _, p := range paths {
		if !chooses {
			views = append(views, view{path: p})
			continue
		}
		fd, err := cage.OpenView(p, viewKind(spec, p))
		if errors.Is(err, unix.ENOENT) {
			continue
		}
		if err != nil {
			return views, fmt.Errorf("%s: %w", p, err)
		}
		views = append(views, view{path: p, file: os.NewFile(uintptr(fd), p)})
		if p != dir || !private {
			continue
		}
		if err := l.lend(fd, number); err != nil {
			l.log.Debug("a bot sees of its folder only what everybody sees", "folder", dir, "error", err)
		}
	}
	return views, nil
}

func viewKind(spec Spec, path string) cage.Kind {
	if spec.Writable && path == spec.Dir {
		return cage.Writable
	}
	return cage.ReadOnly
}

// lookThrough looks through the folder of a bot, once in the life of the launcher: there may be very much in it. It is
// private if something in it is closed to those who do not own it. A pipe or a socket in it would join the bot to others, since
// that a folder is read-only does not matter to them. What is hidden from the bot does not count, and may change meanwhile.
func (l *Launcher) lookThrough(dir string, hidden []string) (private bool, err error) {
	key := strings.Join(append([]string{dir}, hidden...), "\x00")
	if known, ok := l.looked.Load(key); ok {
		return known.(bool), nil
	}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if slices.Contains(hidden, path) {
			return fs.SkipDir
		}
		if errors.Is(err, fs.ErrPermission) {
			return nil // what the arena cannot read, no bot can
		}
		if err != nil {
			return err
		}
		if entry.Type()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 {
			return fmt.Errorf("%s is a pipe or a socket, by which a bot could reach others; remove it", path)
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		private = private || closed(info.Mode())
		return nil
	})
	if err == nil {
		l.looked.Store(key, private)
	}
	return private, err
}

func closed(mode fs.FileMode) bool {
	switch {
	case mode&fs.ModeSymlink != 0:
		return false
	case mode.IsDir(), mode&0o100 != 0:
		return mode&0o005 != 0o005
	default:
		return mode&0o004 == 0
	}
}

// lend makes the files of a folder's owner appear as those of the bot with a number, in a view that is not placed yet and
// that stays read-only. Not every file system can do so; the bot then sees of its folder what everybody sees.
func (l *Launcher) lend(view int, number uint64) error {
	var stat unix.Stat_t
	if err := unix.Fstat(view, &stat); err != nil {
		return err
	}
	user := l.hostUser(number)
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

// openUsers makes a user namespace. A process has to be its first: it is one that waits for its cage in vain.
func (l *Launcher) openUsers(attr *syscall.SysProcAttr) (*os.File, error) {
	in, hold, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = hold.Close() }()
	defer func() { _ = in.Close() }()
	files := make([]*os.File, cage.ViewFD)
	files[cage.CageFD] = in
	proc, err := l.forkCage(nil, nil, files, attr)
	if err != nil {
		return nil, err
	}
	defer func() {
		_ = proc.Kill()
		_, _ = proc.Wait()
	}()
	return os.Open(fmt.Sprintf("/proc/%d/ns/user", proc.Pid))
}
