package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// census is all that a run of the arena could leave behind, each thing as a line of text.
type census struct {
	processes []string // that descend from this one, with the dead that nobody has collected
	mounts    []string
	cgroups   []string // of the launchers whose processes have been seen, with those below
	files     []string // of the bots, and temporary ones of the arena
	open      []string // descriptors of this process
}

// more lists what is in the census and was not in an earlier one.
func (c census) more(than census) (more []string) {
	for _, kind := range [][2][]string{
		{c.processes, than.processes}, {c.mounts, than.mounts}, {c.cgroups, than.cgroups}, {c.files, than.files}, {c.open, than.open},
	} {
		for _, line := range kind[0] {
			if !slices.Contains(kind[1], line) {
				more = append(more, line)
			}
		}
	}
	return more
}

// most takes the longer list of each kind.
func (c census) most(other census) census {
	longer := func(a, b []string) []string {
		if len(b) > len(a) {
			return b
		}
		return a
	}
	return census{
		processes: longer(c.processes, other.processes), mounts: longer(c.mounts, other.mounts), cgroups: longer(c.cgroups, other.cgroups),
		files: longer(c.files, other.files), open: longer(c.open, other.open),
	}
}

func (c census) String() string {
	return fmt.Sprintf("%d processes, %d mounts, %d cgroups, %d files, %d descriptors",
		len(c.processes), len(c.mounts), len(c.cgroups), len(c.files), len(c.open))
}

// observer takes the census for a user. It adopts whatever loses its parent, so that nothing that comes of this process gets
// out of its sight: the first process of a namespace does the same for those in it.
type observer struct {
	user    user
	grounds map[string]bool // names of the cgroups of launchers
}

func newObserver(t *testing.T, u user) observer {
	t.Helper()
	adopt := func(yes uintptr) { require.NoError(t, unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, yes, 0, 0, 0)) }
	adopt(1)
	t.Cleanup(func() { adopt(0) })
	return observer{user: u, grounds: make(map[string]bool)}
}

func (o observer) take(t *testing.T) census {
	t.Helper()
	var c census
	for _, p := range descendants(t) {
		o.notice(p.pid)
		c.processes = append(c.processes, p.String())
	}
	c.mounts = mountsHere(t)
	c.cgroups = o.cgroups(c.mounts)
	c.files = o.files(t)
	c.open = descriptors(t, os.Getpid())
	return c
}

// bounds is the name of a launcher's cgroup.
var bounds = regexp.MustCompile(`^arena-[A-Z2-7]{26}$`)

// nothingMore requires that there is nothing that was not there before. Mounts get a moment: other tests that run beside
// these may have one for as long.
func (o observer) nothingMore(t *testing.T, before census) census {
	t.Helper()
	after := o.take(t)
	mounts := census{mounts: after.mounts}
	after.mounts = nil
	require.Empty(t, after.more(before))
	require.Eventually(t, func() bool {
		return len(mounts.more(before)) == 0 || len(census{mounts: mountsHere(t)}.more(before)) == 0
	}, patience, 20*time.Millisecond, "%v", mounts.more(before))
	after.mounts = mounts.mounts
	return after
}

// during takes a census again and again while something is done, and returns the most of each kind that it saw.
func (o observer) during(t *testing.T, do func()) (peak census) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return peak
		case <-ticker.C:
			peak = peak.most(o.take(t))
		}
	}
}

// notice remembers the cgroups of the launcher that a process belongs to.
func (o observer) notice(pid int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid)) // it may be gone
	for line := range strings.Lines(string(text)) {
		for name := range strings.SplitSeq(strings.TrimSpace(line), "/") {
			if bounds.MatchString(name) {
				o.grounds[name] = true
			}
		}
	}
}

func mountsHere(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("/proc/self/mountinfo")
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// cgroups looks for those that were noticed in all their file systems.
func (o observer) cgroups(mounts []string) (found []string) {
	for _, mount := range mounts {
		front, back, _ := strings.Cut(mount, " - ")
		if !strings.HasPrefix(back, "cgroup") {
			continue
		}
		_ = filepath.WalkDir(strings.Fields(front)[4], func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() && slices.ContainsFunc(strings.Split(path, "/"), func(name string) bool { return o.grounds[name] }) {
				found = append(found, path)
			}
			return nil // they come and go
		})
	}
	return found
}

// files are those with the mark of the bots, in their folders and wherever somebody may write, and all that the arena has
// put where temporary files go.
func (o observer) files(t *testing.T) (found []string) {
	t.Helper()
	bots := glob(t, filepath.Join(o.user.dir, "rogues", "*"))
	for _, dir := range append(bots, "/", "/tmp", "/dev/shm", "/dev", "/var/tmp", "/run") {
		found = append(found, glob(t, filepath.Join(dir, o.user.mark+"*"))...)
	}
	return append(found, glob(t, filepath.Join(o.user.dir, "tmp", "*"))...)
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	require.NoError(t, err)
	return found
}

// descriptors lists the open files of a process by number and what they are.
func descriptors(t *testing.T, pid int) (open []string) {
	t.Helper()
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		if to, err := os.Readlink(filepath.Join(dir, entry.Name())); err == nil { // else it was the one of this list
			open = append(open, entry.Name()+" "+to)
		}
	}
	return open
}

// relative is a process that descends from this one.
type relative struct {
	pid, parent int
	state       string
	command     string
}

func (p relative) String() string { return fmt.Sprintf("%d %s %s", p.pid, p.state, p.command) }

func descendants(t *testing.T) (found []relative) {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	require.NoError(t, err)
	all := make(map[int]relative)
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + entry.Name() + "/stat") // it may be gone
		_, rest, _ := strings.Cut(string(stat), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 {
			parent, _ := strconv.Atoi(fields[1])
			all[pid] = relative{pid: pid, parent: parent, state: fields[0]}
		}
	}
	for pid, p := range all {
		for at := p.parent; at > 1; at = all[at].parent {
			if at == os.Getpid() {
				command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				p.command = string(bytes.ReplaceAll(bytes.TrimSuffix(command, []byte{0}), []byte{0}, []byte(" ")))
				found = append(found, p)
				break
			}
		}
	}
	slices.SortFunc(found, func(a, b relative) int { return a.pid - b.pid })
	return found
}
