package league

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// settle mends all tournaments after messages of the store were lost. It needs this process to run the server.
func (s *Store) settle(ctx context.Context) error {
	damage := s.bus.Damage()
	if damage == nil || s.dir == "" {
		return nil
	}
	ids, err := s.Tournaments(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		err := s.settleOne(ctx, id, slices.Contains(damage.Streams, bus.Results))
		switch {
		case errors.Is(err, ErrNoTournament): // nothing is left of it
		case errors.Is(err, ErrInUse): // who coordinates it will mend it
		case errors.Is(err, ErrDamaged):
			s.log.Error("a tournament cannot be mended", "tournament", id, "error", err)
		case err != nil:
			return fmt.Errorf("mend tournament %s: %w", id, err)
		}
	}
	return s.bus.Settled()
}

func (s *Store) settleOne(ctx context.Context, id string, results bool) error {
	state, err := s.mended(ctx, id)
	if err != nil || !results {
		return err
	}
	stored, err := s.subjects(ctx, s.results, bus.ResultSubjects(id))
	if err != nil || len(stored) >= state.Played() {
		return err
	}
	return s.lostResults(ctx, id)
}

// mended loads a tournament whose log may have holes, or may have been left half mended.
func (s *Store) mended(ctx context.Context, id string) (*State, error) {
	if err := s.finishSplice(ctx, id); err != nil {
		return nil, err
	}
	state, err := s.Load(ctx, id)
	if !errors.Is(err, ErrDamaged) {
		return state, err
	}
	if err = s.alone(ctx, id); err == nil {
		err = s.mendLog(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	return s.Load(ctx, id)
}

// lostResults brings results back from the export, and without one says that they are lost.
func (s *Store) lostResults(ctx context.Context, id string) error {
	file, err := os.Open(s.exportPath(id))
	if errors.Is(err, fs.ErrNotExist) {
		s.log.Error("results of a tournament were lost: the store was damaged. Standings and ratings are in its log, and do not change; "+
			"its export will have of those matches what the log has", "tournament", id)
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	s.log.Error("results of a tournament were lost: the store was damaged. They are restored from its export", "tournament", id)
	if err := s.importResults(ctx, id, file); err != nil {
		return fmt.Errorf("restore %s from %s: %w", id, file.Name(), err)
	}
	return nil
}

// restore brings a tournament back from its export, if there is one.
func (s *Store) restore(ctx context.Context, id, what string) (bool, error) {
	if s.dir == "" {
		return false, nil
	}
	file, err := os.Open(s.exportPath(id))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }() // it was only read
	if err = readExport(file, func(int, exportLine) error { return nil }); err != nil {
		s.log.Error("the export of a tournament is damaged as well", "tournament", id, "file", file.Name(), "error", err)
		return false, nil
	}
	s.log.Error(what+": the store was damaged. It is restored from its export", "tournament", id)
	if _, err = file.Seek(0, 0); err == nil {
		err = s.purge(ctx, bus.Events, bus.EventSubject(id))
	}
	if err == nil {
		_, err = s.Import(ctx, file)
	}
	if err != nil {
		return false, fmt.Errorf("restore %s from %s: %w", id, file.Name(), err)
	}
	state, err := s.Load(ctx, id)
	if err == nil {
		s.newMark(id).write(state)
	}
	return true, err
}
