// Package smallfile reads files that people write by hand, and nothing that never ends.
package smallfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Most is the size in bytes of the largest file that is read.
const Most = 1 << 20

// Read reads a file. It refuses what is no regular file before it opens it, since that alone may wait for ever or set
// something off, and what has more than Most bytes, whatever its size is said to be. Where there is no file the error is
// fs.ErrNotExist.
func Read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file but %s", path, kind(info.Mode()))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // nothing was written
	text, err := io.ReadAll(io.LimitReader(file, Most+1))
	if err != nil {
		return nil, err
	}
	if len(text) > Most {
		return nil, fmt.Errorf("%s is too large; at most %d bytes are read", path, Most)
	}
	return text, nil
}

func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	default:
		return "a device"
	}
}
