package league

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// When the power fails, a coordinator and its workers end together, and the queue would keep the matches that were in play
// until their time is over. So a coordinator that begins asks which of them are still in play, and queues the others again
// at once.

const (
	reclaimAfter = 3 * time.Second // workers that lost the server are back by then
	reclaimTwice = time.Second     // who was between two matches is not
)

// reclaim takes back matches of a common pool that a worker had got before this coordinator began, and that nobody plays.
func (c *Coordinator) reclaim(ctx context.Context) error {
	orphans, err := c.givenOut(ctx)
	if err != nil || len(orphans) == 0 {
		return err
	}
	for _, wait := range []time.Duration{reclaimAfter, reclaimTwice} {
		if err := sleep(ctx, wait); err != nil {
			return err
		}
		workers, err := c.store.Workers(ctx)
		if err != nil {
			return err
		}
		for _, worker := range workers {
			for _, match := range worker.Playing {
				if match.Tournament == c.state.ID {
					delete(orphans, match.Match)
				}
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, number := range slices.Sorted(maps.Keys(orphans)) {
		if err := c.takeBack(ctx, number, orphans[number]); err != nil {
			return err
		}
	}
	return nil
}

// givenOut gives the matches that a worker has got, each with its sequence in the queue.
func (c *Coordinator) givenOut(ctx context.Context) (map[int]uint64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cfg.Pool == c.state.ID || len(c.queued) == 0 {
		return nil, nil
	}
	delivered, err := c.delivered(ctx)
	if err != nil {
		return nil, err
	}
	out := map[int]uint64{}
	for number := range c.queued {
		waiting, err := c.store.last(ctx, c.store.jobs, bus.JobSubject(c.cfg.Pool, c.state.ID, number))
		if err != nil {
			return nil, err
		}
		if waiting != nil && waiting.Sequence <= delivered {
			out[number] = waiting.Sequence
		}
	}
	return out, nil
}

// takeBack queues a match again, unless something came of it meanwhile. That counts as a worker that was lost.
func (c *Coordinator) takeBack(ctx context.Context, number int, seq uint64) error {
	if err := c.takeStored(ctx, number); err != nil {
		return err
	}
	waiting, err := c.store.last(ctx, c.store.jobs, bus.JobSubject(c.cfg.Pool, c.state.ID, number))
	if err != nil || waiting == nil || waiting.Sequence != seq || c.state.Done(number) {
		return err
	}
	if err := c.store.remove(ctx, c.store.jobs, seq); err != nil {
		return err
	}
	return c.fail(ctx, report{Failed: Failed{
		Match: number, Attempt: fmt.Sprintf("lost-%d", seq), Cause: "its worker ended before the match did",
	}})
}
