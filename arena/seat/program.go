package seat

import (
	"errors"
	"time"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/protocol"
	"github.com/fivethreefive/fivethreefive/sdk/go/remote"
)

// Program is a bot whose processes play as a remote bot: a [remote.Host] opens a seat of it for each game.
type Program struct {
	Launcher *sandbox.Launcher
	Spec     sandbox.Spec
}

// Open gives a seat. Its process is started by hello.
func (p *Program) Open() remote.Seat { return &programSeat{p.host()} }

func (p *Program) host() *Host {
	return &Host{launcher: p.Launcher, spec: p.Spec, done: make(chan struct{})}
}

// Greet starts the bot once, before any server is asked for games, and says what keeps it from being ready.
func (p *Program) Greet(hello protocol.Hello) error {
	line, err := protocol.Marshal(hello)
	if err != nil {
		return err
	}
	host := p.host()
	a := host.hello(line, time.Duration(hello.Limits.StartupMS)*time.Millisecond)
	host.quit(quitLine())
	if a.fault == "" {
		return host.err
	}
	return errors.Join(&NotReadyError{a.report}, host.err)
}

// NotReadyError is about a bot that does not start.
type NotReadyError struct{ Report protocol.FaultReport }

func (e *NotReadyError) Error() string { return e.Report.Detail }

// programSeat has no subject of its own, unlike its Host elsewhere.
type programSeat struct{ host *Host }

func (s *programSeat) Ask(line []byte, turn int64, limit time.Duration) remote.Answer {
	return s.host.put(line, turn, limit).outward()
}

func (s *programSeat) Tell(line []byte) {
	if s.host.talk != nil {
		s.host.talk.tell(line)
	}
}

func (s *programSeat) Interrupt() { s.host.Interrupt() }

func (s *programSeat) Quit() { s.host.quit(quitLine()) }

func quitLine() []byte { return []byte(`{"type":"quit"}`) }

// outward is the answer as it leaves.
func (a answer) outward() remote.Answer {
	return remote.Answer{Line: a.line, Elapsed: a.elapsed, Fault: a.fault, Report: a.report}
}
