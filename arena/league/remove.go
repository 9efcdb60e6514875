package league

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// ErrForgotten is returned for a tournament of which only leftovers were there to be removed.
var ErrForgotten = errors.New("its log was gone already; what was left of it is removed")

// Remove deletes a tournament that is over, to make room: its log, its results, and its export in the folder. Take the
// export first if it is to be imported again. A removal that was interrupted can be repeated. Of a tournament whose log was
// lost it removes what is left, and returns [ErrForgotten]. One whose log was damaged need not be over: nobody can tell.
func (s *Store) Remove(ctx context.Context, id string) error {
	return s.withRoom(ctx, removeWithin, func(ctx context.Context) error { return s.removeAll(ctx, id) })
}

func (s *Store) removeAll(ctx context.Context, id string) error {
	state, err := s.Load(ctx, id)
	forgotten, damaged := errors.Is(err, ErrNoTournament) && s.marked(id), errors.Is(err, ErrDamaged)
	if err != nil && !forgotten && !damaged {
		return err
	}
	if err == nil && !state.Phase.Over() {
		return fmt.Errorf("tournament %s is %s; cancel it before you remove it", id, state.Phase)
	}
	if err = s.alone(ctx, id); err != nil {
		return err
	}
	if s.dir != "" { // before what would else be missed
		for _, path := range []string{s.markPath(id), s.splicePath(id), s.exportPath(id)} {
			if err = os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	err = errors.Join(
		s.purge(ctx, bus.Jobs, bus.JobSubjects("*", id)),
		s.purge(ctx, bus.Reports, s.bus.CoordinatorConsumer(id).FilterSubject),
		s.dropReplays(ctx, id),
		s.purge(ctx, bus.Results, bus.ResultSubjects(id)),
	)
	if err != nil {
		return err
	}
	if forgotten {
		return ErrForgotten
	}
	return s.purge(ctx, bus.Events, bus.EventSubject(id))
}
