package league

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// ErrStopped is returned when a run ended early because it was asked to.
var ErrStopped = errors.New("stopped before the end")

// DeadError ends a strict run in which matches could not be played. Running it again tries them again.
type DeadError []Dead

func (e DeadError) Error() string {
	lines := make([]string, len(e))
	for i, dead := range e {
		lines[i] = dead.String()
	}
	return strings.Join(lines, "\n")
}

// Run conducts the tournament to its end: nil for one that is finished, or cancelled. While it is paused it waits. When
// the context ends it returns [ErrStopped]; what is played after that is taken over when the tournament goes on.
func (c *Coordinator) Run(ctx context.Context) error {
	err := c.run(ctx)
	if ctx.Err() != nil && !errors.Is(err, ErrFenced) {
		return ErrStopped
	}
	return err
}

func (c *Coordinator) run(ctx context.Context) error {
	if over, err := c.prepare(ctx); over || err != nil {
		return err
	}
	group, running := errgroup.WithContext(ctx)
	group.Go(func() error { return c.followResults(running) })
	group.Go(func() error { return c.followReports(running) })
	group.Go(func() error { return c.reclaim(running) })
	group.Go(func() error { return c.fillQueue(running) }) // its end ends the others: it is always an error
	err := group.Wait()
	if !errors.Is(err, errOver) {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.end(ctx)
}

// errOver ends the parts of a run.
var errOver = errors.New("the tournament is over")

// prepare looks at what is in the queues, once.
func (c *Coordinator) prepare(ctx context.Context) (over bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.Phase.Over() {
		return true, c.end(ctx)
	}
	if c.ready {
		return false, nil
	}
	c.ready = true
	private := c.cfg.Pool == c.state.ID
	keep := bus.JobSubjects(c.cfg.Pool, c.state.ID)
	waiting, err := c.store.subjects(ctx, c.store.jobs, bus.JobSubjects("*", c.state.ID))
	if err != nil {
		return false, err
	}
	for _, subject := range waiting {
		if !private && strings.HasPrefix(subject, strings.TrimSuffix(keep, "*")) {
			number, notOurs := strconv.Atoi(bus.LastToken(subject))
			if notOurs == nil {
				c.queued[number] = time.Time{}
			}
			continue
		}
		if err = c.store.purge(ctx, bus.Jobs, subject); err != nil {
			return false, err
		}
	}
	if private { // nobody else can hold its matches, so nobody has to be waited for
		err = errors.Join(
			c.store.dropConsumer(ctx, bus.Jobs, c.store.bus.WorkersConsumer(c.cfg.Pool)),
			c.store.purge(ctx, bus.Reports, c.store.bus.CoordinatorConsumer(c.state.ID).FilterSubject),
		)
		if err != nil {
			return false, err
		}
	}
	_, err = c.store.consumer(ctx, bus.Jobs, c.store.bus.WorkersConsumer(c.cfg.Pool))
	return false, err
}

// rescanEvery is how often the queue is compared with what should be in it.
const rescanEvery = 5 * time.Second

// fillQueue pairs what can be paired and queues what is missing, until the tournament is over.
func (c *Coordinator) fillQueue(ctx context.Context) error {
	rescan := time.NewTicker(rescanEvery)
	defer rescan.Stop()
	for {
		more, err := c.step(ctx)
		if err != nil {
			return err
		}
		if more {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.wake:
		case <-time.After(c.cfg.Pause):
		case <-rescan.C:
			if err := c.rescan(ctx); err != nil {
				return err
			}
		}
	}
}

// step does a little, so that results need not wait long for the mutex. more says that there is more to do at once.
func (c *Coordinator) step(ctx context.Context) (more bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.state.Phase.Over():
		return false, errOver
	case c.cfg.Strict && len(c.state.dead) > 0:
		return false, DeadError(c.state.Dead())
	case c.state.Phase == Paused:
		return false, c.unqueue(ctx)
	case c.store.bus.Health() != nil:
		return false, nil
	}
	if paired, err := c.pair(ctx); paired || err != nil {
		return true, err
	}
	return c.queueSome(ctx)
}

// pair pairs a stage if the queue could need it, and ends the tournament if there is none. One that is paused, or was never
// started, has no end yet.
func (c *Coordinator) pair(ctx context.Context) (bool, error) {
	s := c.state
	if s.Phase != Running {
		return false, nil
	}
	all := s.played == s.matches
	if !all && (c.noMore || s.matches-s.played-len(s.dead) >= c.cfg.Ahead) {
		return false, nil
	}
	next, ok, err := s.NextStage()
	switch {
	case err != nil:
		return false, err
	case ok:
		if err := c.write(ctx, Event{Paired: &next}); err != nil {
			return false, err
		}
		return true, c.adopt(ctx)
	case all:
		end := &End{Time: time.Now().UTC().Truncate(time.Millisecond), Notes: next.Notes}
		return true, c.write(ctx, Event{Finished: end})
	}
	c.noMore = s.Format.early()
	return false, nil
}

