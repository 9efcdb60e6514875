package bus_test

import (
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

// TestSlow has somebody answer too late, and somebody not read, on each way and before both kinds of servers.
func TestSlow(t *testing.T) {
	for name, begin := range guards() {
		for _, encrypted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s encrypted=%v", name, encrypted), func(t *testing.T) {
				t.Parallel()
				w := reached(t, encrypted)
				w.answerWithin = 1
				g := begin(t, w)
				for way, url := range map[string]string{"socket": g.url, "websocket": g.ws} {
					t.Run("late "+way, func(t *testing.T) { g.late(t, url) })
				}
				t.Run("unread", g.unread)
			})
		}
	}
}

// late: an answer counts only for a while.
func (g guarded) late(t *testing.T, url string) {
	bot := g.let(t, url, access.Identity{Role: access.Bot, Name: "slow"})
	_, err := bot.Subscribe("arena.seat.slow.>", func(m *nats.Msg) { _ = m.Respond(nil) })
	require.NoError(t, err)
	require.NoError(t, bot.Flush())
	heard, err := g.arena.SubscribeSync("heard")
	require.NoError(t, err)
	require.NoError(t, g.arena.PublishRequest("arena.seat.slow.game.0", "heard", nil))
	require.Eventually(t, func() bool { return violated(bot, "Publish", "_R_.") }, within, time.Millisecond)
	require.NoError(t, g.arena.Flush())
	pending, _, err := heard.Pending()
	require.NoError(t, err)
	require.Zero(t, pending)
}

// unreading is a connection that nobody reads any more from some moment on.
type unreading struct {
	net.Conn

	stop chan struct{}
	once sync.Once
	gone chan struct{} // closed by Close
}

func (u *unreading) Read(p []byte) (int, error) {
	select {
	case <-u.stop:
		<-u.gone
		return 0, net.ErrClosed
	default:
		return u.Conn.Read(p)
	}
}

func (u *unreading) Close() error {
	u.once.Do(func() { close(u.gone) })
	return u.Conn.Close()
}

// Dial is that of a client.
func (u *unreading) Dial(network, address string) (net.Conn, error) {
	conn, err := net.Dial(network, address)
	u.Conn = conn
	return u, err
}

// unread: whoever does not read is cut off, and keeps nobody waiting.
func (g guarded) unread(t *testing.T) {
	stalls := func(url string) (key string) {
		key, show := g.key(t, access.Identity{Role: access.Spectator, Name: "slow"})
		way := &unreading{stop: make(chan struct{}), gone: make(chan struct{})}
		slow, err := g.connect(t, url, append(show, nats.SetCustomDialer(way))...)
		require.NoError(t, err)
		_, err = slow.SubscribeSync("arena.watch.>")
		require.NoError(t, err)
		require.NoError(t, slow.Flush())
		close(way.stop)
		require.Equal(t, 1, g.connected(t, key))
		return key
	}
	slow := []string{stalls(g.url), stalls(g.ws)}
	quick := g.let(t, g.url, access.Identity{Role: access.Spectator, Name: "quick"})
	watched := make(chan *nats.Msg, 1)
	_, err := quick.ChanSubscribe("arena.watch.>", watched)
	require.NoError(t, err)
	require.NoError(t, quick.Flush())
	const messages, size = 24, 1<<20 - 1<<10 // more than the network holds
	for range messages {
		require.NoError(t, g.arena.Publish("arena.watch.cup", make([]byte, size)))
		require.NoError(t, g.arena.Flush())
		require.Len(t, (<-watched).Data, size)
	}
	for _, key := range slow {
		require.Eventually(t, func() bool { return g.connected(t, key) == 0 }, 2*within, 10*time.Millisecond)
	}
	require.True(t, quick.IsConnected())
}
