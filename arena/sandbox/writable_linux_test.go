package sandbox_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/arena/sandbox/sandboxtest"
)

// TestWritable: a process that may write to its folder writes there and nowhere else, under the limit on files.
func TestWritable(t *testing.T) {
	l, err := sandbox.New(sandboxtest.Config(true))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	parent := t.TempDir()
	own, other := filepath.Join(parent, "own"), filepath.Join(parent, "other")
	for _, dir := range []string{own, other} {
		require.NoError(t, os.Mkdir(dir, 0o700))
		require.NoError(t, os.Chmod(dir, 0o777))
	}
	script := `echo made > made; mkdir deep; echo x > deep/x; mv deep/x moved; rm moved
echo x > ../beside; echo x > ` + other + `/x; echo x > /usr/x; head -c 300000 /dev/zero > big; ls /proc/self/root` + parent
	for _, writable := range []bool{true, false} {
		p, failure := l.Start(sandbox.Spec{
			Args: []string{"/bin/sh", "-c", script}, Dir: own, Env: []string{"PATH=/usr/bin:/bin"}, Writable: writable,
			Limits: sandbox.Limits{Scratch: 200_000},
		})
		require.NoError(t, failure)
		seen := readAll(t, p)
		require.NoError(t, p.Kill())
		assert.NotContains(t, seen, "other")
		_, err = os.Stat(filepath.Join(own, "made"))
		assert.Equal(t, writable, err == nil, p.Stderr().String())
		if big, missing := os.Stat(filepath.Join(own, "big")); writable && assert.NoError(t, missing) {
			assert.LessOrEqual(t, big.Size(), int64(200_000))
		}
		assert.NoFileExists(t, filepath.Join(parent, "beside"))
		assert.NoFileExists(t, filepath.Join(other, "x"))
		assert.NoFileExists(t, "/usr/x")
		require.NoError(t, os.RemoveAll(filepath.Join(own, "made")))
	}
	_, err = l.Start(sandbox.Spec{Args: []string{"/bin/true"}, Env: []string{"PATH=/bin"}, Writable: true})
	require.ErrorContains(t, err, "has to be one of its own")
}
