package remote

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/fivethreefive/fivethreefive/protocol"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

// player is a [Seat] of a Player in this program. [bot.Serve] speaks for it through pipes, as it does in a process.
type player struct {
	toIn  *io.PipeWriter
	lines *protocol.Lines // that it answers
	in    *io.PipeReader
	out   *io.PipeWriter

	ended  chan struct{}
	report protocol.FaultReport // why it ended; after ended
}

// quitGrace is how long a Player may take to come to the end of what it does.
const quitGrace = time.Second

var errInterrupted = errors.New("the game was given up")

func openPlayer(log io.Writer, info bot.Info, newPlayer func() bot.Player) *player {
	p := &player{ended: make(chan struct{})}
	p.in, p.toIn = io.Pipe()
	answers, out := io.Pipe()
	p.lines, p.out = protocol.NewLines(answers), out
	go p.play(log, info, newPlayer) // Quit waits for it
	return p
}

// Ask has no clock: that of the arena counts, and nothing can end a Player that does not answer.
func (p *player) Ask(line []byte, turn int64, _ time.Duration) Answer {
	begin := time.Now()
	answer, err := p.exchange(line)
	elapsed := time.Since(begin)
	switch {
	case err == nil:
		return Answer{Line: answer, Elapsed: elapsed}
	case errors.Is(err, errInterrupted):
		return Answer{Fault: protocol.Lost, Elapsed: elapsed}
	}
	<-p.ended
	a := Answer{Fault: protocol.Crash, Elapsed: elapsed, Report: p.report}
	if turn == 0 {
		a.Fault, a.Report.Detail = protocol.StartFault, "before ready: "+a.Report.Detail
	}
	return a
}

func (p *player) exchange(line []byte) ([]byte, error) {
	if err := p.write(line); err != nil {
		return nil, err
	}
	answer, err := p.lines.Next()
	return slices.Clone(answer), err
}

func (p *player) write(line []byte) error {
	_, err := p.toIn.Write(append(slices.Clone(line), '\n'))
	return err
}

// Tell implements [Seat]. A Player that has ended says so when it is asked.
func (p *player) Tell(line []byte) { _ = p.write(line) }

// Interrupt leaves the Player alone with what it thinks about.
func (p *player) Interrupt() {
	_ = p.in.CloseWithError(errInterrupted)
	_ = p.out.CloseWithError(errInterrupted)
}

// Quit ends the input. A Player that does not come to its end is left behind.
func (p *player) Quit() {
	_ = p.toIn.Close()
	select {
	case <-p.ended:
	case <-time.After(quitGrace):
		p.Interrupt()
	}
}

// play is the life of the Player. What it panics with is a crash of this game, and of no other.
func (p *player) play(log io.Writer, info bot.Info, newPlayer func() bot.Player) {
	defer close(p.ended)
	defer func() { _, _ = p.in.Close(), p.out.Close() }()
	defer func() {
		if r := recover(); r != nil {
			trace := fmt.Sprintf("panic: %v\n\n%s", r, debug.Stack())
			fmt.Fprint(log, trace)
			p.report = protocol.FaultReport{Detail: firstLines(trace, 1), Stderr: firstLines(trace, 20)}
		}
	}()
	p.report.Detail = "it has ended its goroutine"
	if err := bot.Serve(p.in, p.out, log, info, newPlayer()); err != nil {
		p.report.Detail = err.Error()
	}
}

func firstLines(text string, most int) string {
	lines := strings.SplitN(text, "\n", most+1)
	return strings.Join(lines[:min(len(lines), most)], "\n")
}
