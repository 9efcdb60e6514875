package files_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/files"
)

func text(s string) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := io.WriteString(out, s)
		return err
	}
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

func TestWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	file, err := files.Create(path, 0o600)
	require.NoError(t, err)
	_, err = file.WriteString("half")
	require.NoError(t, err)
	require.Equal(t, []string{".f.writing"}, namesIn(t, dir), "it has no name before it is whole")
	require.NoError(t, files.Write(path, 0o600, text("whole")), "a killed program has left a beginning")
	require.Equal(t, []string{"f"}, namesIn(t, dir))
	require.Equal(t, "whole", read(t, path))

	broken := errors.New("no more")
	err = files.Write(path, 0o600, func(out io.Writer) error { return errors.Join(text("other")(out), broken) })
	require.ErrorIs(t, err, broken)
	require.Equal(t, []string{"f"}, namesIn(t, dir))
	require.Equal(t, "whole", read(t, path), "the old content stays")

	private := filepath.Join(dir, "new", "f")
	require.NoError(t, files.Replace(private, []byte("mine")))
	require.Equal(t, "mine", read(t, private))
	info, err := os.Stat(private)
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}

	require.ErrorIs(t, files.Write(filepath.Join(dir, "none", "f"), 0o600, text("")), os.ErrNotExist)
	require.Error(t, files.Output(dir, 0o600, text("")), "a folder")
}
