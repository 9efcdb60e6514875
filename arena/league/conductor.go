package league

import (
	"context"
	"errors"
	"log/slog"
	"maps"
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
	r := &conducting{Conductor: c, known: map[string]*conducted{}, open: make(chan struct{}, openAtOnce)}
	defer r.all.Wait()
	for {
		if err := c.Store.settle(ctx); err != nil && ctx.Err() == nil { // the folder may have been another's
			return err
		}
		logs, _, err := c.Store.logs(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		r.forget(logs)
		for id, events := range logs {
			r.begin(ctx, id, events)
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
	known map[string]*conducted
}

// conducted is a tournament as a Conductor sees it.
type conducted struct {
	running bool
	over    bool
	events  uint64    // in its log when that was read; another one may come under its name
	later   time.Time // not to be tried before
	told    string    // the last trouble
}

// forget lets those that were removed come back under the same name.
func (r *conducting) forget(logs map[string]uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.known, func(id string, t *conducted) bool { return !t.running && logs[id] == 0 })
}

func (r *conducting) begin(ctx context.Context, id string, events uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.known[id]
	if t == nil {
		t = &conducted{}
		r.known[id] = t
	}
	if t.running || t.over && t.events == events || t.later.After(time.Now()) {
		return
	}
	t.running, t.events = true, events
	r.all.Go(func() {
		err := r.conduct(ctx, id)
		r.mu.Lock()
		defer r.mu.Unlock()
		t.running = false
		if ctx.Err() == nil {
			r.ended(id, t, err)
		}
	})
}

// ended says when a tournament is tried again. It needs the mutex.
func (r *conducting) ended(id string, t *conducted, err error) {
	t.over = err == nil
	switch {
	case t.over:
	case errors.Is(err, ErrInUse), errors.Is(err, ErrFenced): // at the next look
	default:
		t.later = time.Now().Add(troubleAfter)
		if text := err.Error(); t.told != text {
			t.told = text
			r.Log.Error("a tournament cannot be conducted; trying again", "tournament", id, "error", err)
		}
	}
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
		lasting, cancel := r.Store.outlast(ctx, grace)
		defer cancel()
		if finished, settling := coordinator.settle(lasting); settling != nil || finished {
			err = settling
		}
	}
	return errors.Join(err, coordinator.Close())
}
