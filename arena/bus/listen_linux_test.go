package bus_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// listens looks at what the kernel says of the sockets of this process.
func listens(t *testing.T) bool {
	t.Helper()
	own := map[string]bool{}
	files, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	for _, file := range files {
		target, err := os.Readlink(file)
		if inode, ok := strings.CutPrefix(target, "socket:["); ok && err == nil {
			own[strings.TrimSuffix(inode, "]")] = true
		}
	}
	for _, table := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		text, err := os.ReadFile(table)
		if os.IsNotExist(err) {
			continue
		}
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			const listen, state, inode = "0A", 3, 9
			fields := strings.Fields(line)
			if len(fields) > inode && fields[state] == listen && own[fields[inode]] {
				return true
			}
		}
	}
	return false
}
