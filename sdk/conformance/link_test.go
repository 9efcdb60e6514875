package conformance_test

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// link is the way to a server, which can be cut.
type link struct {
	url string

	mu    sync.Mutex
	down  bool
	conns []net.Conn
}

func openLink(t *testing.T, url string) *link {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	scheme, server, _ := strings.Cut(url, "://")
	l := &link{url: scheme + "://" + listener.Addr().String()}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { l.serve(client, server) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		l.cut()
		running.Wait()
	})
	return l
}

// serve closes both sides when one ends.
func (l *link) serve(client net.Conn, server string) {
	defer client.Close()
	upstream, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer upstream.Close()
	l.mu.Lock()
	down := l.down
	l.conns = append(l.conns, client, upstream)
	l.mu.Unlock()
	if down {
		return
	}
	var back sync.WaitGroup
	defer back.Wait()
	back.Go(func() {
		_, _ = io.Copy(client, upstream)
		_ = client.Close()
	})
	_, _ = io.Copy(upstream, client)
	_ = upstream.Close()
}

// cut ends all connections and lets none in.
func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = true
	for _, conn := range l.conns {
		_ = conn.Close()
	}
	l.conns = nil
}

func (l *link) heal() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = false
}
