package bus_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

// violated reports whether the last thing that a connection heard is that it may not do that.
func violated(nc *nats.Conn, act, subject string) bool {
	err := nc.LastError()
	return errors.Is(err, nats.ErrPermissionViolation) && strings.Contains(err.Error(), act+` to "`+subject)
}

// table tries each cell of the table of rights: what the row says, by each role.
func (g guarded) table(t *testing.T, url string) {
	public := map[access.Role]string{}
	conns := map[access.Role]*nats.Conn{}
	for _, role := range access.Roles() {
		key, show := g.key(t, access.Identity{Role: role, Name: "me"})
		nc, err := g.connect(t, url, append(show, nats.Name(string(role)))...)
		require.NoError(t, err)
		public[role], conns[role] = key, nc
	}
	g.listens(t, conns[access.Spectator])
	for _, row := range access.Table() {
		for _, role := range access.Roles() {
			subject := strings.NewReplacer("KEY", public[role], ".name.", ".me.").Replace(row.Subject)
			concrete := strings.NewReplacer("*", "x", ">", "x").Replace(subject)
			cell := row.Cell(role)
			require.Equal(t, strings.Contains(cell, string(access.Subscribe)), hears(t, conns[role], subject), "%s subscribes %s", role, subject)
			if strings.HasPrefix(concrete, "$JS.API.STREAM.PURGE") && role == access.Operator {
				continue // it would
			}
			require.Equal(t, strings.Contains(cell, string(access.Publish)), speaks(t, conns[role], concrete), "%s publishes %s", role, concrete)
			if strings.Contains(cell, string(access.Answer)) {
				require.Equal(t, string(role), g.answered(t, conns[role], subject, concrete), "%s answers %s", role, subject)
			}
		}
	}
}

// answered is what is heard of somebody who is asked.
func (g guarded) answered(t *testing.T, nc *nats.Conn, subject, concrete string) string {
	t.Helper()
	sub, err := nc.Subscribe(subject, func(m *nats.Msg) { _ = m.Respond([]byte(nc.Opts.Name)) })
	require.NoError(t, err)
	require.NoError(t, nc.Flush())
	var answer *nats.Msg
	require.Eventually(t, func() bool { // as soon as all servers know that it is there
		answer, err = g.arena.Request(concrete, nil, within)
		return err == nil
	}, within, time.Millisecond, concrete)
	require.NoError(t, sub.Unsubscribe())
	require.NoError(t, nc.Flush())
	return string(answer.Data)
}

// listens: who may hear, and not answer, does not.
func (g guarded) listens(t *testing.T, spectator *nats.Conn) {
	t.Helper()
	_, err := spectator.Subscribe("arena.watch.>", func(m *nats.Msg) { _ = m.Respond([]byte("heckle")) })
	require.NoError(t, err)
	require.NoError(t, spectator.Flush())
	heard, err := g.arena.SubscribeSync(g.arena.NewInbox())
	require.NoError(t, err)
	require.NoError(t, g.arena.PublishRequest("arena.watch.cup", heard.Subject, nil))
	require.Eventually(t, func() bool { return violated(spectator, "Publish", heard.Subject) }, within, time.Millisecond)
}
