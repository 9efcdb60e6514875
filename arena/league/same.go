package league

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"time"
)

// ErrThere says that an import brought nothing new.
var ErrThere = errors.New("is there already")

// Holds reports whether a tournament that is stored and over has come to what an export says. Times may differ, or be left out
// on either side; attempts and pauses are in no export.
func (s *Store) Holds(ctx context.Context, id string, in io.Reader) (bool, error) {
	own, given := sha256.New(), sha256.New()
	if err := s.Export(ctx, id, own, false); err != nil {
		return false, err
	}
	x := exporter{out: given}
	err := readExport(in, func(_ int, line exportLine) error { return x.write(line.withoutTimes()) })
	return bytes.Equal(own.Sum(nil), given.Sum(nil)), err
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
