package league

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// A worker that lacks a bot says so and gives the match back. That is no failed attempt: nothing was begun, and another
// worker may have what is missing. Only when everybody who is there has said so is the match given up.

// passOn leaves a match to others: the next who asks gets it at once. This slot does not ask for a moment, so that it comes
// to somebody else.
func (w *Worker) passOn(ctx context.Context, message jetstream.Msg, j job, cause error) error {
	err := w.giveBack(ctx, message, report{
		Failed: Failed{Match: j.Number, Attempt: "unable-" + w.Name, Worker: w.Name, Cause: cause.Error(), Unable: true}, Back: true,
	}, j.Tournament)
	if errors.Is(err, nats.ErrConnectionClosed) {
		return err
	}
	return sleep(ctx, time.Second) // where the server is away the match comes again
}

// unable notes who cannot play a match, once.
func (c *Coordinator) unable(ctx context.Context, r report) error {
	if c.state.table(r.Match) == nil || c.state.Done(r.Match) {
		return nil
	}
	if _, dead := c.state.dead[r.Match]; dead { // it was between two workers when it was given up
		return c.store.purge(ctx, bus.Jobs, bus.JobSubject(c.cfg.Pool, c.state.ID, r.Match))
	}
	known := func(f Failed) bool { return f.Attempt == r.Attempt }
	if slices.ContainsFunc(c.state.Failures(r.Match), known) {
		return nil
	}
	c.store.log.Warn("a worker cannot play a match; others may", "tournament", c.state.ID, "match", r.Match, "worker", r.Worker, "cause", r.Cause)
	return c.write(ctx, Event{Failed: &r.Failed})
}

// giveUp ends a match that no worker can play. It asks who there is without holding the mutex, since that takes a while.
func (c *Coordinator) giveUp(ctx context.Context, r report) error {
	if !r.Unable {
		return nil
	}
	workers, err := c.store.Workers(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, dead := c.state.dead[r.Match]; dead || c.state.Done(r.Match) {
		return nil
	}
	causes := map[string]string{}
	for _, failed := range c.state.Failures(r.Match) {
		if failed.Unable {
			causes[failed.Worker] = failed.Cause
		}
	}
	var all []string
	for _, worker := range workers {
		if worker.Pool != c.cfg.Pool {
			continue
		}
		cause, ok := causes[worker.Name]
		if !ok {
			return nil
		}
		all = append(all, "worker "+worker.Name+" "+cause)
	}
	if len(all) == 0 {
		return nil // they have left, and others may come
	}
	return c.die(ctx, Dead{Match: r.Match, Cause: strings.Join(slices.Compact(all), "; ")})
}

// hopeful reports whether a match is to be tried again after these failures.
func (c Coordinating) hopeful(failures []Failed) bool {
	failed, lost := 0, 0
	for _, f := range failures {
		switch {
		case f.Unable:
		case f.Worker == "":
			lost++
		default:
			failed++
		}
	}
	return failed < c.Attempts && lost < c.Lost
}
