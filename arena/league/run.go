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
	preparing, cancel := until(ctx, stop)
	over, err := c.prepare(preparing) // before the worker asks for matches
	stopped := preparing.Err() != nil
	cancel()
	switch {
	case err != nil && stopped:
		return ErrStopped
	case over, err != nil:
		return err
	}
	return c.runWith(ctx, stop, w)
}

// until gives a context that ends when stop is closed as well.
func until(ctx context.Context, stop <-chan struct{}) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

func (c *Coordinator) runWith(ctx context.Context, stop <-chan struct{}, w *Worker) error {
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
	lasting, cancel := c.store.outlast(ctx, grace)
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
