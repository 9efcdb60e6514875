package bus_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/bus/access"
	"github.com/fivethreefive/fivethreefive/arena/internal/natstest"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// guarded is a server that lets in who has a token: the embedded one, or one of its own that asks.
type guarded struct {
	url, ws string
	ca      string
	bus     *bus.Bus
	arena   *nats.Conn // of an operator
	tokens  *access.Tokens
	log     *lockedBuffer
	servers int                    // 0 is one
	restart func(meanwhile func()) // of the service that decides; nil where the server itself does
}

// forbidden are what a bot tries to hear, and where it tries to speak. The bot is A.
var (
	forbiddenSubjects = []string{
		"arena.seat.b.>", "arena.seat.b.game.0", "arena.seat.*.game.0", "arena.seat.>", "arena.seat.*.>", "arena.>", "arena.watch.>", ">", "*", "*.>",
		"$JS.>", "$JS.API.>", "$JS.API.STREAM.LIST", "$JS.EVENT.>", "$JS.ACK.>", "$KV.>", "$KV.tokens.>", "$O.>", "$SYS.>", "$SYS.REQ.USER.AUTH",
		"_INBOX.>", "_INBOX.*.*", "_R_.>", "$SRV.>", "$SRV.PING", "ev.>", "res.>", "jobs.>", "rep.>", "ctl.>", "workers.status", "bots.submit.>",
	}
	forbiddenTargets = []string{
		"arena.seat.b.game.0", "arena.seat.a.game.0", "arena.seat.a.presence", "_INBOX.guess.1", "_R_.guess", "$JS.API.STREAM.DELETE.EVENTS",
		"$JS.API.INFO", "$KV.tokens.x", "$KV.bots.x", "$O.packages.M.x", "$SYS.REQ.SERVER.PING", "$SYS.REQ.USER.AUTH", "res.cup.1", "ev.cup", "jobs.MAIN.cup.1",
		"ctl.cup", "arena.watch.cup", "bots.submit.local.begin",
	}
)

// TestGuard tries what each role may not do, on each way and before both kinds of servers.
func TestGuard(t *testing.T) {
	for name, begin := range guards() {
		for _, encrypted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s encrypted=%v", name, encrypted), func(t *testing.T) {
				t.Parallel()
				g := begin(t, reached(t, encrypted))
				t.Run("socket", func(t *testing.T) { g.prove(t, g.url) })
				t.Run("websocket", func(t *testing.T) { g.prove(t, g.ws) })
				t.Run("strangers", g.strangers)
				t.Run("revoked", g.revoked)
				t.Run("restarted", g.restarted)
				t.Run("replaced", g.replaced)
				t.Run("too long", g.tooLong)
				t.Run("works", g.works)
				t.Run("spoils", g.spoils)
				t.Run("levers", g.levers)
				t.Run("forges", g.forges)
				t.Run("table", func(t *testing.T) { g.table(t, g.url) })
			})
		}
	}
}

// ways are how a server is reached, and how late it takes answers; 0 is the default.
type ways struct {
	config       *tls.Config
	ca           string
	answerWithin time.Duration
}

// reached makes the ways to a server.
func reached(t *testing.T, encrypted bool) (w ways) {
	t.Helper()
	if encrypted {
		dir := t.TempDir()
		var err error
		w.config, err = bus.OwnTLS(dir, "127.0.0.1:0")
		require.NoError(t, err)
		w.ca = filepath.Join(dir, bus.CertName)
	}
	return w
}

// guards are both kinds of servers.
func guards() map[string]func(t *testing.T, w ways) guarded {
	return map[string]func(t *testing.T, w ways) guarded{"embedded": embedded, "callout": callout}
}

func embedded(t *testing.T, w ways) guarded {
	g := guarded{ca: w.ca, log: &lockedBuffer{}}
	b := open(t, bus.Config{
		Dir: t.TempDir(), Listen: "127.0.0.1:0", ListenWS: "127.0.0.1:0", TLS: w.config, AnswerWithin: w.answerWithin,
		Log: slog.New(slog.NewTextHandler(g.log, nil)),
	})
	g.bus, g.url, g.ws, g.arena, g.tokens = b, b.URL(), b.WebsocketURL(), connect(t, b, "operator"), tokens(t, b)
	return g
}

