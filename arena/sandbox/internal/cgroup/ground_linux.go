package cgroup

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	groundPrefix = "arena-"
	selfName     = "arena.self" // where this program goes to make room for cgroups beside it
	wantSelf     = "cgroup.procs"
	wantThread   = "tasks" // of version 1: where a thread goes alone
	wantSubtree  = "cgroup.subtree_control"
)

// ground is the cgroup of a launcher in one hierarchy; those of its bots are below it. As long as the launcher lives it
// holds a lock on the directory, which the kernel takes away from a dead one.
type ground struct {
	dialect
	dir         string
	home        string // where the threads of this program are, in version 1
	controllers []string
	lock        int
}

// lot is the cgroup to have a ground in, and the controllers that it gets there.
type lot struct {
	version     int
	dir         string
	controllers []string
}

// choose returns no lots for the hierarchies that this program may not write. Of version 1 its own cgroup is the lot.
func choose(t tree, from []hierarchy, pid int) []lot {
	var lots []lot
	for _, h := range from {
		if h.version == 2 {
			if dir, controllers, ok := chooseV2(t, h, pid); ok {
				lots = append(lots, lot{h.version, dir, controllers})
			}
		} else if t.writable(h.own) && t.writable(filepath.Join(h.own, wantThread)) {
			lots = append(lots, lot{h.version, h.own, h.controllers})
		}
	}
	return lots
}

// chooseV2 looks from the own cgroup upwards for one that may be written and that gives memory to those below, and is content
// with the first to be written, which can freeze at least. Only the own cgroup is changed for that: a cgroup with processes
// in it gives no controllers away, so this program moves to one below, unless there are others, who were not asked.
func chooseV2(t tree, h hierarchy, pid int) (dir string, controllers []string, ok bool) {
	start := h.own
	if filepath.Base(start) == selfName {
		start = filepath.Dir(start)
	}
	for at := start; ; at = filepath.Dir(at) {
		if !t.writable(at) || !t.writable(filepath.Join(at, wantSelf)) {
			break
		}
		have := given(t, at)
		if at == start && len(have) < 3 {
			have = enable(t, at, pid)
		}
		if !ok || slices.Contains(have, Memory) {
			dir, controllers, ok = at, have, true
		}
		if slices.Contains(have, Memory) || at == h.mount || at == "/" {
			break
		}
	}
	return dir, append(controllers, Freezer), ok
}

// given lists which controllers of ours a cgroup passes on.
func given(t tree, dir string) []string {
	text, _ := t.read(filepath.Join(dir, wantSubtree))
	return ours(text)
}

func ours(text string) []string {
	return slices.DeleteFunc(strings.Fields(text), func(name string) bool { return name != Memory && name != PIDs && name != CPU })
}

// enable makes the own cgroup pass on what it has.
func enable(t tree, dir string, pid int) []string {
	text, _ := t.read(filepath.Join(dir, "cgroup.controllers"))
	has := given(t, dir)
	for _, name := range ours(text) {
		if slices.Contains(has, name) {
			continue
		}
		err := t.write(filepath.Join(dir, wantSubtree), "+"+name)
		if errors.Is(err, unix.EBUSY) && stepDown(t, dir, pid) {
			err = t.write(filepath.Join(dir, wantSubtree), "+"+name)
		}
		if err == nil {
			has = append(has, name)
		}
	}
	return has
}

// stepDown moves this program out of a cgroup in which it is alone.
func stepDown(t tree, dir string, pid int) bool {
	text, err := t.read(filepath.Join(dir, wantSelf))
	if err != nil || strings.TrimSpace(text) != strconv.Itoa(pid) {
		return false
	}
	below := filepath.Join(dir, selfName)
	if err := t.mkdir(below); err != nil && !errors.Is(err, unix.EEXIST) {
		return false
	}
	return t.write(filepath.Join(below, wantSelf), strconv.Itoa(pid)) == nil
}

// openGround makes the ground. Another launcher that sweeps may take it for a dead one's before it is locked, and then it is
// made once more.
func openGround(t tree, l lot, id string) (*ground, error) {
	g := &ground{dialect: dialectOf(l.version), dir: filepath.Join(l.dir, groundPrefix+id), controllers: l.controllers}
	if l.version == 1 {
		g.home = l.dir
	}
	for range 10 {
		if err := t.mkdir(g.dir); err != nil && !errors.Is(err, unix.EEXIST) {
			return nil, err
		}
		if fd, held := lockDir(g.dir, unix.LOCK_EX); held {
			g.lock = fd
			break
		}
	}
	if g.lock == 0 {
		return nil, fmt.Errorf("cannot keep %s", g.dir)
	}
	if l.version == 2 {
		for _, name := range ours(strings.Join(l.controllers, " ")) {
			if err := t.write(filepath.Join(g.dir, wantSubtree), "+"+name); err != nil {
				return nil, errors.Join(err, g.close())
			}
		}
	}
	return g, nil
}

func (g *ground) close() error {
	err := RemoveTrees([]string{g.dir})
	_ = unix.Close(g.lock)
	return err
}

// lockDir returns a descriptor that holds the lock, if the directory is still there when it has it.
func lockDir(dir string, how int) (int, bool) {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, false
	}
	var held, there unix.Stat_t
	err = unix.EINTR
	for errors.Is(err, unix.EINTR) {
		err = unix.Flock(fd, how)
	}
	if err != nil || unix.Fstat(fd, &held) != nil || unix.Stat(dir, &there) != nil || held.Ino != there.Ino {
		_ = unix.Close(fd)
		return -1, false
	}
	return fd, true
}
