package league

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// An import writes a log event by event. Before the first one it takes the import subject of the tournament, and it gives it
// up after the last: as long as there is a message, the log counts as not there. So nobody conducts, lists or counts a part
// of it. Meanwhile the importer answers on the control subject, as a coordinator does, so that what a killed one has left
// can be told from what is still coming.

// errImporting is wrapped by the error for a log that is being imported.
var errImporting = fmt.Errorf("%w yet: it is being imported", ErrNoTournament)

// importedError is the error for a tournament that another one imports. It is [ErrInUse] in other words.
type importedError struct{ id string }

func (e importedError) Error() string {
	return fmt.Sprintf("tournament %q is being imported already; wait for the end of that", e.id)
}

func (importedError) Is(target error) bool { return target == ErrInUse }

// checkWhole says whether a log is being imported.
func (s *Store) checkWhole(ctx context.Context, id string) error {
	if err := CheckID(id); err != nil {
		return err
	}
	importing, err := s.last(ctx, s.events, bus.ImportSubject(id))
	if err == nil && importing != nil {
		err = errImporting
	}
	if err != nil {
		return fmt.Errorf("tournament %q: %w", id, err)
	}
	return nil
}

// bring imports what is not there yet.
func (s *Store) bring(ctx context.Context, e *checkedExport) error {
	if err := s.alone(ctx, e.id); err != nil {
		return err
	}
	answers, err := s.nc.Subscribe(bus.ControlSubject(e.id), func(m *nats.Msg) {
		_ = m.Respond([]byte("tournament " + e.id + " is being imported; wait for its end")) // who asked can ask again
	})
	if err != nil {
		return err
	}
	log := s.writer(e.id, 0)
	begun := &writer{store: s, subject: bus.ImportSubject(e.id), token: log.token}
	err = begun.append(ctx, Event{})
	if errors.Is(err, ErrFenced) {
		err = importedError{e.id}
	}
	if err != nil {
		return errors.Join(err, answers.Unsubscribe())
	}
	x := importer{store: s, to: log.append}
	err = e.read(func(in io.Reader) error { return x.read(ctx, in) })
	if err == nil {
		err = s.purge(ctx, bus.Events, begun.subject)
	}
	if err = errors.Join(err, answers.Unsubscribe()); err != nil {
		lasting, cancel := s.outlast(ctx, grace)
		defer cancel()
		return errors.Join(err, s.dropImport(lasting, e.id))
	}
	m := s.newMark(e.id)
	m.lose(x.lost)
	m.write(x.state)
	return s.keepExport(ctx, e.id)
}

// dropImports tries to remove what imports have left that were interrupted. Nobody sees it, so it can stay until the next try.
func (s *Store) dropImports(ctx context.Context, ids []string) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	for _, id := range ids {
		if s.bus.Room() == nil && s.dropImport(ctx, id) != nil && ctx.Err() != nil {
			return
		}
	}
}

// dropImport removes what an import has left that was interrupted. What somebody else has begun under the same name stays.
func (s *Store) dropImport(ctx context.Context, id string) error {
	begun, err := s.last(ctx, s.events, bus.ImportSubject(id))
	if err != nil || begun == nil {
		return err
	}
	if err = s.alone(ctx, id); errors.Is(err, ErrInUse) {
		return importedError{id}
	}
	if err != nil {
		return err
	}
	end, err := s.last(ctx, s.events, bus.EventSubject(id))
	if err != nil {
		return err
	}
	if end != nil && token(end.Header) == token(begun.Header) {
		err = errors.Join(
			s.purge(ctx, bus.Results, bus.ResultSubjects(id)),
			s.purge(ctx, bus.Events, bus.EventSubject(id)),
		)
	}
	if err != nil {
		return err
	}
	return s.remove(ctx, s.events, begun.Sequence)
}

// token is that of the writer of a message.
func token(header nats.Header) string {
	token, _, _ := strings.Cut(header.Get(headerWriter), " ")
	return token
}
