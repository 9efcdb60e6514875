package access

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// connectionsSubject is where all servers of a cluster tell who is connected; see accounts.conf.
const connectionsSubject = "arena.connections"

// How long the servers are waited for: the first, and after each for the next.
const (
	serversWithin = 2 * time.Second
	quietFor      = 250 * time.Millisecond
)

// connected is what a server says of its connections, in the order in which they came.
type connected struct {
	Server struct{ ID string }
	Data   struct {
		Connections []struct {
			CID            uint64
			AuthorizedUser string `json:"authorized_user"` // role, name and public key, of who came by a callout
		}
	}
}

// adopt learns who was let in before this gate was there, and ends connections of tokens that are not good any more: who was revoked
// while nobody looked. It is to be called when the tokens are known, and nobody is let in yet.
func (g *Gate) adopt(ctx context.Context) {
	answers, err := g.nc.SubscribeSync(g.nc.NewInbox())
	if err == nil {
		defer func() { _ = answers.Unsubscribe() }() // it ends with its connection
		err = g.nc.PublishRequest(connectionsSubject, answers.Subject, []byte(`{"auth":true,"limit":1048576}`))
	}
	servers := 0
	for quiet := serversWithin; err == nil; quiet = quietFor {
		var m *nats.Msg
		if m, err = answers.NextMsg(quiet); err == nil {
			var s connected
			if err = json.Unmarshal(m.Data, &s); err == nil && s.Server.ID != "" {
				servers++
				g.adoptFrom(ctx, s)
			}
		}
	}
	if servers == 0 {
		g.log.Warn("the servers do not tell who is connected, so a revocation ends only connections that come from now on", "error", err)
	}
}

func (g *Gate) adoptFrom(ctx context.Context, s connected) {
	for _, c := range s.Data.Connections {
		conn, key := Conn{s.Server.ID, c.CID}, c.AuthorizedUser[strings.LastIndexByte(c.AuthorizedUser, ' ')+1:]
		g.mu.Lock()
		id, known := g.known[key]
		why := id.Valid(g.now())
		mine := g.live[id.who()]
		if known && why == nil && !slices.ContainsFunc(mine, func(l live) bool { return l.Conn == conn }) {
			g.live[id.who()] = append(mine, live{conn, id.Key})
		}
		g.mu.Unlock()
		if known && why != nil {
			g.end(ctx, id, []live{{conn, id.Key}}, why.Error())
		}
	}
}
