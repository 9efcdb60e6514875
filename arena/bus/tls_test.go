package bus_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// TestOwnTLS: the certificate is for everybody, and its key for nobody else; both stay as they are as long as they serve.
func TestOwnTLS(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tls")
	_, err := bus.OwnTLS(dir, "127.0.0.1:0")
	require.NoError(t, err)
	made := contents(t, dir)
	if runtime.GOOS != "windows" {
		usual := filepath.Join(t.TempDir(), "usual") // whatever this machine takes away of rights
		require.NoError(t, os.WriteFile(usual, nil, 0o644))
		require.Equal(t, mode(t, usual), mode(t, filepath.Join(dir, bus.CertName)))
		require.Zero(t, mode(t, filepath.Join(dir, "key.pem"))&0o077)
	}
	_, err = bus.OwnTLS(dir, "127.0.0.1:0")
	require.NoError(t, err)
	require.Equal(t, made, contents(t, dir))
	_, err = bus.OwnTLS(dir, "127.0.0.9:0")
	require.NoError(t, err)
	require.NotEqual(t, made, contents(t, dir))
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Mode().Perm()
}
