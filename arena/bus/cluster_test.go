package bus_test

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/internal/natstest"
)

// TestCluster: what holds before one server holds before three, of which one is asked by the service, and others come to another.
func TestCluster(t *testing.T) {
	t.Parallel()
	d := newDecider(t)
	w := reached(t, false)
	var routes []*url.URL
	for range 3 {
		routes = append(routes, &url.URL{Scheme: "nats", Host: freeAddress(t)})
	}
	var servers []*server.Server
	for i, route := range routes {
		o := d.options(t, fmt.Sprint("far", i), w.config)
		o.Cluster.Name, o.Cluster.ListenStr, o.Routes = "far", route.Host, routes
		o.Cluster.Host = "127.0.0.1"
		_, err := fmt.Sscan(route.Port(), &o.Cluster.Port)
		require.NoError(t, err)
		servers = append(servers, natstest.Start(t, o))
	}
	leads := func(s *server.Server) bool { return s.JetStreamIsLeader() }
	require.Eventually(t, func() bool { return slices.ContainsFunc(servers, leads) }, 3*within, 10*time.Millisecond)
	asked := slices.IndexFunc(servers, leads)
	g := d.decide(t, servers[asked], servers[(asked+1)%3], w)
	g.servers = 3
	require.Eventually(t, func() bool { return g.arena.Flush() == nil && servers[asked].NumRoutes() > 0 }, within, time.Millisecond)
	g.table(t, g.url)
	t.Run("revoked", g.revoked)
	t.Run("works", g.works)
	t.Run("restarted", g.restarted)
	t.Run("replaced", g.replaced)
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return listener.Addr().String()
}
