package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// playedGame plays one game between a person at seat 0, who leaves at once, and bots at the other seats, and gives its
// replay.
func playedGame(t *testing.T, bots ...string) string {
	t.Helper()
	dir := t.TempDir()
	o := arenaRun(t, append([]string{"play", "--seed", "12", "--option", "target=0", "--replays", dir, "--data", t.TempDir()}, bots...)...)
	require.Equal(t, exitInterrupted, o.code, o.errOut)
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	return files[0]
}

// TestFeedOwnGames runs each built-in bot in a process of its own on a game that it has played: it decides as it did.
func TestFeedOwnGames(t *testing.T) {
	bots := []string{"heuristic", "random", "greedy"}
	file := playedGame(t, bots...)
	for i, bot := range bots {
		out := succeed(t, "replay", "feed", file, "--seat", fmt.Sprint(i+1), bot, "--data", t.TempDir())
		require.Regexp(t, `\n[0-9]+ decisions, 0 differences, 0 faults\n$`, out)
		require.NotContains(t, out, "Step", "nothing is printed of what is the same")
	}
	o := arenaRun(t, "replay", "feed", file, "--seat", "0", "greedy", "--data", t.TempDir())
	require.Contains(t, o.out, "\n1 decision, ", "after the person had left, the seat was asked no more")
}

func TestFeedAnotherBot(t *testing.T) {
	file := playedGame(t, "greedy", "heuristic")
	args := []string{"replay", "feed", file, "--seat", "2", "greedy", "--data", t.TempDir()}
	o := arenaRun(t, args...)
	require.Equal(t, exitNo, o.code, o.errOut)
	require.Equal(t, "arena: the bot decides otherwise\n", o.errOut)
	require.Regexp(t, `seat 2 was heuristic@1, now greedy@1 is asked\n\nStep \d+: round 1, trick \d+, turn \d+\n  hand      `, o.out)

	type report struct {
		Decisions, Differences, Faults int
		Recorded, Bot                  string
		Steps                          []struct {
			Step            int
			Same            bool
			Hand            []int
			Recorded, Given struct{ Action struct{ Type string } }
		}
	}
	read := func(more ...string) (r report) {
		printed := arenaRun(t, append(append([]string{}, args...), more...)...)
		require.Equal(t, exitNo, printed.code, printed.errOut)
		require.NoError(t, json.Unmarshal([]byte(printed.out), &r))
		return r
	}
	some, all := read("--json"), read("--json", "--all")
	require.Len(t, some.Steps, some.Differences)
	require.Len(t, all.Steps, all.Decisions)
	require.Equal(t, some.Differences, strings.Count(o.out, "\nStep "))
	middle := some.Steps[len(some.Steps)/2].Step
	from := read("--json", "--from", fmt.Sprint(middle))
	require.Equal(t, some.Steps[len(some.Steps)/2:], from.Steps)
	require.Equal(t, some.Decisions, from.Decisions, "the bot is sent the whole game all the same")
}

func TestFeedReadsAllForms(t *testing.T) {
	file := playedGame(t, "greedy", "heuristic")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, err = zip.Write(text)
	require.NoError(t, err)
	require.NoError(t, zip.Close())
	unsealed := regexp.MustCompile(`,"sum":"[0-9a-f]{16}"`).ReplaceAll(text, nil)
	for name, content := range map[string][]byte{"game.jsonl.gz": packed.Bytes(), "open.jsonl": unsealed} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		succeed(t, "replay", "feed", path, "--seat", "1", "greedy", "--data", t.TempDir())
	}
	broken := filepath.Join(t.TempDir(), "broken.jsonl")
	require.NoError(t, os.WriteFile(broken, bytes.Replace(text, []byte(`"cards":[`), []byte(`"cards":[1,`), 1), 0o600))
	o := arenaRun(t, "replay", "feed", broken, "--seat", "0", "greedy")
	require.Equal(t, exitError, o.code)
	require.Contains(t, o.errOut, "broken.jsonl: line ")
}

const failingBot = `
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "turn":
        print("thinking about turn", message["turn"], file=sys.stderr, flush=True)
        action = 0 if message["turn"] != 2 else 999
        if message["turn"] == 4:
            sys.exit("I give up")
        print(json.dumps({"type": "move", "turn": message["turn"], "action": action, "note": "the first"}), flush=True)
`

func TestFeedTellsOfFaults(t *testing.T) {
	file := playedGame(t, "greedy", "heuristic")
	script := filepath.Join(t.TempDir(), "failing.py")
	require.NoError(t, os.WriteFile(script, []byte(failingBot), 0o644))
	require.NoError(t, os.Chmod(filepath.Dir(script), 0o755))
	o := arenaRun(t, "replay", "feed", file, "--seat", "1", "cmd:python3 "+script, "--stderr", "--all", "--data", t.TempDir())
	require.Equal(t, exitFault, o.code, o.errOut)
	for _, part := range []string{
		"now       illegal: none", "index 999 is outside the legal list", "now       crash: none", "I give up", "thinking about turn 1",
		`"the first"`, "4 decisions, ", "2 faults\n", "turns were not asked, since the bot had ended.",
	} {
		require.Contains(t, o.out, part)
	}
	o = arenaRun(t, "replay", "feed", file, "--seat", "1", "cmd:false", "--data", t.TempDir())
	require.Equal(t, exitFault, o.code)
	require.Contains(t, o.out, "false@dev does not start: before ready: exit status 1")
}

func TestFeedSlips(t *testing.T) {
	file := playedGame(t, "greedy", "heuristic")
	for args, want := range map[string]outcome{
		"FILE":                             {code: 2, errOut: "takes a replay and a bot"},
		"FILE greedy":                      {code: 2, errOut: "--seat: choose one of 0 to 2: 0 human@1, 1 greedy@1, 2 heuristic@1"},
		"FILE greedy --seat 3":             {code: 2, errOut: "--seat: choose one of 0 to 2"},
		"FILE gredy --seat 1":              {code: 2, errOut: `bot "gredy" is unknown`},
		"FILE greedy --seat 1 --from 9999": {code: 2, errOut: "--from 9999: the game has steps 0 to"},
		"nothere greedy --seat 1":          {code: 4, errOut: "nothere: not found"},
		". greedy --seat 1":                {code: 2, errOut: "is a folder"},
	} {
		o := arenaRun(t, strings.Fields("replay feed "+strings.ReplaceAll(args, "FILE", file))...)
		require.Equal(t, want.code, o.code, o.errOut)
		require.Contains(t, o.errOut, want.errOut)
	}
}
