package sandbox

import (
	"bufio"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Children that share the memory of their parent do not multiply it.
func TestExceedsCountsSharedOnce(t *testing.T) {
	cmd := exec.Command("python3", "-c", `
import os, sys
b = bytearray(b'x') * (50 << 20)
r, w = os.pipe()
for _ in range(8):
    if os.fork() == 0:
        os.write(w, b'x')
        sys.stdin.read()
        os._exit(0)
for _ in range(8): os.read(r, 1)
print('ready', flush=True)
sys.stdin.read()`)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	var s survey
	members, whole := s.look(cmd.Process.Pid, true)
	assert.True(t, whole)
	assert.Len(t, members, 9)
	var quick int64
	for _, m := range members {
		quick += s.resident(m.pid)
	}
	assert.Greater(t, quick, int64(256<<20))
	assert.False(t, s.exceeds(cmd.Process.Pid, 256<<20))
	assert.True(t, s.exceeds(cmd.Process.Pid, 50<<20))
	require.NoError(t, in.Close())
	require.NoError(t, cmd.Wait())
}
