package arena

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// table is one game in play.
type table struct {
	seating

	game    *engine.Game
	seats   []Seat
	players []player
	strikes *strikes
	events  protocol.Events // the public record as the bots see it, entry by entry beside the engine's
	replay  *replay
	watched *watched
	cards   []Fault
	legal   []engine.Action
}

// player is what the referee knows of a seat.
type player struct {
	seen  int   // entries of the record that it has been sent
	turn  int64 // number of its last turn
	bank  time.Duration
	last  *float64 // milliseconds of its last turn
	think Think
	times Histogram // of its moves
}

// decision is an action with how it came about.
type decision struct {
	action engine.Action
	by     string
	fault  protocol.Code
	took   time.Duration
	note   string
}

// play runs the game from the first deal to the end. All seats are open.
func (t *table) play(ctx context.Context) error {
	for t.game.Phase() != engine.Ended {
		if t.game.Phase() == engine.Dealing {
			if err := t.deal(); err != nil {
				return err
			}
			continue
		}
		t.legal = t.game.Legal(t.legal[:0])
		choice, err := t.decide(ctx, t.game.Turn())
		if err != nil {
			return err
		}
		if err := t.apply(choice); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) deal() error {
	if err := t.game.Deal(t.seed.Deal(t.match.Rules, t.game.Round()+1)); err != nil {
		return err
	}
	return t.record(decision{})
}

func (t *table) apply(choice decision) error {
	if _, err := t.game.Apply(choice.action); err != nil {
		return err
	}
	return t.record(choice)
}

// record takes over what the engine has recorded since the last call, and writes it to the replay.
func (t *table) record(choice decision) error {
	for _, event := range t.game.Record(len(t.events)) {
		if played, ok := event.(engine.Played); ok {
			event = protocol.Play{Played: played, By: choice.by, Fault: choice.fault}
		}
		t.events = append(t.events, event)
	}
	return errors.Join(t.replay.events(t.game, t.events, choice), t.watched.events(t.events))
}

// decide finds the action of the seat to act: the bot's, the only one there is, or the arena's for a seat that failed.
func (t *table) decide(ctx context.Context, seat int) (decision, error) {
	if t.strikes.forfeited(seat) {
		return decision{action: substitute(t.legal), by: protocol.ByArena}, nil
	}
	if len(t.legal) == 1 && !t.match.AskForced {
		return decision{action: t.legal[0], by: protocol.ByArena}, nil
	}
	return t.ask(ctx, seat)
}

func (t *table) ask(ctx context.Context, seat int) (decision, error) {
	p := &t.players[seat]
	move := time.Duration(t.match.Clock.MoveMS) * time.Millisecond
	limit := move + p.bank
	reply, err := t.seats[seat].Ask(ctx, t.turn(seat), limit)
	if err != nil {
		return decision{}, fmt.Errorf("ask seat %d (%s): %w", seat, t.names()[seat], err)
	}
	if reply.Fault != "" && !ofTurn(reply.Fault) {
		return decision{}, fmt.Errorf("seat %d (%s): %q is no fault of a turn", seat, t.names()[seat], reply.Fault)
	}
	used := min(max(reply.Elapsed, 0), limit)
	p.bank -= max(0, used-move)
	p.bank += time.Duration(t.match.Clock.IncrementMS) * time.Millisecond
	p.think.add(used)
	p.times.add(used)
	last := milliseconds(used)
	p.last = &last

	choice, card := judge(reply, t.legal, limit)
	choice.took = used
	if choice.fault == "" {
		return choice, nil
	}
	card.Turn, card.LimitMS, card.UsedMS = p.turn, milliseconds(limit), milliseconds(reply.Elapsed)
	return choice, t.fault(ctx, seat, card, &choice.action)
}

// turn makes the seat's next request.
func (t *table) turn(seat int) protocol.Turn {
	p := &t.players[seat]
	p.turn++
	return protocol.Turn{
		Game:        t.id,
		Turn:        p.turn,
		Observation: t.game.Observe(seat),
		Events:      t.news(seat),
		Legal:       t.legal,
		Clock:       protocol.TurnClock{MoveMS: t.match.Clock.MoveMS, BankMS: p.bank.Milliseconds(), LastMS: p.last},
	}
}

// maxNews keeps a message within the limit of a line. Only a forfeited seat, which hears nothing until the end, misses
// that much; it then gets the last of it.
const maxNews = 300

// news is what the seat has not seen of the public record, with its own hand in each deal.
func (t *table) news(seat int) protocol.Events {
	p := &t.players[seat]
	p.seen = max(p.seen, len(t.events)-maxNews)
	news := protocol.Events(t.game.RecordFor(seat, p.seen))
	for i, event := range news {
		if _, ok := event.(engine.Played); ok {
			news[i] = t.events[p.seen+i]
		}
	}
	p.seen += len(news)
	return news
}

// fault counts it, keeps its card and tells the bot.
func (t *table) fault(ctx context.Context, seat int, card Fault, applied *engine.Action) error {
	card.Game, card.Seat, card.Bot = t.id, seat, t.names()[seat]
	card.Forfeit = t.strikes.add(seat, card.Code)
	card.Strikes = t.strikes.seats[seat].strikes
	t.cards = append(t.cards, card)
	return t.seats[seat].Tell(ctx, protocol.Error{
		Turn: card.Turn, Code: card.Code, Message: card.Detail, Applied: applied,
		Strikes: card.Strikes, StrikeLimit: t.match.Faults.StrikeLimit,
	})
}
