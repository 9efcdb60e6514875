package sandbox

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/fivethreefive/fivethreefive/arena/sandbox/internal/cgroup"
)

const (
	freezeLimit  = 2 * time.Second // until what will not freeze counts as not to be frozen
	freezeSpins  = 10              // looks without a pause: a sleep may take longer than the freeze
	freezePause  = 50 * time.Microsecond
	freezeRest   = time.Millisecond
	stuckPatient = 20 // looks at a process that waits in the kernel before it counts as stopped
	stillLooks   = 2  // in a row that show the same processes, all stopped
)

func (n *pen) freeze(p *Process) error {
	if n == nil {
		return errNotPenned
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.killed || p.over() {
		return os.ErrProcessDone
	}
	if n.frozen {
		return nil
	}
	n.frozen = true
	var err error
	if n.pens.cgroups.Has(cgroup.Freezer) {
		err = n.until(p, n.group.Freeze)
	} else {
		err = n.stopAll(p)
	}
	if err != nil {
		_ = n.release()
	}
	return err
}

func (n *pen) thaw(p *Process) error {
	if n == nil {
		return errNotPenned
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.killed || p.over() {
		return os.ErrProcessDone
	}
	return n.release()
}

// release undoes whatever there is of a freeze.
func (n *pen) release() error {
	if !n.frozen {
		return nil
	}
	if err := n.group.Thaw(); err != nil {
		return err
	}
	for _, pid := range n.halted {
		n.signal(pid, unix.SIGCONT)
	}
	n.halted, n.frozen = nil, false
	return nil
}

// stopAll stops every process of the bot, over and over: one that still runs may have forked another, or continued those
// that were stopped. When all are seen stopped there is nobody left to do so. The second look is for what fled from the
// first, from a part of the tree that was not read yet to one that was.
//
// A process that waits in the kernel and cannot be interrupted stops when its wait is over, so it counts as stopped if it
// stays like that: the parent in a vfork may wait for a child that is stopped.
func (n *pen) stopAll(p *Process) error {
	var s survey
	var last []int
	looks, still := 0, 0
	return n.until(p, func() (bool, error) {
		members, whole := s.look(n.pid, true)
		if len(members) == 0 {
			return false, os.ErrProcessDone
		}
		looks++
		running := !whole
		now := make([]int, 0, len(members))
		for _, m := range members {
			now = append(now, m.pid)
			if m.state == stopped {
				continue
			}
			running = running || m.state == active || looks < stuckPatient
			n.signal(m.pid, unix.SIGSTOP)
			if !slices.Contains(n.halted, m.pid) {
				n.halted = append(n.halted, m.pid)
			}
		}
		slices.Sort(now)
		switch {
		case running:
			still = 0
		case slices.Equal(now, last):
			still++
		default:
			still = 1
		}
		last = now
		if still < stillLooks {
			return false, nil
		}
		n.halted = now
		return true, nil
	})
}

// until repeats a step until it is done, the bot has ended, or it takes too long.
func (n *pen) until(p *Process, step func() (bool, error)) error {
	deadline := time.Now().Add(freezeLimit)
	pause := freezePause
	for spins := 0; ; spins++ {
		done, err := step()
		if done || err != nil {
			if errors.Is(err, os.ErrNotExist) {
				err = os.ErrProcessDone
			}
			return err
		}
		if p.over() {
			return os.ErrProcessDone
		}
		if !time.Now().Before(deadline) {
			return fmt.Errorf("some of it still runs after %v", freezeLimit)
		}
		if spins < freezeSpins {
			runtime.Gosched()
			continue
		}
		time.Sleep(pause)
		pause = min(2*pause, freezeRest)
	}
}
