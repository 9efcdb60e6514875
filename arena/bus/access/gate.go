package access

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// Claim is what a connection says of itself.
type Claim struct {
	Conn      Conn
	Address   string // without the port
	Key       string // public
	Nonce     string // what the server asked to be signed
	Signature string // of the nonce, in base64
}

// Conn is a connection to one of the servers.
type Conn struct {
	Server string
	ID     uint64
}

// Gate lets in who has a token, and ends the connections of those who have it no more. Its zero value lets nobody in; see
// [NewGate].
type Gate struct {
	nc     *nats.Conn // to the account of the arena
	tokens *Tokens
	log    *slog.Logger
	now    func() time.Time
	loaded chan struct{} // closed when the tokens are known

	mu       sync.Mutex
	known    map[string]Identity // by their keys
	live     map[string][]live   // by who they are, in the order in which they came
	connects limiter             // of each address
	failures limiter             // of each address, that are logged
	changes  limiter             // from one connection to another, of each bot
}

// live is a connection that was let in, and has not been seen to end.
type live struct {
	Conn

	key string
}

// NewGate makes a gate that knows nobody yet. [Gate.Follow] tells it.
func NewGate(nc *nats.Conn, tokens *Tokens, log *slog.Logger) *Gate {
	return &Gate{
		nc: nc, tokens: tokens, log: log, now: time.Now, loaded: make(chan struct{}), known: map[string]Identity{}, live: map[string][]live{},
		connects: limiter{every: 20 * time.Millisecond, burst: 200}, failures: limiter{every: time.Second, burst: 20},
		changes: limiter{every: time.Second, burst: 10},
	}
}

// Why somebody is not let in. The server tells nobody.
var (
	errUnknown   = errors.New("nobody has that key")
	errSignature = errors.New("the signature is not of that key")
	errTooOften  = errors.New("it comes too often")
	errStarting  = errors.New("the tokens are not read yet")
)

// Admit says who a connection is, and has older connections of a bot end. An error is for the log, not for who wants in.
func (g *Gate) Admit(ctx context.Context, c Claim) (Identity, error) {
	select {
	case <-g.loaded:
	case <-ctx.Done():
		return Identity{}, errStarting
	}
	id, replaced, err := g.admit(c)
	if errors.Is(err, errUnknown) && g.look(ctx, c.Key) {
		id, replaced, err = g.admit(c)
	}
	if err != nil {
		if g.tells(c.Address) {
			g.log.Warn("a connection is refused", "address", c.Address, "key", shortKey(c.Key), "error", err)
		}
		return Identity{}, err
	}
	g.end(ctx, id, replaced, fmt.Sprintf("another connection with its token, from %s, has taken the place of this one", c.Address))
	return id, nil
}

func (g *Gate) admit(c Claim) (id Identity, replaced []live, err error) {
	g.mu.Lock()
	often := !g.connects.allow(c.Address, g.now())
	id, known := g.known[c.Key]
	g.mu.Unlock()
	if often {
		return id, nil, errTooOften
	}
	if !known {
		return id, nil, errUnknown
	}
	if err = verify(c); err != nil {
		return id, nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if id, known = g.known[c.Key]; !known {
		return id, nil, errUnknown
	}
	if err = id.Valid(g.now()); err != nil {
		return id, nil, err
	}
	who := id.who()
	if most := id.Role.connections(); len(g.live[who]) >= most {
		if id.Role == Bot && !g.changes.allow(who, g.now()) { // two programs that replace each other for ever
			return id, nil, errTooOften
		}
		over := len(g.live[who]) - most + 1
		replaced, g.live[who] = g.live[who][:over:over], g.live[who][over:]
	}
	g.live[who] = append(g.live[who], live{c.Conn, c.Key})
	return id, replaced, nil
}

// who is the key, but of a bot its name: it is one bot, however many tokens it has.
func (i Identity) who() string {
	if i.Role == Bot {
		return "bot " + i.Name
	}
	return i.Key
}

func verify(c Claim) error {
	signature, err := base64.RawURLEncoding.DecodeString(c.Signature)
	if err != nil {
		signature, err = base64.StdEncoding.DecodeString(c.Signature)
	}
	if err != nil || c.Nonce == "" || !nkeys.IsValidPublicUserKey(c.Key) {
		return errSignature
	}
	key, err := nkeys.FromPublicKey(c.Key)
	if err == nil {
		err = key.Verify([]byte(c.Nonce), signature)
	}
	if err != nil {
		return errSignature
	}
	return nil
}

// tells reports whether a refusal is worth a line, so that a flood does not fill the log.
func (g *Gate) tells(address string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.failures.allow(address, g.now())
}

// look finds a token that was made a moment ago.
func (g *Gate) look(ctx context.Context, key string) bool {
	if !nkeys.IsValidPublicUserKey(key) {
		return false
	}
	id, err := g.tokens.get(ctx, key)
	if err == nil {
		g.learn(ctx, key, &id)
	}
	return err == nil
}

// end cuts connections. That of a bot is told why, before another can hear it.
func (g *Gate) end(ctx context.Context, id Identity, conns []live, why string) {
	if len(conns) == 0 {
		return
	}
	g.log.Info("connections end", "role", id.Role, "name", id.Name, "key", shortKey(id.Key), "connections", len(conns), "reason", why)
	if id.Role == Bot {
		_ = g.nc.Publish(protocol.ReplacedSubject(id.Name), []byte(why)) // where it fails the connection has ended already
		_ = g.nc.FlushWithContext(ctx)
	}
	for _, c := range conns {
		text, err := json.Marshal(map[string]uint64{"cid": c.ID})
		if err == nil {
			err = g.nc.PublishRequest("$SYS.REQ.SERVER."+c.Server+".KICK", g.nc.NewInbox(), text) // it acts only for who wants an answer
		}
		if err != nil {
			g.log.Error("a connection cannot be ended", "name", id.Name, "error", err)
		}
	}
	_ = g.nc.FlushWithContext(ctx) // it is sent in any case
}

// learn takes a token as it is now. Nil is one that is gone.
func (g *Gate) learn(ctx context.Context, key string, id *Identity) {
	g.mu.Lock()
	before, known := g.known[key]
	var ended []live
	if id != nil {
		g.known[key] = *id
	} else {
		delete(g.known, key)
	}
	if known && (id == nil || id.Valid(g.now()) != nil || id.Role != before.Role || id.Name != before.Name) {
		mine := func(l live) bool { return l.key == key }
		for _, l := range g.live[before.who()] {
			if mine(l) {
				ended = append(ended, l)
			}
		}
		g.live[before.who()] = slices.DeleteFunc(g.live[before.who()], mine)
	}
	g.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	g.end(ctx, before, ended, ErrRevoked.Error())
}

// gone forgets a connection that has ended.
func (g *Gate) gone(c Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for who, conns := range g.live {
		at := slices.IndexFunc(conns, func(l live) bool { return l.Conn == c })
		if at < 0 {
			continue
		}
		if g.live[who] = slices.Delete(conns, at, at+1); len(conns) == 1 {
			delete(g.live, who)
		}
	}
}

// shortKey is enough of a public key to find it in a list.
func shortKey(key string) string { return fmt.Sprintf("%.12s", key) }
