//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReplayFromPipe: nothing waits for who may never write.
func TestReplayFromPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "game.jsonl")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for args, code := range map[string]int{
		"replay show PIPE":                 exitUsage,
		"replay show --step 3 PIPE":        exitUsage,
		"replay feed --seat 0 PIPE greedy": exitUsage,
		"replay verify PIPE":               exitError,
	} {
		o := arenaRun(t, strings.Fields(strings.ReplaceAll(args, "PIPE", pipe))...)
		require.Equal(t, code, o.code, args)
		require.Contains(t, o.out+o.errOut, "is no file but a pipe or a device", args)
	}
}
