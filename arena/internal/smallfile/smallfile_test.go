package smallfile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/internal/smallfile"
)

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	for _, size := range []int{0, 1, smallfile.Most} {
		want := strings.Repeat("x", size)
		require.NoError(t, os.WriteFile(path, []byte(want), 0o600))
		got, err := smallfile.Read(path)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
	link := path + ".link"
	require.NoError(t, os.Symlink(path, link))
	got, err := smallfile.Read(link)
	require.NoError(t, err)
	require.Len(t, got, smallfile.Most)

	require.NoError(t, os.WriteFile(path, make([]byte, smallfile.Most+1), 0o600))
	_, err = smallfile.Read(path)
	require.EqualError(t, err, path+" is too large; at most 1048576 bytes are read")
	_, err = smallfile.Read(path + ".nowhere")
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = smallfile.Read(filepath.Dir(path))
	require.EqualError(t, err, filepath.Dir(path)+" is no regular file but a folder")
}
