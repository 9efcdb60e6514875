package seat

import (
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// remotePlace is one seat of a remote bot, on the bot's side.
type remotePlace struct {
	host    *Host
	subject string
	inbox   chan *nats.Msg
	gone    chan struct{} // closed when the seat is to end
	told    func(protocol.Message)

	patience time.Duration

	started bool
	turn    int64 // of the last answer; 0 is hello's
	last    *answer

	unanswered []*nats.Msg
}

// run takes one message after the other until the seat is to end, or nothing more is heard.
func (p *remotePlace) run() {
	for {
		select {
		case <-p.gone:
			return
		case <-time.After(p.patience):
			return
		case msg := <-p.inbox:
			if !p.take(msg) {
				return
			}
		}
	}
}

// end says to what is unanswered that the game is not known here any more, and ends the bot. Nothing comes in by now.
func (p *remotePlace) end() {
	for len(p.inbox) > 0 {
		p.unanswered = append(p.unanswered, <-p.inbox)
	}
	for _, msg := range p.unanswered {
		if msg.Reply != "" {
			respond(msg, answer{fault: protocol.Lost})
		}
	}
	p.host.quit([]byte(`{"type":"quit"}`))
}

// take reports whether the seat goes on.
func (p *remotePlace) take(msg *nats.Msg) bool {
	if msg.Reply == "" {
		return p.tell(msg)
	}
	text := msg.Header.Get(protocol.HeaderTurn)
	turn, err := strconv.ParseInt(text, 10, 64)
	switch {
	case text == "" && p.last == nil, err == nil && p.follows(turn):
		a := p.host.ask(msg)
		p.turn, p.last = turn, &a
	case text == "" && !p.started, err == nil && p.last != nil && turn == p.turn:
		// it comes again, since the answer did not arrive
	default:
		p.unanswered = append(p.unanswered, msg)
		return false
	}
	select {
	case <-p.gone: // the bot was ended, which is no answer
		p.unanswered = append(p.unanswered, msg)
		return false
	default:
		respond(msg, *p.last)
		return true
	}
}

// follows tells a turn that comes next from one before which something was lost. A game that is begun anew may begin with
// any turn.
func (p *remotePlace) follows(turn int64) bool {
	return p.started && turn > 0 && (p.turn == 0 || turn == p.turn+1)
}

func (p *remotePlace) tell(msg *nats.Msg) bool {
	kind, err := protocol.TypeOf(msg.Data)
	if err != nil || kind == "quit" {
		return err != nil
	}
	p.host.handle(msg)
	p.started = p.started || kind == "start"
	if message, err := protocol.ReadArena(msg.Data); err == nil && message != nil && p.told != nil {
		p.told(message)
	}
	return true
}
