package seat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// remoteSeat is the referee's side of a seat of a remote bot. Client knows the way there and back only as long as nothing
// is lost on it.
type remoteSeat struct {
	*Client

	name    string
	network time.Duration
	grace   time.Duration // what is left of it
	allowed time.Duration // what it was

	hello   protocol.Hello
	startup time.Duration
	start   protocol.Start
	record  protocol.Events // what it was told of the public record
	seen    protocol.Presence
	trip    time.Duration // to the bot and back, at the beginning of the game

	beating sync.WaitGroup
	quiet   chan struct{} // closed when it is to end; nil before hello
}

// Ask implements [arena.Seat].
func (s *remoteSeat) Ask(ctx context.Context, m protocol.Message, limit time.Duration) (arena.Reply, error) {
	switch m := m.(type) {
	case protocol.Hello:
		s.hello, s.startup = m, limit
		s.beat()
		if there, err := s.meet(ctx); err != nil || !there {
			return s.away(m), err
		}
	case protocol.Turn:
		s.record = append(s.record, m.Events...)
	}
	reply, err := s.settle(ctx, m, limit)
	if _, isTurn := m.(protocol.Turn); isTurn && reply.Fault == protocol.StartFault {
		reply.Fault = protocol.Disconnect // which the bot's side may claim at any time
	}
	return reply, err
}

// Tell implements [arena.Seat]. What is lost is made up for when the bot is asked the next time.
func (s *remoteSeat) Tell(ctx context.Context, m protocol.Message) error {
	if start, ok := m.(protocol.Start); ok {
		s.start = start
	}
	return s.Client.Tell(ctx, m)
}

// Close tells the bot to quit and does not wait for it: a bot that is gone cannot hold the game up. Its log is its owner's.
func (s *remoteSeat) Close(ctx context.Context) (stderr string, err error) {
	if s.quiet != nil {
		close(s.quiet)
		s.beating.Wait()
	}
	return "", s.Tell(ctx, protocol.Quit{})
}

// beatEvery is a small part of the patience of a remote bot.
const beatEvery = 5 * time.Second

// beat tells the bot's side now and then that the game goes on, by messages with nothing in them.
func (s *remoteSeat) beat() {
	s.quiet = make(chan struct{})
	s.beating.Go(func() {
		ticker := time.NewTicker(beatEvery)
		defer ticker.Stop()
		for {
			select {
			case <-s.quiet:
				return
			case <-ticker.C:
				_ = s.nc.Publish(s.subject, nil) // a lost connection shows in the next question
			}
		}
	})
}

// meet waits for the bot before its first game, and measures the way to it.
func (s *remoteSeat) meet(ctx context.Context) (there bool, err error) {
	if there, err = s.await(ctx, time.Now()); err != nil || !there {
		return there, err
	}
	if _, trip, err := Look(ctx, s.nc, s.name); err == nil {
		s.trip = trip
	}
	return true, ctx.Err()
}

// settle sees a question through, whatever happens to the connections.
func (s *remoteSeat) settle(ctx context.Context, m protocol.Message, limit time.Duration) (arena.Reply, error) {
	var used time.Duration
	for attempt := 1; ; attempt++ {
		got, err := s.attempt(ctx, m, limit, limit+s.network-used, attempt)
		if err != nil {
			return arena.Reply{}, err
		}
		used += got.used
		on := true
		switch {
		case got.cut:
			_, err = s.reconnected(ctx)
		case got.gone:
			on, err = s.await(ctx, got.since)
		case got.reply.Fault == protocol.Busy:
			on, err = s.queue(ctx)
		case got.reply.Fault == protocol.Lost:
			if used < s.grace { // it pays for what was thought in vain; where it cannot, the clock goes on
				s.grace -= used
				used = 0
			}
			var why string
			if m, why, err = s.restore(ctx, m); why != "" && err == nil {
				return unrestored(why), nil
			}
		default:
			got.reply.Elapsed = max(0, used-s.network)
			return got.reply, nil
		}
		if err != nil {
			return arena.Reply{}, err
		}
		if !on {
			return s.away(m), nil
		}
	}
}

// attempt sends the question once.
func (s *remoteSeat) attempt(ctx context.Context, m protocol.Message, limit, left time.Duration, number int) (outcome, error) {
	msg, err := s.message(m)
	if err != nil {
		return outcome{}, err
	}
	msg.Header.Set(protocol.HeaderLimit, strconv.FormatInt(min(limit, left).Nanoseconds(), 10))
	msg.Header.Set(protocol.HeaderAttempt, strconv.Itoa(number))
	if turn, ok := m.(protocol.Turn); ok {
		msg.Header.Set(protocol.HeaderTurn, strconv.FormatInt(turn.Turn, 10))
	}
	got, err := s.try(ctx, msg, left)
	if got.late {
		got.reply = arena.Reply{Fault: protocol.Timeout, Report: protocol.FaultReport{Detail: s.tooLate(limit)}}
	}
	return got, err
}

