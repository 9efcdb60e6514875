package sandbox

import (
	"os"
	"strconv"
	"syscall"
	"time"
)

// Exit is how a main process ended and what it used.
type Exit struct {
	// Code is the exit status, or -1 if a signal ended the process.
	Code int
	// Signal is what ended the process, or 0 if it ended by itself.
	Signal syscall.Signal
	// User and System are processor time, with that of the children it waited for.
	User, System time.Duration
	// MaxRSS is the largest resident memory in bytes. On Linux it is an upper bound: a
	// child is born in the memory of its parent, so it is at least what this program
	// had used when it started the process.
	MaxRSS int64
	// OutOfMemory tells that a process of a confined bot was killed for more memory than its Limits allow, and the rest of
	// it with that. It is not set where a process only was refused more and ended for that reason.
	OutOfMemory bool
}

// String is like "exit status 3" or "signal: killed".
func (e Exit) String() string {
	if e.Signal != 0 {
		return "signal: " + e.Signal.String()
	}
	return "exit status " + strconv.Itoa(e.Code)
}

// newExit takes nil for a process whose end somebody else has collected.
func newExit(state *os.ProcessState) Exit {
	if state == nil {
		return Exit{Code: -1}
	}
	e := Exit{
		Code:   state.ExitCode(),
		User:   state.UserTime(),
		System: state.SystemTime(),
		MaxRSS: maxRSS(state),
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		e.Signal = status.Signal()
	}
	return e
}