// some is how many matches are queued at a time.
const some = 50

func (c *Coordinator) queueSome(ctx context.Context) (more bool, err error) {
	n := 0
	now := time.Now()
	for number := range c.state.Missing() {
		later, known := c.queued[number]
		if known && (later.IsZero() || later.After(now)) {
			continue
		}
		if !known && len(c.queued) >= c.cfg.Ahead {
			return false, nil
		}
		if n++; n > some {
			return true, nil
		}
		if !c.cfg.hopeful(c.state.Failures(number)) { // a crash came between
			return true, c.bury(ctx, number)
		}
		match, err := c.state.Match(number)
		if err != nil {
			return false, err
		}
		if err := c.store.enqueue(ctx, c.cfg.Pool, jobOf(match, number, c.state.entrantsOf(number))); err != nil {
			return false, err
		}
		c.queued[number] = time.Time{}
	}
	return false, nil
}

// rescan finds what got lost between queue and results.
func (c *Coordinator) rescan(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.Phase != Running || c.store.bus.Health() != nil {
		return nil
	}
	present, err := c.store.subjects(ctx, c.store.jobs, bus.JobSubjects(c.cfg.Pool, c.state.ID))
	if err != nil {
		return err
	}
	waits := map[string]bool{}
	for _, subject := range present {
		waits[subject] = true
	}
	for number, later := range c.queued {
		if later.IsZero() && !waits[bus.JobSubject(c.cfg.Pool, c.state.ID, number)] {
			if err := c.takeStored(ctx, number); err != nil {
				return err
			}
			delete(c.queued, number) // if it has no result yet, it is queued again
		}
	}
	return nil
}

// unqueue takes back the matches that no worker has yet.
func (c *Coordinator) unqueue(ctx context.Context) error {
	if c.held {
		return nil
	}
	delivered, err := c.delivered(ctx)
	if err != nil {
		return err
	}
	for number := range c.queued {
		waiting, err := c.store.last(ctx, c.store.jobs, bus.JobSubject(c.cfg.Pool, c.state.ID, number))
		if err != nil {
			return err
		}
		if waiting == nil || waiting.Sequence <= delivered {
			continue
		}
		if err := c.store.remove(ctx, c.store.jobs, waiting.Sequence); err != nil {
			return err
		}
		delete(c.queued, number)
	}
	c.held = true
	return nil
}

// delivered is the last sequence of the queue that a worker has got.
func (c *Coordinator) delivered(ctx context.Context) (last uint64, err error) {
	consumer, err := c.store.consumer(ctx, bus.Jobs, c.store.bus.WorkersConsumer(c.cfg.Pool))
	if err != nil {
		return 0, err
	}
	err = c.store.insist(ctx, func(ctx context.Context) error {
		info, failed := consumer.Info(ctx)
		if failed == nil {
			last = info.Delivered.Stream
		}
		return failed
	})
	return last, err
}

// settle takes over what was played and not yet seen, and ends the tournament if that was all.
func (c *Coordinator) settle(ctx context.Context) (finished bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err = c.catchUp(ctx); err != nil {
		return false, err
	}
	if c.state.played == c.state.matches {
		for more := true; more && c.state.played == c.state.matches && !c.state.Phase.Over(); {
			if more, err = c.pair(ctx); err != nil {
				return false, err
			}
		}
	}
	if !c.state.Phase.Over() {
		return false, nil
	}
	return true, c.end(ctx)
}

// end leaves nothing in the queues, and an export in the folder.
func (c *Coordinator) end(ctx context.Context) error {
	id := c.state.ID
	err := errors.Join(
		c.store.purge(ctx, bus.Jobs, bus.JobSubjects("*", id)),
		c.store.dropConsumer(ctx, bus.Jobs, c.store.bus.WorkersConsumer(id)),
		c.store.dropConsumer(ctx, bus.Reports, c.store.bus.CoordinatorConsumer(id)),
		c.store.purge(ctx, bus.Reports, c.store.bus.CoordinatorConsumer(id).FilterSubject),
		c.store.keepExport(ctx, id),
	)
	if err == nil && c.cfg.Replays != "" { // else the objects are where they are kept
		err = c.store.dropReplays(ctx, id)
	}
	c.mark.write(c.state)
	return err
}
