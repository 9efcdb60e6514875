package bus_test

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// TestCutOff: who is refused, and cut off before it could read that, is told in the end all the same.
func TestCutOff(t *testing.T) {
	t.Parallel()
	for cuts, want := range map[int64]string{
		2:   "Authorization Violation; it lets in only who has a token",
		100: "it hangs up without a reason",
	} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		var came atomic.Int64
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for {
				conn, closed := listener.Accept()
				if closed != nil {
					return
				}
				_, _ = fmt.Fprint(conn, `INFO {"server_id":"x","version":"2.15.0","proto":1,"max_payload":1024,"auth_required":true}`+"\r\n")
				in := bufio.NewReader(conn)
				for range 2 { // who it is, and a ping
					_, _ = in.ReadString('\n')
				}
				if came.Add(1) > cuts {
					_, _ = fmt.Fprint(conn, "-ERR 'Authorization Violation'\r\n")
				} else {
					_ = conn.(*net.TCPConn).SetLinger(0) // what was sent is lost with the connection
				}
				_ = conn.Close()
			}
		}()
		_, err = bus.Open(bus.Config{URL: "nats://" + listener.Addr().String()})
		require.ErrorContains(t, err, want)
		require.Equal(t, cuts == 2, errors.Is(err, nats.ErrAuthorization))
		require.NoError(t, listener.Close())
		<-ended
	}
}
