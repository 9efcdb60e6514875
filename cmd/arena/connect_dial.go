package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// dial connects to the server of an arena, now or as soon as it is there, and tells what becomes of the connection. When there
// is no hope of having it, the reason is sent to ended, which must not be waited for before that.
func dial(c *cli.Context, name string, ended chan<- error) (*nats.Conn, error) {
	out, server := c.App.ErrWriter, bus.Redacted(c.String(serverFlag))
	end := func(err error) {
		select {
		case ended <- err:
		default: // another reason was first
		}
	}
	told := "" // of the goroutine that reconnects
	options := []nats.Option{
		nats.Name("arena connect " + name),
		nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(250 * time.Millisecond),
		nats.ReconnectBufSize(-1), // an answer of before is of no use; the arena asks again
		nats.PingInterval(5 * time.Second),
		nats.PermissionErrOnSubscribe(true),
		nats.ConnectHandler(func(*nats.Conn) {
			games := show.Count(c.Int(slotsFlag), "game", "games")
			fmt.Fprintf(out, "Connected to %s as %s, for up to %s at once. Ctrl-C leaves.\n", server, name, games)
		}),
		nats.DisconnectErrHandler(func(nc *nats.Conn, err error) {
			if err != nil {
				fmt.Fprintf(out, "The connection to %s is lost (%s); trying again.\n", server, show.Printable(err.Error()))
			}
		}),
		nats.ReconnectErrHandler(func(nc *nats.Conn, err error) {
			switch text := show.Printable(err.Error()); {
			case hopeless(err):
				end(fmt.Errorf("connect to %s: %w", server, err))
			case text != told:
				told = text
				fmt.Fprintf(out, "Cannot connect to %s: %s; trying again.\n", server, text)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { fmt.Fprintf(out, "Connected to %s again.\n", server) }),
		nats.ClosedHandler(func(nc *nats.Conn) { end(refusal(server, nc.LastError())) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			// An answer that is late is refused as well, and the arena asks again.
			if errors.Is(err, nats.ErrPermissionViolation) && strings.Contains(err.Error(), "Subscription") {
				end(fmt.Errorf("%s does not let this key be %s; add --%s NAME, with the name that it was made for", server, name, nameFlag))
			}
		}),
	}
	own, err := bus.Identity(c.String(credsName), c.String(caName))
	if err != nil {
		return nil, usagef("--%s: %w", credsName, err)
	}
	nc, err := nats.Connect(c.String(serverFlag), append(options, own...)...)
	if err != nil {
		return nil, refusal(server, err)
	}
	return nc, nil
}

func refusal(server string, err error) error {
	if errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked) {
		return fmt.Errorf("%s does not let us in (%w); ask its organiser for a key, and name the file by --%s", server, err, credsName)
	}
	return fmt.Errorf("connect to %s: %w", server, err)
}

// hopeless reports whether another attempt would fail as well: it is another kind of server, or one that nobody vouches for.
func hopeless(err error) bool {
	_, unverified := errors.AsType[*tls.CertificateVerificationError](err)
	_, unencrypted := errors.AsType[tls.RecordHeaderError](err)
	return unverified || unencrypted || errors.Is(err, nats.ErrSecureConnRequired) || errors.Is(err, nats.ErrSecureConnWanted)
}

// gameTeller tells the owner of a bot what becomes of its games.
type gameTeller struct {
	out   io.Writer
	quiet bool

	mu    sync.Mutex
	games []protocol.Start // that have begun, of which an end may never be heard
}

const mostOpen = 1000

func (g *gameTeller) told(m protocol.Message) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.quiet {
		return
	}
	switch m := m.(type) {
	case protocol.Start:
		fmt.Fprintf(g.out, "game %s begins: seat %d of %d\n", show.Printable(m.Game), m.Seat, m.Players)
		if len(g.games) == mostOpen {
			g.games = g.games[1:]
		}
		g.games = append(g.games, m)
	case protocol.Error:
		fmt.Fprintf(g.out, "fault in turn %d: %s: %s\n", m.Turn, show.Printable(string(m.Code)), show.Printable(m.Message))
	case protocol.End:
		g.ended(m)
	}
}

func (g *gameTeller) ended(m protocol.End) {
	i := slices.IndexFunc(g.games, func(s protocol.Start) bool { return s.Game == m.Game })
	if i < 0 || g.games[i].Seat < 0 || g.games[i].Seat >= len(m.Ranks) {
		return
	}
	fmt.Fprintf(g.out, "game %s is over: rank %d of %d\n", show.Printable(m.Game), m.Ranks[g.games[i].Seat], len(m.Ranks))
	g.games = slices.Delete(g.games, i, i+1)
}
