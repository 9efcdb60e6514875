package sandbox

import (
	"errors"
	"math"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The pauses double, so all of them last as long as the limit.
const (
	settlePause = 100 * time.Microsecond
	settleLimit = 100 * time.Millisecond
)

// procAttr gives a bot a session of its own, not only a group: then it has no terminal,
// cannot join the group of another bot, and competes for the processor as one.
func procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

func wardenAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// wait returns when the main process has ended. It kills the rest of the group before it
// reaps, while the number is certain, and calls reaping between the two.
func (g *group) wait(reaping func()) *os.ProcessState {
	err := error(unix.EINTR)
	for errors.Is(err, unix.EINTR) {
		err = unix.Waitid(unix.P_PID, g.proc.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if err == nil { // else somebody took it who waits for any child
		killGroup(g.proc.Pid)
	}
	reaping()
	state, _ := g.proc.Wait()
	g.reaped = true
	return state
}

// settle waits, but not for long, until the dead of the group are buried. The memory of a
// killed process is gone before its files and ports are. Not for long, because a group
// of the same number may be a new one, and because in a container whose first process
// does not care for orphans they stay zombies.
func (g *group) settle() {
	for pause := settlePause; pause < settleLimit; pause *= 2 {
		if unix.Kill(-g.proc.Pid, 0) != nil {
			return
		}
		time.Sleep(pause)
	}
}

// killGroup is atomic: the kernel lets no member fork its way out of it.
func killGroup(pgid int) { _ = unix.Kill(-pgid, unix.SIGKILL) }

func keepFiles() { _ = unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) }

func maxRSS(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		kilobytes := int64(usage.Maxrss) //nolint:unconvert // 32 bits wide on 32-bit systems
		return kilobytes << 10
	}
	return 0
}
