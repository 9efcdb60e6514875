package league

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/gofrs/flock"
)

// Files is a [Store] of one file of JSON lines for each tournament, in a folder, and a lock beside it. The files are for
// their owner only: the seed of a tournament is secret until its end.
type Files struct{ dir string }

// NewFiles does not touch the folder before the first Append.
func NewFiles(dir string) *Files { return &Files{dir: dir} }

// LogSuffix ends the names of the files.
const LogSuffix = ".log.jsonl"

// CheckID says whether a text can be the id of a tournament: it names files and stands in subjects.
func CheckID(id string) error {
	if ok, err := regexp.MatchString(`^[a-z0-9][a-z0-9-]{0,39}$`, id); !ok || err != nil {
		return fmt.Errorf("%q cannot name a tournament: use 1 to 40 small letters, digits and -", id)
	}
	return nil
}

func (f *Files) path(id string) (string, error) {
	if err := CheckID(id); err != nil {
		return "", err
	}
	return filepath.Join(f.dir, id+LogSuffix), nil
}

// Events implements [Store]. A last line without its end was never acknowledged and does not count.
func (f *Files) Events(_ context.Context, id string) ([]Event, error) {
	path, err := f.path(id)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var events []Event
	number := 0
	for line := range bytes.Lines(data[:whole(data)]) {
		number++
		var event Event
		if err := json.Unmarshal(line, &event); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w; the file was damaged, restore it from a copy", path, number, err)
		}
		events = append(events, event)
	}
	return events, nil
}

// whole is the length of the data up to the last line end.
func whole(data []byte) int { return bytes.LastIndexByte(data, '\n') + 1 }

// Append implements [Store]. It returns when the line is on the disk.
func (f *Files) Append(_ context.Context, id string, event Event) error {
	path, err := f.path(id)
	if err != nil {
		return err
	}
	line, err := json.Marshal(event)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(f.dir, 0o750); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if err := f.append(path, append(line, '\n')); err != nil {
		return fmt.Errorf("log of %s: %w; results so far are kept, make room or choose another folder and run again", id, err)
	}
	return nil
}

func (f *Files) append(path string, line []byte) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // the sync has told all
	end, err := endOfWhole(file)
	if err != nil {
		return err
	}
	if _, err = file.WriteAt(line, end); err != nil {
		return errors.Join(err, file.Truncate(end))
	}
	if err := file.Sync(); err != nil || end > 0 {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes the name of a new file last. Systems on which a folder cannot be synced do so by themselves.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }() // nothing was written
	if err := dir.Sync(); err != nil && runtime.GOOS != "windows" {
		return err
	}
	return nil
}

// endOfWhole cuts off what a crash has left of a line, and returns where the next one begins.
func endOfWhole(file *os.File) (int64, error) {
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	end := info.Size()
	last := make([]byte, 1)
	for end > 0 {
		if _, err := file.ReadAt(last, end-1); err != nil {
			return 0, err
		}
		if last[0] == '\n' {
			break
		}
		end--
	}
	if end < info.Size() {
		return end, file.Truncate(end)
	}
	return end, nil
}

// Acquire implements [Store].
func (f *Files) Acquire(_ context.Context, id string) (release func(), err error) {
	path, err := f.path(id)
	if err != nil {
		return nil, err
	}
	if err = os.MkdirAll(f.dir, 0o750); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock of %s: %w", id, err)
	}
	if !got {
		return nil, fmt.Errorf("tournament %q: %w", id, ErrInUse)
	}
	return func() { _ = lock.Unlock() }, nil // the end of the program unlocks as well
}

// Tournaments implements [Store].
func (f *Files) Tournaments(context.Context) ([]string, error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	ids := make([]string, 0, len(entries))
	for _, entry := range entries {
		if id, ok := strings.CutSuffix(entry.Name(), LogSuffix); ok && CheckID(id) == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}
