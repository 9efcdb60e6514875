package cgroup

import (
	"crypto/rand"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestParseHierarchies(t *testing.T) {
	tests := []struct {
		name, mounts, places string
		want                 []hierarchy
	}{
		{
			"systemd", "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n",
			"0::/user.slice/user-1000.slice/session-3.scope\n",
			[]hierarchy{{version: 2, mount: "/sys/fs/cgroup", own: "/sys/fs/cgroup/user.slice/user-1000.slice/session-3.scope"}},
		},
		{
			"both, version 1 first",
			"35 31 0:32 / /cg/memory rw - cgroup cgroup rw,memory\n" +
				"36 31 0:33 / /cg/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n" +
				"37 31 0:34 / /cg/systemd rw - cgroup cgroup rw,xattr,name=systemd\n" +
				"38 31 0:35 / /cg/blkio rw - cgroup cgroup rw,blkio\n" +
				"39 31 0:36 / /cg/unified rw - cgroup2 cgroup2 rw\n" +
				"40 31 0:37 / /tmp rw - tmpfs tmpfs rw\n",
			"5:blkio:/\n4:memory:/a/b\n3:cpu,cpuacct:/c\n2:name=systemd:/\n0::/\n",
			[]hierarchy{
				{version: 2, mount: "/cg/unified", own: "/cg/unified"},
				{version: 1, controllers: []string{"memory"}, mount: "/cg/memory", own: "/cg/memory/a/b"},
				{version: 1, controllers: []string{"cpu"}, mount: "/cg/cpu,cpuacct", own: "/cg/cpu,cpuacct/c"},
			},
		},
		{
			"a part of the tree", "30 23 0:26 /docker/1 /my\\040groups ro - cgroup2 cgroup2 rw\n", "0::/docker/1/x\n",
			[]hierarchy{{version: 2, mount: "/my groups", own: "/my groups/x"}},
		},
		{"another part", "30 23 0:26 /docker/1 /cg ro - cgroup2 cgroup2 rw\n", "0::/docker/2\n", nil},
		{"outside of its namespace", "30 23 0:26 / /cg rw - cgroup2 cgroup2 rw\n", "0::/../x\n", nil},
		{"nothing", "\n - \n", "\n0\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, parseHierarchies(tt.mounts, tt.places))
		})
	}
}

// fakeTree keeps to the rules of version 2: a cgroup with processes in it gives no controllers away, and one has what its
// parent gives.
type fakeTree struct {
	root     string
	readonly []string
	has      map[string][]string // controllers that a cgroup gives away
	procs    map[string][]string
}

func (f *fakeTree) available(dir string) []string {
	if dir == f.root {
		return []string{"cpuset", "cpu", "io", "memory", "pids"}
	}
	return f.has[filepath.Dir(dir)]
}

func (f *fakeTree) read(path string) (string, error) {
	dir := filepath.Dir(path)
	switch filepath.Base(path) {
	case "cgroup.controllers":
		return strings.Join(f.available(dir), " ") + "\n", nil
	case "cgroup.subtree_control":
		return strings.Join(f.has[dir], " ") + "\n", nil
	case "cgroup.procs":
		return strings.Join(f.procs[dir], "\n") + "\n", nil
	default:
		return "", unix.ENOENT
	}
}

func (f *fakeTree) write(path, text string) error {
	dir := filepath.Dir(path)
	switch filepath.Base(path) {
	case "cgroup.subtree_control":
		if len(f.procs[dir]) > 0 && dir != f.root {
			return unix.EBUSY
		}
		name := strings.TrimPrefix(text, "+")
		if !slices.Contains(f.available(dir), name) {
			return unix.ENOENT
		}
		f.has[dir] = append(f.has[dir], name)
		return nil
	case "cgroup.procs":
		for at := range f.procs {
			f.procs[at] = slices.DeleteFunc(f.procs[at], func(pid string) bool { return pid == text })
		}
		f.procs[dir] = append(f.procs[dir], text)
		return nil
	default:
		return unix.ENOENT
	}
}

func (f *fakeTree) mkdir(string) error { return nil }

func (f *fakeTree) writable(path string) bool {
	return !slices.Contains(f.readonly, strings.TrimSuffix(path, "/cgroup.procs"))
}

