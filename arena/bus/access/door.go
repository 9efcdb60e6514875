package access

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Door is the authentication of the embedded server. Whoever comes through this process may do everything: its programs,
// and those of the user that came through the socket of the data folder. Whoever comes from a network needs a token.
type Door struct {
	AnswerWithin time.Duration // see [AnswerWithin], which is the default

	opened   chan struct{} // closed when the gate is there
	gate     *Gate
	server   string
	accounts map[string]*server.Account // by their names
}

// patience is how long somebody waits at a server that has just begun. The server itself has less.
const patience = 5 * time.Second

// NewDoor puts accounts and a door into the options of a server that is not made yet.
func NewDoor(o *server.Options) (*Door, error) {
	d := &Door{AnswerWithin: AnswerWithin, opened: make(chan struct{}), accounts: map[string]*server.Account{}}
	if err := o.ProcessConfigString(Accounts()); err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	o.CustomClientAuthentication, o.AlwaysEnableNonce = d, true
	return d, nil
}

// Hang puts the door into its server, before that starts.
func (d *Door) Hang(s *server.Server) (err error) {
	d.server = s.ID()
	for _, name := range []string{ArenaAccount, WorkersAccount, AuthorsAccount, BotsAccount} {
		if d.accounts[name], err = s.LookupAccount(name); err != nil {
			return fmt.Errorf("account %s: %w", name, err)
		}
	}
	return nil
}

// Open gives it the gate that knows the tokens. Until then whoever comes from a network waits.
func (d *Door) Open(g *Gate) {
	d.gate = g
	close(d.opened)
}

// Check implements [server.Authentication].
func (d *Door) Check(c server.ClientAuthentication) bool {
	address := c.RemoteAddress()
	switch {
	case c.Kind() != server.CLIENT || address == nil:
		return false
	case address.Network() == "pipe":
		c.RegisterUser(&server.User{Username: "local", Account: d.accounts[ArenaAccount]})
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	select {
	case <-d.opened:
	case <-ctx.Done():
		return false
	}
	host, _, err := net.SplitHostPort(address.String())
	if err != nil {
		host = address.String()
	}
	options := c.GetOpts()
	id, err := d.gate.Admit(ctx, Claim{
		Conn: Conn{d.server, c.GetID()}, Address: host, Key: options.Nkey, Nonce: string(c.GetNonce()), Signature: options.Sig,
	})
	if err != nil {
		return false
	}
	c.RegisterUser(&server.User{
		Username: string(id.Role) + " " + id.Name, Account: d.accounts[id.Role.account()],
		Permissions: permissions(Rights(id), d.AnswerWithin), ConnectionDeadline: id.Expires,
	})
	return true
}
