package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func TestNewBotRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	succeed(t, "bot", "new", "foxy", "--lang", "bash")
	for args, want := range map[string]string{
		"bot new":                         "arena bot new takes the name of the bot; got 0",
		"bot new a b --lang go":           "got 2",
		"bot new wolf":                    "choose a language by --lang, as in arena bot new wolf --lang python",
		"bot new wolf --lang cobol":       `language "cobol" has no template; there are go, python,`,
		"bot new wolf --lang jaba":        "did you mean java?",
		"bot new foxy --lang go":          "foxy is not empty, and nothing in it is overwritten",
		"bot new wölf --lang go":          `the bot is named like its folder: name "wölf": use 1 to 32 letters`,
		"bot new greedy --lang go":        "greedy is the name of a built-in bot; choose another",
		"bot new foxy/bot.sh/x --lang go": "choose another name",
		"bot new -x --lang go":            "there is no flag --x",
		"bot new . --lang python":         "is not empty",
		"bot new wolf --langu go":         "did you mean --lang?",
		"schema bots":                     `there is no command "bots"; did you mean bot?`,
	} {
		o := arenaRun(t, strings.Fields(args)...)
		require.Equal(t, exitUsage, o.code, "%s: %s", args, o.errOut)
		require.Contains(t, o.errOut, want, args)
		require.Empty(t, o.out, args)
	}
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing was made")
}

func TestNewBotJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	var made madeBot
	require.NoError(t, json.Unmarshal([]byte(succeed(t, "bot", "new", "bots/foxy", "-l", "sh", "--json")), &made))
	require.Equal(t, madeBot{Schema: show.Schema, Bot: "foxy@1", Folder: filepath.Join("bots", "foxy"), Language: "bash"}, made)

	require.NoError(t, os.Mkdir("broken", 0o755))
	require.NoError(t, os.WriteFile(filepath.Join("broken", "bot.toml"), []byte("nam = 1\n"), 0o600))
	t.Chdir("bots")
	listed := succeed(t, "bot", "list", "--json")
	require.Contains(t, listed, `"folder": "./foxy"`)
	t.Chdir("..")
	o := arenaRun(t, "bot", "list")
	require.Equal(t, exitOK, o.code)
	require.Contains(t, o.errOut, `broken/bot.toml: line 1: "nam" is no setting of a bot`)
}

// TestWhatBotsAskFor refuses them where they would not get it.
func TestWhatBotsAskFor(t *testing.T) {
	t.Chdir(t.TempDir())
	succeed(t, "bot", "new", "foxy", "--lang", "bash")
	file := filepath.Join("foxy", "bot.toml")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(text, "players = [2, 4]\nlimits = {memory_mb = 600, move_ms = 1500}\n"...), 0o600))
	require.NoError(t, os.WriteFile("cup.toml", []byte("bots = [\"foxy\", \"greedy\", \"random\", \"heuristic\"]\nplayers = 4\nmemory_mb = 600\nmove_ms = 1500\nformat = \"swiss\"\n"), 0o600))
	require.NoError(t, os.WriteFile("small.toml", []byte("bots = [\"foxy\", \"greedy\"]\nmemory_mb = 600\n"), 0o600))
	for args, want := range map[string]string{
		"match foxy greedy random":       "foxy@1 plays at 2 or 4 seats, and here tables may have 3; leave it out, or change players in its bot.toml",
		"match foxy greedy":              "foxy@1 needs memory_mb = 600, and here it would get 512; raise that, or lower it under limits in its bot.toml",
		"match foxy greedy --memory 600": "foxy@1 needs move_ms = 1500, and here it would get 1000",
		"tournament run cup.toml":        "foxy@1 plays at 2 or 4 seats, and here tables may have 3",
		"tournament new small.toml":      "foxy@1 needs move_ms = 1500",
	} {
		o := arenaRun(t, strings.Fields(args)...)
		require.Equal(t, exitUsage, o.code, "%s: %s", args, o.errOut)
		require.Contains(t, o.errOut, want, args)
	}
}

func TestSchemas(t *testing.T) {
	for _, name := range []string{"bot", "tournament", "protocol", "replay"} {
		var s map[string]any
		require.NoError(t, json.Unmarshal([]byte(succeed(t, "schema", name)), &s))
		require.Contains(t, s, "$schema")
	}
}
