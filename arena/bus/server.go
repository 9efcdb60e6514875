package bus

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// MaxPayload bounds a message of the embedded server: a result with all its games is the largest.
const MaxPayload = 8 << 20

// What a connection from a network can do to the server is bounded.
const (
	maxConnections  = 2048            // each takes 70 KB
	maxPending      = 32 << 20        // bytes that wait for somebody who does not read, who is then cut off
	writeWithin     = 5 * time.Second // the same, where it is the network that does not take them
	handshakeWithin = 2 * time.Second // for TLS, and again for the token
	pingEvery       = 10 * time.Second
	pingsLost       = 2 // as many unanswered pings, and the connection is taken for dead
)

// serverOptions are those of the embedded server. Every acknowledged message is on the disk: SyncAlways.
func serverOptions(cfg Config) *server.Options {
	o := &server.Options{
		ServerName: "arena", DontListen: true, NoSigs: true, NoLog: true, MaxPayload: MaxPayload, MaxConn: maxConnections, MaxPending: maxPending,
		WriteDeadline: writeWithin, TLSTimeout: handshakeWithin.Seconds(), AuthTimeout: 2 * handshakeWithin.Seconds(),
		PingInterval: pingEvery, MaxPingsOut: pingsLost,
	}
	if cfg.pings != 0 {
		o.PingInterval = cfg.pings
	}
	if cfg.Dir != "" {
		o.JetStream, o.SyncAlways = true, true
		o.StoreDir = filepath.Join(cfg.Dir, storeDir)
		o.JetStreamMaxStore = 1 << 60 // each stream has its bound; the default is a share of a disk that fills up
		o.JetStreamMaxMemory = 64 << 20
	}
	return o
}

// startServer calls made before anybody can connect.
func startServer(o *server.Options, log *slog.Logger, made func(*server.Server) error) (*server.Server, error) {
	s, err := server.NewServer(o)
	if err == nil {
		err = made(s)
	}
	if err != nil {
		return nil, fmt.Errorf("embedded NATS server: %w", err)
	}
	if o.JetStream {
		s.SetLoggerV2(serverLog{log}, false, false, false)
	}
	s.Start()
	if !s.ReadyForConnections(within) {
		stopServer(s)
		return nil, fmt.Errorf("embedded NATS server is not ready after %v", within)
	}
	if o.JetStream && !s.JetStreamEnabled() {
		stopServer(s)
		return nil, fmt.Errorf("the embedded NATS server cannot keep streams in %s; %w", o.StoreDir, errNoStreams)
	}
	return s, nil
}

// stopServer waits for the end: a program that ends earlier leaves streams that are read slowly the next time.
func stopServer(s *server.Server) {
	if s != nil {
		s.Shutdown()
		s.WaitForShutdown()
	}
}

// serverLog passes on what went wrong. What goes wrong with a store shows nowhere else.
type serverLog struct{ log *slog.Logger }

func (l serverLog) Errorf(format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	if strings.Contains(text, " Violation - ") || strings.Contains(text, "authentication error") || strings.Contains(text, "TLS handshake error") {
		return // any stranger could fill the log by them; the gate tells who was refused, as long as it is not too much
	}
	l.log.Error("NATS server: " + text)
}

func (l serverLog) Warnf(format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	switch {
	case strings.HasPrefix(text, "Healthcheck failed"): // which we asked for
	case strings.HasPrefix(text, "Websocket not configured with TLS"): // which we tell as well
	case strings.Contains(text, "create failed") && strings.Contains(text, syscall.ENOSPC.Error()): // of which [Bus.Health] tells
	case strings.HasPrefix(text, "Filestore [") && strings.Contains(text, "tream state"): // the index, of which [Bus.mend] tells
	default:
		l.log.Warn("NATS server: " + text)
	}
}

func (l serverLog) Fatalf(format string, v ...any) { l.Errorf(format, v...) }
func (l serverLog) Noticef(string, ...any)         {}
func (l serverLog) Debugf(string, ...any)          {}
func (l serverLog) Tracef(string, ...any)          {}
