package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// pens are the bounds of all confined processes of a launcher, and a pen those of one. They are kept from outside, by
// cgroups where this program may make some, and by the launcher itself where not.
type pens struct {
	grounds []*ground
	serves  map[string]*ground // by controller; what is missing has no cgroup
	watcher *watcher
}

// openPens takes the first hierarchy for each controller. That some cannot be used is no error: Means tells.
func openPens(id string, cfg Config) *pens {
	if cfg.Init == nil {
		return nil
	}
	ps := &pens{serves: make(map[string]*ground)}
	from := slices.DeleteFunc(hierarchies(), func(h hierarchy) bool { return cfg.cgroups != nil && !cfg.cgroups(h.version) })
	lots := choose(cgroupfs{}, from, os.Getpid())
	sweep(lots)
	for _, at := range lots {
		g, err := openGround(cgroupfs{}, at, id)
		if err != nil {
			continue
		}
		used := false
		for _, name := range g.controllers {
			if ps.serves[name] == nil {
				ps.serves[name] = g
				used = true
			}
		}
		if !used {
			_ = g.close()
			continue
		}
		ps.grounds = append(ps.grounds, g)
	}
	ps.watcher = startWatcher()
	return ps
}

func (ps *pens) means() Means {
	if ps == nil {
		return Means{Memory: meansNone, Processes: meansNone, CPU: meansNone, Freeze: meansNone}
	}
	by := func(controller, otherwise string) string {
		if g := ps.serves[controller]; g != nil {
			return g.name
		}
		return otherwise
	}
	return Means{
		Memory: by(memory, meansWatcher), Processes: by(pids, meansRlimit),
		CPU: by(cpu, meansNone), Freeze: by(freezer, meansSignals),
	}
}

// dirs are what the warden has to remove.
func (ps *pens) dirs() []string {
	if ps == nil {
		return nil
	}
	var dirs []string
	for _, g := range ps.grounds {
		dirs = append(dirs, g.dir)
	}
	return dirs
}

func (ps *pens) close() error {
	if ps == nil {
		return nil
	}
	ps.watcher.close()
	var errs []error
	for _, g := range ps.grounds {
		errs = append(errs, g.close())
	}
	return errors.Join(errs...)
}

type pen struct {
	pens   *pens
	name   string
	limits Limits
	pid    int
	space  string // its process namespace, as the link in /proc tells it

	outOfMemory atomic.Bool

	mu     sync.Mutex
	frozen bool
	killed bool
	halted []int // what signals have stopped
}

// add puts a process that has no children yet into a pen. The pen has to be removed also after an error.
func (ps *pens) add(pid int, number uint64, limits Limits) (*pen, error) {
	n := &pen{pens: ps, name: strconv.FormatUint(number, 10), limits: limits, pid: pid}
	space, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/ns/pid")
	if err != nil {
		return n, err
	}
	n.space = space
	for _, g := range ps.grounds {
		dir := n.dir(g)
		if err := os.Mkdir(dir, 0o755); err != nil { //nolint:gosec // as all of that tree
			return n, err
		}
		for _, name := range g.controllers {
			if ps.serves[name] != g || name == pids {
				continue
			}
			if err := apply(dir, g.limit(name, limits)); err != nil {
				return n, fmt.Errorf("limit: %w", err)
			}
		}
		if err := (cgroupfs{}).write(filepath.Join(dir, wantSelf), strconv.Itoa(pid)); err != nil {
			return n, err
		}
	}
	return n, nil
}

// tighten sets the limit that Init could not live with: its runtime has threads that the bot does not have.
func (n *pen) tighten() error {
	g := n.pens.serves[pids]
	if g == nil {
		return nil
	}
	return apply(n.dir(g), g.limit(pids, n.limits))
}

func (n *pen) dir(g *ground) string { return filepath.Join(g.dir, n.name) }

// watch begins to look after the memory of a bot.
func (n *pen) watch(p *Process) {
	if n != nil {
		n.pens.watcher.add(n, p.group)
	}
}

// ended ends that and tells whether a process of the bot was killed for memory.
func (n *pen) ended() bool {
	if n == nil {
		return false
	}
	n.pens.watcher.remove(n)
	return n.outOfMemory.Load() || n.kills() > 0
}

func (n *pen) kills() int {
	g := n.pens.serves[memory]
	if g == nil {
		return 0
	}
	return g.killed(n.dir(g))
}

// kill kills the group and with it, since its head is the first process of a namespace, all of the bot. In version 1 what
// is frozen dies when it is thawed.
func (n *pen) kill(g *group) {
	if n == nil {
		g.kill()
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.killed = true
	g.kill()
	for _, at := range n.pens.grounds {
		if slices.Contains(at.controllers, freezer) {
			_ = (cgroupfs{}).write(filepath.Join(n.dir(at), "cgroup.kill"), "1") // of version 2, since Linux 5.14
		}
	}
	if n.frozen {
		_ = n.release()
	}
}

// remove removes the cgroups of a dead bot.
func (n *pen) remove() error {
	if n == nil {
		return nil
	}
	n.pens.watcher.remove(n)
	var errs []error
	for _, g := range n.pens.grounds {
		errs = append(errs, removeDir(n.dir(g), removePatience))
	}
	return errors.Join(errs...)
}

// ours tells whether a process belongs to the bot.
func (n *pen) ours(pid int) bool {
	space, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/ns/pid")
	return err == nil && space == n.space
}

// signal sends to a process of the bot. It holds the process before it looks whose it is, since numbers are used again.
func (n *pen) signal(pid int, sig unix.Signal) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return
	}
	defer func() { _ = unix.Close(fd) }()
	if n.ours(pid) {
		_ = unix.PidfdSendSignal(fd, sig, nil, 0)
	}
}
