package seat

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// process is the part of a bot's process that a talk needs.
type process interface {
	Done() <-chan struct{} // the main process has ended
	Kill()                 // returns when nothing of it is left
	Ended() string         // how it ended, after Done or Kill
	Killed() bool          // whether that may have been the work of Kill
	OutOfMemory() bool     // whether it was ended for using more memory than it may
	MemoryLimit() int64    // in bytes; 0 is none
	Stderr() string
	Log(text string) // adds to that
}

// pipes are the two ends of a bot's standard streams.
type pipes interface {
	io.Reader
	io.Writer
	SetReadDeadline(t time.Time) error
	SetWriteDeadline(t time.Time) error
}

// answer is what came of a question: the bot's line, or a fault.
type answer struct {
	line    []byte
	elapsed time.Duration
	fault   protocol.Code
	report  protocol.FaultReport
}

// question is open from before its message is written until its answer is read, or its time is over.
type question struct {
	turn   int64         // 0 for hello
	sent   time.Time     // when the last byte was written, until then when the first was; behind the lock of the talk
	answer chan answer   // room for one
	late   chan struct{} // room for one: there are errors to be written by whoever waits for the answer
}

// talk is the conversation with one bot. One goroutine reads all the time, so that the bot never blocks on its output;
// ask and tell write, one at a time. What cannot be written at once stays in unsent and goes first the next time.
type talk struct {
	pipes   pipes
	process process
	reader  sync.WaitGroup
	ending  sync.Once // whoever ends the talk first says why

	mu    sync.Mutex
	open  *question
	ended *answer // why no answer can come any more
	last  string  // the beginning of the last line that was no answer
	late  []byte  // errors for stale moves that are still to be written

	strays  int // lines that are no messages; of the reader
	surplus int // messages that nobody asked for; of the reader

	unsent []byte // of the goroutine that writes
}

const (
	maxUnsent  = 1 << 20                 // bytes kept for a bot that does not read
	maxSurplus = 10 * protocol.MaxStrays // messages in a game that nobody asked for
	maxLate    = 64 << 10                // bytes of errors kept for the next message

	tellWithin = 20 * time.Millisecond  // how long a message without answer may hold the arena up
	exitWithin = 100 * time.Millisecond // between a closed pipe and the end of the process, where both belong together
	tailWithin = 500 * time.Millisecond // for reading what an ended process has left in its pipe
)

func newTalk(p pipes, proc process) *talk {
	t := &talk{pipes: p, process: proc}
	t.reader.Go(t.read)
	t.reader.Go(func() {
		<-proc.Done()
		_ = p.SetReadDeadline(time.Now().Add(tailWithin)) // a child that fled may hold the pipe open for ever
	})
	return t
}

// ask writes a message and waits for its answer: ready when the turn is 0, else the move with that number. The limit runs
// from the last byte written; to take the message, the bot has the same time.
func (t *talk) ask(message []byte, turn int64, limit time.Duration) answer {
	q := &question{turn: turn, sent: time.Now(), answer: make(chan answer, 1), late: make(chan struct{}, 1)}
	if ended := t.begin(q); ended != nil {
		return *ended
	}
	err := t.send(message, q.sent.Add(limit))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return t.expire(q, fmt.Sprintf("no answer within %v, since it does not read its standard input", limit))
	case err != nil:
		t.hangUp(err)
		return <-q.answer
	}
	t.mu.Lock()
	q.sent = time.Now()
	t.mu.Unlock()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case a := <-q.answer:
			return a
		case <-q.late:
			_ = t.send(nil, time.Now().Add(tellWithin)) // a closed pipe shows in the answer
		case <-timer.C:
			return t.expire(q, fmt.Sprintf("no answer within %v", limit))
		}
	}
}

// begin opens the question unless the bot is gone.
func (t *talk) begin(q *question) (ended *answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended != nil {
		return t.ended
	}
	t.open = q
	return nil
}

