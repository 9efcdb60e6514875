package league

import (
	"context"
	"fmt"
	"io"
	"time"
)

// compare gives [ErrThere] if a tournament that is over has come to what an export says, and brings those results back that are
// not stored. Times may differ, or be left out on either side; attempts and pauses are in no export. Results are compared by
// what the log has of them, which is all that counts.
func (s *Store) compare(ctx context.Context, e *checkedExport) error {
	own := exporter{store: s, out: io.Discard, brief: true}
	if err := own.export(ctx, e.id); err != nil {
		return err
	}
	given := exporter{out: io.Discard}
	err := e.read(func(in io.Reader) error {
		return readExport(in, func(_ int, line exportLine) error { return given.write(line.brief()) })
	})
	if err != nil {
		return err
	}
	if own.sum != given.sum {
		return fmt.Errorf("tournament %q %w", e.id, ErrAnother)
	}
	err = e.read(func(in io.Reader) error {
		_, bringing := s.importResults(ctx, e.id, in)
		return bringing
	})
	if err != nil {
		return err
	}
	return ErrThere
}

// brief has of a result what a log has.
func (l exportLine) brief() exportLine {
	if l.Result != nil {
		played := PlayedOf(l.Number, *l.Result)
		l.Result, l.ResultLost = nil, &played
	}
	return l
}

func (l exportLine) withoutTimes() exportLine {
	if l.Tournament != nil {
		t := *l.Tournament
		t.Created = time.Time{}
		l.Tournament = &t
	}
	if l.Result != nil {
		result := l.Result.WithoutTimes()
		l.Result = &result
	}
	if l.ResultLost != nil {
		played := l.ResultLost.withoutTimes()
		l.ResultLost = &played
	}
	l.Cancelled, l.Finished = l.Cancelled.withoutTime(), l.Finished.withoutTime()
	return l
}

func (e *End) withoutTime() *End {
	if e == nil {
		return nil
	}
	return &End{Notes: e.Notes}
}
