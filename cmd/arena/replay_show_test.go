package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shownGame is a game of three seats in which seat 0 was at fault.
const shownGame = "internal/viewer/testdata/faulty.jsonl"

func TestShowOneStep(t *testing.T) {
	all := succeed(t, "replay", "show", shownGame, "--step", "7")
	require.Contains(t, all, "step 7 of 73  round 1, trick 3  all hands")
	require.Contains(t, all, "0 bad@dev passes")
	require.Contains(t, all, "! illegal")
	require.Contains(t, all, "choices  over 3 3, ")
	require.NotContains(t, all, "\x1b")

	seat := succeed(t, "replay", "show", "--step", "7", "--view", "1", "--plain", shownGame)
	require.Contains(t, seat, "as seat 1 heuristic@1")
	require.NotContains(t, seat, "choices")
	require.Equal(t, 2, strings.Count(seat, "▒ ▒"+strings.Repeat(" ▒", 9)), "two hands are hidden")

	var step struct {
		Step struct {
			Step  int
			Hand  []int
			Hands [][]int
			Fault string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(succeed(t, "replay", "show", shownGame, "--step", "7", "--json")), &step))
	require.Len(t, step.Step.Hands, 3)
	require.Equal(t, "illegal", step.Step.Fault)
	step.Step.Hands = nil
	require.NoError(t, json.Unmarshal([]byte(succeed(t, "replay", "show", shownGame, "--step", "7", "--json", "--view", "1")), &step))
	require.Len(t, step.Step.Hand, 11)
	require.Empty(t, step.Step.Hands)
}

func TestShowHidesHandsInText(t *testing.T) {
	all := succeed(t, "replay", "show", shownGame)
	require.Contains(t, all, "the first of", "notes are shown")
	public := succeed(t, "replay", "show", shownGame, "--view", "public")
	require.NotContains(t, public, "the first of")
	require.NotContains(t, public, "undealt")
	require.Equal(t, 6, strings.Count(public, "16 cards"), "three hands in two rounds")
	one := succeed(t, "replay", "show", shownGame, "--view", "0")
	require.Contains(t, one, "the first of")
	require.Equal(t, 4, strings.Count(one, "16 cards"))
}

func TestShowSlips(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.jsonl")
	text, err := os.ReadFile(shownGame)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(broken, text[:len(text)/2], 0o600))
	require.NoError(t, os.WriteFile(broken+"-empty", nil, 0o600))
	require.NoError(t, os.WriteFile(broken+"-other", []byte("root:x:0:0\n"), 0o600))
	for args, want := range map[string]outcome{
		"BROKEN-other":          {code: 1, errOut: `BROKEN-other is no replay: it begins with "root:x:0:0", and a replay with {`},
		"--step 74":             {code: 2, errOut: "--step 74: the game has steps 0 to 73"},
		"--step -1":             {code: 2, errOut: "--step -1: the game has steps 0 to 73"},
		"--view 3":              {code: 2, errOut: `--view: "3" is not all, public, or a seat from 0 to 2`},
		"--view me --step 1":    {code: 2, errOut: `--view: "me" is not all, public, or a seat`},
		"--view public --json":  {code: 2, errOut: "--json prints whole replays; with --step it takes --view"},
		"--step 1 BROKEN":       {code: 1, errOut: "leave out --step and add --plain"},
		"--step 1 BROKEN-empty": {code: 1, errOut: "BROKEN-empty: line 1: the replay ends before its result"},
		"BROKEN-empty":          {code: 1, errOut: "BROKEN-empty: this is no replay, it is empty"},
	} {
		if !strings.Contains(args, "BROKEN") {
			args += " " + shownGame
		}
		o := arenaRun(t, strings.Fields("replay show "+strings.ReplaceAll(args, "BROKEN", broken))...)
		require.Equal(t, want.code, o.code, "%s: %s", args, o.errOut)
		require.Contains(t, o.errOut, strings.ReplaceAll(want.errOut, "BROKEN", broken))
	}
}
