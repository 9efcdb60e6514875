package seat

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// read takes every line of the bot until its output ends.
func (t *talk) read() {
	lines := protocol.NewLines(t.pipes)
	for {
		line, err := lines.Next()
		now := time.Now()
		switch {
		case errors.Is(err, protocol.ErrLineTooLong):
			t.remember(line)
			t.end(protocol.Flood, "a line of more than 64 KiB; end each message with a newline")
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
		t.remember(line)
		t.process.Log("stdout: " + offence(line) + "\n")
		t.count(&t.strays, protocol.MaxStrays, "lines on standard output that are no messages; use standard error for prints")
		return
	}
	message, err := protocol.ReadBot(line)
	if q, elapsed := t.take(message, err, now); q != nil {
		q.answer <- newAnswer(message, line, elapsed)
		return
	}
	t.remember(line)
	t.count(&t.surplus, maxSurplus, "messages that nobody asked for")
}

// take closes the open question if the message is its answer. What cannot be read answers a turn, too, since nobody knows
// which it was meant for.
func (t *talk) take(message protocol.Message, err error, now time.Time) (*question, time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	q := t.open
	move, isMove := message.(protocol.Move)
	_, isReady := message.(protocol.Ready)
	switch {
	case q != nil && q.turn == 0 && isReady:
	case q != nil && q.turn > 0 && (err != nil || isMove && move.Turn == q.turn):
	case isMove:
		t.stale(move)
		return nil, 0
	default:
		return nil, 0
	}
	t.open = nil
	return q, max(0, now.Sub(q.sent))
}

func newAnswer(message protocol.Message, line []byte, elapsed time.Duration) answer {
	ready, ok := message.(protocol.Ready)
	if ok && ready.Protocol != 0 && ready.Protocol != protocol.Version {
		detail := fmt.Sprintf("it speaks protocol %d, the arena speaks %d", ready.Protocol, protocol.Version)
		return answer{elapsed: elapsed, fault: protocol.StartFault, report: protocol.FaultReport{Detail: detail, Line: offence(line)}}
	}
	return answer{line: slices.Clone(line), elapsed: elapsed}
}

// stale prepares the error for a move that answers no open turn. The reader must not write, since it must never wait: who
// waits for the answer does, else it goes with the next message.
func (t *talk) stale(move protocol.Move) {
	text := fmt.Sprintf("turn %d is not the one that is open; repeat the number of the turn that you answer", move.Turn)
	line, err := protocol.Marshal(protocol.Error{Turn: move.Turn, Code: protocol.Stale, Message: text})
	if err != nil || len(t.late)+len(line) > maxLate {
		return
	}
	t.late = append(append(t.late, line...), '\n')
	if t.open == nil {
		return
	}
	select {
	case t.open.late <- struct{}{}:
	default:
	}
}

func (t *talk) remember(line []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = offence(line)
}

func (t *talk) count(n *int, most int, what string) {
	if *n++; *n > most {
		t.end(protocol.Flood, fmt.Sprintf("more than %d %s", most, what))
	}
}
