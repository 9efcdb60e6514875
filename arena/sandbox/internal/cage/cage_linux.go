package cage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Name is the whole command line of a process that is to build a cage round itself.
const Name = "arena-cage"

// Descriptors that it is started with, besides the three of the bot.
const (
	CageFD   = 3 // it reads the Cage here, as JSON
	ReportFD = 4 // and says here Ready, and what went wrong: a number of the system's and a text, which may be empty
	ViewFD   = 5 // the first of the views that were opened for it
)

// Ready is the line that says that all walls stand and the bot begins. What follows is why it did not.
const Ready = "ready"

// Cage is all that it needs to know.
type Cage struct {
	Path    string // the bot's program, as all paths absolute and clean; empty for a trial, which ends where the bot would begin
	Args    []string
	Env     []string
	Dir     string
	Views   []View
	Hide    []string // folders that are empty for the bot, wherever they show
	Scratch int64    // bytes of what can be written
	Filter  []byte   // of system calls: instructions of seccomp(2)
	Limits  []Limit
}

// Kind is what may be done with a view. The zero Kind is the strictest.
type Kind int

// The kinds of views.
const (
	ReadOnly Kind = iota
	Writable      // files in it may be changed, and more made
	Device        // it is one, which may be used
)

// View is a part of the host that the bot sees under its own name.
type View struct {
	Path string
	FD   int // a clone of its mount from OpenView, or -1 to take one inside
	Kind Kind
}

// Limit is one of setrlimit(2), for each process.
type Limit struct {
	Resource int
	Value    uint64
}

// This program starts itself for every bot, and the packages of a whole arena take longer to initialise than a bot to start.
// So the bot begins here, and main is never reached. Go initialises packages in the order of their paths as soon as their imports
// are; that this one imports little, and nothing late in the alphabet, is what puts it before the others.
func init() { //nolint:gochecknoinits // see above
	if len(os.Args) != 1 || os.Args[0] != Name {
		return
	}
	runtime.LockOSThread() // capabilities and filters belong to a thread, and this one becomes the bot
	if err := enter(); err != nil {
		var errno unix.Errno
		_ = errors.As(err, &errno)
		fmt.Fprintln(os.NewFile(ReportFD, "report"), uint(errno), err)
		os.Exit(1) //nolint:forbidigo // this is all of the program
	}
	os.Exit(0) //nolint:forbidigo // it was a trial
}

func enter() error {
	unix.CloseOnExec(ReportFD)
	file := os.NewFile(CageFD, "cage")
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	_ = file.Close()
	var c Cage
	if err := json.Unmarshal(text, &c); err != nil {
		return fmt.Errorf("read the cage: %w", err)
	}
	for _, step := range []struct {
		name string
		do   func(Cage) error
	}{
		{"root", buildRoot},
		{"host name", func(Cage) error { return unix.Sethostname([]byte("bot")) }},
		{"files", func(Cage) error { return unix.CloseRange(CageFD, ^uint(0)>>1, unix.CLOSE_RANGE_CLOEXEC) }},
		{"capabilities", func(Cage) error { return dropCapabilities() }},
		{"landlock", restrictFiles},
		{"system calls", filterCalls},
	} {
		if err := step.do(c); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return become(c)
}

// become sets the limits and runs the bot. They may be less than this program needs, so from the first limit on nothing is
// allocated.
func become(c Cage) error {
	path, err := unix.BytePtrFromString(c.Path)
	if err != nil {
		return err
	}
	args, err := syscall.SlicePtrFromStrings(c.Args)
	if err != nil {
		return err
	}
	env, err := syscall.SlicePtrFromStrings(c.Env)
	if err != nil {
		return err
	}
	if _, err := unix.Write(ReportFD, []byte(Ready+"\n")); err != nil {
		return err
	}
	if c.Path == "" {
		return nil
	}
	report := []byte("000 ")
	errno := limit(c.Limits)
	if errno == 0 {
		_, _, errno = unix.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(&args[0])), uintptr(unsafe.Pointer(&env[0]))) //nolint:gosec // unix.Exec allocates
	}
	for i, rest := 2, errno; i >= 0; i, rest = i-1, rest/10 {
		report[i] = byte('0' + rest%10)
	}
	_, _, _ = unix.RawSyscall(unix.SYS_WRITE, ReportFD, uintptr(unsafe.Pointer(&report[0])), uintptr(len(report))) //nolint:gosec // as above
	_, _, _ = unix.RawSyscall(unix.SYS_EXIT_GROUP, 1, 0, 0)
	return nil
}

// limit keeps each process to its share.
func limit(limits []Limit) unix.Errno {
	for i := range limits {
		bound := unix.Rlimit{Cur: limits[i].Value, Max: limits[i].Value}
		_, _, errno := unix.RawSyscall6(unix.SYS_PRLIMIT64, 0, uintptr(limits[i].Resource), uintptr(unsafe.Pointer(&bound)), 0, 0, 0) //nolint:gosec // the package's call allocates
		if errno != 0 {
			return errno
		}
	}
	return 0
}

// filterCalls closes system calls for this process and all that come after it.
func filterCalls(c Cage) error {
	const size = int(unsafe.Sizeof(unix.SockFilter{}))
	if len(c.Filter) == 0 || len(c.Filter)%size != 0 {
		return fmt.Errorf("a filter of %d bytes: %w", len(c.Filter), unix.EINVAL)
	}
	program := unix.SockFprog{Len: uint16(len(c.Filter) / size), Filter: (*unix.SockFilter)(unsafe.Pointer(&c.Filter[0]))} //nolint:gosec // its very layout
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)))      //nolint:gosec // the package has no call for it
	if errno != 0 {
		return errno
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
