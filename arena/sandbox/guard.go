package sandbox

import (
	"bufio"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

const (
	wardenStartLimit = 30 * time.Second
	wardenEndLimit   = 30 * time.Second
	wardenReadLimit  = time.Second
)

// guard is a launcher's side of its warden. A nil guard stands for none.
type guard struct {
	proc *os.Process
	log  *slog.Logger
	done chan struct{}

	mu     sync.Mutex
	pipe   *os.File
	closed bool // nothing more is told, for whatever reason
	ended  error
}

func startGuard(args []string, id string, log *slog.Logger) (*guard, error) {
	path, err := exec.LookPath(args[0])
	if err != nil {
		return nil, err
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	ours, theirs, err := pipes()
	if err != nil {
		_ = null.Close()
		return nil, err
	}
	// Its stderr is not ours: whoever waits for the end of our output shall not wait for
	// the warden too.
	_ = theirs[2].Close()
	_ = ours[2].Close()
	theirs[2] = null
	proc, err := os.StartProcess(path, args, &os.ProcAttr{Files: theirs[:], Sys: wardenAttr()})
	closeAll(theirs)
	if err != nil {
		closeAll(ours)
		return nil, err
	}
	g := &guard{proc: proc, log: log, done: make(chan struct{}), pipe: ours[0]}
	err = g.greet(id, ours[1])
	_ = ours[1].Close()
	if err != nil {
		_ = g.pipe.Close()
		_ = proc.Kill()
		_, _ = proc.Wait()
		return nil, err
	}
	go g.watch()
	return g, nil
}

func (g *guard) greet(id string, answers *os.File) error {
	if _, err := fmt.Fprintln(g.pipe, wordLauncher, id); err != nil {
		return err
	}
	_ = answers.SetReadDeadline(time.Now().Add(wardenStartLimit))
	line, err := bufio.NewReader(answers).ReadString('\n')
	if err != nil {
		return fmt.Errorf("it does not say %q: %w", wordReady, err)
	}
	if line = strings.TrimSpace(line); line != wordReady {
		return fmt.Errorf("it says %q and not %q", line, wordReady)
	}
	return nil
}

// tell never fails: without its warden, a launcher protects less but works. A warden that
// does not read is told no more, lest every start wait for it.
func (g *guard) tell(word string, arg any) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return
	}
	_ = g.pipe.SetWriteDeadline(time.Now().Add(wardenReadLimit))
	if _, err := fmt.Fprintln(g.pipe, word, arg); err != nil {
		g.closed = true
		g.log.Error("the warden does not listen; bots may outlive a crash of this program", "error", err)
	}
}

func (g *guard) watch() {
	defer close(g.done)
	state, err := g.proc.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	if err == nil && !state.Success() {
		err = fmt.Errorf("the warden ended: %s", state)
	}
	g.ended = err
	if !g.closed {
		g.closed = true
		g.log.Error("the warden is gone; bots may outlive a crash of this program", "state", state.String())
	}
}

// close ends the warden by the end of its input and waits for it.
func (g *guard) close() error {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	lost := g.closed
	g.closed = true
	g.mu.Unlock()
	_ = g.pipe.Close()
	timer := time.NewTimer(wardenEndLimit)
	defer timer.Stop()
	select {
	case <-g.done:
	case <-timer.C:
		_ = g.proc.Kill()
		<-g.done
	}
	if lost {
		return nil // logged when it happened
	}
	return g.ended
}
