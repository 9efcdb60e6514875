package bus_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

func guard(t *testing.T, cfg bus.Config) guarded {
	t.Helper()
	g := guarded{log: &lockedBuffer{}}
	cfg.Dir, cfg.Listen, cfg.Log = t.TempDir(), "127.0.0.1:0", slog.New(slog.NewTextHandler(g.log, nil))
	b := open(t, cfg)
	g.url, g.arena, g.tokens = b.URL(), connect(t, b, "operator"), tokens(t, b)
	return g
}

// TestFlood: ten thousand strangers come and are refused. The log stays short, and who has a token comes in.
func TestFlood(t *testing.T) {
	g := guard(t, bus.Config{})
	_, show := g.key(t, access.Identity{Role: access.Worker, Name: "w"})
	address := strings.TrimPrefix(g.url, "nats://")
	var strangers errgroup.Group
	const many, atOnce = 10_000, 50
	for range atOnce {
		strangers.Go(func() error {
			for range many / atOnce {
				conn, err := net.Dial("tcp", address)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(conn, "CONNECT {\"nkey\":\"UA\",\"sig\":\"x\"}\r\n")
				if err == nil {
					_, _ = io.Copy(io.Discard, conn) // until it is refused
				}
				if err = errors.Join(err, conn.Close()); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, strangers.Wait())
	require.Eventually(t, func() bool {
		nc, err := g.connect(t, g.url, show...)
		return err == nil && nc.IsConnected()
	}, within, 10*time.Millisecond)
	require.Less(t, strings.Count(string(g.log.Bytes()), "\n"), 500)
}

// TestDeadConnection: whoever says nothing any more is cut off, before and after the token.
func TestDeadConnection(t *testing.T) {
	g := guard(t, bus.Config{}.WithPings(20*time.Millisecond))
	silent := g.raw(t, nil)
	_, show := g.key(t, access.Identity{Role: access.Bot, Name: "gone"})
	gone := g.raw(t, show)
	require.Contains(t, gone.rest(t), "Stale Connection")
	require.Contains(t, silent.rest(t), "-ERR")
}
