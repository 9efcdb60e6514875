//go:build unix

package pack_test

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/fivethreefive/fivethreefive/arena/registry/pack"
)

// TestOddFiles: what is in the folder of an author and is no file is refused by name, and not opened: a pipe would wait for ever.
func TestOddFiles(t *testing.T) {
	for want, put := range map[string]func(path string) error{
		`"odd" is a link`:                 func(path string) error { return os.Symlink("/etc/passwd", path) },
		`"odd" is a pipe`:                 func(path string) error { return unix.Mkfifo(path, 0o600) },
		`"odd" is a socket`:               listen,
		"is not UTF-8":                    func(path string) error { return os.WriteFile(path+"\xff", nil, 0o600) },
		"cannot be printed":               func(path string) error { return os.WriteFile(path+"\x1b[2J", nil, 0o600) },
		"a backslash or a colon":          func(path string) error { return os.WriteFile(path+`\..\x`, nil, 0o600) },
		`"ODD" and "odd" have one name`:   func(path string) error { return twins(path, "ODD") },
		`"bot.toml" is a link; a package`: func(path string) error { return os.Symlink("odd", filepath.Join(filepath.Dir(path), "bot.toml")) },
	} {
		t.Run(want, func(t *testing.T) {
			dir := folder(t, nil)
			require.NoError(t, put(filepath.Join(dir, "odd")))
			_, err := pack.Pack(t.Context(), dir, &bytes.Buffer{})
			require.ErrorIs(t, err, pack.ErrRefused)
			require.ErrorContains(t, err, want)
		})
	}
}

func twins(path, other string) error {
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(filepath.Dir(path), other), nil, 0o600)
}

func listen(path string) error {
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		return err
	}
	listener.SetUnlinkOnClose(false)
	return listener.Close()
}

// TestHardLink: a file with two names is packed as two files.
func TestHardLink(t *testing.T) {
	dir := folder(t, map[string]string{"a": "text"})
	require.NoError(t, os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "b")))
	var packed bytes.Buffer
	_, err := pack.Pack(t.Context(), dir, &packed)
	require.NoError(t, err)
	out := empty(t)
	_, err = pack.Unpack(t.Context(), &packed, out)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"a": "text", "b": "text"}, contents(t, out))
}
