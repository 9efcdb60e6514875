// Package bus is the road that messages take: a NATS server inside this process by default, or one at a URL. Code that
// has a connection cannot tell which it is.
//
// It knows no subjects and no payloads.
package bus

import (
	"fmt"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Config says which server to use.
type Config struct {
	URL string       // nats://host:port, tls:// or ws://; empty starts a server inside this process that nothing outside can reach
	Log *slog.Logger // nil is silence
}

// Bus gives connections to one server. Close ends them all.
type Bus struct {
	url    string
	server *server.Server // nil when it is somebody else's
	log    *slog.Logger

	mu    sync.Mutex
	conns []*nats.Conn
}

const readyWithin = 10 * time.Second

// Open starts the embedded server, or checks that the one at the URL answers.
func Open(cfg Config) (*Bus, error) {
	b := &Bus{url: cfg.URL, log: cfg.Log}
	if b.log == nil {
		b.log = slog.New(slog.DiscardHandler)
	}
	if cfg.URL != "" {
		nc, err := b.Connect("probe")
		if err != nil {
			return nil, err
		}
		nc.Close()
		return b, nil
	}
	// The server writes no log of its own: whatever goes wrong in it shows on its connections.
	s, err := server.NewServer(&server.Options{ServerName: "arena", DontListen: true, NoSigs: true, NoLog: true})
	if err != nil {
		return nil, fmt.Errorf("embedded NATS server: %w", err)
	}
	s.Start()
	if !s.ReadyForConnections(readyWithin) {
		s.Shutdown()
		return nil, fmt.Errorf("embedded NATS server is not ready after %v", readyWithin)
	}
	b.server = s
	return b, nil
}

// Connect opens a connection under a name that operators see. It reconnects for ever when it is lost.
func (b *Bus) Connect(name string) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name("arena " + name),
		nats.MaxReconnects(-1),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				b.log.Error("the connection to the NATS server is lost; trying again", "connection", name, "server", b.name(), "error", err)
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			b.log.Error("NATS", "connection", name, "error", err)
		}),
	}
	if b.server != nil {
		options = append(options, nats.InProcessServer(b.server))
	}
	nc, err := nats.Connect(b.url, options...)
	if err != nil {
		return nil, fmt.Errorf("connect to NATS at %s: %w; check the URL, or leave it out to use the embedded server", b.name(), err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.conns = append(b.conns, nc)
	return nc, nil
}

// name tells no password.
func (b *Bus) name() string {
	if b.server != nil {
		return "the embedded server"
	}
	parsed, err := url.Parse(b.url)
	if err != nil {
		return "its URL"
	}
	return parsed.Redacted()
}

// Close ends all connections, then the embedded server, and waits until it has ended. A server at a URL is left alone.
func (b *Bus) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, nc := range b.conns {
		nc.Close() // one that the server ends would try to reconnect for ever
	}
	if b.server != nil {
		b.server.Shutdown()
		b.server.WaitForShutdown()
	}
}
