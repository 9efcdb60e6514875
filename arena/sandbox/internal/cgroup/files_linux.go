package cgroup

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const cpuPeriod = 100_000 // microseconds; the default of both versions

// knob is a file of a cgroup and what is written to it.
type knob struct {
	file, text string
	optional   bool // a kernel may have no such file
}

// dialect is how a version of cgroups calls what both can do.
type dialect struct {
	name         string
	limit        func(controller string, l Limits) []knob
	freeze, thaw knob
	frozen       [2]string // a file, and the line in it that says that all are frozen
	kills        string    // the file that counts the processes killed for Memory, on a line "oom_kill N"
}

func dialectOf(version int) dialect {
	if version == 2 {
		return dialect{
			name: "cgroup v2", limit: limitV2,
			freeze: knob{file: "cgroup.freeze", text: "1"},
			thaw:   knob{file: "cgroup.freeze", text: "0"},
			frozen: [2]string{"cgroup.events", "frozen 1"},
			kills:  "memory.events",
		}
	}
	return dialect{
		name: "cgroup v1", limit: limitV1,
		freeze: knob{file: "freezer.state", text: "FROZEN"},
		thaw:   knob{file: "freezer.state", text: "THAWED"},
		frozen: [2]string{"freezer.state", "FROZEN"},
		kills:  "memory.oom_control",
	}
}

func limitV2(controller string, l Limits) []knob {
	switch controller {
	case Memory:
		return []knob{
			{file: "memory.max", text: strconv.FormatInt(l.Memory, 10)},
			{file: "memory.swap.max", text: "0", optional: true},
			{file: "memory.oom.group", text: "1", optional: true},
		}
	case PIDs:
		return []knob{{file: "pids.max", text: strconv.Itoa(l.Processes)}}
	case CPU:
		return []knob{{file: "cpu.max", text: quota(l) + " " + strconv.Itoa(cpuPeriod)}}
	default:
		return nil
	}
}

func limitV1(controller string, l Limits) []knob {
	switch controller {
	case Memory:
		bytes := strconv.FormatInt(l.Memory, 10)
		return []knob{
			{file: "memory.limit_in_bytes", text: bytes},
			{file: "memory.memsw.limit_in_bytes", text: bytes, optional: true}, // with swap, so there is none to be had
		}
	case PIDs:
		return []knob{{file: "pids.max", text: strconv.Itoa(l.Processes)}}
	case CPU:
		return []knob{
			{file: "cpu.cfs_period_us", text: strconv.Itoa(cpuPeriod)},
			{file: "cpu.cfs_quota_us", text: quota(l)},
		}
	default:
		return nil
	}
}

// quota is never below the millisecond that the kernel asks for.
func quota(l Limits) string { return strconv.Itoa(max(1000, int(math.Round(l.CPU*cpuPeriod)))) }

// tree is a file system of cgroups.
type tree interface {
	read(path string) (string, error)
	write(path, text string) error
	mkdir(path string) error
	writable(path string) bool
}

// files is the one of the kernel.
type files struct{}

func (files) read(path string) (string, error) {
	text, err := os.ReadFile(path)
	return string(text), err
}

func (files) write(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

func (files) mkdir(path string) error { return os.Mkdir(path, 0o755) } //nolint:gosec // as all of that tree

func (files) writable(path string) bool { return unix.Access(path, unix.W_OK) == nil }

func apply(dir string, knobs []knob) error {
	for _, s := range knobs {
		err := files{}.write(filepath.Join(dir, s.file), s.text)
		if err != nil && (!s.optional || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.EOPNOTSUPP)) {
			return err
		}
	}
	return nil
}

// killed reads how many processes of a cgroup the kernel has killed for memory.
func (d dialect) killed(dir string) int {
	text, err := files{}.read(filepath.Join(dir, d.kills))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(text) {
		if count, ok := strings.CutPrefix(line, "oom_kill "); ok {
			n, _ := strconv.Atoi(strings.TrimSpace(count))
			return n
		}
	}
	return 0
}

func (d dialect) isFrozen(dir string) (bool, error) {
	text, err := files{}.read(filepath.Join(dir, d.frozen[0]))
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == d.frozen[1] {
			return true, nil
		}
	}
	return false, nil
}

// removeDir removes an empty cgroup. One stays busy for a moment after its last process died.
func removeDir(dir string, patience time.Duration) error {
	deadline := time.Now().Add(patience)
	for pause := 100 * time.Microsecond; ; pause = min(2*pause, 10*time.Millisecond) {
		err := unix.Rmdir(dir)
		if err == nil || errors.Is(err, unix.ENOENT) {
			return nil
		}
		if !errors.Is(err, unix.EBUSY) || !time.Now().Before(deadline) {
			return &fs.PathError{Op: "remove", Path: dir, Err: err}
		}
		time.Sleep(pause)
	}
}
