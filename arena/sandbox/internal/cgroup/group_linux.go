package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// Group is the processes that were started in it and all that descend from them.
type Group struct {
	set    *Set
	name   string
	limits Limits
}

// New makes a group without limits. It has to be removed also after an error.
func (s *Set) New(name string, limits Limits) (*Group, error) {
	g := &Group{set: s, name: name, limits: limits}
	for _, at := range s.grounds {
		if err := os.Mkdir(g.dir(at), 0o755); err != nil { //nolint:gosec // as all of that tree
			return g, err
		}
	}
	return g, nil
}

// Limit sets a limit, if there is a cgroup for it.
func (g *Group) Limit(controllers ...string) error {
	for _, controller := range controllers {
		at := g.set.serves[controller]
		if at == nil {
			continue
		}
		if err := apply(g.dir(at), at.limit(controller, g.limits)); err != nil {
			return fmt.Errorf("limit of %s: %w", controller, err)
		}
	}
	return nil
}

func (g *Group) dir(at *ground) string { return filepath.Join(at.dir, g.name) }

// Start starts a process in the group as os.StartProcess does. It has to be called on a thread that is the caller's alone: in
// version 1 a child begins where the thread is that starts it, so this one steps into the group and back. To move a process
// that runs would be simpler, but the kernel then waits until all processors have been through the scheduler, which takes 10 ms and more.
func (g *Group) Start(path string, args []string, attr *os.ProcAttr) (proc *os.Process, err error) {
	defer func() {
		for _, at := range g.set.grounds {
			if at.home != "" {
				err = errors.Join(err, step(at.home))
			}
		}
		if err != nil && proc != nil {
			_ = proc.Kill()
			_, _ = proc.Wait()
			proc = nil
		}
	}()
	for _, at := range g.set.grounds {
		if at.home != "" {
			if err := step(g.dir(at)); err != nil {
				return nil, err
			}
			continue
		}
		fd, err := unix.Open(g.dir(at), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return nil, err
		}
		defer func() { _ = unix.Close(fd) }()
		inside, sys := *attr, syscall.SysProcAttr{}
		if attr.Sys != nil {
			sys = *attr.Sys
		}
		sys.UseCgroupFD, sys.CgroupFD = true, fd
		inside.Sys = &sys
		attr = &inside
	}
	return os.StartProcess(path, args, attr)
}

// step takes the calling thread into a cgroup of version 1.
func step(dir string) error { return (files{}).write(filepath.Join(dir, wantThread), "0") }

// MemoryKills counts the processes of the group that the kernel has killed for memory.
func (g *Group) MemoryKills() int {
	at := g.set.serves[Memory]
	if at == nil {
		return 0
	}
	return at.killed(g.dir(at))
}

// Freeze asks for a freeze and tells whether all is frozen. As long as it is not, it has to be asked again: version 1 passes over a
// process that is just about to wait for its vfork.
func (g *Group) Freeze() (frozen bool, err error) {
	at := g.set.serves[Freezer]
	if at == nil {
		return false, errors.ErrUnsupported
	}
	if err := apply(g.dir(at), []knob{at.freeze}); err != nil {
		return false, err
	}
	return at.isFrozen(g.dir(at))
}

// Thaw undoes a freeze; without a freezer there is none.
func (g *Group) Thaw() error {
	at := g.set.serves[Freezer]
	if at == nil {
		return nil
	}
	return apply(g.dir(at), []knob{at.thaw})
}

// Kill kills all processes where the kernel offers that, in version 2 since Linux 5.14. In version 1 it does nothing.
func (g *Group) Kill() {
	for _, at := range g.set.grounds {
		if slices.Contains(at.controllers, Freezer) {
			_ = (files{}).write(filepath.Join(g.dir(at), "cgroup.kill"), "1")
		}
	}
}

// Remove removes a group whose processes are dead or dying; it waits for those, not for long.
func (g *Group) Remove() error {
	var errs []error
	for _, at := range g.set.grounds {
		errs = append(errs, removeDir(g.dir(at), removePatience))
	}
	return errors.Join(errs...)
}
