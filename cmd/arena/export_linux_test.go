package main

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExportTo replaces files only: a pipe and a link stay what they are.
func TestExportTo(t *testing.T) {
	dir := t.TempDir()
	write := func(path string) error {
		return exportTo(path, func(out io.Writer) error {
			_, err := io.WriteString(out, "export")
			return err
		})
	}
	file, link, dangling := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "dangling")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
	require.NoError(t, os.Symlink("file", link))
	require.NoError(t, os.Symlink("nowhere/file", dangling))
	require.NoError(t, write(link))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "export", string(text))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.Equal(t, os.ModeSymlink, info.Mode().Type())

	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	read := make(chan string)
	go func() {
		came, _ := os.ReadFile(pipe)
		read <- string(came)
	}()
	require.NoError(t, write(pipe))
	require.Equal(t, "export", <-read)
	info, err = os.Lstat(pipe)
	require.NoError(t, err)
	require.Equal(t, os.ModeNamedPipe, info.Mode().Type())

	require.Error(t, exportTo(file, func(io.Writer) error { return io.ErrUnexpectedEOF }))
	text, err = os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "export", string(text), "the old one stays")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 4)
	require.Error(t, write(filepath.Join(dir, "no", "such")))
}
