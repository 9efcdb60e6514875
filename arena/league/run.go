package league

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/fivethreefive/fivethreefive/arena"
)

// Runner plays the matches of a tournament that have no result yet.
type Runner struct {
	Store   Store
	Referee interface {
		Play(ctx context.Context, m arena.Match) (arena.Result, error)
	}
	Jobs int // matches at once; less than 1 is 1
}

// ErrStopped is returned when a run ended early because it was asked to.
var ErrStopped = errors.New("stopped before the end")

// Run plays until all matches have a result, and then closes the log. When stop is closed it begins no further match,
// finishes those that run, and returns ErrStopped; when the context ends it gives those up too, and they are played again
// by the next run. An error of the arena's own ends the run; all that was finished is kept.
func (r Runner) Run(ctx context.Context, stop <-chan struct{}, s State) error {
	if s.Finished {
		return nil
	}
	results := make(chan arena.Result)
	group, playing := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(results)
		return r.playAll(playing, stop, s, results)
	})
	group.Go(func() error {
		for result := range results {
			if err := r.Store.Append(playing, s.ID, Event{Played: &result}); err != nil {
				return err
			}
		}
		return nil
	})
	if err := group.Wait(); err != nil {
		return err
	}
	now := time.Now().UTC()
	return r.Store.Append(ctx, s.ID, Event{Finished: &now})
}

// playAll hands over each result as it comes.
func (r Runner) playAll(ctx context.Context, stop <-chan struct{}, s State, results chan<- arena.Result) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, r.Jobs))
	stopped := func() bool {
		select {
		case <-stop:
			return true
		case <-ctx.Done():
			return true
		default:
			return false
		}
	}
	early := false
	for i, match := range s.Matches {
		if s.Results[i] != nil {
			continue
		}
		if early = stopped(); early {
			break
		}
		group.Go(func() error {
			if stopped() {
				return ErrStopped
			}
			result, err := r.Referee.Play(ctx, match)
			if err != nil {
				return err
			}
			select {
			case results <- result:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}
	err := group.Wait()
	if early && err == nil {
		return ErrStopped
	}
	return err
}
