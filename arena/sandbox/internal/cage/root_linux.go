package cage

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// newRoot is where the new root is put together before it takes the place of the old one. Every system has the folder.
const newRoot = "/tmp"

// buildRoot makes the file system of the bot: the views, one bounded place to write, a few devices, and the processes of
// its own namespace.
func buildRoot(c Cage) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	// The views are taken first: the new root may cover them.
	views := slices.Concat(c.Views, devices())
	for i, v := range views {
		if v.FD >= 0 {
			continue
		}
		fd, err := OpenView(v.Path, v.Kind)
		if errors.Is(err, unix.ENOENT) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", v.Path, err)
		}
		views[i].FD = fd
	}
	options := fmt.Sprintf("size=%d,nr_inodes=4096,mode=755", 1<<20)
	if err := unix.Mount("tmpfs", newRoot, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return fmt.Errorf("mount the new root: %w", err)
	}
	if err := placeScratch(c.Scratch); err != nil {
		return err
	}
	for _, v := range views { // after the scratch, since a bot's folder may lie below /tmp
		if err := place(v); err != nil {
			return fmt.Errorf("%s: %w", v.Path, err)
		}
	}
	if err := placeProc(); err != nil {
		return err
	}
	for _, path := range c.Hide {
		if err := hide(newRoot + path); err != nil {
			return fmt.Errorf("hide %s: %w", path, err)
		}
	}
	return moveRoot(c.Dir)
}

// OpenView takes a clone of the mounts at a path, and from the clone the rights that its kind does not have. The caller may be
// another process than the one that places it.
func OpenView(path string, kind Kind) (int, error) {
	fd, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
	if err != nil {
		return -1, err
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV}
	switch kind {
	case Device:
		attr.Attr_set = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NOEXEC
	case Writable:
		attr.Attr_set = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	default:
	}
	if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &attr); err != nil {
		_ = unix.Close(fd)
		return -1, fmt.Errorf("restrict it: %w", err)
	}
	return fd, nil
}

func devices() []View {
	var views []View
	for _, name := range []string{"null", "zero", "full", "random", "urandom"} {
		views = append(views, View{Path: "/dev/" + name, FD: -1, Kind: Device})
	}
	return views
}

// place mounts a view under its own name.
func place(v View) error {
	if v.FD < 0 {
		return nil
	}
	defer func() { _ = unix.Close(v.FD) }()
	target := newRoot + v.Path
	var stat unix.Stat_t
	if err := unix.Fstat(v.FD, &stat); err != nil {
		return err
	}
	if err := makeTarget(target, stat.Mode&unix.S_IFMT == unix.S_IFDIR); err != nil {
		return err
	}
	if err := unix.MoveMount(v.FD, "", unix.AT_FDCWD, target, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return fmt.Errorf("move mount: %w", err)
	}
	return nil
}

func makeTarget(path string, dir bool) error {
	if dir {
		return os.MkdirAll(path, 0o755) //nolint:gosec // the bot may see its own root
	}
	if err := os.MkdirAll(path[:strings.LastIndexByte(path, '/')], 0o755); err != nil { //nolint:gosec // the bot may see its own root
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

// placeScratch mounts one file system under two names, so that they share one quota.
func placeScratch(size int64) error {
	options := fmt.Sprintf("size=%d,nr_inodes=%d,mode=1777", size, 4096)
	tmp, shm := newRoot+"/tmp", newRoot+"/dev/shm"
	for _, dir := range []string{tmp, shm} {
		if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // the bot may see its own root
			return err
		}
	}
	if err := unix.Mount("tmpfs", tmp, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return fmt.Errorf("mount /tmp: %w", err)
	}
	if err := unix.Mount(tmp, shm, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mount /dev/shm: %w", err)
	}
	return nil
}

// placeProc shows the namespace's own processes. In a container that hides parts of its own /proc the kernel refuses, and
// then there is none.
func placeProc() error {
	for link, to := range map[string]string{"/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0", "/dev/stdout": "/proc/self/fd/1", "/dev/stderr": "/proc/self/fd/2"} {
		if err := os.Symlink(to, newRoot+link); err != nil {
			return err
		}
	}
	proc := newRoot + "/proc"
	if err := os.Mkdir(proc, 0o755); err != nil { //nolint:gosec // the bot may see its own root
		return err
	}
	err := unix.Mount("proc", proc, "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "hidepid=2,subset=pid")
	if err != nil && !errors.Is(err, unix.EPERM) {
		return fmt.Errorf("mount /proc: %w", err)
	}
	return nil
}

// hide puts an empty folder over one that a view shows.
func hide(path string) error {
	var stat unix.Stat_t
	if err := unix.Lstat(path, &stat); err != nil || stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		return nil //nolint:nilerr // nothing shows it
	}
	return unix.Mount("tmpfs", path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, "size=4096,nr_inodes=2,mode=555")
}

// moveRoot makes the new root the only one, closes it for writing and enters the bot's folder.
func moveRoot(dir string) error {
	if err := unix.Chdir(newRoot); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("pivot root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("leave the old root: %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, ""); err != nil {
		return fmt.Errorf("close the root: %w", err)
	}
	if err := unix.Chdir(dir); err != nil {
		return fmt.Errorf("enter %s: %w", dir, err)
	}
	return nil
}
