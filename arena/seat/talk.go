package seat

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// process is the part of a bot's process that a talk needs.
type process interface {
	Done() <-chan struct{} // the main process has ended
	Ended() string         // how, after Done
	Kill()                 // returns when nothing of it is left
	Stderr() string
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

// question is open from the moment its message is written until its answer is read, or its time is over.
type question struct {
	turn   int64 // 0 for hello
	sent   time.Time
	answer chan answer // room for one
	stale  chan []byte // errors for stale moves, to be written by whoever waits for the answer
}

// talk is the conversation with one bot. One goroutine reads all the time, so that the bot never blocks on its output;
// ask and tell write, one at a time. What cannot be written at once stays in unsent and goes first the next time.
type talk struct {
	pipes   pipes
	process process
	reader  sync.WaitGroup

	mu      sync.Mutex
	open    *question
	ended   *answer // why no answer can come any more
	strays  int     // lines that are no messages
	surplus int     // messages that nobody asked for
	last    string  // the beginning of the last of those

	unsent []byte // of the goroutine that writes
	late   []byte // errors for stale moves that came while no question was open; behind mu
}

const (
	maxUnsent  = 1 << 20                 // bytes kept for a bot that does not read
	maxSurplus = 10 * protocol.MaxStrays // messages in a game that nobody asked for
	maxLate    = 64 << 10                // bytes of errors kept for the next message

	tellWithin = 20 * time.Millisecond  // how long a message without answer may hold the arena up
	exitWithin = 100 * time.Millisecond // between a closed pipe and the end of the process, where both belong together
	tailWithin = 50 * time.Millisecond  // for reading what an ended process has left in its pipe
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

// ask writes a message and waits for its answer: ready when the turn is 0, else the move with that number.
func (t *talk) ask(message []byte, turn int64, limit time.Duration) answer {
	q := &question{turn: turn, sent: time.Now(), answer: make(chan answer, 1), stale: make(chan []byte, 1)}
	if ended := t.begin(q); ended != nil {
		return *ended
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	if err := t.send(message, q.sent.Add(limit)); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		t.hangUp(err)
		return <-q.answer
	}
	t.mu.Lock()
	q.sent = time.Now()
	t.mu.Unlock()
	for {
		select {
		case a := <-q.answer:
			return a
		case line := <-q.stale:
			_ = t.send(line, time.Now().Add(tellWithin)) // a closed pipe shows in the answer
		case <-timer.C:
			if t.close(q) {
				return answer{elapsed: time.Since(q.sent), fault: protocol.Timeout, report: t.report(fmt.Sprintf("no answer within %v", limit))}
			}
			return <-q.answer
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

// close ends the question without an answer, unless one is on its way.
func (t *talk) close(q *question) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open != q {
		return false
	}
	t.open = nil
	return true
}

// tell writes a message that has no answer. A bot that does not read gets it before the next one.
func (t *talk) tell(message []byte) { _ = t.send(message, time.Now().Add(tellWithin)) }

// send appends a line to what is still unsent and writes as much as the bot takes before the deadline.
func (t *talk) send(line []byte, deadline time.Time) error {
	t.mu.Lock()
	t.unsent = append(t.unsent, t.late...)
	t.late = nil
	t.mu.Unlock()
	if len(t.unsent)+len(line) > maxUnsent {
		return errors.New("it does not read its standard input")
	}
	t.unsent = append(append(t.unsent, line...), '\n')
	if err := t.pipes.SetWriteDeadline(deadline); err != nil {
		return err
	}
	n, err := t.pipes.Write(t.unsent)
	t.unsent = append(t.unsent[:0], t.unsent[n:]...)
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("it closed its standard input (%w)", err)
	}
	return err
}

// read takes every line of the bot until its output ends.
func (t *talk) read() {
	lines := protocol.NewLines(t.pipes)
	for {
		line, err := lines.Next()
		now := time.Now()
		switch {
		case errors.Is(err, protocol.ErrLineTooLong):
			t.end(protocol.Flood, "a line of more than 64 KiB", line)
		case err != nil:
			if len(line) > 0 {
				t.remember(line)
			}
			t.hangUp(errors.New("it closed its standard output"))
		default:
			t.hear(line, now)
		}
		if t.over() {
			_, _ = io.Copy(io.Discard, t.pipes) // until the process is gone
			return
		}
	}
}

// hear sorts a line: an answer, a stale move, a stray print, or something to ignore.
func (t *talk) hear(line []byte, now time.Time) {
	if line[0] != '{' {
		t.stray(line)
		return
	}
	message, err := protocol.ReadBot(line)
	t.mu.Lock()
	q := t.open
	move, isMove := message.(protocol.Move)
	ready, isReady := message.(protocol.Ready)
	switch {
	case err != nil && q != nil && q.turn > 0, isMove && q != nil && q.turn > 0 && move.Turn == q.turn:
		t.open = nil
		t.mu.Unlock()
		q.answer <- answer{line: slices.Clone(line), elapsed: now.Sub(q.sent)}
		return
	case isReady && q != nil && q.turn == 0:
		t.open = nil
		t.mu.Unlock()
		q.answer <- greeting(ready, line, now.Sub(q.sent))
		return
	case isMove:
		t.stale(q, move)
	}
	t.mu.Unlock()
	t.remember(line)
	t.count(&t.surplus, maxSurplus, "messages that nobody asked for", line)
}

func greeting(ready protocol.Ready, line []byte, elapsed time.Duration) answer {
	if ready.Protocol != 0 && ready.Protocol != protocol.Version {
		detail := fmt.Sprintf("it speaks protocol %d, the arena speaks %d", ready.Protocol, protocol.Version)
		return answer{elapsed: elapsed, fault: protocol.StartFault, report: protocol.FaultReport{Detail: detail, Line: string(line)}}
	}
	return answer{line: slices.Clone(line), elapsed: elapsed}
}

// stale prepares the error for a move that answers no open turn. The reader must not write, since it must never wait.
func (t *talk) stale(q *question, move protocol.Move) {
	text := fmt.Sprintf("turn %d is not the one that is open; repeat the number of the turn that you answer", move.Turn)
	line, err := protocol.Marshal(protocol.Error{Turn: move.Turn, Code: protocol.Stale, Message: text})
	if err != nil {
		return
	}
	if q != nil {
		select {
		case q.stale <- line:
			return
		default:
		}
	}
	if len(t.late)+len(line) < maxLate {
		t.late = append(append(t.late, line...), '\n')
	}
}

func (t *talk) stray(line []byte) {
	t.remember(line)
	t.count(&t.strays, protocol.MaxStrays, "lines on standard output that are no messages", line)
}

func (t *talk) remember(line []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = offence(line)
}

func (t *talk) count(n *int, most int, what string, line []byte) {
	if *n++; *n > most {
		t.end(protocol.Flood, fmt.Sprintf("more than %d %s", most, what), line)
	}
}

// hangUp ends the talk after a pipe has failed: a crash if the process is gone too, else a disconnect.
func (t *talk) hangUp(cause error) {
	select {
	case <-t.process.Done():
		t.end(protocol.Crash, t.process.Ended(), nil)
	case <-time.After(exitWithin):
		t.end(protocol.Disconnect, cause.Error()+", and is still running", nil)
	}
}

// end makes a fault the answer to the open question and to all later ones. Nothing of the bot is left when it returns,
// so that its log is complete. Only the first end counts.
func (t *talk) end(fault protocol.Code, detail string, line []byte) {
	t.process.Kill()
	if line != nil {
		t.remember(line)
	}
	report := t.report(detail)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended != nil {
		return
	}
	t.ended = &answer{fault: fault, report: report}
	if q := t.open; q != nil {
		t.open = nil
		a := *t.ended
		a.elapsed = time.Since(q.sent)
		q.answer <- a
	}
}

// giveUp ends the talk without any fault of the bot's.
func (t *talk) giveUp() { t.end(protocol.Disconnect, "the game was given up", nil) }

func (t *talk) over() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended != nil
}

// report collects what the author of the bot will want to see.
func (t *talk) report(detail string) protocol.FaultReport {
	t.mu.Lock()
	defer t.mu.Unlock()
	return protocol.FaultReport{Detail: detail, Line: t.last, Stderr: lastLines(t.process.Stderr())}
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

// encode never fails: a report is made of texts.
func encode(report protocol.FaultReport) []byte {
	data, err := json.Marshal(report)
	if err != nil {
		return []byte("{}")
	}
	return data
}
