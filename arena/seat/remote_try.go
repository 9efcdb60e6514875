package seat

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena"
)

const (
	lookEvery    = 250 * time.Millisecond // at the presence of a bot that owes an answer
	leastAbsence = time.Second            // what it costs to have lost a game, so that nobody can do so for ever
	ownWithin    = time.Minute            // how long the arena's own connection may be lost
)

// outcome is what came of sending a question once: a reply, or the reason why there is none.
type outcome struct {
	reply arena.Reply
	used  time.Duration // how long the bot was there and had the question
	late  bool          // it is there, and its time is over
	gone  bool          // it is not there, or was away: question and answer may be lost
	since time.Time     // when it was gone
	cut   bool          // the arena itself was away
}

// answered is what a request came to, and when.
type answered struct {
	msg *nats.Msg
	err error
	at  time.Time
}

// try sends a question and waits for the answer for as long as the bot is there and has time left.
func (s *remoteSeat) try(ctx context.Context, msg *nats.Msg, left time.Duration) (outcome, error) {
	var asking sync.WaitGroup
	defer asking.Wait()
	asked, cancel := context.WithCancel(ctx)
	defer cancel()
	answers := make(chan answered, 1)
	own := s.nc.Stats().Reconnects
	begin := time.Now()
	asking.Go(func() {
		reply, err := s.nc.RequestMsgWithContext(asked, msg)
		answers <- answered{reply, err, time.Now()}
	})
	for seen := begin; ; {
		select {
		case a := <-answers:
			return s.outcome(ctx, msg, a, begin)
		case <-time.After(min(lookEvery, max(0, left-time.Since(begin)))):
		}
		now := time.Now()
		presence, err := ask(ctx, s.nc, s.name)
		select {
		case a := <-answers:
			return s.outcome(ctx, msg, a, begin)
		default:
		}
		switch {
		case ctx.Err() != nil:
			return outcome{}, ctx.Err()
		case !s.nc.IsConnected() || s.nc.Stats().Reconnects != own:
			return outcome{cut: true, used: seen.Sub(begin)}, nil
		case err != nil && !errors.Is(err, ErrAbsent):
			return outcome{}, err
		case err != nil, presence.Instance != s.seen.Instance, presence.Connection != s.seen.Connection:
			return outcome{gone: true, since: seen, used: seen.Sub(begin)}, nil
		case now.Sub(begin) >= left:
			return outcome{late: true, used: now.Sub(begin)}, nil
		}
		seen = now
	}
}

func (s *remoteSeat) outcome(ctx context.Context, request *nats.Msg, a answered, begin time.Time) (outcome, error) {
	switch {
	case ctx.Err() != nil:
		return outcome{}, ctx.Err()
	case errors.Is(a.err, nats.ErrNoResponders):
		return outcome{gone: true, since: begin}, nil
	case a.err != nil:
		return outcome{}, fmt.Errorf("request to %s: %w", s.subject, a.err)
	default:
		return outcome{reply: strangersReply(request, a.msg), used: a.at.Sub(begin)}, nil
	}
}
