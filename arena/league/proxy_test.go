package league_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/internal/natstest"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// standalone starts a server with streams on a port of its own, as in a cluster.
func standalone(t testing.TB) string {
	t.Helper()
	return natstest.Start(t, &server.Options{
		MaxPayload: bus.MaxPayload, JetStream: true, StoreDir: t.TempDir(), JetStreamMaxStore: 1 << 40,
	}).ClientURL()
}

// proxy stands between a client and the server, and counts what the client publishes: all that changes anything is among it.
type proxy struct {
	address string
	server  string

	mu    sync.Mutex
	count int
	cutAt int  // the message with which all connections end; 0 is never
	after bool // the server still gets that message, but its answer is lost
	heals bool // connections are let in again at once
	dead  bool // there is no connection, and no new one
	cut   chan struct{}
	conns map[net.Conn]bool
}

func newProxy(t testing.TB, url string) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &proxy{
		address: "nats://" + listener.Addr().String(), server: strings.TrimPrefix(url, "nats://"),
		conns: map[net.Conn]bool{}, cut: make(chan struct{}),
	}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { p.serve(client) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		p.block()
		running.Wait()
	})
	return p
}

func (p *proxy) serve(client net.Conn) {
	upstream, err := net.Dial("tcp", p.server)
	if err != nil || !p.add(client, upstream) {
		_ = client.Close()
		return
	}
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(client, upstream)
		_ = client.Close()
	})
	p.forward(bufio.NewReader(client), upstream)
	_, _ = client.Close(), upstream.Close()
	back.Wait()
}

func (p *proxy) add(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range conns {
		if p.dead {
			_ = conn.Close()
		}
		p.conns[conn] = true
	}
	return !p.dead
}

// forward reads the client's side of the protocol: lines, of which some have a payload.
func (p *proxy) forward(from *bufio.Reader, to io.Writer) {
	for {
		message, err := from.ReadBytes('\n')
		if err != nil {
			return
		}
		words := strings.Fields(string(message))
		if len(words) > 0 && (words[0] == "PUB" || words[0] == "HPUB") {
			size, err := strconv.Atoi(words[len(words)-1])
			if err != nil {
				panic(fmt.Sprintf("%q: %v", message, err))
			}
			payload := make([]byte, size+2)
			if _, err := io.ReadFull(from, payload); err != nil {
				return
			}
			message = append(message, payload...)
			if !p.pass(message, to) {
				return
			}
			continue
		}
		if _, err := to.Write(message); err != nil {
			return
		}
	}
}

// pass forwards a message, or cuts all connections with it.
func (p *proxy) pass(message []byte, to io.Writer) bool {
	p.mu.Lock()
	p.count++
	hit := p.count == p.cutAt
	p.mu.Unlock()
	if hit && p.after {
		_, _ = to.Write(message)
	}
	if hit {
		p.block()
		if p.heals {
			p.heal()
		}
		close(p.cut)
		return false
	}
	_, err := to.Write(message)
	return err == nil
}

// block ends all connections and lets none in.
func (p *proxy) block() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead = true
	for conn := range p.conns {
		_ = conn.Close()
	}
	clear(p.conns)
}

// heal lets connections in again.
func (p *proxy) heal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead = false
}

// remoteStore has its own connection to a server elsewhere.
func remoteStore(t testing.TB, cfg bus.Config) (*bus.Bus, *league.Store) {
	t.Helper()
	b, err := bus.Open(cfg)
	require.NoError(t, err)
	t.Cleanup(b.Close)
	store, err := league.Open(t.Context(), b, league.Options{})
	require.NoError(t, err)
	return b, store
}
