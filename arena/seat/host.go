package seat

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// quitGrace is how long a bot may take to exit after quit.
const quitGrace = time.Second

// ownFault marks a reply that tells of a failure of the arena's own, which is never the bot's.
const ownFault protocol.Code = "arena"

// Host runs one bot for one game and answers its subject: hello starts the process, quit ends it and the host.
type Host struct {
	launcher *sandbox.Launcher
	spec     sandbox.Spec
	freezing bool // the bot gets no time but for its turns
	wrap     Wrap
	sub      *nats.Subscription
	done     chan struct{}

	process *sandbox.Process
	stderr  string // its last lines; after done
	err     error  // what could not be cleared away; after done

	mu      sync.Mutex // against Interrupt and Printed; all else is called by one goroutine
	talk    *talk
	givenUp bool
	printed int64 // bytes of stderr that Printed has given
}

// Serve subscribes to the subject. The host lives until it is told to quit.
//
// With freezing, the bot runs only while it is asked, and from quit on: what it is told in between it reads with its next
// turn. The launcher must confine it then.
func Serve(nc *nats.Conn, subject string, launcher *sandbox.Launcher, spec sandbox.Spec, freezing bool) (*Host, error) {
	return serve(nc, subject, &Host{launcher: launcher, spec: spec, freezing: freezing})
}

func serve(nc *nats.Conn, subject string, h *Host) (*Host, error) {
	h.done = make(chan struct{})
	sub, err := nc.Subscribe(subject, h.handle)
	if err != nil {
		return nil, fmt.Errorf("serve seat: %w", err)
	}
	h.sub = sub
	// The referee uses another connection: only after the flush its requests are sure to find the subscription.
	if err := nc.Flush(); err != nil {
		return nil, fmt.Errorf("serve seat: %w", err)
	}
	return h, nil
}

// Interrupt kills the bot, so that a request that waits for it is answered at once. It is for games that are given up;
// quit is still to follow.
func (h *Host) Interrupt() {
	h.mu.Lock()
	h.givenUp = true
	t := h.talk
	h.mu.Unlock()
	if t != nil {
		t.giveUp()
	}
}

// Printed is what the bot has written to stderr since the last call, as far as that is kept and has been read yet.
func (h *Host) Printed() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.talk == nil {
		return ""
	}
	tail := h.process.Stderr()
	begin := max(h.printed, tail.Dropped)
	fresh := tail.Bytes[begin-tail.Dropped:]
	select {
	case <-h.process.Done():
	default: // the rest of a line that is being written comes with the next
		fresh = fresh[:bytes.LastIndexByte(fresh, '\n')+1]
	}
	h.printed = begin + int64(len(fresh))
	return strings.ToValidUTF8(string(fresh), "\ufffd")
}

// Done is closed when the bot and all that it started are gone.
func (h *Host) Done() <-chan struct{} { return h.done }

// handle is called for one message after the other.
func (h *Host) handle(msg *nats.Msg) {
	if msg.Reply != "" {
		h.thaw()
		respond(msg, h.ask(msg))
		h.freeze()
		return
	}
	kind, err := protocol.TypeOf(msg.Data)
	if err != nil || h.talk == nil && kind != "quit" {
		return
	}
	if kind == "quit" {
		h.quit(msg.Data)
		return
	}
	h.talk.tell(msg.Data)
}

func (h *Host) ask(msg *nats.Msg) answer {
	limit, err := strconv.ParseInt(msg.Header.Get(protocol.HeaderLimit), 10, 64)
	if err != nil {
		return failure("the request has no limit")
	}
	text := msg.Header.Get(protocol.HeaderTurn)
	if text == "" {
		return h.put(msg.Data, 0, time.Duration(limit))
	}
	turn, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return failure("a turn without a number")
	}
	return h.put(msg.Data, turn, time.Duration(limit))
}

// put gives the bot hello, whose turn is 0, or a turn.
func (h *Host) put(line []byte, turn int64, limit time.Duration) answer {
	switch {
	case turn == 0:
		return h.hello(line, limit)
	case h.talk == nil:
		return failure("a turn before hello")
	default:
		return h.talk.ask(line, turn, limit)
	}
}

