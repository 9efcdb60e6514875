package main

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/kit"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// TestNewcomer goes the way of an author in every language with an SDK, from nothing to the leaderboard: a new bot, one line
// changed, a match, a check, the submission to an arena that serves, and a tournament of it.
//
// The check alone starts some fifty processes of the program.
func TestNewcomer(t *testing.T) {
	data := t.TempDir()
	server := launchCommand(t, built(t, plain("serve", "--data", data, "--slots", "1", "--no-replays", "-q",
		"--check-games", "1", "--check-move-time", "60s", "--check-start-time", "60s")...))
	server.says(t, "Conducting the tournaments in "+data)
	for _, l := range []struct{ language, needs string }{
		{"python", "python3"}, {"javascript", "node"}, {"go", "go"}, {"rust", "cargo"}, {"java", "javac"}, {"cpp", "g++"},
	} {
		t.Run(l.language, func(t *testing.T) {
			requireProgram(t, l.needs)
			t.Chdir(t.TempDir())
			newcomer{data: data, language: l.language, bot: "foxy-" + l.language}.goes(t)
		})
	}
	require.Equal(t, exitInterrupted, server.stop(t), server.errOut)
}

// requireProgram skips the test where there is no such program, but not where all of them have to be.
func requireProgram(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v; CI must have it", err)
		}
		t.Skipf("%v; install it to test this language", err)
	}
}

// newcomer is an author who begins in the current folder.
type newcomer struct{ data, language, bot string }

func (n newcomer) goes(t *testing.T) {
	for _, step := range []struct {
		name string
		do   func(*testing.T)
	}{
		{"new", n.makes},
		{"edit", n.edits},
		{"match", n.plays},
		{"check", n.checks},
		{"submit", n.submits},
		{"tournament", n.competes},
		{"leaderboard", n.looks},
	} {
		begin := time.Now()
		step.do(t)
		t.Logf("%-11s %6.1f s", step.name, time.Since(begin).Seconds())
	}
}

func (n newcomer) makes(t *testing.T) {
	made := builtSucceed(t, "bot", "new", n.bot, "--lang", n.language)
	require.Contains(t, made, "Made "+n.bot+"@1 in ./"+n.bot+". Edit "+n.bot+"/")
	require.Contains(t, made, "  arena match ./"+n.bot+" greedy\n")
	require.Contains(t, builtSucceed(t, "bot", "list"), n.bot+"@1")
}

func (n newcomer) edits(t *testing.T) {
	l, err := kit.Find(n.language)
	require.NoError(t, err)
	source, err := os.ReadFile(l.Source(n.bot))
	require.NoError(t, err)
	edited := regexp.MustCompile(`\b10 ?\* ?`).ReplaceAllString(string(source), "7 * ")
	require.NotEqual(t, string(source), edited)
	require.NoError(t, os.WriteFile(l.Source(n.bot), []byte(edited), 0o600))
}

func (n newcomer) plays(t *testing.T) {
	out := builtSucceed(t, "match", "./"+n.bot, "greedy", "--deals", "1", "--option", "target=0", "--strict", "-q", "--no-replays", "--move-time", "60s", "--start-time", "60s")
	require.Contains(t, out, n.bot+"@1")
	require.Contains(t, out, "greedy@1")
}

func (n newcomer) checks(t *testing.T) {
	require.Contains(t, builtSucceed(t, slow("bot check ./"+n.bot+" --"+unsafeFlag)...), n.bot+"@1 is fit to play.")
}

func (n newcomer) submits(t *testing.T) {
	require.Contains(t, builtSucceed(t, "bot", "submit", "./"+n.bot, "--data", n.data), "Submitted: "+n.bot+"@1, sha256 ")
}

func (n newcomer) competes(t *testing.T) {
	file := n.language + ".toml"
	text := "bots = [\"" + n.bot + "\", \"greedy\"]\ndeal_sets = 1\noptions = {target = 0}\nmove_ms = 60000\nstartup_ms = 60000\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	builtSucceed(t, "tournament", "new", file, "--data", n.data)
	events := follow(t, n.data, n.language)
	builtSucceed(t, "tournament", "start", n.language, "--data", n.data)
	require.NoError(t, await(events, func(e league.Event) bool { return e.Finished != nil }))
}

func (n newcomer) looks(t *testing.T) {
	require.Contains(t, builtSucceed(t, "leaderboard", "--data", n.data), n.bot+"@1")
}