// decider is a service that decides for servers that know nothing but the configuration of the accounts.
type decider struct {
	file   string // with the key by which it answers
	conf   string
	issuer nkeys.KeyPair
}

func newDecider(t *testing.T) (d decider) {
	t.Helper()
	d.file, d.conf = filepath.Join(t.TempDir(), "answers.nkey"), filepath.Join(t.TempDir(), "nats.conf")
	answers, err := access.NewCredentials(d.file)
	require.NoError(t, err)
	d.issuer, err = nkeys.CreateAccount()
	require.NoError(t, err)
	public, err := d.issuer.PublicKey()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(d.conf, []byte(access.ServerConfig(answers, public)), 0o600))
	return d
}

// options are those of a server that asks.
func (d decider) options(t *testing.T, name string, config *tls.Config) *server.Options {
	t.Helper()
	o := &server.Options{
		ServerName: name, JetStream: true, StoreDir: t.TempDir(), MaxPending: 8 << 20, WriteDeadline: time.Second, TLS: config != nil, TLSConfig: config,
		Websocket: server.WebsocketOpts{Host: "127.0.0.1", Port: -1, TLSConfig: config, NoTLS: config == nil},
	}
	require.NoError(t, o.ProcessConfigFile(d.conf))
	return o
}

// callout is a server of its own that asks.
func callout(t *testing.T, w ways) guarded {
	d := newDecider(t)
	s := natstest.Start(t, d.options(t, "far", w.config))
	return d.decide(t, s, s, w)
}

// decide answers what one of the servers asks, for all of them. Who comes, comes to another one.
func (d decider) decide(t *testing.T, s, door *server.Server, w ways) guarded {
	t.Helper()
	sizes, err := bus.SizesOf(1 << 30)
	require.NoError(t, err)
	b := open(t, bus.Config{URL: s.ClientURL(), Credentials: d.file, CA: w.ca, Sizes: sizes})
	g := guarded{
		ca: w.ca, bus: b, url: door.ClientURL(), ws: door.WebsocketURL(), arena: connect(t, b, "operator"), tokens: tokens(t, b), log: &lockedBuffer{},
	}
	var stop func()
	start := func() {
		ctx, cancel := context.WithCancel(context.Background())
		served := make(chan error)
		service := access.Callout{
			Gate: access.NewGate(g.arena, g.tokens, slog.New(slog.NewTextHandler(g.log, nil))), Issuer: d.issuer, AnswerWithin: w.answerWithin,
		}
		go func() { served <- service.Serve(ctx) }()
		stop = func() {
			cancel()
			require.ErrorIs(t, <-served, context.Canceled)
		}
	}
	start()
	t.Cleanup(func() { stop() })
	g.restart = func(meanwhile func()) {
		stop()
		meanwhile()
		start()
	}
	require.NoError(t, g.arena.Flush())
	return g
}

// key makes a token, and gives what shows it.
func (g guarded) key(t *testing.T, id access.Identity) (public string, show []nats.Option) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "key")
	public, err := access.NewCredentials(file)
	require.NoError(t, err)
	id.Key = public
	require.NoError(t, g.tokens.Add(t.Context(), id))
	show, err = access.Credentials(file)
	require.NoError(t, err)
	return public, show
}

func (g guarded) connect(t *testing.T, url string, more ...nats.Option) (*nats.Conn, error) {
	t.Helper()
	options := append([]nats.Option{nats.NoReconnect(), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})}, more...)
	if g.ca != "" {
		options = append(options, nats.RootCAs(g.ca))
	}
	nc, err := nats.Connect(url, options...)
	if err == nil {
		t.Cleanup(nc.Close)
	}
	return nc, err
}

func (g guarded) let(t *testing.T, url string, id access.Identity) *nats.Conn {
	t.Helper()
	_, show := g.key(t, id)
	nc, err := g.connect(t, url, show...)
	require.NoError(t, err)
	return nc
}

// hears reports whether somebody may subscribe, speaks whether they may publish.
func hears(t *testing.T, nc *nats.Conn, subject string) bool {
	t.Helper()
	sub, err := nc.SubscribeSync(subject)
	require.NoError(t, err)
	require.NoError(t, nc.Flush())
	refused := violated(nc, "Subscription", subject)
	_ = sub.Unsubscribe()
	return !refused
}

