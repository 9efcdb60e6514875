package league

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxSpool bounds the export that comes through a pipe, in bytes.
const maxSpool = 4 << 30

var errSpool = errors.New("it is longer than 4 GiB; save it as a file, and import that")

// checkExport looks at an export without a store: whether its digests are right, its events follow from each other, and its end
// is there. It gives the id of its tournament.
func checkExport(ctx context.Context, in io.Reader) (string, error) {
	x := importer{}
	if err := x.read(ctx, in); err != nil {
		return "", err
	}
	return x.state.ID, nil
}

// checkedExport is an export that was read to its end once, and is sound.
type checkedExport struct {
	id    string // of its tournament
	file  io.ReadSeeker
	start int64
	close func()
}

// read reads it again from its beginning.
func (e *checkedExport) read(read func(io.Reader) error) error {
	if _, err := e.file.Seek(e.start, io.SeekStart); err != nil {
		return err
	}
	return read(e.file)
}

// checked reads an export and checks it. What cannot be read twice is kept in a file until close is called.
func checked(ctx context.Context, in io.Reader) (e *checkedExport, err error) {
	if twice, ok := in.(io.ReadSeeker); ok && regular(in) {
		e = &checkedExport{file: twice, close: func() {}}
		if e.start, err = twice.Seek(0, io.SeekCurrent); err == nil {
			e.id, err = checkExport(ctx, twice)
		}
		return e, err
	}
	spool, err := os.CreateTemp("", "arena-import-*")
	if err != nil {
		return nil, fmt.Errorf("keep what is read: %w", err)
	}
	e = &checkedExport{file: spool, close: func() {
		_ = spool.Close() // what was written is of no use any more
		_ = os.Remove(spool.Name())
	}}
	bounded := &io.LimitedReader{R: in, N: maxSpool + 1}
	e.id, err = checkExport(ctx, io.TeeReader(bounded, spool))
	if bounded.N == 0 {
		err = errSpool
	}
	if err != nil {
		e.close()
	}
	return e, err
}

// regular reports whether what is read is the same when it is read again.
func regular(in io.Reader) bool {
	file, ok := in.(*os.File)
	if !ok {
		return true
	}
	info, err := file.Stat()
	return err == nil && info.Mode().IsRegular()
}

// soundExport opens the export that is kept of a tournament, at its beginning: nil if there is none, or it is damaged as well.
// The caller closes it.
func (s *Store) soundExport(ctx context.Context, id string) (*os.File, error) {
	if s.dir == "" {
		return nil, nil
	}
	file, err := os.Open(s.exportPath(id))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		if err = sound(ctx, file, id); err == nil {
			return file, nil
		}
		_ = file.Close() // it was only read
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s.log.Error("the export of a tournament is damaged as well", "tournament", id, "file", s.exportPath(id), "error", err)
	return nil, nil
}

func sound(ctx context.Context, file *os.File, id string) error {
	of, err := checkExport(ctx, file)
	if err == nil && of != id {
		err = fmt.Errorf("it is of tournament %q: %w", of, ErrExport)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	return err
}