func TestChooseV2(t *testing.T) {
	all := []string{"cpu", "memory", "pids"}
	tests := []struct {
		name        string
		own         string
		tree        fakeTree
		dir         string // empty for none
		controllers []string
		self        string // where this program is in the end
	}{
		{
			"delegated and alone", "/cg/s/mine",
			fakeTree{readonly: []string{"/cg", "/cg/s"}, has: map[string][]string{"/cg/s": all}, procs: map[string][]string{"/cg/s/mine": {"7"}}},
			"/cg/s/mine",
			[]string{"cpu", "memory", "pids", "freezer"},
			"/cg/s/mine/arena.self",
		},
		{
			"a second launcher", "/cg/s/mine/arena.self",
			fakeTree{readonly: []string{"/cg", "/cg/s"}, has: map[string][]string{"/cg/s": all, "/cg/s/mine": all}, procs: map[string][]string{"/cg/s/mine/arena.self": {"7"}}},
			"/cg/s/mine",
			[]string{"cpu", "memory", "pids", "freezer"},
			"/cg/s/mine/arena.self",
		},
		{
			"delegated without cpu", "/cg/s/mine",
			fakeTree{readonly: []string{"/cg", "/cg/s"}, has: map[string][]string{"/cg/s": {"memory", "pids"}}, procs: map[string][]string{"/cg/s/mine": {"7"}}},
			"/cg/s/mine",
			[]string{"memory", "pids", "freezer"},
			"/cg/s/mine/arena.self",
		},
		{
			"with a shell, below a parent that gives", "/cg/s/mine",
			fakeTree{readonly: []string{"/cg"}, has: map[string][]string{"/cg/s": all}, procs: map[string][]string{"/cg/s/mine": {"6", "7"}}},
			"/cg/s",
			[]string{"cpu", "memory", "pids", "freezer"},
			"/cg/s/mine",
		},
		{
			"with a shell, delegated", "/cg/s/mine",
			fakeTree{readonly: []string{"/cg", "/cg/s"}, has: map[string][]string{"/cg/s": all}, procs: map[string][]string{"/cg/s/mine": {"6", "7"}}},
			"/cg/s/mine",
			[]string{"freezer"},
			"/cg/s/mine",
		},
		{
			"a parent that gives nothing is left as it is", "/cg/s/mine",
			fakeTree{has: map[string][]string{}, procs: map[string][]string{"/cg/s/mine": {"6", "7"}}},
			"/cg/s/mine",
			[]string{"freezer"},
			"/cg/s/mine",
		},
		{
			"in the root", "/cg",
			fakeTree{has: map[string][]string{}, procs: map[string][]string{"/cg": {"1", "7"}}},
			"/cg",
			[]string{"cpu", "memory", "pids", "freezer"},
			"/cg",
		},
		{
			"nothing to be written", "/cg/s",
			fakeTree{readonly: []string{"/cg", "/cg/s"}, has: map[string][]string{"/cg": all}, procs: map[string][]string{"/cg/s": {"7"}}},
			"", nil, "/cg/s",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.tree.root = "/cg"
			lots := choose(&tt.tree, []hierarchy{{version: 2, mount: "/cg", own: tt.own}}, 7)
			if tt.dir == "" {
				assert.Empty(t, lots)
			} else {
				assert.Equal(t, []lot{{version: 2, dir: tt.dir, controllers: tt.controllers}}, lots)
			}
			assert.Contains(t, tt.tree.procs[tt.self], "7")
		})
	}
}

func TestKnobs(t *testing.T) {
	l := Limits{Memory: 256 << 20, Processes: 64, CPU: 1.5}
	text := func(version int) string {
		var b strings.Builder
		for _, name := range []string{Memory, PIDs, CPU, Freezer} {
			for _, k := range dialectOf(version).limit(name, l) {
				b.WriteString(k.file + "=" + k.text + "\n")
			}
		}
		return b.String()
	}
	assert.Equal(t, `memory.max=268435456
memory.swap.max=0
memory.oom.group=1
pids.max=64
cpu.max=150000 100000
`, text(2))
	assert.Equal(t, `memory.limit_in_bytes=268435456
memory.memsw.limit_in_bytes=268435456
pids.max=64
cpu.cfs_period_us=100000
cpu.cfs_quota_us=150000
`, text(1))
}

// What is started in a group is held to its limits, and the thread that started it is home again.
func TestStart(t *testing.T) {
	for _, version := range []int{1, 2} {
		t.Run(strconv.Itoa(version), func(t *testing.T) {
			set := Open("TEST"+rand.Text(), func(v int) bool { return v == version })
			defer func() { require.NoError(t, set.Close()) }()
			if len(set.Dirs()) == 0 {
				t.Skip("not to be written here")
			}
			group, err := set.New("1", Limits{Memory: 64 << 20, Processes: 5, CPU: 1})
			require.NoError(t, err)
			require.NoError(t, group.Limit(Memory, CPU, PIDs))
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			home, err := os.ReadFile("/proc/thread-self/cgroup")
			require.NoError(t, err)
			r, w, err := os.Pipe()
			require.NoError(t, err)
			stdin, start, err := os.Pipe()
			require.NoError(t, err)
			script := `read go; while read line; do echo $line; done </proc/self/cgroup; for i in 1 2 3 4 5 6 7 8; do sleep 1000 >/dev/null & echo $i; done`
			proc, err := group.Start("/bin/sh", []string{"sh", "-c", script}, &os.ProcAttr{Files: []*os.File{stdin, w, nil}, Sys: &syscall.SysProcAttr{Setsid: true}})
			require.NoError(t, w.Close())
			require.NoError(t, stdin.Close())
			require.NoError(t, err)
			_, err = start.WriteString("go\n") // only now is the thread out of it
			require.NoError(t, err)
			back, err := os.ReadFile("/proc/thread-self/cgroup")
			require.NoError(t, err)
			assert.Equal(t, string(home), string(back))
			text, err := io.ReadAll(r)
			require.NoError(t, err)
			_ = unix.Kill(-proc.Pid, unix.SIGKILL)
			_, err = proc.Wait()
			require.NoError(t, err)
			assert.Equal(t, len(set.Dirs()), strings.Count(string(text), filepath.Base(set.Dirs()[0])+"/1\n"), "%s", text)
			if set.Has(PIDs) {
				assert.True(t, strings.HasSuffix(string(text), "\n1\n2\n3\n4\n"), "the shell ends when it cannot fork: %s", text)
			}
			require.NoError(t, group.Remove())
		})
	}
}

func TestStartOfNothing(t *testing.T) {
	set := Open("TEST"+rand.Text(), nil)
	defer func() { require.NoError(t, set.Close()) }()
	group, err := set.New("1", Limits{Memory: 64 << 20, Processes: 5, CPU: 1})
	require.NoError(t, err)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	home, err := os.ReadFile("/proc/thread-self/cgroup")
	require.NoError(t, err)
	_, err = group.Start("/nowhere/nothing", []string{"nothing"}, &os.ProcAttr{})
	require.ErrorIs(t, err, os.ErrNotExist)
	back, err := os.ReadFile("/proc/thread-self/cgroup")
	require.NoError(t, err)
	assert.Equal(t, string(home), string(back))
	require.NoError(t, group.Remove())
}
