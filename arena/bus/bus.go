// Package bus is the road that messages take, and the place where those are kept that must last: a NATS server inside this
// process by default, or one at a URL. Code that has a connection cannot tell which it is.
//
// It owns the names of streams and subjects, and knows no payloads.
package bus

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Config says which server to use.
type Config struct {
	URL string // nats://host:port, tls:// or ws://; empty starts a server inside this process that no network can reach

	// Dir is the folder where the embedded server keeps streams. Empty keeps none. All programs of one user that name the
	// same folder share one server: the first runs it, and when that one ends, another goes on with it.
	Dir string

	// Guest never runs the server of the folder. It waits for a while for one that others run, there or at the URL.
	Guest bool

	// Listen is host:port, where the embedded server lets in whoever has a token; see [CheckListen]. Empty lets in nobody but
	// the programs of the user that name the same folder. ListenWS is the same for WebSocket, and needs Listen.
	Listen, ListenWS string

	TLS          *tls.Config   // of both; nil encrypts nothing
	Plain        bool          // other machines are let in without encryption as well
	AnswerWithin time.Duration // how late a bot may answer; 0 is [access.AnswerWithin]

	Credentials string // file with the key of a token, for the server at the URL; empty is none
	// Denied is called with each refusal of what the token does not allow, from a goroutine of a connection. Nil logs it.
	Denied func(error)
	CA     string // file with the certificate by which that server is known; empty has it known by those of the system

	Sizes    Sizes
	Reserve  int64         // bytes of the disk that streams leave free; 0 is 256 MiB, negative is none
	AckWait  time.Duration // see [Bus.AckWait]; all who use the server must agree
	Patience time.Duration // with another program that holds the folder and does not answer; 0 is 10 s
	Log      *slog.Logger  // nil is silence

	pings time.Duration // between two; 0 is pingEvery
}

// Bus gives connections to one server. Close ends them all.
type Bus struct {
	cfg    Config
	log    *slog.Logger
	health health

	mu     sync.Mutex
	conns  []*nats.Conn
	server *server.Server // nil when another process or somebody else runs it
	owner  *owner         // nil unless this process runs the server of a folder
	keeper *doorkeeper    // nil unless that server listens
	damage *Damage
	closed bool
	ended  chan struct{} // closed by Close
	tasks  sync.WaitGroup
}

// within bounds the start of the embedded server; a folder of many messages takes seconds.
const within = time.Minute

// Open starts the embedded server, or checks that the one of the folder or at the URL answers.
func Open(cfg Config) (*Bus, error) {
	cfg.Sizes = maps.Clone(cfg.Sizes)
	b := &Bus{cfg: cfg, log: cfg.Log, ended: make(chan struct{})}
	if b.log == nil {
		b.log = slog.New(slog.DiscardHandler)
	}
	var err error
	switch {
	case cfg.URL == "" && cfg.Dir == "":
		b.server, err = b.start()
	case cfg.URL == "" && !cfg.Guest:
		if err = os.MkdirAll(cfg.Dir, 0o700); err != nil {
			err = fmt.Errorf("data folder: %w", err)
			break
		}
		fallthrough
	default:
		err = b.probe()
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	if cfg.Dir != "" && cfg.URL == "" {
		b.health.err = cfg.Room() // before anything can be begun
		b.tasks.Go(b.watch)
	}
	return b, nil
}

func (b *Bus) probe() error {
	nc, err := b.Connect("probe")
	if err != nil {
		return err
	}
	nc.Close()
	return nil
}

// reconnectWait is short where the server is on this machine: it is away only while it starts again.
const reconnectWait = 50 * time.Millisecond

// Connect opens a connection under a name that operators see. It reconnects for ever when it is lost.
func (b *Bus) Connect(name string, more ...nats.Option) (*nats.Conn, error) {
	lost := b.log.Warn
	if b.cfg.URL == "" { // the server was that of another program that has ended, and this one goes on with the folder
		lost = b.log.Debug
	}
	options := []nats.Option{
		nats.Name("arena " + name),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(250 * time.Millisecond),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil && !b.isClosed() {
				lost("the connection to the NATS server is lost; trying again", "connection", name, "server", b.name(), "error", err)
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if b.cfg.Denied != nil && errors.Is(err, nats.ErrPermissionViolation) {
				b.cfg.Denied(err)
				return
			}
			b.log.Error("NATS", "connection", name, "error", err)
		}),
	}
	if b.cfg.URL == "" {
		options = append(options, nats.InProcessServer(b), nats.ReconnectWait(reconnectWait), nats.ReconnectJitter(0, 0))
	} else {
		own, err := Identity(b.cfg.Credentials, b.cfg.CA)
		if err != nil {
			return nil, err
		}
		options = append(options, own...)
	}
	options = append(options, more...)
	nc, err := b.try(options)
	switch {
	case err != nil && b.cfg.URL == "":
		if refused := refusal(err); refused != nil {
			err = refused // without the words of the client, for which it is a connection
		}
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("connect to NATS at %s: %w; %s", b.name(), err, b.cfg.hint(err))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.conns = append(b.conns, nc)
	return nc, nil
}

// try connects, and waits for a server that is about to start or to end.
func (b *Bus) try(options []nats.Option) (*nats.Conn, error) {
	nc, err := nats.Connect(b.cfg.URL, options...)
	for tries := 0; tries < cutTries && cut(err); tries++ {
		nc, err = nats.Connect(b.cfg.URL, options...)
	}
	wait := b.patience()
	if b.cfg.Guest {
		wait = guestWithin
	}
	waits := func() bool {
		return (b.cfg.Dir != "" || b.cfg.Guest) && refusal(err) == nil && !errors.Is(err, nats.ErrAuthorization)
	}
	for deadline := time.Now().Add(wait); err != nil && waits() && time.Now().Before(deadline); {
		time.Sleep(reconnectWait)
		nc, err = nats.Connect(b.cfg.URL, options...)
	}
	return nc, err
}

// patience is how long a program waits for another one to let it in, or to be gone.
func (b *Bus) patience() time.Duration {
	if b.cfg.Patience != 0 {
		return b.cfg.Patience
	}
	return 10 * time.Second
}

// name tells no password.
func (b *Bus) name() string {
	if b.cfg.URL == "" {
		return "the embedded server"
	}
	return Redacted(b.cfg.URL)
}

// Redacted is an address without its password.
func Redacted(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return "its URL" // which may have one anywhere
	}
	return parsed.Redacted()
}

func (b *Bus) isClosed() bool {
	select {
	case <-b.ended:
		return true
	default:
		return false
	}
}

// Close ends all connections, then the embedded server, and waits until it has ended. A server at a URL is left alone.
func (b *Bus) Close() {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return
	}
	b.closed = true
	close(b.ended)
	conns := b.conns
	b.mu.Unlock()
	for _, nc := range conns {
		nc.Close() // one that the server ends would try to reconnect for ever
	}
	b.tasks.Wait()
	b.mu.Lock()
	running, owner, keeper := b.server, b.owner, b.keeper
	b.server = nil
	b.mu.Unlock()
	owner.closeDoor()
	keeper.leave()
	stopServer(running)
	if owner != nil {
		b.markClosed()
	}
	owner.release()
}
