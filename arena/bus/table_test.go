package bus_test

import (
	"errors"
	"strings"
	"testing"

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
		nc, err := g.connect(t, url, show...)
		require.NoError(t, err)
		public[role], conns[role] = key, nc
	}
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
		}
	}
}
