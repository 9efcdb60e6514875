package smallfile_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/internal/smallfile"
)

// TestRefuse has files that would hold up whoever reads them. The pipe has no writer, so that to open it would wait.
func TestRefuse(t *testing.T) {
	dir := t.TempDir()
	pipe, socket := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	listener, err := new(net.ListenConfig).Listen(t.Context(), "unix", socket)
	require.NoError(t, err)
	defer listener.Close()
	for path, kind := range map[string]string{pipe: "a pipe", socket: "a socket", "/dev/zero": "a device"} {
		for _, name := range []string{path, filepath.Join(dir, "link to "+filepath.Base(path))} {
			if name != path {
				require.NoError(t, os.Symlink(path, name))
			}
			_, err := smallfile.Read(name)
			require.EqualError(t, err, name+" is no regular file but "+kind)
		}
	}
}

// TestFalseSize reads a file that is called empty and is larger than what is read.
func TestFalseSize(t *testing.T) {
	const file = "/proc/kallsyms"
	info, err := os.Stat(file)
	if err != nil {
		t.Skip("this kernel has no such file")
	}
	require.True(t, info.Mode().IsRegular())
	require.Zero(t, info.Size())
	_, err = smallfile.Read(file)
	require.ErrorContains(t, err, "is too large")
}
