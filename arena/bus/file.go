package bus

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// replaceFile leaves the old content or the new one, whatever happens. It makes the folder if need be.
func replaceFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	// The server takes no file of such a name for one of its own.
	file, err := os.OpenFile(path+".writing", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes the names in a folder last.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // it has no such thing
	}
	file, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}
