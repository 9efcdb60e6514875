package remote

import (
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// place is a seat with what the messages on its subject have come to.
type place struct {
	seat    Seat
	subject string
	inbox   chan *nats.Msg
	gone    chan struct{} // closed when the seat is to end
	told    func(protocol.Message)

	patience time.Duration

	started bool
	turn    int64 // of the last answer; 0 is hello's
	last    *Answer

	unanswered []*nats.Msg
}

// run takes one message after the other until the seat is to end, or nothing more is heard.
func (p *place) run() {
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
func (p *place) end() {
	for len(p.inbox) > 0 {
		p.unanswered = append(p.unanswered, <-p.inbox)
	}
	for _, msg := range p.unanswered {
		if msg.Reply != "" {
			Answer{Fault: protocol.Lost}.Send(msg)
		}
	}
	p.seat.Quit()
}

// take reports whether the seat goes on.
func (p *place) take(msg *nats.Msg) bool {
	if msg.Reply == "" {
		return p.tell(msg)
	}
	text := msg.Header.Get(protocol.HeaderTurn)
	turn, err := strconv.ParseInt(text, 10, 64)
	switch {
	case text == "" && p.last == nil, err == nil && p.follows(turn):
		a := p.ask(msg, turn)
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
		p.last.Send(msg)
		return true
	}
}

func (p *place) ask(msg *nats.Msg, turn int64) Answer {
	limit, err := strconv.ParseInt(msg.Header.Get(protocol.HeaderLimit), 10, 64)
	if err != nil {
		return Answer{Fault: protocol.Disconnect, Report: protocol.FaultReport{Detail: "the request has no limit"}}
	}
	return p.seat.Ask(msg.Data, turn, time.Duration(limit))
}

// follows tells a turn that comes next from one before which something was lost. A game that is begun anew may begin with
// any turn.
func (p *place) follows(turn int64) bool {
	return p.started && turn > 0 && (p.turn == 0 || turn == p.turn+1)
}

func (p *place) tell(msg *nats.Msg) bool {
	kind, err := protocol.TypeOf(msg.Data)
	if err != nil || kind == "quit" {
		return err != nil
	}
	p.seat.Tell(msg.Data)
	p.started = p.started || kind == "start"
	if message, err := protocol.ReadArena(msg.Data); err == nil && message != nil && p.told != nil {
		p.told(message)
	}
	return true
}
