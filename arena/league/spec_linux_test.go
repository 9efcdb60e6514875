package league_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// TestReadSpecThatNeverEnds: to open the pipe would wait for a writer, and the device has no end.
func TestReadSpecThatNeverEnds(t *testing.T) {
	dir := t.TempDir()
	pipe, device := filepath.Join(dir, "pipe.toml"), filepath.Join(dir, "device.toml")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	require.NoError(t, os.Symlink("/dev/zero", device))
	_, err := league.ReadSpec(pipe)
	require.EqualError(t, err, "tournament file: "+pipe+" is no regular file but a pipe")
	_, err = league.ReadSpec(device)
	require.EqualError(t, err, "tournament file: "+device+" is no regular file but a device")
}
