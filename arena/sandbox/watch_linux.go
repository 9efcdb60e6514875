package sandbox

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/fivethreefive/fivethreefive/arena/sandbox/internal/cgroup"
)

const watchPause = 50 * time.Millisecond

// watcher looks after the memory of all bots of a launcher. Where there are cgroups for memory, the kernel keeps the limit,
// and it sees only to it that no bot goes on without a part of itself. Where there are none it adds up what the processes
// of a bot have resident, page tables included.
type watcher struct {
	quit chan struct{}
	done sync.WaitGroup

	mu   sync.Mutex
	bots map[*pen]*group
}

func startWatcher() *watcher {
	w := &watcher{quit: make(chan struct{}), bots: make(map[*pen]*group)}
	w.done.Go(w.run)
	return w
}

func (w *watcher) close() {
	close(w.quit)
	w.done.Wait()
}

func (w *watcher) add(n *pen, g *group) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bots[n] = g
}

func (w *watcher) remove(n *pen) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.bots, n)
}

func (w *watcher) run() {
	ticker := time.NewTicker(watchPause)
	defer ticker.Stop()
	var s survey
	for {
		select {
		case <-w.quit:
			return
		case <-ticker.C:
			for n, g := range w.current() {
				if n.isFrozen() {
					continue
				}
				if n.group.MemoryKills() > 0 || !n.pens.cgroups.Has(cgroup.Memory) && s.exceeds(n.pid, n.limits.Memory) {
					n.condemn(g)
				}
			}
		}
	}
}

func (w *watcher) current() map[*pen]*group {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.bots)
}

// isFrozen does not wait for a freeze or a kill that is under way.
func (n *pen) isFrozen() bool {
	if !n.mu.TryLock() {
		return true
	}
	defer n.mu.Unlock()
	return n.frozen || n.killed
}

// condemn kills a bot for its memory, unless it has ended meanwhile: then what was measured was another's.
func (n *pen) condemn(g *group) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.reaped {
		n.outOfMemory.Store(true)
		killGroup(g.proc.Pid)
	}
}

// exceeds adds up quickly first, with what processes share counted for each. Only if that is too much does it ask for the
// proportional shares, for which the kernel walks through all pages.
func (s *survey) exceeds(root int, limit int64) bool {
	members, _ := s.look(root, false)
	var quick, exact int64
	for _, m := range members {
		quick += s.resident(m.pid)
	}
	if quick <= limit {
		return false
	}
	for _, m := range members {
		if share, ok := s.sum(m.pid, "/smaps_rollup", "Pss_Anon:", "Pss_Shmem:", "SwapPss:"); ok {
			tables, _ := s.sum(m.pid, "/status", "VmPTE:")
			exact += share + tables
		} else {
			exact += s.resident(m.pid)
		}
	}
	return exact > limit
}

func (s *survey) resident(pid int) int64 {
	bytes, _ := s.sum(pid, "/status", "RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:")
	return bytes
}

// sum adds up lines of a file of a process, which are in kB.
func (s *survey) sum(pid int, file string, names ...string) (total int64, ok bool) {
	text, ok := s.read(unix.AT_FDCWD, "/proc/"+strconv.Itoa(pid)+file)
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		if len(fields) > 1 && slices.Contains(names, string(fields[0])) {
			kilobytes, _ := strconv.ParseInt(string(fields[1]), 10, 64)
			total += kilobytes << 10
		}
	}
	return total, ok && len(text) > 0
}
