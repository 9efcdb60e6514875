//go:build unix

package sandbox_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/arena/sandbox/sandboxtest"
)

// TestHostileFolder: a temporary folder is removed also where a bot has closed what is in it, at the latest by Close.
func TestHostileFolder(t *testing.T) {
	parent := t.TempDir()
	l, err := sandbox.New(sandboxtest.Config(false))
	require.NoError(t, err)
	removed, remove, err := l.TempDir(parent, "removed-")
	require.NoError(t, err)
	closed, _, err := l.TempDir(parent, "closed-")
	require.NoError(t, err)
	for _, dir := range []string{removed, closed} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o700))
		write(t, filepath.Join(dir, "a", "b", "file"), "", 0)
		require.NoError(t, os.Chmod(filepath.Join(dir, "a", "b"), 0o500))
		require.NoError(t, os.Chmod(filepath.Join(dir, "a"), 0))
	}
	require.NoError(t, remove())
	require.NoDirExists(t, removed)
	require.DirExists(t, closed)
	require.NoError(t, l.Close())
	require.NoDirExists(t, closed)
}
