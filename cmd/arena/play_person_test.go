package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
)

// personRun runs a command with something typed into it.
func personRun(t *testing.T, typed string, args ...string) outcome {
	t.Helper()
	var out, errOut bytes.Buffer
	code := run(t.Context(), args, strings.NewReader(typed), &out, &errOut)
	return outcome{code: code, out: out.String(), errOut: errOut.String()}
}

// TestPersonPlays always takes the first choice, against a bot in a process of its own.
func TestPersonPlays(t *testing.T) {
	dir := t.TempDir()
	o := personRun(t, "h\n"+strings.Repeat("1\n", 200), "play", "greedy", "--seed", "3", "--seat", "1", "--data", dir)
	require.Equal(t, exitOK, o.code, o.errOut)
	for _, part := range []string{
		"You are seat 1 of 2.", "heuristic would: ", "your move (number, or as in \"add 5\"; h hint, q leave): ", "1 you", "0 greedy@1", "goes out",
		"1. ", "2. ", "human@1, ", "Seed: ", "arena replay show " + dir,
	} {
		require.Contains(t, o.out, part)
	}
	files, err := filepath.Glob(filepath.Join(dir, "replays", "*", "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	file, err := os.Open(files[0])
	require.NoError(t, err)
	defer file.Close()
	verified, err := arena.VerifyReplay(file)
	require.NoError(t, err)
	require.Equal(t, []string{"greedy@1", "human@1"}, verified.Header.Bots)
	require.Empty(t, verified.Result.Faults)
}

func TestPersonLeaves(t *testing.T) {
	o := personRun(t, "", "play", "random", "--seed", "4", "--json", "--data", t.TempDir())
	require.Equal(t, exitInterrupted, o.code)
	require.Contains(t, o.errOut, "you left, so the arena played your seat to the end")
	require.Contains(t, o.errOut, "your move", "with --json it is asked on stderr")
	var report struct {
		Result  arena.Result
		Replays string
	}
	require.NoError(t, json.Unmarshal([]byte(o.out), &report))
	require.Equal(t, []int{2, 1}, report.Result.Sets[0].Games[0].Ranks)
	require.Contains(t, succeed(t, "replay", "verify", report.Replays), "ok    ")
}

func TestPersonSlips(t *testing.T) {
	for args, want := range map[string]string{
		"a b c d e f":            "takes 1 to 5 bots; got 6",
		"gredy":                  `bot "gredy" is unknown`,
		"greedy --seat 2":        "--seat 2: there are seats 0 to 1",
		"greedy --move-time 0s":  "move_ms: 0, a move needs at least 1 ms",
		"greedy --rules nothing": `preset: "nothing" is unknown`,
		"greedy --seed x":        "--seed",
		"greedy --color blue":    "--color blue: use auto, always or never",
	} {
		o := personRun(t, "", append([]string{"play"}, strings.Fields(args)...)...)
		require.Equal(t, exitUsage, o.code, args)
		require.Contains(t, o.errOut, want)
	}
}

func TestPersonHasALabelOfItsOwn(t *testing.T) {
	dir := writeBot(t, t.TempDir(), "human", 0)
	entrants, err := resolve(shelf{}, "", []string{dir, "greedy"})
	require.NoError(t, err)
	require.NotContains(t, labels(entrants), personLabel(entrants))
}

func TestSeatOrder(t *testing.T) {
	require.Equal(t, []int{0, 1, 2}, seatOrder(3, 0))
	require.Equal(t, []int{1, 0, 2}, seatOrder(3, 1))
	require.Equal(t, []int{1, 2, 0}, seatOrder(3, 2))
}
