package league

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
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
	lasting := context.WithoutCancel(ctx) // what was played is kept, also when the run ends meanwhile
	var appending sync.Mutex
	var stopped atomic.Bool
	group, playing := errgroup.WithContext(ctx)
	group.SetLimit(max(1, r.Jobs))
	for i, match := range s.Matches {
		if s.Results[i] != nil {
			continue
		}
		group.Go(func() error {
			if closed(stop) {
				stopped.Store(true) // and no error, which would end the matches that still run
				return nil
			}
			if err := playing.Err(); err != nil {
				return err
			}
			result, err := r.Referee.Play(playing, match)
			if err != nil {
				return err
			}
			appending.Lock()
			defer appending.Unlock()
			return r.Store.Append(lasting, s.ID, Event{Played: &result})
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if stopped.Load() {
		return ErrStopped
	}
	now := time.Now().UTC()
	return r.Store.Append(lasting, s.ID, Event{Finished: &now})
}

func closed(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}
