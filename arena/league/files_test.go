package league_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// fill writes the log of a tournament and gives the path of its file.
func fill(t *testing.T, dir string, events []league.Event) string {
	t.Helper()
	id := events[0].Created.ID
	for _, event := range events {
		require.NoError(t, league.NewFiles(dir).Append(t.Context(), id, event))
	}
	return filepath.Join(dir, id+".log.jsonl")
}

func TestFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data [1]", "logs")
	files := league.NewFiles(dir)
	ids, err := files.Tournaments(t.Context())
	require.NoError(t, err)
	require.Empty(t, ids, "a folder that is not there yet has no tournaments")
	none, err := files.Events(t.Context(), "cup")
	require.NoError(t, err)
	require.Empty(t, none)
	require.NoDirExists(t, dir)

	events := logOf(t, tournament(t, "cup", 3, 2))
	path := fill(t, dir, events)
	got, err := files.Events(t.Context(), "cup")
	require.NoError(t, err)
	require.Equal(t, events, got)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, len(events), bytes.Count(text, []byte("\n")))

	fill(t, dir, logOf(t, tournament(t, "autumn", 3, 2)))
	for _, other := range []string{"notes.txt", "Not An Id.log.jsonl", ".log.jsonl"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, other), nil, 0o600))
	}
	ids, err = files.Tournaments(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"autumn", "cup"}, ids)
}

// TestFilesTorn cuts the log after every byte of its last two lines: what was acknowledged is there, and the next event
// follows it.
func TestFilesTorn(t *testing.T) {
	events := logOf(t, tournament(t, "cup", 2, 2))
	dir := t.TempDir()
	path := fill(t, dir, events)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	files := league.NewFiles(dir)
	for length := range text {
		require.NoError(t, os.WriteFile(path, text[:length], 0o600))
		whole := bytes.Count(text[:length], []byte("\n"))
		got, err := files.Events(t.Context(), "cup")
		require.NoError(t, err)
		require.Len(t, got, whole)
		if length%7 != 0 {
			continue // each write waits for the disk
		}
		require.NoError(t, files.Append(t.Context(), "cup", events[whole]))
		got, err = files.Events(t.Context(), "cup")
		require.NoError(t, err)
		require.Equal(t, events[:whole+1], got)
	}
}

func TestFilesDamaged(t *testing.T) {
	dir := t.TempDir()
	path := fill(t, dir, logOf(t, tournament(t, "cup", 3, 2)))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(text), "\n")
	lines[2] = "x" + lines[2][1:]
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600))
	_, err = league.Load(t.Context(), league.NewFiles(dir), "cup")
	require.ErrorContains(t, err, path+", line 3: invalid character 'x'")
	require.ErrorContains(t, err, "the file was damaged, restore it from a copy")
	_, err = league.Open(t.Context(), league.NewFiles(dir), tournament(t, "cup", 3, 2))
	require.ErrorContains(t, err, "line 3")
	_, err = league.Leaderboards(t.Context(), league.NewFiles(dir), "")
	require.ErrorContains(t, err, "line 3")
}

// TestFilesBegun: a log of which not even the first line was written is no tournament, and can become one.
func TestFilesBegun(t *testing.T) {
	dir := t.TempDir()
	to := tournament(t, "cup", 3, 2)
	line, err := json.Marshal(league.Event{Created: &to})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cup.log.jsonl"), line[:len(line)/2], 0o600))
	files := league.NewFiles(dir)
	_, err = league.Load(t.Context(), files, "cup")
	require.ErrorIs(t, err, league.ErrNoTournament)
	boards, err := league.Leaderboards(t.Context(), files, "")
	require.NoError(t, err)
	require.Empty(t, boards)
	_, err = league.Open(t.Context(), files, to)
	require.NoError(t, err)
	state, err := league.Load(t.Context(), files, "cup")
	require.NoError(t, err)
	require.Equal(t, to, state.Tournament)
}

func TestCheckID(t *testing.T) {
	for _, id := range []string{"a", "0", "spring-cup-2024", strings.Repeat("a", 40)} {
		require.NoError(t, league.CheckID(id))
	}
	files := league.NewFiles(t.TempDir())
	for _, id := range []string{"", "-a", "A", "a b", "a.b", "../a", "a/b", "ä", "a\n", strings.Repeat("a", 41)} {
		require.ErrorContains(t, league.CheckID(id), "use 1 to 40 small letters, digits and -", id)
		require.ErrorContains(t, files.Append(t.Context(), id, league.Event{}), "cannot name a tournament")
		_, err := files.Events(t.Context(), id)
		require.ErrorContains(t, err, "cannot name a tournament")
	}
}

func TestFilesNoPlace(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.ErrorContains(t, league.NewFiles(file).Append(t.Context(), "cup", league.Event{}), "data folder: ")
	_, err := league.NewFiles(file).Tournaments(t.Context())
	require.Error(t, err)

	require.NoError(t, os.Mkdir(filepath.Join(dir, "cup.log.jsonl"), 0o700)) // a folder where the file should be
	err = league.NewFiles(dir).Append(t.Context(), "cup", league.Event{})
	require.ErrorContains(t, err, "log of cup: ")
	require.ErrorContains(t, err, "make room or choose another folder and run again")
	_, err = league.NewFiles(dir).Events(context.Background(), "cup")
	require.Error(t, err)
}

func TestFilesReadOnly(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("permissions do not hold this user back")
	}
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o500))
	require.ErrorContains(t, league.NewFiles(dir).Append(t.Context(), "cup", league.Event{}), "log of cup: ")
	require.ErrorContains(t, league.NewFiles(filepath.Join(dir, "sub")).Append(t.Context(), "cup", league.Event{}), "data folder: ")
}
