package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// openReplay opens the file of a replay. What would wait for somebody to write to it, as a pipe does, is no such file, nor is
// what begins neither as JSON nor as gzip.
func openReplay(path string) (_ *os.File, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s: %w; give the file of a replay", path, errNotFound)
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, usagef("%s is a folder; name one of the replays in it", path)
	case !info.Mode().IsRegular():
		return nil, usagef("%s is no file but a pipe or a device; write the replay to a file, and name that", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	begin := make([]byte, 20)
	n, err := file.ReadAt(begin, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, file.Close())
	}
	if begin, _, _ = bytes.Cut(begin[:n], []byte("\n")); n > 0 && !bytes.HasPrefix(begin, []byte("{")) && !bytes.HasPrefix(begin, []byte("\x1f\x8b")) {
		_ = file.Close()
		return nil, fmt.Errorf("%s is no replay: it begins with %q, and a replay with {", path, begin)
	}
	return file, nil
}
