//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// TestUnreadAndLost: a reader who goes away costs nothing, and a result that is lost does not hide the standings.
func TestUnreadAndLost(t *testing.T) {
	data := t.TempDir()
	run := []string{"tournament", "run", writeCup(t, data, "deal_sets = 1\nseed = 4\nmove_ms = 60000\n"), "--data", data, "-q", "--unsafe-no-sandbox", "--no-replays"}
	whole := arenaRun(t, run...)
	require.Equal(t, exitOK, whole.code)

	for _, args := range [][]string{{"tournament", "list"}, {"tournament", "watch", "cup"}} {
		list := command(t, append(args, "--data", data)...)
		reading, writing, err := os.Pipe()
		require.NoError(t, err)
		require.NoError(t, reading.Close())
		var errOut bytes.Buffer
		list.Stdout, list.Stderr = writing, &errOut
		require.Error(t, list.Run())
		require.NoError(t, writing.Close())
		require.Equal(t, exitUnread, list.ProcessState.ExitCode(), "%s %s", list.ProcessState, &errOut)
		require.Empty(t, errOut.String())
		require.FileExists(t, filepath.Join(data, "tournaments", "closed"))
	}

	lose(t, filepath.Join(data, "tournaments"), bus.ResultSubject("cup", 2))
	again := arenaRun(t, run...)
	require.Equal(t, exitOK, again.code, again.errOut)
	require.Contains(t, again.errOut, "warning: the result of match 2 of cup was lost: the store was damaged; its points are in the standings")
	require.Contains(t, again.out, "It is finished")
	_, table, found := strings.Cut(whole.out, "matches, 6 games\n")
	require.True(t, found, whole.out)
	_, table, found = strings.Cut(table, "\n\n") // behind the seed
	require.True(t, found, whole.out)
	table, _, found = strings.Cut(table, "\nSeed: ")
	require.True(t, found, whole.out)
	require.Contains(t, table, "greedy@1")
	require.Contains(t, again.out, table)
}

// lose removes a result with all that could bring it back.
func lose(t *testing.T, dir, subject string) {
	t.Helper()
	require.NoError(t, os.Remove(filepath.Join(dir, "cup"+league.ExportSuffix)))
	b, err := bus.Open(bus.Config{Dir: dir})
	require.NoError(t, err)
	defer b.Close()
	nc, err := b.Connect("test")
	require.NoError(t, err)
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	stream, err := js.Stream(t.Context(), bus.Results)
	require.NoError(t, err)
	require.NoError(t, stream.Purge(t.Context(), jetstream.WithPurgeSubject(subject)))
}
