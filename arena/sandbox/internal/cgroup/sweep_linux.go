package cgroup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// sweepPatience is the time for the last processes of a dead launcher's cgroup to leave it.
const sweepPatience = 100 * time.Millisecond

// sweep removes what launchers left that died with their warden. The lock of a ground is free if its launcher is dead.
func sweep(lots []lot) {
	var left []string
	for _, l := range lots {
		entries, _ := os.ReadDir(l.dir)
		for _, e := range entries {
			if !e.IsDir() || !strings.HasPrefix(e.Name(), groundPrefix) {
				continue
			}
			dir := filepath.Join(l.dir, e.Name())
			if fd, free := lockDir(dir, unix.LOCK_EX|unix.LOCK_NB); free {
				defer func() { _ = unix.Close(fd) }()
				left = append(left, dir)
			}
		}
	}
	_ = removeTrees(left, sweepPatience)
}

// RemoveTrees removes the grounds of a launcher. First it thaws all that is frozen in them, lest a kill that is under way
// wait for ever, and with it all the cgroups that the process is in.
func RemoveTrees(dirs []string) error { return removeTrees(dirs, removePatience) }

func removeTrees(dirs []string, patience time.Duration) error {
	var all []string
	var errs []error
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			if !errors.Is(err, os.ErrNotExist) {
				errs = append(errs, err)
			}
			continue
		}
		for _, e := range entries {
			if !e.IsDir() {
				continue
			}
			below := filepath.Join(dir, e.Name())
			for _, version := range []int{1, 2} {
				_ = apply(below, []knob{dialectOf(version).thaw})
			}
			all = append(all, below)
		}
		all = append(all, dir)
	}
	for _, dir := range all {
		errs = append(errs, removeDir(dir, patience))
	}
	return errors.Join(errs...)
}
