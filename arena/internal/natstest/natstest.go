// Package natstest starts NATS servers for tests, each in the process of its test and on a port that is free.
package natstest

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"
)

// Start takes what the options leave open to be a server that nobody but this machine reaches. It ends with the test.
func Start(tb testing.TB, o *server.Options) *server.Server {
	tb.Helper()
	o.Host, o.Port, o.NoSigs, o.NoLog = "127.0.0.1", server.RANDOM_PORT, true, true
	s, err := server.NewServer(o)
	require.NoError(tb, err)
	s.Start()
	tb.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	require.True(tb, s.ReadyForConnections(time.Minute))
	return s
}
