package sandbox

import (
	"errors"
	"os"
	"runtime"
	"sync"
	"syscall"
)

// group is a main process and the process group of the same number, where there are groups. The number is its
// own until the main process is reaped; afterwards any group may have it.
type group struct {
	proc *os.Process

	mu     sync.Mutex
	reaped bool
}

func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.reaped {
		killGroup(g.proc.Pid)
	}
}

func (g *group) terminate() error {
	if err := g.proc.Signal(syscall.SIGTERM); runtime.GOOS != "windows" && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}
