// Package sandbox starts bot programs as processes, confines them, and leaves nothing of them
// behind: not when a bot is stopped, not when it forks children that flee from its process
// group, not when the arena itself is killed.
//
// With Config.Confine, on Linux, a bot runs in namespaces of its own behind a read-only root,
// without capabilities, under Landlock, a filter of system calls and limits: the program
// starts itself as a cage, which builds all that round itself and then becomes the bot. Its
// cgroups, where they can be written, bound memory, processes and processor time, and hold it
// still while it is frozen. SECURITY.md says what is promised.
//
// Without Config.Confine a bot runs with the rights of the arena. Only what it inherits is
// limited to three pipes and the environment of its Spec. A process that leaves the group of
// its bot is then known by a variable in its environment, so one that does both, leave the
// group and erase its environment, is not found.
//
// The package does not speak to bots: what the pipes carry is the business of its caller.
//
// Other systems than Linux have no /proc and no death signal: there nothing is confined, and a
// process is killed with its group (on Windows alone).
package sandbox

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Config is what a Launcher needs for all its processes.
type Config struct {
	// Warden is the command line of a process that calls Warden with its standard input
	// and output, normally the program itself with a hidden subcommand. Without one,
	// processes that fled from their group survive if this program is killed.
	Warden []string
	// Program is the file of a program that imports this package, which is started as the cage of each confined bot, and
	// may be a bot wherever it lies. Empty is the program itself.
	Program string
	// Confine keeps bots away from everything but themselves; otherwise they run with the rights of this program.
	Confine bool
	// Log hears of what no caller can be told, such as the death of the warden.
	// Nil is silence.
	Log *slog.Logger

	cgroups func(version int) bool // which may be used; nil is all
}

// ErrClosed is wrapped by the error of a start after Close.
var ErrClosed = errors.New("the launcher is closed")

// Launcher starts processes and guarantees that none outlives it. It may be used by many
// goroutines. It keeps one operating system thread for itself: the kernel kills a bot
// when the thread that started it ends, so this has to be one that lasts.
type Launcher struct {
	id      string
	program string // as configured
	log     *slog.Logger
	guard   *guard
	filter  []byte   // of system calls, for the confined; nil is no confinement
	looked  sync.Map // by folder of a bot: whether something in it is private
	pens    *pens
	forks   chan fork
	forker  sync.WaitGroup
	serial  atomic.Uint64
	close   func() error

	gate   sync.RWMutex // a start holds it for reading, so that Close misses none
	closed bool

	mu      sync.Mutex
	live    map[*Process]struct{}
	folders map[string]struct{} // temporary ones
}

// New starts the warden, if there is one, and returns when it is on watch. Where bots are to be confined and cannot be, it
// fails with a [NotConfinedError].
// The Launcher has to be closed.
//
// The files that this program got open from its parent, beyond the standard streams, are
// from here on no longer passed to any child; Go does so with those it opens itself.
func New(cfg Config) (*Launcher, error) {
	keepFiles()
	l := &Launcher{
		id:      rand.Text(),
		program: cfg.Program,
		log:     cfg.Log,
		forks:   make(chan fork),
		live:    make(map[*Process]struct{}),
		folders: make(map[string]struct{}),
	}
	if l.log == nil {
		l.log = slog.New(slog.DiscardHandler)
	}
	if cfg.Confine {
		var err error
		if l.filter, err = filter(); err != nil {
			return nil, err
		}
	}
	l.pens = openPens(l.id, cfg)
	if len(cfg.Warden) > 0 {
		g, err := startGuard(cfg.Warden, l.id, l.log)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("start the warden: %w", err), l.pens.close())
		}
		l.guard = g
		for _, dir := range l.pens.dirs() {
			g.tell(wordCgroup, dir)
		}
	}
	l.close = sync.OnceValue(l.shut)
	l.forker.Go(l.serveForks)
	if cfg.Confine {
		if err := l.try(); err != nil {
			return nil, errors.Join(err, l.Close())
		}
	}
	return l, nil
}

// Start starts a process. It returns as soon as the program is loaded, which says nothing
// yet about whether it works. Every started process has to be stopped, also one that
// ended by itself.
//
// An error names the command, the cause and, where there is one, the likely remedy; it is
// meant for the eyes of whoever wrote the command line.
func (l *Launcher) Start(spec Spec) (*Process, error) {
	p, err := l.start(spec)
	if err != nil {
		return nil, fmt.Errorf("start %q: %w", spec.name(), err)
	}
	return p, nil
}

