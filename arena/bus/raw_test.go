package bus_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

// raw is a client that keeps no rules.
type raw struct {
	net.Conn

	in *bufio.Reader
}

// raw connects, and signs what it is asked to, if there is something to show.
func (g guarded) raw(t *testing.T, show []nats.Option) raw {
	t.Helper()
	address, err := url.Parse(g.url)
	require.NoError(t, err)
	conn, err := net.Dial("tcp", address.Host)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	r := raw{conn, bufio.NewReader(conn)}
	line := r.line(t)
	if g.ca != "" {
		pem, failed := os.ReadFile(g.ca)
		require.NoError(t, failed)
		roots := x509.NewCertPool()
		require.True(t, roots.AppendCertsFromPEM(pem))
		encrypted := tls.Client(conn, &tls.Config{RootCAs: roots, ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12})
		require.NoError(t, encrypted.Handshake())
		require.Equal(t, uint16(tls.VersionTLS13), encrypted.ConnectionState().Version)
		r = raw{encrypted, bufio.NewReader(encrypted)}
	}
	if show == nil {
		return r
	}
	var info struct{ Nonce string }
	require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(line, "INFO ")), &info))
	o := nats.GetDefaultOptions()
	for _, option := range show {
		require.NoError(t, option(&o))
	}
	signature, err := o.SignatureCB([]byte(info.Nonce))
	require.NoError(t, err)
	r.says(t, "CONNECT {\"verbose\":false,\"headers\":true,\"nkey\":%q,\"sig\":%q}\r\nPING\r\n", o.Nkey, base64.RawURLEncoding.EncodeToString(signature))
	for line = r.line(t); line != "PONG"; line = r.line(t) {
		require.True(t, strings.HasPrefix(line, "INFO ") || line == "PING", line)
	}
	return r
}

func (r raw) line(t *testing.T) string {
	t.Helper()
	line, err := r.in.ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(line)
}

func (r raw) says(t *testing.T, format string, args ...any) {
	t.Helper()
	_, err := fmt.Fprintf(r, format, args...)
	require.NoError(t, err)
}

// rest is all that comes until the server ends the connection.
func (r raw) rest(t *testing.T) string {
	t.Helper()
	text, err := io.ReadAll(r.in)
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the server ends it")
	return string(text)
}

// tooLong: whoever sends more than a line of the protocol is cut off, though others may send much.
func (g guarded) tooLong(t *testing.T) {
	_, show := g.key(t, access.Identity{Role: access.Bot, Name: "long"})
	r := g.raw(t, show)
	r.says(t, "PUB arena.seat.long.game.0 %d\r\n", 70<<10)
	require.Contains(t, r.rest(t), "Maximum Payload Violation")
}