func (s *remoteSeat) tooLate(limit time.Duration) string {
	text := fmt.Sprintf("no answer within %v", limit)
	if s.network > 0 {
		text += fmt.Sprintf(" and the %v of the network", s.network)
	}
	return text + fmt.Sprintf("; it is connected, and a round trip to it took %v when the game began", s.trip.Round(10*time.Microsecond))
}

// away is the fault of a bot that is not back in time.
func (s *remoteSeat) away(m protocol.Message) arena.Reply {
	reply := arena.Reply{Fault: protocol.Disconnect}
	reply.Report.Detail = fmt.Sprintf("its connection was gone, and in all for longer than the grace of %v", s.allowed)
	if _, ok := m.(protocol.Hello); ok {
		reply.Fault = protocol.StartFault
		reply.Report.Detail = fmt.Sprintf("%s was not connected, or had no slot free, for %v", s.name, s.allowed)
	}
	return reply
}

func unrestored(why string) arena.Reply {
	return arena.Reply{Fault: protocol.Disconnect, Report: protocol.FaultReport{
		Detail: "it had lost its game, and no new process of it was ready in time: " + why,
	}}
}

// restore begins the game anew for a bot that does not know it any more. It gives the question with all that the bot was
// told before, or says why it cannot go on.
func (s *remoteSeat) restore(ctx context.Context, m protocol.Message) (again protocol.Message, why string, err error) {
	turn, ok := m.(protocol.Turn)
	if !ok {
		return m, "hello needs no game", nil
	}
	begin, grace := time.Now(), s.grace
	reply, err := s.settle(ctx, s.hello, min(s.startup, grace))
	s.grace = grace - max(time.Since(begin), leastAbsence) // which counts all that passed, and nothing twice
	switch {
	case err != nil:
		return m, "", err
	case reply.Fault != "":
		return m, cmp.Or(reply.Report.Detail, string(reply.Fault)), nil
	case s.grace < 0:
		return m, fmt.Sprintf("its grace of %v is over", s.allowed), nil
	}
	if err = s.Tell(ctx, s.start); err != nil {
		return m, "", err
	}
	turn.Events, err = s.history(turn)
	return turn, "", err
}

// history is the public record, or as much of its end as there is room for in a line.
func (s *remoteSeat) history(turn protocol.Turn) (protocol.Events, error) {
	for from := 0; ; from += max(1, (len(s.record)-from)/8) {
		turn.Events = s.record[from:]
		line, err := protocol.Marshal(turn)
		if err != nil || len(line) <= protocol.MaxLine || from == len(s.record) {
			return turn.Events, err
		}
	}
}

// queue waits a little for a slot.
func (s *remoteSeat) queue(ctx context.Context) (on bool, err error) {
	s.grace -= lookEvery
	return s.grace > 0, pause(ctx, lookEvery)
}

// await waits for the bot as long as its grace lasts. Since then it is away.
func (s *remoteSeat) await(ctx context.Context, since time.Time) (there bool, err error) {
	for {
		waited, err := s.reconnected(ctx)
		if err != nil {
			return false, err
		}
		since = since.Add(waited)
		s.seen, err = ask(ctx, s.nc, s.name)
		away := time.Since(since)
		switch {
		case err == nil && away < s.grace:
			s.grace -= away
			return true, nil
		case away >= s.grace:
			s.grace = 0
			return false, ctx.Err()
		case err != nil && !errors.Is(err, ErrAbsent):
			return false, err
		}
		if err = pause(ctx, lookEvery); err != nil {
			return false, err
		}
	}
}

// reconnected waits for the arena's own connection, for which no bot pays.
func (s *remoteSeat) reconnected(ctx context.Context) (waited time.Duration, err error) {
	for begin := time.Now(); !s.nc.IsConnected(); waited = time.Since(begin) {
		if s.nc.IsClosed() || waited > ownWithin {
			return 0, fmt.Errorf("the connection to the NATS server is lost, and with it that to %s: %w", s.name, nats.ErrDisconnected)
		}
		if err := pause(ctx, lookEvery/10); err != nil {
			return 0, err
		}
	}
	return waited, nil
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