// Close kills what is still alive, and returns when all of it, the temporary folders and the warden are gone.
// Later calls wait for the first and return its result.
func (l *Launcher) Close() error { return l.close() }

// Confines is what Config.Confine said. Unlike Probe it asks nothing of the kernel.
func (l *Launcher) Confines() bool { return l.filter != nil }

func (l *Launcher) start(spec Spec) (*Process, error) {
	l.gate.RLock()
	defer l.gate.RUnlock()
	if l.closed {
		return nil, ErrClosed
	}
	path, err := spec.find()
	if err != nil {
		return nil, err
	}
	ours, theirs, err := pipes()
	if err != nil {
		return nil, err
	}
	number := l.serial.Add(1)
	mark := markName + "=" + l.id + "." + strconv.FormatUint(number, 10)
	var proc *os.Process
	var pen *pen
	if l.Confines() {
		proc, pen, err = l.startCaged(path, spec, number, theirs, spec.environ(mark))
	} else {
		proc, err = l.fork(nil, path, spec.Args, &os.ProcAttr{
			Dir:   spec.Dir,
			Env:   spec.environ(mark),
			Files: theirs[:],
			Sys:   procAttr(),
		})
	}
	closeAll(theirs)
	if err != nil {
		closeAll(ours)
		return nil, explain(err)
	}
	l.guard.tell(wordStart, proc.Pid)
	p := newProcess(proc, ours, mark, spec.Stderr)
	p.pen = pen
	p.reaping = func() { l.guard.tell(wordEnd, proc.Pid) }
	p.forget = func() { l.forget(p) }
	l.mu.Lock()
	l.live[p] = struct{}{}
	l.mu.Unlock()
	pen.watch(p)
	go p.watch()
	go p.drain()
	return p, nil
}

func (l *Launcher) forget(p *Process) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.live, p)
}

func (l *Launcher) shut() error {
	l.gate.Lock()
	l.closed = true
	l.gate.Unlock()

	var wg sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	l.mu.Lock()
	for p := range l.live {
		wg.Go(func() {
			err := p.Kill()
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, err)
		})
	}
	l.mu.Unlock()
	wg.Wait()
	close(l.forks)
	l.forker.Wait()
	l.mu.Lock()
	left := slices.Collect(maps.Keys(l.folders))
	l.mu.Unlock()
	for _, dir := range left {
		errs = append(errs, l.removeTemp(dir))
	}
	return errors.Join(errors.Join(errs...), l.pens.close(), l.guard.close())
}

type fork struct {
	pen    *pen
	path   string
	args   []string
	attr   *os.ProcAttr
	result chan<- forked
}

type forked struct {
	proc *os.Process
	err  error
}

// serveForks starts all processes of the launcher on one thread. It never unlocks it, so
// that the thread ends with this goroutine and takes with it whatever Close failed to end.
func (l *Launcher) serveForks() {
	runtime.LockOSThread()
	for f := range l.forks {
		proc, err := f.pen.start(f.path, f.args, f.attr)
		f.result <- forked{proc, err}
	}
}

// fork starts a process on the launcher's thread. A program that was just written cannot
// be run while any process holds it open for writing, and that may be a child between
// its fork and its exec; the moment passes, so it tries again for about 0.1 seconds.
func (l *Launcher) fork(n *pen, path string, args []string, attr *os.ProcAttr) (*os.Process, error) {
	result := make(chan forked, 1)
	for pause := time.Millisecond; ; pause *= 2 {
		l.forks <- fork{n, path, args, attr, result}
		r := <-result
		if !errors.Is(r.err, syscall.ETXTBSY) || pause > 64*time.Millisecond {
			return r.proc, r.err
		}
		time.Sleep(pause)
	}
}

// pipes makes the three standard streams, indexed by descriptor.
func pipes() (ours, theirs [3]*os.File, err error) {
	for fd := range ours {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(ours)
			closeAll(theirs)
			return ours, theirs, err
		}
		if fd == 0 {
			ours[fd], theirs[fd] = w, r
		} else {
			ours[fd], theirs[fd] = r, w
		}
	}
	return ours, theirs, nil
}

func closeAll(files [3]*os.File) {
	for _, f := range files {
		_ = f.Close() // a nil file only returns an error
	}
}
