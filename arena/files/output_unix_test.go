//go:build unix

package files_test

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/files"
)

// TestOutput replaces files only: a pipe and a link stay what they are.
func TestOutput(t *testing.T) {
	dir := t.TempDir()
	write := func(path string) error {
		return files.Output(path, 0o644, text("export"))
	}
	file, link, dangling := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "dangling")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
	require.NoError(t, os.Symlink("file", link))
	require.NoError(t, os.Symlink("nowhere/file", dangling))
	require.NoError(t, write(link))
	require.Equal(t, "export", read(t, file))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.Equal(t, os.ModeSymlink, info.Mode().Type())
	require.ErrorIs(t, write(dangling), os.ErrNotExist)
	early := filepath.Join(dir, "early")
	require.NoError(t, os.Symlink("late", early))
	require.NoError(t, write(early))
	require.Equal(t, "export", read(t, filepath.Join(dir, "late")), "a link may be there before its file")

	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	came := make(chan string)
	go func() {
		data, _ := os.ReadFile(pipe)
		came <- string(data)
	}()
	require.NoError(t, write(pipe))
	require.Equal(t, "export", <-came)
	info, err = os.Lstat(pipe)
	require.NoError(t, err)
	require.Equal(t, os.ModeNamedPipe, info.Mode().Type())

	require.Error(t, files.Output(file, 0o644, func(io.Writer) error { return io.ErrUnexpectedEOF }))
	require.Equal(t, "export", read(t, file), "the old one stays")
	require.Len(t, namesIn(t, dir), 6)
	require.Error(t, write(filepath.Join(dir, "no", "such")))
}