func speaks(t *testing.T, nc *nats.Conn, subject string) bool {
	t.Helper()
	require.NoError(t, nc.Publish(subject, []byte("{}")))
	require.NoError(t, nc.Flush())
	return !violated(nc, "Publish", subject)
}

// prove tries all that a bot may not do, and that it may play.
func (g guarded) prove(t *testing.T, url string) {
	bot := g.let(t, url, access.Identity{Role: access.Bot, Name: "a"})
	free := g.let(t, url, access.Identity{Role: access.Operator, Name: "free"})
	for _, subject := range forbiddenSubjects {
		require.False(t, hears(t, bot, subject), subject)
		if subject != "$SYS.REQ.USER.AUTH" { // which nobody may hear who came by a callout
			require.True(t, hears(t, free, subject), "the test would see it: %s", subject)
		}
	}
	for _, subject := range forbiddenTargets {
		require.False(t, speaks(t, bot, subject), subject)
	}
	require.True(t, speaks(t, free, "arena.watch.cup"), "the test would see it")

	asked, err := bot.SubscribeSync("arena.seat.a.>")
	require.NoError(t, err)
	require.NoError(t, bot.Flush())
	go func() {
		if m, failed := asked.NextMsg(within); failed == nil {
			_ = m.Respond([]byte("one"))
			_ = m.Respond([]byte("two"))
		}
	}()
	answer, err := g.arena.Request("arena.seat.a.game.0", nil, within)
	require.NoError(t, err)
	require.Equal(t, "one", string(answer.Data))
	require.Eventually(t, func() bool { return violated(bot, "Publish", "_R_.") }, within, time.Millisecond, "the second answer")
	require.NoError(t, g.arena.Publish("arena.seat.a.game.0", []byte("told")))
	told, err := asked.NextMsg(within)
	require.NoError(t, err)
	require.Equal(t, "told", string(told.Data))
	_, err = g.arena.Request("arena.seat.b.game.0", nil, within)
	require.ErrorIs(t, err, nats.ErrNoResponders)
}

// strangers tries to come in without a right to.
func (g guarded) strangers(t *testing.T) {
	for _, url := range []string{g.url, g.ws} {
		public, show := g.key(t, access.Identity{Role: access.Bot, Name: "a"})
		var replay []byte
		sign := func(options []nats.Option) nats.Option {
			o := nats.GetDefaultOptions()
			require.NoError(t, options[0](&o))
			return nats.Nkey(public, func(nonce []byte) (signature []byte, err error) {
				signature, err = o.SignatureCB(nonce)
				replay = signature
				return signature, err
			})
		}
		nc, err := g.connect(t, url, sign(show))
		require.NoError(t, err)
		nc.Close()
		other, err := nkeys.CreateUser()
		require.NoError(t, err)
		unknown, err := other.PublicKey()
		require.NoError(t, err)
		_, expired := g.key(t, access.Identity{Role: access.Bot, Name: "a", Expires: time.Now().Add(-time.Second)})
		_, revoked := g.key(t, access.Identity{Role: access.Operator, Name: "x", Revoked: time.Now()})
		for name, option := range map[string]nats.Option{
			"nobody":             nats.Name("x"),
			"password":           nats.UserInfo("local", ""),
			"a stolen key":       nats.Nkey(public, other.Sign),
			"a replayed answer":  nats.Nkey(public, func([]byte) ([]byte, error) { return replay, nil }),
			"an unknown key":     nats.Nkey(unknown, other.Sign),
			"an expired token":   expired[0],
			"a revoked token":    revoked[0],
			"a token as a token": nats.Token(public),
		} {
			_, err := g.connect(t, url, option)
			require.Error(t, err, name) // which is of the lost connection where that is noticed first
		}
	}
	require.NotRegexp(t, "SU[A-Z2-7]{20}", string(g.log.Bytes()), "no secret is in the log")
}

