//go:build !linux

package sandbox

import (
	"errors"
	"os"
	"runtime"
)

// try refuses: confinement is made of parts of Linux.
func (l *Launcher) try() error {
	cause, remedy := errors.New("confinement needs Linux, this is "+runtime.GOOS), "run the arena on Linux, or in a virtual machine with it"
	return &NotConfinedError{Cause: cause, Remedy: remedy, Parts: []Feature{{Name: "confinement", State: cause.Error(), Remedy: remedy}}}
}

// Probe says that nothing is confined.
func (l *Launcher) Probe() Report { return Report{Parts: []Feature{}} }

func filter() ([]byte, error) { return []byte{}, nil }

func (l *Launcher) startCaged(string, Spec, uint64, [3]*os.File, []string) (*os.Process, *pen, error) {
	return nil, nil, errors.ErrUnsupported
}
