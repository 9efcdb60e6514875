//go:build linux

package seat_test

import (
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/internal/natstest"
)

// standalone is a server that listens.
func standalone(tb testing.TB) string {
	tb.Helper()
	return natstest.Start(tb, &server.Options{}).ClientURL()
}

// link is the way of a connection to a server, which can fail as networks do.
type link struct {
	url    string
	server string

	mu     sync.Mutex
	change *sync.Cond
	down   bool          // there is no connection, and no new one
	frozen bool          // what is sent does not arrive, and nobody is told
	delay  time.Duration // of all that is sent, one way
	conns  map[net.Conn]bool
}

func openLink(tb testing.TB, url string) *link {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	l := &link{url: "nats://" + listener.Addr().String(), server: strings.TrimPrefix(url, "nats://"), conns: map[net.Conn]bool{}}
	l.change = sync.NewCond(&l.mu)
	var running sync.WaitGroup
	running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { l.serve(client) })
		}
	})
	tb.Cleanup(func() {
		_ = listener.Close()
		l.set(func() { l.frozen = false })
		l.cut()
		running.Wait()
	})
	return l
}

func (l *link) set(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
	l.change.Broadcast()
}

// cut ends all connections and lets none in.
func (l *link) cut() {
	l.set(func() {
		l.down = true
		for conn := range l.conns {
			_ = conn.Close()
		}
		clear(l.conns)
	})
}

func (l *link) heal() { l.set(func() { l.down = false }) }

func (l *link) serve(client net.Conn) {
	upstream, err := net.Dial("tcp", l.server)
	if err != nil {
		_ = client.Close()
		return
	}
	l.set(func() {
		if l.down {
			_, _ = client.Close(), upstream.Close()
		}
		l.conns[client], l.conns[upstream] = true, true
	})
	var both sync.WaitGroup
	both.Go(func() { l.copy(client, upstream) })
	both.Go(func() { l.copy(upstream, client) })
	both.Wait()
}

// copy closes both when one ends.
func (l *link) copy(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		l.mu.Lock()
		for l.frozen && !l.down {
			l.change.Wait()
		}
		delay := l.delay
		l.mu.Unlock()
		time.Sleep(delay)
		if _, werr := to.Write(buf[:n]); err != nil || werr != nil {
			return
		}
	}
}

// dialTo connects as a remote side does.
func dialTo(tb testing.TB, url string) *nats.Conn {
	tb.Helper()
	nc, err := nats.Connect(url, nats.MaxReconnects(-1), nats.ReconnectWait(10*time.Millisecond), nats.ReconnectJitter(0, 0), nats.ReconnectBufSize(-1))
	require.NoError(tb, err)
	tb.Cleanup(nc.Close)
	return nc
}
