package remote

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/nats-io/nats.go"
)

// Server is where an arena is, and who a bot is there.
type Server struct {
	URL     string        // nats://host:port, tls://, ws:// or wss://
	Name    string        // of the bot, for which its token was made; without a version
	Log     io.Writer     // is told what becomes of the connection, from several goroutines
	Options []nats.Option // such as the key of the token
}

// ErrRefused is wrapped by the error about a server that does not know the token, or does so no more.
var ErrRefused = errors.New("does not let us in")

// ErrName is wrapped by the error about a token that is not one of the bot, and perhaps of none.
var ErrName = errors.New("that token is not one of the bot")

// dial connects to the server, now or as soon as it is there, and tells what becomes of the connection. When there is no hope of
// having it, the reason is given to end, from any goroutine. The channel is closed when the server has let the token in.
func (s Server) dial(end func(error)) (nc *nats.Conn, connected chan struct{}, err error) {
	if err = CheckURL(s.URL); err != nil {
		return nil, nil, err
	}
	server := s.shown()
	connected = make(chan struct{})
	told := "" // of the goroutine that reconnects
	options := []nats.Option{
		nats.Name("bot " + s.Name),
		nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(250 * time.Millisecond),
		nats.ReconnectBufSize(-1), // an answer of before is of no use; the arena asks again
		nats.PingInterval(5 * time.Second),
		nats.PermissionErrOnSubscribe(true),
		nats.ConnectHandler(func(*nats.Conn) { close(connected) }),
		nats.DisconnectErrHandler(func(nc *nats.Conn, err error) {
			if err != nil {
				s.logf("The connection to %s is lost (%s); trying again.", server, printable(err.Error()))
			}
		}),
		nats.ReconnectErrHandler(func(nc *nats.Conn, err error) {
			switch text := printable(err.Error()); {
			case hopeless(err):
				end(fmt.Errorf("connect to %s: %w", server, err))
			case noWebSocket(err) && !isClosed(connected): // later a proxy may say so while the arena is away
				end(fmt.Errorf("connect to %s: no WebSocket without encryption is there (%s); try wss://, and look at the port", server, text))
			case text != told:
				told = text
				s.logf("Cannot connect to %s: %s; trying again.", server, text)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { s.logf("Connected to %s again.", server) }),
		nats.ClosedHandler(func(nc *nats.Conn) { end(s.refusal(nc.LastError())) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			// An answer that is late is refused as well, and the arena asks again.
			if denied(err) {
				end(fmt.Errorf("%s: %w %s", server, ErrName, s.Name))
			}
		}),
	}
	if nc, err = nats.Connect(s.URL, append(options, s.Options...)...); err != nil {
		return nil, nil, s.refusal(err)
	}
	return nc, connected, nil
}

// welcome tells that the bot plays, when the server has let the subscription through.
func (s Server) welcome(ctx context.Context, nc *nats.Conn, connected <-chan struct{}, slots int) {
	select {
	case <-connected:
	case <-ctx.Done():
		return
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute) // a dead connection is given up before, by its pings
	defer cancel()
	if err := nc.FlushWithContext(ctx); err == nil && !denied(nc.LastError()) {
		s.logf("Connected to %s as %s, for up to %d %s at once. Ctrl-C leaves.", s.shown(), s.Name, slots, games(slots))
	}
}

// denied reports whether the server does not let the bot hear what it is asked.
func denied(err error) bool {
	return errors.Is(err, nats.ErrPermissionViolation) && strings.Contains(err.Error(), "Subscription")
}

func (s Server) logf(format string, args ...any) { fmt.Fprintf(s.Log, format+"\n", args...) }

func (s Server) refusal(err error) error {
	if errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked) {
		return fmt.Errorf("%s %w (%w); ask its organiser for a token", s.shown(), ErrRefused, err)
	}
	return fmt.Errorf("connect to %s: %w", s.shown(), err)
}

// hopeless reports whether another attempt would fail as well: it is another kind of server, or one that nobody vouches for.
func hopeless(err error) bool {
	_, unverified := errors.AsType[*tls.CertificateVerificationError](err)
	_, unencrypted := errors.AsType[tls.RecordHeaderError](err)
	return unverified || unencrypted || errors.Is(err, nats.ErrSecureConnRequired) || errors.Is(err, nats.ErrSecureConnWanted)
}

// noWebSocket reports whether something else than a server of WebSocket has answered. The client has no error of its own for that.
func noWebSocket(err error) bool {
	text := err.Error()
	return strings.Contains(text, "invalid websocket connection") || strings.Contains(text, "malformed HTTP")
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func games(n int) string {
	if n == 1 {
		return "game"
	}
	return "games"
}

// printable is the beginning of what a server has said, as far as it can do no harm to a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, text[:min(len(text), 200)])
}
