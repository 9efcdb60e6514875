package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// TempDir makes a folder like [os.MkdirTemp], and gives what removes it with all that a bot may have put there. Otherwise Close
// removes it, or, where this program is killed, its warden when the bots are dead.
func (l *Launcher) TempDir(parent, pattern string) (dir string, remove func() error, err error) {
	if dir, err = os.MkdirTemp(parent, pattern); err != nil {
		return "", nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", nil, err
	}
	l.mu.Lock()
	l.folders[dir] = struct{}{}
	l.mu.Unlock()
	l.guard.tell(wordFolder, strconv.Quote(dir)) // of a line in quotes one can tell that it is whole
	return dir, func() error { return l.removeTemp(dir) }, nil
}

func (l *Launcher) removeTemp(dir string) error {
	if err := removeFolder(dir); err != nil {
		return err
	}
	l.mu.Lock()
	delete(l.folders, dir)
	l.mu.Unlock()
	l.guard.tell(wordRemoved, strconv.Quote(dir))
	return nil
}

// removeFolder also removes what is in folders that their owner may not look into or change.
func removeFolder(dir string) error {
	err := os.RemoveAll(dir)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			_ = os.Chmod(path, 0o700) //nolint:gosec // a folder needs it
		}
		return nil
	})
	return os.RemoveAll(dir)
}
