package arena_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

func namesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := []string{}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestReplayDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	m := matchOf(rulesOf(t, engine.Rulebook, 2), 2)
	m.DealSets = 2
	_, err := arena.Referee{Seats: &desk{}, Replays: arena.ReplayDir(dir).Create}.Play(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, []string{"m-1-1.jsonl", "m-1-2.jsonl", "m-2-1.jsonl", "m-2-2.jsonl"}, namesIn(t, dir))
	for _, name := range namesIn(t, dir) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, name, verified(t, text).Header.Game+".jsonl")
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, "the seed is secret until the other games of the deal set are played")
	}
}

// TestReplayDirWholeOrNot: a replay has its name when it is whole, and leaves nothing when it is given up.
func TestReplayDirWholeOrNot(t *testing.T) {
	dir := t.TempDir()
	file, err := arena.ReplayDir(dir).Create(protocol.Header{Game: "g"})
	require.NoError(t, err)
	_, err = file.Write([]byte("half"))
	require.NoError(t, err)
	require.NoFileExists(t, filepath.Join(dir, "g.jsonl"))
	require.NoError(t, file.Close())
	text, err := os.ReadFile(filepath.Join(dir, "g.jsonl"))
	require.NoError(t, err)
	require.Equal(t, "half", string(text))

	file, err = arena.ReplayDir(dir).Create(protocol.Header{Game: "g"})
	require.NoError(t, err)
	_, err = file.Write([]byte("another"))
	require.NoError(t, err)
	file.Abort()
	require.NoError(t, file.Close())
	require.Equal(t, []string{"g.jsonl"}, namesIn(t, dir))
	text, err = os.ReadFile(filepath.Join(dir, "g.jsonl"))
	require.NoError(t, err)
	require.Equal(t, "half", string(text), "the one that was there stays")
}

// TestReplayDirKilled: what a killed arena left is gone when the game has been played again.
func TestReplayDirKilled(t *testing.T) {
	for _, abort := range []bool{false, true} {
		dir := t.TempDir()
		killed, err := arena.ReplayDir(dir).Create(protocol.Header{Game: "g"})
		require.NoError(t, err)
		_, err = killed.Write(make([]byte, 10_000)) // more than is kept back
		require.NoError(t, err)
		require.Equal(t, []string{".g.jsonl.writing"}, namesIn(t, dir))

		file, err := arena.ReplayDir(dir).Create(protocol.Header{Game: "g"})
		require.NoError(t, err)
		_, err = file.Write([]byte("whole"))
		require.NoError(t, err)
		if abort {
			file.Abort()
			require.NoError(t, file.Close())
			require.Empty(t, namesIn(t, dir))
			continue
		}
		require.NoError(t, file.Close())
		require.Equal(t, []string{"g.jsonl"}, namesIn(t, dir))
		text, err := os.ReadFile(filepath.Join(dir, "g.jsonl"))
		require.NoError(t, err)
		require.Equal(t, "whole", string(text))
	}
}

func TestReplayDirGivenUp(t *testing.T) {
	dir := t.TempDir()
	d := &desk{bots: map[string]maker{"a@1": breaks(func(m protocol.Message) bool { _, ok := m.(protocol.End); return ok })}}
	_, err := arena.Referee{Seats: d, Replays: arena.ReplayDir(dir).Create}.Play(t.Context(), matchOf(rulesOf(t, engine.Rulebook, 2), 2))
	require.ErrorIs(t, err, errOurs)
	require.Empty(t, namesIn(t, dir))
}

func TestReplayDirNotPossible(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := arena.ReplayDir(file).Create(protocol.Header{Game: "g"})
	require.ErrorContains(t, err, file)
	_, err = arena.Referee{Seats: &desk{}, Replays: arena.ReplayDir(file).Create}.Play(t.Context(), matchOf(rulesOf(t, engine.Rulebook, 2), 2))
	require.ErrorContains(t, err, "game m-1-1: replay: ")
}