// revoked has a live connection end, at once or when its time is over.
func (g guarded) revoked(t *testing.T) {
	for _, role := range access.Roles() {
		public, show := g.key(t, access.Identity{Role: role, Name: "r"})
		ended := make(chan struct{})
		nc, err := g.connect(t, g.url, append(show, nats.ClosedHandler(func(*nats.Conn) { close(ended) }))...)
		require.NoError(t, err)
		require.NoError(t, nc.Flush())
		require.Equal(t, 1, g.connected(t, public))
		require.NoError(t, g.tokens.Revoke(t.Context(), public, time.Now()))
		require.Eventually(t, func() bool { return g.connected(t, public) == 0 }, within, 10*time.Millisecond, "the servers have no such connection")
		wait(t, ended)
		_, err = g.connect(t, g.url, show...)
		require.Error(t, err)
	}
	_, show := g.key(t, access.Identity{Role: access.Spectator, Name: "short", Expires: time.Now().Add(3 * time.Second)})
	ended := make(chan struct{})
	_, err := g.connect(t, g.url, append(show, nats.ClosedHandler(func(*nats.Conn) { close(ended) }))...)
	require.NoError(t, err)
	wait(t, ended)
}

// restarted: a service that has just begun knows who came before it, and ends the connections of who was revoked while there was none.
func (g guarded) restarted(t *testing.T) {
	if g.restart == nil {
		return // the server ends with its door
	}
	come := func(id access.Identity) (public string, ended chan struct{}) {
		public, show := g.key(t, id)
		ended = make(chan struct{})
		_, err := g.connect(t, g.url, append(show, nats.ClosedHandler(func(*nats.Conn) { close(ended) }))...)
		require.NoError(t, err)
		return public, ended
	}
	before, one := come(access.Identity{Role: access.Worker, Name: "before"})
	between, two := come(access.Identity{Role: access.Operator, Name: "between"})
	_, three := come(access.Identity{Role: access.Bot, Name: "stays"})
	g.restart(func() { require.NoError(t, g.tokens.Revoke(t.Context(), between, time.Now())) })
	wait(t, two)
	require.NoError(t, g.tokens.Revoke(t.Context(), before, time.Now()))
	wait(t, one)
	select {
	case <-three:
		require.Fail(t, "who has a token stays")
	default:
	}
	come(access.Identity{Role: access.Bot, Name: "stays"})
	wait(t, three) // there is one connection of a bot
}

// replaced: of two connections of a bot the older is told in words, and ends.
func (g guarded) replaced(t *testing.T) {
	_, show := g.key(t, access.Identity{Role: access.Bot, Name: "Twin+1"})
	_, again := g.key(t, access.Identity{Role: access.Bot, Name: "Twin+1"})
	ended := make(chan struct{})
	first, err := g.connect(t, g.url, append(show, nats.DisconnectErrHandler(func(*nats.Conn, error) { close(ended) }), func(o *nats.Options) error {
		o.AllowReconnect, o.ReconnectWait = true, time.Hour // what has come is read even so
		o.IgnoreDiscoveredServers = true                    // to which it would go at once
		return nil
	})...)
	require.NoError(t, err)
	heard, err := first.SubscribeSync(protocol.BotSubject("Twin+1"))
	require.NoError(t, err)
	require.NoError(t, first.Flush())
	second, err := g.connect(t, g.ws, again...)
	require.NoError(t, err)
	later, err := second.SubscribeSync(protocol.BotSubject("Twin+1"))
	require.NoError(t, err)
	require.NoError(t, second.Flush())
	wait(t, ended)
	m, err := heard.NextMsg(within)
	require.NoError(t, err)
	require.Contains(t, string(m.Data), "has taken the place of this one")
	require.NoError(t, second.Flush())
	pending, _, err := later.Pending()
	require.NoError(t, err)
	require.Zero(t, pending, "the newer is not told")
}

// connected is how many connections with a key the servers say that they have, which nobody else is told.
func (g guarded) connected(t *testing.T, key string) (count int) {
	t.Helper()
	answers, err := g.arena.SubscribeSync(g.arena.NewInbox())
	require.NoError(t, err)
	defer func() { require.NoError(t, answers.Unsubscribe()) }()
	require.NoError(t, g.arena.PublishRequest("arena.connections", answers.Subject, []byte(`{"auth":true}`)))
	for range max(1, g.servers) {
		m, err := answers.NextMsg(within)
		require.NoError(t, err)
		count += strings.Count(string(m.Data), key+`"`)
	}
	return count
}

func wait(t *testing.T, ended <-chan struct{}) {
	t.Helper()
	select {
	case <-ended:
	case <-time.After(within):
		require.Fail(t, "the connection has not ended")
	}
}
