package league

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/fivethreefive/fivethreefive/arena"
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
	open := false
	for _, id := range ids {
		err := s.settleOne(ctx, id, slices.Contains(damage.Streams, bus.Results))
		switch {
		case errors.Is(err, ErrNoTournament): // nothing is left of it
		case errors.Is(err, ErrInUse): // who coordinates it will mend it
		case errors.Is(err, ErrDamaged):
			s.log.Error("a tournament cannot be mended", "tournament", id, "error", err)
		case err != nil:
			if err = s.spare(ctx, id, err); err != nil {
				return err
			}
			open = true
		}
	}
	if open {
		return nil // and the next who opens the store tries again
	}
	return s.bus.Settled()
}

// spare tells of a tournament that could not be mended, so that all others can go on without it, and has the whole store
// verified the next time. It gives the error back where nobody can go on: when the context has ended, or when a log was left
// half written, which looks like a whole one.
func (s *Store) spare(ctx context.Context, id string, err error) error {
	if err == nil {
		return nil
	}
	if _, splicing := os.Stat(s.splicePath(id)); ctx.Err() != nil || splicing == nil {
		return fmt.Errorf("mend tournament %s: %w", id, err)
	}
	s.log.Error("a tournament cannot be mended; it is tried again when its folder is opened the next time, and the others go on",
		"tournament", id, "error", err)
	s.bus.Doubt()
	return nil
}

func (s *Store) settleOne(ctx context.Context, id string, results bool) error {
	state, err := s.mended(ctx, id)
	if err != nil || !results {
		return err
	}
	if were, missing := readMark(s.markPath(id)); missing == nil && state.events < were.Events {
		return nil // it has lost its end, and is mended as a whole when the marks are checked
	}
	stored, err := s.subjects(ctx, s.results, bus.ResultSubjects(id))
	if err != nil || len(stored)+s.newMark(id).lost() >= state.Played() {
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

// lostResults brings results back from the export, and says which way it went, once.
func (s *Store) lostResults(ctx context.Context, id string) error {
	brought, err := s.restoreResults(ctx, id)
	if err != nil {
		return err
	}
	if brought == 0 {
		s.log.Error("results of a tournament were lost: the store was damaged. Standings and ratings are in its log, and do not change; "+
			"its export will have of those matches what the log has", "tournament", id)
	}
	state, err := s.Load(ctx, id)
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrNoTournament) { // of which is told elsewhere
		return nil
	}
	if err != nil {
		return err
	}
	stored, err := s.subjects(ctx, s.results, bus.ResultSubjects(id))
	if err != nil {
		return err
	}
	m := s.newMark(id)
	m.lose(max(0, state.Played()-len(stored)))
	m.write(state)
	return nil
}

// restoreResults brings those results back from the export that are not stored, and counts them.
func (s *Store) restoreResults(ctx context.Context, id string) (brought int, err error) {
	file, err := s.soundExport(ctx, id)
	if file == nil || err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }() // it was only read
	if brought, err = s.importResults(ctx, id, file); err != nil {
		return brought, fmt.Errorf("restore %s from %s: %w", id, file.Name(), err)
	}
	if brought > 0 {
		s.log.Error("results of a tournament were lost: the store was damaged. They are restored from its export", "tournament", id, "results", brought)
	}
	return brought, nil
}

// keptResult is what the export that is kept has of a match: nil if that is not there, or not sound. A damaged result that still
// has its place among those that are stored takes no other one in.
func (s *Store) keptResult(ctx context.Context, id string, number int) (kept *arena.Result, err error) {
	file, err := s.soundExport(ctx, id)
	if file == nil || err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	err = readExport(file, func(_ int, line exportLine) error {
		if line.Number == number && line.Result != nil {
			kept = line.Result
		}
		return nil
	})
	return kept, err
}

// restore brings a tournament back from its export, if there is one that is sound. The caller knows that nobody else writes it.
// What is there of its log stays until all that takes its place is on the disk.
func (s *Store) restore(ctx context.Context, id, what string) (bool, error) {
	file, err := s.soundExport(ctx, id)
	if file == nil || err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }() // it was only read
	var log []Event
	x := importer{store: s, to: func(_ context.Context, e Event) error {
		log = append(log, e)
		return nil
	}}
	err = x.read(ctx, file)
	if errors.Is(err, errOtherResult) {
		s.log.Error("the export of a tournament is of no use", "tournament", id, "file", file.Name(), "error", err)
		return false, nil
	}
	if err == nil {
		s.log.Error(what+": the store was damaged. It is restored from its export", "tournament", id)
		err = s.rewrite(ctx, id, log)
	}
	if err != nil {
		return false, fmt.Errorf("restore %s from %s: %w", id, file.Name(), err)
	}
	m := s.newMark(id)
	m.lose(x.lost)
	m.write(x.state)
	return true, nil
}
