package bus_test

import (
	"bytes"
	"log/slog"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/internal/natstest"
)

const within = 10 * time.Second

func open(t *testing.T, cfg bus.Config) *bus.Bus {
	t.Helper()
	b, err := bus.Open(cfg)
	require.NoError(t, err)
	t.Cleanup(b.Close)
	return b
}

func connect(t *testing.T, b *bus.Bus, name string) *nats.Conn {
	t.Helper()
	nc, err := b.Connect(name)
	require.NoError(t, err)
	return nc
}

// talk has one connection answer the other.
func talk(t *testing.T, b *bus.Bus) {
	t.Helper()
	asks, answers := connect(t, b, "asks"), connect(t, b, "answers")
	_, err := answers.Subscribe("greeting.*", func(msg *nats.Msg) { _ = msg.Respond(append(msg.Data, " too"...)) })
	require.NoError(t, err)
	require.NoError(t, answers.Flush())
	reply, err := asks.Request("greeting.1", []byte("hello"), within)
	require.NoError(t, err)
	require.Equal(t, "hello too", string(reply.Data))
	_, err = asks.Request("nobody", nil, within)
	require.ErrorIs(t, err, nats.ErrNoResponders)
}

// listening starts a server of its own, on a port that is free.
func listening(t *testing.T) *server.Server {
	t.Helper()
	return natstest.Start(t, &server.Options{})
}

func TestEmbedded(t *testing.T) {
	b := open(t, bus.Config{})
	talk(t, b)
	require.False(t, listens(t))
}

func TestTwoAtOnce(t *testing.T) {
	talk(t, open(t, bus.Config{}))
	b, err := bus.Open(bus.Config{})
	require.NoError(t, err)
	defer b.Close()
	talk(t, b)
}

func TestURL(t *testing.T) {
	s := listening(t)
	b, err := bus.Open(bus.Config{URL: s.ClientURL()})
	require.NoError(t, err)
	talk(t, b)
	require.Equal(t, runtime.GOOS == "linux", listens(t), "the test would see it")
	b.Close()
	require.Eventually(t, func() bool { return s.NumClients() == 0 }, within, time.Millisecond)
	require.True(t, s.Running(), "and goes on")
}

func TestUnreachable(t *testing.T) {
	s := listening(t)
	address := s.ClientURL()
	s.Shutdown()
	s.WaitForShutdown()
	_, err := bus.Open(bus.Config{URL: address})
	require.ErrorContains(t, err, "connect to NATS at "+address)
	require.ErrorContains(t, err, "check the URL, and whether a server listens there")
	require.ErrorIs(t, err, nats.ErrNoServers)

	_, err = bus.Open(bus.Config{URL: "nats://me:secret@127.0.0.1:1"})
	require.ErrorContains(t, err, "nats://me:xxxxx@127.0.0.1:1")
	require.NotContains(t, err.Error(), "secret")
	_, err = bus.Open(bus.Config{URL: "nats://\x7f"})
	require.ErrorContains(t, err, "check the URL")
	goleak.VerifyNone(t)
}

// TestCloseEndsConnections also holds for those that nobody has closed.
func TestCloseEndsConnections(t *testing.T) {
	b, err := bus.Open(bus.Config{})
	require.NoError(t, err)
	one, two := connect(t, b, "one"), connect(t, b, "two")
	one.Close()
	b.Close()
	require.True(t, one.IsClosed())
	require.True(t, two.IsClosed())
	goleak.VerifyNone(t)
}

func TestLog(t *testing.T) {
	var out lockedBuffer
	b := open(t, bus.Config{Log: slog.New(slog.NewTextHandler(&out, nil))})
	nc := connect(t, b, "slow")
	blocked, slow := make(chan struct{}), make(chan struct{})
	sub, err := nc.Subscribe("much", func(*nats.Msg) {
		close(blocked)
		<-slow
	})
	require.NoError(t, err)
	require.NoError(t, sub.SetPendingLimits(1, 1<<10))
	require.NoError(t, nc.Publish("much", nil))
	<-blocked
	for range 10 {
		require.NoError(t, nc.Publish("much", nil))
	}
	require.NoError(t, nc.Flush())
	require.Eventually(t, func() bool { return bytes.Contains(out.Bytes(), []byte("connection=slow")) }, within, time.Millisecond)
	nc.Close()
	close(slow)
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) Bytes() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.b.Bytes())
}
