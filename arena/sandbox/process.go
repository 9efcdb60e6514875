package sandbox

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

const (
	// deathLimit bounds the wait for killed processes. Only a process stuck in the kernel,
	// on a dead network disk for example, takes longer than moments.
	deathLimit = 10 * time.Second
	// drainLimit bounds the wait for the last of stderr when all writers are dead.
	drainLimit = time.Second
)

// Process is a started process and all that descends from it. When the main process
// ends, the rest of its group is killed with it; what fled from the group lives until
// Stop or Kill. Its methods may be called by many goroutines.
type Process struct {
	group                 *group
	mark                  string
	pen                   *pen // nil if not confined
	stdin, stdout, stderr *os.File
	tail                  ring

	reaping func() // called when the group is dead, while its number is still its own
	forget  func()
	end     func() error

	ending  chan struct{}
	done    chan struct{}
	drained chan struct{}
	exit    Exit // written before done is closed
}

func newProcess(proc *os.Process, ours [3]*os.File, mark string, stderr int) *Process {
	if stderr <= 0 {
		stderr = defaultStderr
	}
	p := &Process{
		group:   &group{proc: proc},
		mark:    mark,
		stdin:   ours[0],
		stdout:  ours[1],
		stderr:  ours[2],
		tail:    ring{size: stderr},
		ending:  make(chan struct{}),
		done:    make(chan struct{}),
		drained: make(chan struct{}),
	}
	p.end = sync.OnceValue(p.destroy)
	return p
}

// Pid is the id of the main process and of its group. Another process may have it after
// Done.
func (p *Process) Pid() int { return p.group.proc.Pid }

// Stdin is the writing end of the standard input; it supports SetWriteDeadline. The
// process owns it: it is closed by Stop and Kill, and the caller may close it before.
func (p *Process) Stdin() *os.File { return p.stdin }

// Stdout is the reading end of the standard output; it supports SetReadDeadline. Nobody
// but the caller reads it, and a process that nobody reads blocks when the pipe is full,
// also while Stop waits for it. After Stop or Kill every read fails.
func (p *Process) Stdout() *os.File { return p.stdout }

// Stderr is the end of what the process has written to its standard error so far.
// It is complete after Stop or Kill.
func (p *Process) Stderr() Tail { return p.tail.tail() }

// Log adds to what Stderr gives, as if the process had written it there.
func (p *Process) Log(text string) { p.tail.write([]byte(text)) }

// Done is closed when the main process has ended and the rest of its group has been sent
// to death, whoever still holds the pipes.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit tells how the main process ended. It is the zero Exit before Done.
func (p *Process) Exit() Exit {
	select {
	case <-p.done:
		return p.exit
	default:
		return Exit{}
	}
}

// Terminate sends SIGTERM to the main process, where a system has signals. In its cage that is the first process of all,
// which the kernel lets end by it only if it has a handler. A process that has ended is no error.
func (p *Process) Terminate() error { return p.group.terminate() }

// Stop closes the standard input, which asks a bot to end, gives it the time grace, and
// then does what Kill does, also for a process that ended by itself. Calls may be
// repeated and overlap; a Kill cuts the grace short.
func (p *Process) Stop(grace time.Duration) error {
	_ = p.stdin.Close()
	if grace > 0 {
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-p.done:
		case <-p.ending:
		case <-timer.C:
		}
	}
	return p.Kill()
}

// Kill kills the group and every descendant that fled from it, and returns when they are
// dead and the pipes are closed. An error says that something could not be proved dead.
// Later calls wait for the first and return its result.
func (p *Process) Kill() error { return p.end() }

func (p *Process) destroy() error {
	close(p.ending)
	_ = p.stdin.Close()
	p.pen.kill(p.group)
	err := p.await()
	p.group.settle()
	err = errors.Join(err, hunt(p.mark+"\x00"), p.pen.remove())
	_ = p.stdout.Close()
	// The writers are dead, so the end of file is near. The deadline is for those that
	// were not found: what they hold open may not hold us.
	_ = p.stderr.SetReadDeadline(time.Now().Add(drainLimit))
	<-p.drained
	_ = p.stderr.Close()
	p.forget()
	if err != nil {
		return fmt.Errorf("kill process %d: %w", p.Pid(), err)
	}
	return nil
}

func (p *Process) await() error {
	timer := time.NewTimer(deathLimit)
	defer timer.Stop()
	select {
	case <-p.done:
		return nil
	case <-timer.C:
		return fmt.Errorf("still there %v after SIGKILL", deathLimit)
	}
}

func (p *Process) watch() {
	p.exit = newExit(p.group.wait(p.reaping))
	p.exit.OutOfMemory = p.pen.ended()
	close(p.done)
}

// drain empties stderr as fast as it fills, so that no bot ever waits for its own log.
func (p *Process) drain() {
	defer close(p.drained)
	buf := make([]byte, 8<<10)
	for {
		n, err := p.stderr.Read(buf)
		p.tail.write(buf[:n])
		if err != nil {
			return
		}
	}
}