// expire closes the question with a timeout, unless its answer is on its way.
func (t *talk) expire(q *question, detail string) answer {
	t.mu.Lock()
	expired := t.open == q
	if expired {
		t.open = nil
	}
	t.mu.Unlock()
	if !expired {
		return <-q.answer
	}
	return answer{elapsed: time.Since(q.sent), fault: protocol.Timeout, report: t.report(detail)}
}

// tell writes a message that has no answer. A bot that does not read gets it before the next one.
func (t *talk) tell(message []byte) { _ = t.send(message, time.Now().Add(tellWithin)) }

// send appends a line, if there is one, to what is still unsent and writes as much as the bot takes before the deadline.
func (t *talk) send(line []byte, deadline time.Time) error {
	t.mu.Lock()
	t.unsent = append(t.unsent, t.late...)
	t.late = nil
	t.mu.Unlock()
	if len(t.unsent)+len(line) > maxUnsent {
		return errors.New("it does not read its standard input")
	}
	if line != nil {
		t.unsent = append(append(t.unsent, line...), '\n')
	}
	n, err := 0, t.pipes.SetWriteDeadline(deadline)
	if err == nil {
		n, err = t.pipes.Write(t.unsent)
	}
	t.unsent = append(t.unsent[:0], t.unsent[n:]...)
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("it closed its standard input (%w)", err)
	}
	return err
}

// hangUp ends the talk after a pipe has failed: a crash if the process ended by itself, else a disconnect.
func (t *talk) hangUp(cause error) {
	now := time.Now()
	t.ending.Do(func() {
		running := false
		select {
		case <-t.process.Done():
		case <-time.After(exitWithin):
			running = true
		}
		t.process.Kill()
		if t.process.OutOfMemory() {
			t.settle(now, protocol.Memory, "it used more memory than it may"+lacks("", t.process.MemoryLimit()))
			return
		}
		if running && t.process.Killed() {
			t.settle(now, protocol.Disconnect, cause.Error()+", and was still running")
			return
		}
		detail := t.process.Ended()
		if memoryLine(t.process.Stderr()) != "" {
			detail += lacks("; its stderr tells of a lack of memory", t.process.MemoryLimit())
		}
		t.settle(now, protocol.Crash, detail)
	})
}

// end kills the bot and gives the reason.
func (t *talk) end(fault protocol.Code, detail string) {
	now := time.Now()
	t.ending.Do(func() {
		t.process.Kill()
		t.settle(now, fault, detail)
	})
}

// giveUp ends the talk without any fault of the bot's.
func (t *talk) giveUp() { t.end(ownFault, "the game was given up") }

// dismiss ends the talk and leaves the bot alone: how it comes to its end is no fault any more.
func (t *talk) dismiss() {
	t.ending.Do(func() { t.settle(time.Now(), ownFault, "the game is over") })
}

// settle makes a fault the answer to the open question and to all later ones.
func (t *talk) settle(now time.Time, fault protocol.Code, detail string) {
	report := t.report(detail)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = &answer{fault: fault, report: report}
	if q := t.open; q != nil {
		t.open = nil
		a := *t.ended
		a.elapsed = max(0, now.Sub(q.sent))
		q.answer <- a
	}
}

func (t *talk) over() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended != nil
}

// report collects what the author of the bot will want to see.
func (t *talk) report(detail string) protocol.FaultReport {
	t.mu.Lock()
	defer t.mu.Unlock()
	stderr := t.process.Stderr()
	if t.process.MemoryLimit() > 0 && memoryLine(stderr) == "" { // without a limit it is not confined
		detail += refused(stderr)
	}
	return protocol.FaultReport{Detail: detail, Line: t.last, Stderr: excerpt(stderr)}
}

func offence(line []byte) string { return string(line[:min(len(line), protocol.MaxOffence)]) }

// lastLines keeps the last twenty lines, and of those the last 4 KiB.
func lastLines(text string) string {
	const lines, size = 20, 4 << 10
	text = strings.TrimRight(text, "\n")
	if len(text) > size {
		text = text[len(text)-size:]
	}
	all := strings.Split(text, "\n")
	return strings.ToValidUTF8(strings.Join(all[max(0, len(all)-lines):], "\n"), "\ufffd")
}
