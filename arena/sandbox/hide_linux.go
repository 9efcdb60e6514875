package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/moby/sys/mountinfo"
)

// hidings are the names under which the views show what is to be hidden, or a part of it: by links, since a view keeps the
// name by which it was asked for, and by mounts, which show one folder in several places.
func hidings(views []string, dir string, hide []string) ([]string, error) {
	if len(hide) == 0 {
		return nil, nil
	}
	mounts, err := mountinfo.GetMounts(nil)
	if err != nil {
		return nil, err
	}
	return hidingsBy(mounts, views, dir, hide)
}

func hidingsBy(mounts []*mountinfo.Info, views []string, dir string, hide []string) (names []string, err error) {
	for _, h := range hide {
		info, err := os.Stat(h)
		if err != nil || !info.IsDir() {
			return nil, fmt.Errorf("hide %q: there is no such folder; make it first, since what comes later would show", h)
		}
		actual, err := filepath.EvalSymlinks(h)
		if err != nil {
			return nil, err
		}
		secret := spotOf(mounts, actual)
		if own := spotOf(mounts, dir); own.device == secret.device && within(own.path, secret.path) {
			return nil, fmt.Errorf("its folder lies in %s, which no bot may see; put it elsewhere", h)
		}
		for _, v := range views {
			names = append(names, shows(mounts, v, secret)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// shows lists the names of a secret, or of parts of it, in a view and in what is mounted below.
func shows(mounts []*mountinfo.Info, view string, secret spot) (names []string) {
	actual, err := filepath.EvalSymlinks(view)
	if err != nil {
		return nil // it is gone
	}
	show := func(name string, of spot) {
		switch {
		case of.device != secret.device:
		case within(secret.path, of.path):
			names = append(names, filepath.Join(name, relative(secret.path, of.path)))
		case within(of.path, secret.path):
			names = append(names, name)
		}
	}
	show(view, spotOf(mounts, actual))
	for _, m := range mounts {
		if m.Mountpoint != actual && within(m.Mountpoint, actual) {
			show(filepath.Join(view, relative(m.Mountpoint, actual)), spot{device{m.Major, m.Minor}, m.Root})
		}
	}
	return names
}

// spot is where something lies, whatever it is called: a file system, and the path in it.
type spot struct {
	device device
	path   string
}

type device struct{ major, minor int }

// spotOf takes a path without links. Of mounts at one place the last covers the others.
func spotOf(mounts []*mountinfo.Info, path string) spot {
	var found *mountinfo.Info
	for _, m := range mounts {
		if within(path, m.Mountpoint) && (found == nil || len(m.Mountpoint) >= len(found.Mountpoint)) {
			found = m
		}
	}
	if found == nil {
		return spot{path: path}
	}
	return spot{device{found.Major, found.Minor}, filepath.Join(found.Root, relative(path, found.Mountpoint))}
}

func relative(path, dir string) string {
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return path // never, for what lies within
	}
	return rel
}
