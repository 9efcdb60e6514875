package league

import (
	"context"
	"errors"
	"fmt"
)

// ErrExists is wrapped by the error for an id that is taken.
var ErrExists = errors.New("there is a tournament of this name already; choose another name")

// New begins the log of a tournament that is not to be started yet: it is paused until it is resumed.
func (s *Store) New(ctx context.Context, t Tournament) (*State, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	paused := t.Created
	first := Event{N: 1, Created: &t, Paused: &paused}
	err := s.withRoom(ctx, littleWithin, func(ctx context.Context) error { return s.writer(t.ID, 0).append(ctx, first) })
	if errors.Is(err, ErrFenced) {
		return nil, fmt.Errorf("tournament %q: %w", t.ID, ErrExists)
	}
	if err != nil {
		return nil, err
	}
	return s.begun(first)
}

// begun folds the first event of a log, and marks it, so that it would be missed.
func (s *Store) begun(first Event) (*State, error) {
	state, err := Fold(first)
	if err == nil {
		s.newMark(state.ID).write(state)
	}
	return state, err
}
