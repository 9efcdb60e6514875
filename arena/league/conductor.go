package league

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// Conductor coordinates all tournaments of a store that are not over, and those that are made meanwhile by any program.
// One that another program coordinates is left alone until that one ends.
type Conductor struct {
	Store *Store

	// With says how a tournament is coordinated.
	With func(id string) Coordinating

	// Log hears of tournaments that cannot be coordinated.
	Log *slog.Logger
}

const (
	lookEvery    = time.Second     // for new tournaments
	troubleAfter = 5 * time.Second // a tournament that could not be coordinated is tried again
	openAtOnce   = 4               // logs that are read
)

// Run conducts until the context ends. What was played until then is taken over before it returns.
func (c *Conductor) Run(ctx context.Context) error {
	r := &conducting{Conductor: c, known: map[string]time.Time{}, told: map[string]string{}, open: make(chan struct{}, openAtOnce)}
	defer r.all.Wait()
	for {
		ids, err := c.Store.Tournaments(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		for _, id := range ids {
			r.begin(ctx, id)
		}
		if sleep(ctx, lookEvery) != nil {
			return nil
		}
	}
}

// conducting is a Run of a Conductor.
type conducting struct {
	*Conductor

	all  sync.WaitGroup
	open chan struct{}

	mu    sync.Mutex
	known map[string]time.Time // tournaments that are conducted, or over, or not to be tried before that time
	told  map[string]string    // the last trouble with each
}

func (r *conducting) begin(ctx context.Context, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	later, known := r.known[id]
	if known && (later.IsZero() || later.After(time.Now())) {
		return
	}
	r.known[id] = time.Time{}
	r.all.Go(func() {
		err := r.conduct(ctx, id)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.ended(ctx, id, err)
	})
}

// conduct returns nil when the tournament is over.
func (r *conducting) conduct(ctx context.Context, id string) error {
	select {
	case r.open <- struct{}{}:
	case <-ctx.Done():
		return ErrStopped
	}
	coordinator, err := r.Store.Coordinate(ctx, id, r.With(id))
	<-r.open
	if err != nil {
		return err
	}
	err = coordinator.Run(ctx)
	if errors.Is(err, ErrStopped) {
		lasting, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleWithin)
		defer cancel()
		if finished, settling := coordinator.settle(lasting); settling != nil || finished {
			err = settling
		}
	}
	return errors.Join(err, coordinator.Close())
}

// ended needs the mutex.
func (r *conducting) ended(ctx context.Context, id string, err error) {
	switch {
	case err == nil: // it is over, and stays known
		delete(r.told, id)
		return
	case ctx.Err() != nil:
		return
	case errors.Is(err, ErrInUse), errors.Is(err, ErrFenced):
		r.known[id] = time.Now()
		return
	}
	r.known[id] = time.Now().Add(troubleAfter)
	if text := err.Error(); r.told[id] != text {
		r.told[id] = text
		r.Log.Error("a tournament cannot be conducted; trying again", "tournament", id, "error", err)
	}
}
