package sandbox

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/fivethreefive/fivethreefive/arena/sandbox/internal/cgroup"
)

// pens are the bounds of all confined processes of a launcher, and a pen those of one. They are kept from outside, by
// cgroups where this program may make some, and by the launcher itself where not.
type pens struct {
	cgroups *cgroup.Set
	watcher *watcher
}

func openPens(id string, cfg Config) *pens {
	if !cfg.Confine {
		return nil
	}
	return &pens{cgroups: cgroup.Open(id, cfg.cgroups), watcher: startWatcher()}
}

func (ps *pens) means() Means {
	if ps == nil {
		return Means{Memory: meansNone, Processes: meansNone, CPU: meansNone, Freeze: meansNone}
	}
	by := ps.cgroups.By
	return Means{
		Memory: by(cgroup.Memory, meansWatcher), Processes: by(cgroup.PIDs, meansRlimit),
		CPU: by(cgroup.CPU, meansNone), Freeze: by(cgroup.Freezer, meansSignals),
	}
}

// dirs are what the warden has to remove.
func (ps *pens) dirs() []string {
	if ps == nil {
		return nil
	}
	return ps.cgroups.Dirs()
}

func (ps *pens) close() error {
	if ps == nil {
		return nil
	}
	ps.watcher.close()
	return ps.cgroups.Close()
}

type pen struct {
	pens   *pens
	group  *cgroup.Group
	limits Limits
	pid    int
	space  string // its process namespace, as the link in /proc tells it

	outOfMemory atomic.Bool

	mu     sync.Mutex
	frozen bool
	killed bool
	halted []int // what signals have stopped
}

// add makes a pen. It has to be removed also after an error.
func (ps *pens) add(number uint64, limits Limits) (*pen, error) {
	group, err := ps.cgroups.New(strconv.FormatUint(number, 10), cgroup.Limits{Memory: limits.Memory, Processes: limits.Processes, CPU: limits.CPU})
	return &pen{pens: ps, group: group, limits: limits}, err
}

// start starts the first process of a pen, on a thread of the caller's alone; without a pen it just starts one.
func (n *pen) start(path string, args []string, attr *os.ProcAttr) (*os.Process, error) {
	if n == nil {
		return os.StartProcess(path, args, attr)
	}
	proc, err := n.group.Start(path, args, attr)
	if err != nil {
		return nil, err
	}
	n.pid = proc.Pid
	if n.space, err = os.Readlink("/proc/" + strconv.Itoa(n.pid) + "/ns/pid"); err != nil {
		_ = proc.Kill()
		_, _ = proc.Wait()
		return nil, err
	}
	return proc, nil
}

// bound sets the limits that a cage can live with too.
func (n *pen) bound() error {
	err := n.group.Limit(cgroup.Memory, cgroup.CPU)
	if errors.Is(err, unix.EBUSY) {
		return fmt.Errorf("%d MiB of memory are not enough to start a process; allow more: %w", n.limits.Memory>>20, err)
	}
	return err
}

// tighten sets the one that it could not live with: its runtime has threads that the bot does not have.
func (n *pen) tighten() error { return n.group.Limit(cgroup.PIDs) }

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
	return n.outOfMemory.Load() || n.group.MemoryKills() > 0
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
	n.group.Kill()
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
	return n.group.Remove()
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

func removeTrees(dirs []string) error { return cgroup.RemoveTrees(dirs) }
