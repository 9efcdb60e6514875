package league

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// A worker that lacks a bot says so and gives the match back. That is no failed attempt: nothing was begun, and another
// worker may have what is missing. Only when everybody who is there has said so is the match given up.

// passOn leaves a match to others. It keeps the slot busy for a moment, so that those others get at it.
func (w *Worker) passOn(ctx context.Context, message jetstream.Msg, j job, cause error) error {
	if ctx.Err() != nil {
		return w.handBack(ctx, message)
	}
	if err := w.acknowledge(ctx, message); err != nil {
		return err
	}
	data, err := json.Marshal(report{Failed: Failed{
		Match: j.Number, Attempt: "unable-" + w.Name, Worker: w.Name, Cause: cause.Error(), Unable: true,
	}})
	if err != nil {
		return err
	}
	if _, err := w.Store.publish(ctx, &nats.Msg{Subject: bus.ReportSubject(j.Tournament, j.Number), Data: data}); err != nil {
		return err
	}
	return sleep(ctx, time.Second)
}

// unable notes who cannot play a match, once, and queues it again.
func (c *Coordinator) unable(ctx context.Context, r report) error {
	if _, dead := c.state.dead[r.Match]; dead || c.state.table(r.Match) == nil || c.state.Done(r.Match) {
		return nil
	}
	c.queued[r.Match] = time.Now().Add(c.cfg.Pause)
	known := func(f Failed) bool { return f.Attempt == r.Attempt }
	if slices.ContainsFunc(c.state.Failures(r.Match), known) {
		return nil
	}
	c.store.log.Warn("a worker cannot play a match; others may", "tournament", c.state.ID, "match", r.Match, "worker", r.Worker, "cause", r.Cause)
	return c.write(ctx, Event{Failed: &r.Failed})
}

// giveUp ends a match that no worker can play.
func (c *Coordinator) giveUp(ctx context.Context, r report) error {
	if !r.Unable {
		return nil
	}
	if err := c.ask(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, dead := c.state.dead[r.Match]; dead || len(c.workers) == 0 || c.state.Done(r.Match) {
		return nil
	}
	causes := map[string]string{}
	for _, failed := range c.state.Failures(r.Match) {
		if failed.Unable {
			causes[failed.Worker] = failed.Cause
		}
	}
	var all []string
	for _, worker := range c.workers {
		cause, ok := causes[worker]
		if !ok {
			return nil
		}
		all = append(all, "worker "+worker+" "+cause)
	}
	return c.die(ctx, Dead{Match: r.Match, Cause: strings.Join(all, "; ")})
}

// askEvery is how long it is taken for true who the workers are.
const askEvery = 2 * time.Second

// ask finds out who the workers are. It needs the mutex not to be held: that takes a while.
func (c *Coordinator) ask(ctx context.Context) error {
	c.mu.Lock()
	known := time.Since(c.asked) < askEvery
	c.mu.Unlock()
	if known {
		return nil
	}
	workers, err := c.store.Workers(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.workers, c.asked = nil, time.Now()
	for _, worker := range workers {
		if worker.Pool == c.cfg.Pool && !slices.Contains(c.workers, worker.Name) {
			c.workers = append(c.workers, worker.Name)
		}
	}
	return nil
}

// lostFor is how many workers a match may have lost, for each attempt that it may fail. One that kills them has to be
// given up at last, but a worker that goes away is hardly ever the fault of its match.
const lostFor = 5

// hopeful reports whether a match is to be tried again.
func (s *State) hopeful(number, attempts int) bool {
	failed, lost := 0, 0
	for _, f := range s.failures[number] {
		switch {
		case f.Unable:
		case f.Worker == "":
			lost++
		default:
			failed++
		}
	}
	return failed < attempts && lost < attempts*lostFor
}
