package remote

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// Seat is the bot in one seat of one game. Its methods are called one at a time, except for Interrupt.
type Seat interface {
	// Ask gives the bot a question: first hello, whose turn is 0, and then turns.
	Ask(line []byte, turn int64, limit time.Duration) Answer
	// Tell gives it a line that has no answer.
	Tell(line []byte)
	// Interrupt makes Ask return at once, and is called at any time. Quit is still to follow.
	Interrupt()
	// Quit ends the bot. Nothing follows.
	Quit()
}

// Host is a remote bot: it has a [Seat] opened for each game to which it is asked. It answers whoever asks: that nobody else
// can is the business of the server's permissions.
//
// A connection may be lost at any moment, and with it any message. So each seat keeps its last answer, for a question that
// comes again, and one that has missed something says that it is [protocol.Lost]: the server then begins it anew.
type Host struct {
	Open  func() Seat
	Bot   string // name@version
	Slots int    // seats at once
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
	places  map[string]*place // by subject
	leaving bool
}

// Serve subscribes to all subjects of the bot of that name. Close is to follow, also after an error.
func (h *Host) Serve(nc *nats.Conn, name string) (err error) {
	h.nc, h.instance, h.places = nc, rand.Text(), map[string]*place{}
	if h.sub, err = nc.Subscribe(protocol.BotSubject(name), h.dispatch); err != nil {
		return fmt.Errorf("serve %s: %w", name, err)
	}
	return nil
}

// Leave takes no further seats.
func (h *Host) Leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.leaving = true
}

// Wait returns when no seat is left. There may come others, unless Leave was called.
func (h *Host) Wait() { h.running.Wait() }

// Close gives up all games and returns when no seat is left.
func (h *Host) Close() {
	h.Leave()
	if h.sub != nil {
		_ = h.sub.Unsubscribe() // the connection may be closed
	}
	h.mu.Lock()
	for _, p := range h.places {
		h.drop(p)
		p.seat.Interrupt()
	}
	h.mu.Unlock()
	h.Wait()
}

// Playing is how many seats there are.
func (h *Host) Playing() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.places)
}

// dispatch gives a message to its seat. It never waits: all seats share the subscription.
func (h *Host) dispatch(msg *nats.Msg) {
	switch tokens := strings.Split(msg.Subject, "."); {
	case len(tokens) == 4 && tokens[3] == "presence":
		h.present(msg)
	case len(tokens) == 4 && tokens[3] == "replaced":
		if h.Replaced != nil {
			h.Replaced(string(msg.Data))
		}
	case len(tokens) == 5:
		h.route(msg)
	}
}

func (h *Host) present(msg *nats.Msg) {
	data, err := json.Marshal(protocol.Presence{
		Instance: h.instance, Connection: h.nc.Stats().Reconnects, Bot: h.Bot, Slots: h.Slots, Playing: h.Playing(),
	})
	if err == nil {
		_ = msg.Respond(data) // a lost connection shows at the server
	}
}

func (h *Host) route(msg *nats.Msg) {
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
		Answer{Fault: protocol.Lost}.Send(msg)
		return
	case h.leaving:
		busy("it is leaving, and takes no further games").Send(msg)
		return
	case len(h.places) >= h.Slots:
		busy(fmt.Sprintf("all its %d slots are taken", h.Slots)).Send(msg)
		return
	default:
		p = h.open(msg.Subject)
	}
	select {
	case p.inbox <- msg:
	default: // a server that does not wait for answers
	}
}

func busy(detail string) Answer {
	return Answer{Fault: protocol.Busy, Report: protocol.FaultReport{Detail: detail}}
}

// open makes a seat. The lock is held.
func (h *Host) open(subject string) *place {
	p := &place{
		seat: h.Open(), subject: subject, inbox: make(chan *nats.Msg, 64), gone: make(chan struct{}), told: h.Told,
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
func (h *Host) drop(p *place) {
	if h.places[p.subject] == p {
		delete(h.places, p.subject)
		close(p.gone)
	}
}
