package league

import (
	"context"
	"errors"
	"sync"
)

// RunLocal conducts a tournament and plays it with a worker in the same process. When stop is closed no further match is
// begun, and those that run are finished; when the context ends they are given up, and are played again by the next run.
// In both cases what was played is kept, and the error is [ErrStopped] unless that was the end anyway.
func RunLocal(ctx context.Context, stop <-chan struct{}, c *Coordinator, w *Worker) error {
	if over, err := c.prepare(ctx); over || err != nil { // before the worker asks for matches
		return err
	}
	conducting, endConducting := context.WithCancel(ctx)
	defer endConducting()
	over, leave := make(chan struct{}), make(chan struct{})
	var conducted error
	var others sync.WaitGroup
	others.Go(func() {
		defer close(over)
		conducted = c.Run(conducting)
	})
	others.Go(func() {
		defer close(leave)
		select {
		case <-stop:
		case <-over: // it is finished, or cannot go on
		}
	})
	worked := w.Run(ctx, leave)
	endConducting()
	others.Wait()
	if conducted == nil || errors.Is(conducted, ErrFenced) {
		return conducted
	}
	lasting, cancel := outlast(ctx, grace)
	defer cancel()
	finished, err := c.settle(lasting)
	switch {
	case err != nil, finished:
		return err
	case !errors.Is(conducted, ErrStopped):
		return conducted
	case worked != nil && ctx.Err() == nil:
		return worked
	default:
		return ErrStopped
	}
}
