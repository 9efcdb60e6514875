// Package files writes files that are whole or not there: whatever ends the program, a name leads to the old content or to
// the new. It knows nothing of what is in them.
package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// File is being written under a hidden name beside its own, which it gets from Commit.
type File struct {
	*os.File

	path string
}

// Create begins a file in a folder that is there. What a killed program left of the same file is replaced, so there is never
// more than one beginning of it; two programs must not write one file at the same time.
func Create(path string, mode fs.FileMode) (*File, error) {
	writing := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".writing")
	if err := os.Remove(writing); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	file, err := os.OpenFile(writing, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		failed.Path = path // which the user knows
	}
	if err != nil {
		return nil, err
	}
	return &File{File: file, path: path}, nil
}

// Commit closes the file and gives it its name, or removes it if err, from writing it, says that it is not whole. It does not
// wait for the disk; where the content must survive the end of power, call Sync before.
func (f *File) Commit(err error) error {
	if err != nil {
		return errors.Join(err, f.Discard())
	}
	if err = f.Close(); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), f.path)
}

// Discard closes the file and leaves nothing of it.
func (f *File) Discard() error { return errors.Join(f.Close(), os.Remove(f.Name())) }

// Write makes a file of what a function writes, and returns when it and its name are on the disk.
func Write(path string, mode fs.FileMode, write func(io.Writer) error) error {
	file, err := Create(path, mode)
	if err != nil {
		return err
	}
	if err = write(file); err == nil {
		err = file.Sync()
	}
	if err = file.Commit(err); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// Replace is Write of what is at hand, for the user alone. It makes the folder.
func Replace(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return Write(path, 0o600, func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	})
}

// SyncDir makes the names in a folder survive the end of power.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // it has no such thing
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// target is where links lead, also to a file that is not there yet.
func target(path string) string {
	const most = 40 // links one behind the other, as in Linux
	for range most {
		to, err := os.Readlink(path)
		if err != nil {
			return path // it is no link
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path
}

// Output is Write for a path that a user has named: links are followed, and what is no file, such as a device or a pipe, is
// just written to.
func Output(path string, mode fs.FileMode, write func(io.Writer) error) error {
	path = target(path)
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
		return Write(path, mode, write)
	}
	out, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(out), out.Close())
}
