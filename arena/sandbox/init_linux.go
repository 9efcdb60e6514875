package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// Descriptors that Init is started with, besides the three of the bot.
const (
	cageFD   = 3 // it reads the cage here
	reportFD = 4 // and says here what went wrong; the end of file without a word means that the bot runs
	viewFD   = 5 // the first of the views that were opened for it
)

// cage is all that Init needs to know.
type cage struct {
	Path   string
	Args   []string
	Env    []string
	Dir    string
	Views  []view
	Hide   []string // folders that are empty for the bot, wherever they show
	Limits Limits
}

// view is a part of the host that the bot sees, read-only and under its own name.
type view struct {
	Path string
	FD   int // a clone of its mount, or -1 where Init may take one itself

	file *os.File // the same in the launcher, or nil
}

// Init is the whole life of a process that builds a cage round itself and becomes the bot. It runs as the first process of
// new namespaces and returns only when that fails,
// or when it was only tried.
func Init() error {
	runtime.LockOSThread() // capabilities and filters belong to a thread, and this one becomes the bot
	report := os.NewFile(reportFD, "report")
	err := enter()
	if err != nil {
		var errno unix.Errno
		_ = errors.As(err, &errno)
		fmt.Fprintln(report, uint(errno), err)
	}
	return err
}

func enter() error {
	unix.CloseOnExec(reportFD)
	file := os.NewFile(cageFD, "cage")
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	_ = file.Close()
	var c cage
	if err := json.Unmarshal(text, &c); err != nil {
		return fmt.Errorf("read the cage: %w", err)
	}
	for _, step := range []struct {
		name string
		do   func(cage) error
	}{
		{"root", buildRoot},
		{"host name", func(cage) error { return unix.Sethostname([]byte("bot")) }},
		{"files", func(cage) error { return unix.CloseRange(cageFD, ^uint(0)>>1, unix.CLOSE_RANGE_CLOEXEC) }},
		{"capabilities", func(cage) error { return dropCapabilities() }},
		{"landlock", restrictFiles},
		{"system calls", func(cage) error { return filterCalls() }},
		{"limits", setLimits}, // last, since they may be less than this program needs
	} {
		if err := step.do(c); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	if c.Path == "" { // it was a trial
		return nil
	}
	return unix.Exec(c.Path, c.Args, c.Env)
}

// setLimits keeps each process to its share. The address space is left alone: runtimes reserve far more than they use.
func setLimits(c cage) error {
	for _, limit := range []struct {
		resource int
		value    uint64
	}{
		{unix.RLIMIT_DATA, uint64(c.Limits.Memory)},
		{unix.RLIMIT_NPROC, uint64(c.Limits.Processes)},
		{unix.RLIMIT_NOFILE, uint64(c.Limits.Files)},
		{unix.RLIMIT_FSIZE, uint64(c.Limits.Scratch)},
		{unix.RLIMIT_MEMLOCK, 0},
		{unix.RLIMIT_MSGQUEUE, 0},
		{unix.RLIMIT_NICE, 0},
		{unix.RLIMIT_RTPRIO, 0},
		{unix.RLIMIT_CORE, 0},
	} {
		if err := unix.Setrlimit(limit.resource, &unix.Rlimit{Cur: limit.value, Max: limit.value}); err != nil {
			return fmt.Errorf("resource %d: %w", limit.resource, err)
		}
	}
	return nil
}

// dropCapabilities takes all that the namespaces gave, and sees to it that no program gives any back.
func dropCapabilities() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	for capability := 0; capability <= unix.CAP_LAST_CAP; capability++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(capability), 0, 0, 0); err != nil && err != unix.EINVAL {
			return fmt.Errorf("bounding set: %w", err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("ambient set: %w", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	return unix.Capset(&header, &none[0])
}
