package seat

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Local opens seats for bots that run on this machine, each in a process of its own for each game. It starts a fresh
// process for every game because the games of a deal set share their cards: a bot that remembered one would know the
// hands of the next.
type Local struct {
	Referee  *nats.Conn // for the requests
	Hosts    *nats.Conn // for the answers; a second connection to the same server
	Launcher *sandbox.Launcher
	Programs map[string]sandbox.Spec // by label, name@version
	Freeze   bool                    // bots get no processor time but for their turns; the launcher must confine
	Session  string                  // keeps the subjects of programs that share a server apart
	Wraps    map[string]Wrap         // by label: for bots whose bytes pass through somebody's hands; may be nil
}

// Open implements [arena.Opener].
func (l *Local) Open(_ context.Context, place arena.Place) (arena.Seat, error) {
	spec, ok := l.Programs[place.Bot]
	if !ok {
		return nil, fmt.Errorf("no program for bot %s", place.Bot)
	}
	subject := protocol.SeatSubject(place.Bot, l.Session+place.Game, place.Seat)
	host, err := serve(l.Hosts, subject, &Host{launcher: l.Launcher, spec: spec, freezing: l.Freeze, wrap: l.Wraps[place.Bot]})
	if err != nil {
		return nil, err
	}
	return &localSeat{Client: NewClient(l.Referee, subject), host: host}, nil
}

// localSeat is a client that knows the host behind its subject and waits for its end.
type localSeat struct {
	*Client

	host    *Host
	givenUp bool // an Ask was abandoned, so the host may still wait for the bot
}

func (s *localSeat) Ask(ctx context.Context, m protocol.Message, limit time.Duration) (arena.Reply, error) {
	reply, err := s.Client.Ask(ctx, m, limit)
	s.givenUp = s.givenUp || err != nil
	return reply, err
}

func (s *localSeat) Close(ctx context.Context) (stderr string, err error) {
	if s.givenUp {
		s.host.Interrupt()
	}
	if err := s.Tell(ctx, protocol.Quit{}); err != nil {
		return "", err
	}
	timer := time.NewTimer(hostWithin)
	defer timer.Stop()
	select {
	case <-s.host.Done():
		return s.host.stderr, s.host.err
	case <-timer.C:
		return "", fmt.Errorf("the host of %s does not end; the NATS server may be gone", s.subject)
	}
}

// Printed is what the bot has written to stderr since the last call.
func (s *localSeat) Printed() string { return s.host.Printed() }