func failure(detail string) answer {
	return answer{fault: ownFault, report: protocol.FaultReport{Detail: detail}}
}

// hello starts the process. Whatever goes wrong with the bot until ready is a start fault.
func (h *Host) hello(line []byte, limit time.Duration) answer {
	begin := time.Now()
	process, err := h.launcher.Start(h.spec)
	if err != nil && scarce(err) {
		return failure(err.Error())
	}
	if err != nil {
		detail := err.Error() + startHint(err, h.memoryLimit())
		return answer{fault: protocol.StartFault, elapsed: time.Since(begin), report: protocol.FaultReport{Detail: detail}}
	}
	h.mu.Lock()
	h.process = process
	h.talk = newTalk(h.wrap.pipes(process), running{process, h.memoryLimit(), h.launcher.Confines()})
	givenUp := h.givenUp
	h.mu.Unlock()
	if givenUp {
		h.talk.giveUp()
	}
	loaded := time.Since(begin)
	a := h.talk.ask(line, 0, limit-loaded)
	a.elapsed += loaded
	return unready(a, limit, h.memoryLimit())
}

// unready makes a start fault of what came instead of ready.
func unready(a answer, limit time.Duration, memory int64) answer {
	hint := ""
	switch {
	case a.report.Stderr == "":
		hint = perhaps(memory)
	case a.fault == protocol.Timeout && memory > 0: // whose detail is put into other words here
		hint = refused(a.report.Stderr)
	}
	switch a.fault {
	case "", ownFault:
		return a
	case protocol.Timeout:
		a.report.Detail = fmt.Sprintf("not ready within %v; answer hello with {\"type\":\"ready\"} and flush", limit) + hint
	case protocol.Crash, protocol.Disconnect:
		a.report.Detail = "before ready: " + a.report.Detail + hint
	default:
		a.report.Detail = "before ready: " + a.report.Detail
	}
	a.fault = protocol.StartFault
	return a
}

// memoryLimit is what keeps the bot, which only a launcher that confines does.
func (h *Host) memoryLimit() int64 {
	if !h.launcher.Confines() {
		return 0
	}
	return h.spec.Limits.Memory
}

// scarce tells what the machine has no more of from a mistake of the bot's.
func scarce(err error) bool {
	return slices.ContainsFunc([]error{sandbox.ErrClosed, syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE}, func(lack error) bool {
		return errors.Is(err, lack)
	})
}

func respond(msg *nats.Msg, a answer) { a.outward().Send(msg) }

func (h *Host) freeze() { h.hold((*sandbox.Process).Freeze) }
func (h *Host) thaw()   { h.hold((*sandbox.Process).Thaw) }

// hold stops or continues a bot that is alive. One that resists is ended.
func (h *Host) hold(act func(*sandbox.Process) error) {
	if !h.freezing || h.process == nil {
		return
	}
	if err := act(h.process); err != nil && !errors.Is(err, os.ErrProcessDone) {
		h.talk.end(protocol.Crash, "it was ended, since it could not be held still between its turns: "+err.Error())
	}
}

// quit lets the bot end by itself and clears away what does not.
func (h *Host) quit(line []byte) {
	_ = h.sub.Unsubscribe()
	if h.talk != nil {
		h.talk.dismiss()
		h.talk.tell(line)
		h.thaw()
		h.err = h.process.Stop(quitGrace)
		h.talk.reader.Wait()
		h.stderr = lastLines(h.process.Stderr().String())
	}
	close(h.done)
}

type running struct {
	*sandbox.Process

	memory   int64 // the limit in bytes
	confined bool
}

// Ended knows that the first process of a namespace, as a confined bot is, does not die of SIGABRT.
func (r running) Ended() string {
	ended := r.Exit().String()
	if r.confined && r.Exit().Signal == syscall.SIGSEGV {
		ended += ", as which abort() ends too"
	}
	return ended
}
func (r running) Killed() bool   { return r.Exit().Signal == syscall.SIGKILL }
func (r running) Stderr() string { return r.Process.Stderr().String() }
func (r running) Kill()          { _ = r.Process.Kill() } // Stop returns the same error

func (r running) OutOfMemory() bool  { return r.Exit().OutOfMemory }
func (r running) MemoryLimit() int64 { return r.memory }
