package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFlagsFirst(t *testing.T) {
	for in, want := range map[string]string{
		"match a b --deals 3":                     "match --deals 3 a b",
		"match a --deals=3 b":                     "match --deals=3 a b",
		"match --deals 3 a b":                     "match --deals 3 a b",
		"match a --json b":                        "match --json a b",
		"match a b -q --seed 7":                   "match -q --seed 7 a b",
		"match a b --option x=1 --option y=2":     "match --option x=1 --option y=2 a b",
		"match a b --unknown 3":                   "match --unknown a b 3",
		"match a -- --json b":                     "match a --json b",
		"match -- --json b":                       "match -- --json b",
		"match a b --deals":                       "match --deals",
		"match a -":                               "match a -",
		"tournament rum x --data d":               "tournament rum",
		"wrker --slots 2":                         "wrker",
		"tournament run x.toml --jobs 2 --data d": "tournament run --jobs 2 --data d x.toml",
		"replay verify a b --json":                "replay verify --json a b",
		"worker list --json --data d":             "worker list --json --data d",
		"worker --slots 2":                        "worker --slots 2",
		"tournament requeue cup --all --nats u":   "tournament requeue --all --nats u cup",
		"--help":                                  "--help",
		"match a b --deals 3 -h":                  "match -h",
		"bot show a --data -h":                    "bot show --data -h a",
		"":                                        "",
	} {
		app := newApp(strings.NewReader(""), io.Discard, io.Discard)
		require.Equal(t, want, strings.Join(flagsFirst(app, strings.Fields(in)), " "), in)
	}
}

