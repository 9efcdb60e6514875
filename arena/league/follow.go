package league

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// followResults takes over results in the order in which they were recorded, from the first that is not in the log.
func (c *Coordinator) followResults(ctx context.Context) error {
	var from uint64
	c.View(func(s *State) { from = s.lastSeq + 1 })
	last, err := c.store.lastSeq(ctx, c.store.results)
	if err != nil {
		return err
	}
	if last+1 < from { // the stream lost its end, and counts from there again
		c.store.log.Error("the stored results have lost their end: the store was damaged. Standings are not touched", "tournament", c.state.ID)
		from = 1
	}
	messages, stop, err := c.store.messages(ctx, bus.Results, bus.ResultSubjects(c.state.ID), from)
	if err != nil {
		return err
	}
	defer stop()
	defer context.AfterFunc(ctx, messages.Stop)() // where the server is away, Next does not look at the context
	for {
		message, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		meta, err := message.Metadata()
		if err != nil {
			return err
		}
		raw := &jetstream.RawStreamMsg{
			Subject: message.Subject(), Sequence: meta.Sequence.Stream, Header: message.Headers(), Data: message.Data(),
		}
		if err := c.take(ctx, raw); err != nil {
			return err
		}
	}
}

func (c *Coordinator) take(ctx context.Context, raw *jetstream.RawStreamMsg) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.accept(ctx, raw, true)
}

// accept brings a result into the log. In order says that all results before it have been taken. It needs the mutex.
func (c *Coordinator) accept(ctx context.Context, raw *jetstream.RawStreamMsg, inOrder bool) error {
	number, err := strconv.Atoi(bus.LastToken(raw.Subject))
	switch {
	case err != nil, number < 1:
		return c.store.remove(ctx, c.store.results, raw.Sequence) // nothing that a worker of ours has sent
	case c.state.Done(number):
		return nil
	}
	if c.state.table(number) == nil {
		c.strange[number] = true
		return nil
	}
	match, err := c.state.Match(number)
	if err != nil {
		return err
	}
	result, err := decodeResult(raw.Header, raw.Data)
	if err == nil {
		err = fits(result, match)
	}
	if err != nil {
		return c.refuse(ctx, number, raw.Sequence, err)
	}
	if err := c.store.takeReplays(ctx, c.cfg.Replays, raw.Header.Get(headerReplays), result); err != nil {
		return err
	}
	played := PlayedOf(number, result)
	if inOrder && len(c.strange) == 0 {
		played.Seq = raw.Sequence
	}
	if err := c.write(ctx, Event{Played: &played}); err != nil {
		return err
	}
	delete(c.queued, number)
	c.poke()
	return nil
}

// refuse throws away what cannot be the result of its match, so that it can be played again.
func (c *Coordinator) refuse(ctx context.Context, number int, seq uint64, cause error) error {
	if err := c.store.remove(ctx, c.store.results, seq); err != nil {
		return err
	}
	return c.fail(ctx, report{Failed: Failed{Match: number, Attempt: fmt.Sprintf("result-%d", seq), Cause: cause.Error()}})
}

// takeStored looks for the result of one match.
func (c *Coordinator) takeStored(ctx context.Context, number int) error {
	raw, err := c.store.last(ctx, c.store.results, bus.ResultSubject(c.state.ID, number))
	if err != nil || raw == nil {
		return err
	}
	return c.accept(ctx, raw, false)
}

// adopt takes over results that were there before their pairing.
func (c *Coordinator) adopt(ctx context.Context) error {
	for _, number := range slices.Sorted(maps.Keys(c.strange)) {
		if c.state.table(number) != nil {
			delete(c.strange, number)
			if err := c.takeStored(ctx, number); err != nil {
				return err
			}
		}
	}
	return nil
}

// catchUp takes over results of what was queued.
func (c *Coordinator) catchUp(ctx context.Context) error {
	for _, number := range slices.Sorted(maps.Keys(c.queued)) {
		if err := c.takeStored(ctx, number); err != nil {
			return err
		}
	}
	return nil
}

// report is what a worker says of a match that was not played.
type report struct {
	Failed

	Playing bool `json:"playing,omitempty"` // the failed attempt was another worker's, and who reports plays now
	Back    bool `json:"back,omitempty"`    // the match was given back, to be queued again; nothing has failed, unless it is Unable
}

func (c *Coordinator) followReports(ctx context.Context) error {
	consumer, err := c.store.consumer(ctx, bus.Reports, c.store.bus.CoordinatorConsumer(c.state.ID))
	if err != nil {
		return err
	}
	for {
		message, err := next(ctx, consumer)
		if err != nil {
			return err
		}
		if message == nil {
			continue
		}
		var r report
		if err := json.Unmarshal(message.Data(), &r); err == nil {
			if err := c.hear(ctx, r); err != nil {
				return err
			}
			if err := c.giveUp(ctx, r); err != nil {
				return err
			}
		}
		if err := message.DoubleAck(ctx); err != nil && ctx.Err() == nil {
			c.store.log.Warn("a report may come twice", "error", err)
		}
	}
}

func (c *Coordinator) hear(ctx context.Context, r report) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.Back {
		delete(c.queued, r.Match) // where it is in the queue all the same, it is not queued twice
		c.poke()
	}
	switch {
	case r.Unable:
		return c.unable(ctx, r)
	case r.Back:
		return nil
	default:
		return c.fail(ctx, r)
	}
}

// fail counts a failed attempt, once, and gives the match up after the last.
func (c *Coordinator) fail(ctx context.Context, r report) error {
	known := func(f Failed) bool { return f.Attempt == r.Attempt }
	if c.state.table(r.Match) == nil || c.state.Done(r.Match) || slices.ContainsFunc(c.state.Failures(r.Match), known) {
		return nil
	}
	if err := c.write(ctx, Event{Failed: &r.Failed}); err != nil {
		return err
	}
	log := c.store.log.With("tournament", c.state.ID, "match", r.Match, "cause", r.Cause)
	if r.Worker != "" {
		log = log.With("worker", r.Worker)
	}
	log.Warn("a match could not be played")
	if !r.Playing {
		c.queued[r.Match] = time.Now().Add(c.cfg.Pause)
	}
	c.poke()
	return c.bury(ctx, r.Match)
}

// bury gives a match up that has failed too often.
func (c *Coordinator) bury(ctx context.Context, number int) error {
	if _, dead := c.state.dead[number]; dead || c.cfg.hopeful(c.state.Failures(number)) {
		return nil
	}
	failures := c.state.Failures(number)
	return c.die(ctx, Dead{Match: number, Cause: failures[len(failures)-1].Cause})
}

// die gives a match up.
func (c *Coordinator) die(ctx context.Context, dead Dead) error {
	delete(c.queued, dead.Match)
	if err := c.store.purge(ctx, bus.Jobs, bus.JobSubject(c.cfg.Pool, c.state.ID, dead.Match)); err != nil {
		return err
	}
	c.poke()
	return c.write(ctx, Event{Dead: &dead})
}

// next waits for a report. It gives nil now and then.
func next(ctx context.Context, consumer jetstream.Consumer) (jetstream.Msg, error) {
	within, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	message, err := consumer.Next(jetstream.FetchContext(within))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err() // what was sent meanwhile comes again
	case err == nil, errors.Is(err, nats.ErrTimeout), errors.Is(err, context.DeadlineExceeded), errors.Is(err, jetstream.ErrNoMessages):
		return message, nil
	case errors.Is(err, nats.ErrConnectionClosed):
		return nil, err
	default: // the server is away for a moment
		return nil, sleep(ctx, retryAfter)
	}
}
