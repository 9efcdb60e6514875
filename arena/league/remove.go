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
// lost it removes what is left, and returns [ErrForgotten].
func (s *Store) Remove(ctx context.Context, id string) error {
	state, err := s.Load(ctx, id)
	forgotten := errors.Is(err, ErrNoTournament) && s.marked(id)
	if err != nil && !forgotten {
		return err
	}
	if !forgotten && !state.Phase.Over() {
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
