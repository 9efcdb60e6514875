package seat

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// RemoteHost is the bot's side of a remote bot. Hello on a subject of the bot's starts a process for that seat, and quit
// ends it. It answers whoever asks: that nobody else can is the business of the server's permissions.
//
// A connection may be lost at any moment, and with it any message. So each seat keeps its last answer, for a question that
// comes again, and one that has missed something says that it is [protocol.Lost]: the server then begins it anew.
type RemoteHost struct {
	Launcher *sandbox.Launcher
	Spec     sandbox.Spec
	Bot      string // name@version
	Slots    int    // seats at once
	// Told is called with each start, error and end that the bot is told, from the goroutines of the seats. Nil is allowed.
	Told func(protocol.Message)
	// Replaced is called when another connection has taken the place of this one. Nil is allowed.
	Replaced func(why string)
	// Patience is with a game of which nothing is heard, since its server may be gone; 0 is half a minute. If it is not, the
	// game is begun anew.
	Patience time.Duration

	nc       *nats.Conn
	sub      *nats.Subscription
	instance string
	running  sync.WaitGroup

	mu      sync.Mutex
	places  map[string]*remotePlace // by subject
	leaving bool
}

// Serve subscribes to all subjects of the bot of that name. Close is to follow, also after an error.
func (h *RemoteHost) Serve(nc *nats.Conn, name string) (err error) {
	h.nc, h.instance, h.places = nc, rand.Text(), map[string]*remotePlace{}
	if h.sub, err = nc.Subscribe(protocol.BotSubject(name), h.dispatch); err != nil {
		return fmt.Errorf("serve %s: %w", name, err)
	}
	return nil
}

// Leave takes no further seats.
func (h *RemoteHost) Leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.leaving = true
}

// Wait returns when no seat is left. There may come others, unless Leave was called.
func (h *RemoteHost) Wait() { h.running.Wait() }

// Close gives up all games and returns when no process is left.
func (h *RemoteHost) Close() {
	h.Leave()
	if h.sub != nil {
		_ = h.sub.Unsubscribe() // the connection may be closed
	}
	h.mu.Lock()
	for _, p := range h.places {
		h.drop(p)
		p.host.Interrupt()
	}
	h.mu.Unlock()
	h.Wait()
}

// Playing is how many seats there are.
func (h *RemoteHost) Playing() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.places)
}

// dispatch gives a message to its seat. It never waits: all seats share the subscription.
func (h *RemoteHost) dispatch(msg *nats.Msg) {
	switch tokens := strings.Split(msg.Subject, "."); {
	case len(tokens) == 4 && tokens[3] == "presence":
		h.present(msg)
	case len(tokens) == 4 && tokens[3] == "replaced":
		if h.Replaced != nil {
			h.Replaced(string(msg.Data))
		}
	case len(tokens) == 5:
		h.seat(msg)
	}
}

func (h *RemoteHost) present(msg *nats.Msg) {
	data, err := json.Marshal(protocol.Presence{
		Instance: h.instance, Connection: h.nc.Stats().Reconnects, Bot: h.Bot, Slots: h.Slots, Playing: h.Playing(),
	})
	if err == nil {
		_ = msg.Respond(data) // a lost connection shows at the server
	}
}

func (h *RemoteHost) seat(msg *nats.Msg) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.places[msg.Subject]
	isHello := msg.Reply != "" && msg.Header.Get(protocol.HeaderTurn) == ""
	switch {
	case p != nil && len(msg.Data) == 0 && len(p.inbox) > 0:
		return // a sign that the game goes on, while the bot thinks
	case p != nil:
	case msg.Reply == "":
		return // about a game that is over here
	case !isHello:
		respond(msg, answer{fault: protocol.Lost})
		return
	case h.leaving:
		respond(msg, answer{fault: protocol.Busy, report: protocol.FaultReport{Detail: "it is leaving, and takes no further games"}})
		return
	case len(h.places) >= h.Slots:
		detail := fmt.Sprintf("all its %d slots are taken", h.Slots)
		respond(msg, answer{fault: protocol.Busy, report: protocol.FaultReport{Detail: detail}})
		return
	default:
		p = h.open(msg.Subject)
	}
	select {
	case p.inbox <- msg:
	default: // a server that does not wait for answers
	}
}

// open makes a seat. The lock is held.
func (h *RemoteHost) open(subject string) *remotePlace {
	p := &remotePlace{
		host:    &Host{launcher: h.Launcher, spec: h.Spec, done: make(chan struct{})},
		subject: subject, inbox: make(chan *nats.Msg, 64), gone: make(chan struct{}), told: h.Told,
		patience: cmp.Or(h.Patience, 30*time.Second),
	}
	h.places[subject] = p
	h.running.Go(func() {
		p.run()
		h.mu.Lock()
		h.drop(p)
		h.mu.Unlock()
		p.end()
	})
	return p
}

// drop ends a seat, unless it has ended. The lock is held.
func (h *RemoteHost) drop(p *remotePlace) {
	if h.places[p.subject] == p {
		delete(h.places, p.subject)
		close(p.gone)
	}
}

// Greet starts the bot once, before any server is asked for games, and says what keeps it from being ready.
func (h *RemoteHost) Greet(hello protocol.Hello) error {
	line, err := protocol.Marshal(hello)
	if err != nil {
		return err
	}
	host := &Host{launcher: h.Launcher, spec: h.Spec, done: make(chan struct{})}
	a := host.hello(line, time.Duration(hello.Limits.StartupMS)*time.Millisecond)
	host.quit([]byte(`{"type":"quit"}`))
	if a.fault == "" {
		return host.err
	}
	return errors.Join(&NotReadyError{a.report}, host.err)
}

// NotReadyError is about a bot that does not start.
type NotReadyError struct{ Report protocol.FaultReport }

func (e *NotReadyError) Error() string { return e.Report.Detail }