// TestMistakes holds what a user reads after a slip: every message says what to do, and usage errors exit with 2.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name+".toml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	alone := file("alone", `bots = ["greedy"]`)
	apart := file("apart", "bots = [\"greedy\", \"random\"]\nforbidden = [[\"greedy\", \"random\"]]")
	absent := file("absent", `bots = ["greedy", "cmd:no-such-program"]`)
	words := file("words", "bots = [\"greedy\", \"random\"]\nplayers = \"two\"")
	good := file("good", `bots = ["greedy", "random"]`)
	slip := file("slip", "bots = [\"greedy\", \"random\"]\nplyers = 2")
	for args, want := range map[string]outcome{
		"tournament new " + alone:                       {code: 2, errOut: "greedy@1 is alone, and a tournament needs two or more; name them, as in bots = ["},
		"tournament run " + alone:                       {code: 2, errOut: "alone.toml: bots: greedy@1 is alone"},
		"tournament new " + apart:                       {code: 2, errOut: "keep all bots apart; let some of them meet"},
		"tournament run " + apart:                       {code: 2, errOut: "apart.toml: forbidden and same_author keep all bots apart"},
		"tournament new " + absent:                      {code: 2, errOut: "its program no-such-program is not on this machine; check the command line, or install it; if workers on other machines have it, add --elsewhere"},
		"tournament run " + absent:                      {code: 2, errOut: "its program no-such-program is not on this machine; check the command line, or install it\n"},
		"tournament new " + words:                       {code: 2, errOut: "line 2: players: a whole number is expected, not a text; write it as in players = 2"},
		"tournament new " + slip:                        {code: 2, errOut: `line 2: "plyers" is no setting of a tournament; did you mean players?`},
		"tournament list --data " + slip:                {code: 2, errOut: "--data: " + slip + " is no folder but a file"},
		"tournament list --nats=":                       {code: 2, errOut: "--nats (or ARENA_NATS) is empty; give it a value, or leave it out"},
		"match greedy random --move-time 5":             {code: 2, errOut: `--move-time "5": write a time with its unit, as in --move-time 5s or --move-time 500ms`},
		"match greedy random --memory 2":                {code: 2, errOut: "memory_mb: 2 is too little for any bot to start; one in C needs 4, in Python 16, in Go or Node.js 128"},
		"tournament standing cup --data " + dir:         {code: 2, errOut: `there is no command "standing"; did you mean standings?`},
		"--data d tournament list":                      {code: 2, errOut: "there is no flag --data here; write flags behind the whole command (see arena --help)"},
		"tournament run x.toml --bank 5":                {code: 2, errOut: `--bank "5": write a time with its unit`},
		"tournament import " + dir:                      {code: 2, errOut: dir + " is a folder; name a file that arena tournament export has written"},
		"tournament run --deals 0 " + slip:              {code: 2, errOut: "plyers"},
		"tournament run --deals 0 " + good:              {code: 2, errOut: "--deals 0: at least 1 is needed"},
		"tournament run --move-time 0s " + good:         {code: 2, errOut: "--move-time 0s: at least 1ms is needed"},
		"tournament run --memory 0 " + good:             {code: 2, errOut: "--memory 0: at least 1 is needed"},
		"frob":                                          {code: 2, errOut: `there is no command "frob"; there are match`},
		"mach a b":                                      {code: 2, errOut: `did you mean match?`},
		"tournament rum":                                {code: 2, errOut: `did you mean run?`},
		"match":                                         {code: 2, errOut: "match takes 2 to 6 bots; got 0"},
		"match greedy":                                  {code: 2, errOut: "got 1"},
		"match a b c d e f g":                           {code: 2, errOut: "got 7"},
		"match greedy random --dals 3":                  {code: 2, errOut: "there is no flag --dals; did you mean --deals?"},
		"match greedy random --deals x":                 {code: 2, errOut: `--deals "x": write a whole number, as in --deals 10`},
		"match greedy random --deals":                   {code: 2, errOut: "flag needs an argument: --deals"},
		"match greedy random --deals 0":                 {code: 2, errOut: "deal_sets: 0 is outside 1 to 100000"},
		"match greedy random --move-time 0s":            {code: 2, errOut: "move_ms: 0"},
		"match greedy random --strikes -1":              {code: 2, errOut: "strike_limit: -1"},
		"match greedy random --seed abc":                {code: 2, errOut: `--seed "abc" is neither a whole number`},
		"match greedy random --rules poker":             {code: 2, errOut: "use rulebook, bga or classic2020"},
		"match greedy random --option foo":              {code: 2, errOut: "write KEY=VALUE"},
		"match greedy random --option colour=red":       {code: 2, errOut: `option "colour" is unknown`},
		"match greedy random --option hand_size=99":     {code: 2, errOut: "hand_size: 99 is outside 1 to 13"},
		"match gredy random":                            {code: 2, errOut: "did you mean greedy?"},
		"match greedy@9 random":                         {code: 2, errOut: "this program has version 1 of greedy"},
		"match greedy ./nothere":                        {code: 2, errOut: "there is no such folder"},
		"match greedy " + dir:                           {code: 2, errOut: "has no bot.toml"},
		"match greedy cmd:":                             {code: 2, errOut: "a command line should follow"},
		"match greedy cmd:no-such-program":              {code: 1, errOut: "does not start, so nothing was played"},
		"match greedy random --nats nats://127.0.0.1:1": {code: 1, errOut: "check the URL"},
		"match greedy random --replays /dev/null/x":     {code: 1, errOut: "replay"},
		"tournament run":                                {code: 2, errOut: "one file, or --demo"},
		"tournament run --demo x.toml":                  {code: 2, errOut: "no file with --demo"},
		"tournament run nothere.toml":                   {code: 2, errOut: "there is no such file"},
		"tournament run " + dir:                         {code: 2, errOut: dir + " is no regular file but a folder"},
		"leaderboard":                                   {code: 4, errOut: "play some with: arena tournament run --demo"},
		"leaderboard x":                                 {code: 2, errOut: "leaderboard takes no arguments"},
		"replay show nothere":                           {code: 4, errOut: "nothere: not found"},
		"replay verify nothere":                         {code: 4, errOut: "nothere: not found"},
		"replay verify " + dir:                          {code: 4, errOut: "no replays in this folder"},
		"replay show":                                   {code: 2, errOut: "see arena replay show --help"},
		"replay show " + dir:                            {code: 2, errOut: "is a folder"},
		"match greedy random --jobs 0":                  {code: 2, errOut: "--jobs 0: at least 1"},
		"match greedy random --deals 9999999999":        {code: 2, errOut: "deal_sets: 9999999999 is outside 1 to 100000"},
		"leaderboard --data=":                           {code: 2, errOut: "--data (or ARENA_DATA) is empty; give it a value, or leave it out"},
		"tournament export cup -o=":                     {code: 2, errOut: "--output is empty"},
		"export --what games --output=":                 {code: 2, errOut: "--output is empty"},
		"serve --store-size=":                           {code: 2, errOut: "--store-size is empty"},
		"serve --allow-read=":                           {code: 2, errOut: "--allow-read is empty"},
		"worker --name=":                                {code: 2, errOut: "--name is empty"},
		"bot exec nobody":                               {code: 2, errOut: `bot "nobody" is unknown`},
		"rules show --players 7":                        {code: 2, errOut: "the game is for 2 to 6"},
	} {
		line := strings.Fields(args)
		if strings.HasPrefix(args, "match greedy") && !strings.HasSuffix(args, "--deals") || args == "leaderboard" {
			line = append(line, "--data", dir+"/data")
		}
		if strings.HasSuffix(args, ".toml") && !strings.Contains(args, "--data") {
			line = append(line, "--data", dir+"/none")
		}
		got := arenaRun(t, line...)
		require.Equal(t, want.code, got.code, "%s: %s", args, got.errOut)
		require.Contains(t, got.errOut, want.errOut, args)
		require.True(t, strings.HasPrefix(got.errOut, "arena: ") || strings.Contains(got.errOut, "\narena: "), args)
	}
	require.NoDirExists(t, dir+"/none", "a file that is refused makes no data folder")
}

func TestHelp(t *testing.T) {
	for _, args := range []string{"", "--help", "match --help", "bot check ./foxy -h", "tournament", "tournament run --help", "serve --help", "worker --help", "worker list --help", "tournament new --help", "tournament watch --help", "replay", "bot", "rules"} {
		out := succeed(t, strings.Fields(args)...)
		require.Contains(t, out, "USAGE:", args)
		require.NotContains(t, out, wardenName+" ", "the helper process is no business of users")
	}
}
