package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/check"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

// slow are flags with which no machine is too slow for a bot that is fit.
func slow(args string) []string {
	return append(strings.Fields(args), "--games", "1", "--move-time", "60s", "--start-time", "60s", "--quiet")
}

// TestBotCheck: exit codes, the lines that people read, and the JSON.
func TestBotCheck(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	broken := writeBot(t, dir, "ant", 0)
	require.NoError(t, os.WriteFile(filepath.Join(broken, "bot.toml"), []byte("name = \"ant\"\nversion = \"1\"\nrun = [\"./no-such-bot\"]\n"), 0o600))
	o := arenaRun(t, slow("bot check "+broken+" --data "+data)...)
	require.Equal(t, exitFault, o.code, o.errOut)
	require.Contains(t, o.out, "\n 4  FAILED   start             start \"./no-such-bot\":")
	require.Contains(t, o.out, "      hint: check the run line, and whether the bot is built\n\n1 of 16 steps failed; the 12 after it were not tried.\n")
	require.Contains(t, o.errOut, "arena: the bot is not fit to play")

	o = arenaRun(t, slow("bot check --json "+broken+" --data "+data)...)
	require.Equal(t, exitFault, o.code)
	var report struct {
		Schema string `json:"schema"`
		check.Report
	}
	require.NoError(t, json.Unmarshal([]byte(o.out), &report))
	require.Equal(t, show.Schema, report.Schema)
	require.False(t, report.Passed)
	require.Equal(t, check.Failed, report.Steps[3].State)

	for _, args := range []string{"bot check", "bot check " + dir + "/none", "bot check --games 0 " + broken, "bot check --move-time 0s " + broken, "bot check a b"} {
		require.Equal(t, exitUsage, arenaRun(t, strings.Fields(args+" --data "+data)...).code, args)
	}
	require.NoError(t, os.WriteFile(filepath.Join(broken, "bot.toml"), []byte("name = \"ant\"\nversion = \"1\"\nrun = [\"sh\"]\nread_only = [\"/usr/share\"]\n"), 0o600))
	o = arenaRun(t, slow("bot check "+broken+" --data "+data)...)
	require.Equal(t, exitUsage, o.code)
	require.Contains(t, o.errOut, "if you agree, add --allow-read /usr/share")
}

// TestBuildsAreTold: who waits for a build knows that it is one.
func TestBuildsAreTold(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	ant := writeBot(t, dir, "ant", 0)
	require.NoError(t, os.WriteFile(filepath.Join(ant, "bot.toml"), []byte("name = \"ant\"\nversion = \"1\"\nbuild = [\"false\"]\nrun = [\"sh\"]\n"), 0o600))
	for args, want := range map[string]outcome{
		"bot check " + ant:            {code: exitFault, errOut: "Building ant@1, for at most 2m0s: false\n"},
		"match greedy " + ant:         {code: exitError, errOut: "Building ant@1, for at most 2m0s: false\n"},
		"match --quiet greedy " + ant: {code: exitError},
		"bot check --quiet " + ant:    {code: exitFault},
	} {
		o := arenaRun(t, strings.Fields(args+" --data "+data)...)
		require.Equal(t, want.code, o.code, o.errOut)
		require.Contains(t, o.errOut, want.errOut)
		require.Equal(t, want.errOut != "", strings.Contains(o.errOut, "Building"), args)
	}
}

// TestSubmitted does to a bot whatever its author can, and lets it play by its name.
func TestSubmitted(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	ant := writeBot(t, dir, "ant", 0)
	on := func(args string) outcome { return arenaRun(t, strings.Fields(args+" --data "+data)...) }
	require.Equal(t, exitNotFound, on("bot show ant").code)
	require.Equal(t, exitUsage, on("match ant@1 greedy").code)
	require.NoDirExists(t, filepath.Join(data, "tournaments"), "nothing is made by asking")

	out := succeed(t, slow("bot submit "+ant+" --data "+data)...)
	require.Contains(t, out, "ant@1 is fit to play.\nSubmitted: ant@1, sha256 ")
	require.Contains(t, succeed(t, slow("bot submit "+ant+" --data "+data)...), "ant@1 is already there, with the same files.")
	require.NoError(t, os.WriteFile(filepath.Join(ant, "more"), nil, 0o600))
	o := arenaRun(t, slow("bot submit "+ant+" --data "+data)...)
	require.Equal(t, exitFault, o.code)
	require.Contains(t, o.out, "Refused: bot ant@1: that version is another bot; raise version in its bot.toml.")
	require.NoError(t, os.Symlink("more", filepath.Join(ant, "link")))
	o = arenaRun(t, slow("bot submit "+ant+" --data "+data)...)
	require.Equal(t, exitFault, o.code)
	require.Contains(t, o.errOut, `"link" is a link`)

	require.NoError(t, os.Remove(filepath.Join(ant, "link")))
	require.NoError(t, os.WriteFile(filepath.Join(ant, "bot.toml"), []byte("name = \"ant\"\nversion = \"2\"\nrun = [\"./no-such-bot\"]\n"), 0o600))
	require.Equal(t, exitFault, arenaRun(t, slow("bot submit "+ant+" --data "+data)...).code)
	logs := on("bot logs ant").out
	require.Contains(t, logs, "The check of ant@1:\n14  ok       games")
	require.Contains(t, logs, "The last submission, of version 2, was refused:\n 4  FAILED   start")

	require.NoError(t, os.RemoveAll(ant), "from now on there is the package alone")
	for name, namesake := range map[string]string{"ant": "a submitted bot", "greedy": "a built-in bot", "fox": ""} {
		o = on("token create --bot " + name + " --out " + filepath.Join(dir, name+".nkey"))
		require.Equal(t, exitOK, o.code, o.errOut)
		require.Equal(t, namesake != "", strings.Contains(o.errOut, "Note: "+namesake+" has that name as well, and is not the same"), o.errOut)
	}
	require.Contains(t, on("bot list").out, "ant        1")
	require.Contains(t, on("bot show ant").out, "ant@1, active\n")
	require.Contains(t, on("bot versions ant").out, "active")
	require.Contains(t, on("bot logs ant@1").out, "It wrote nothing to stderr.")
	require.Contains(t, succeed(t, "match", "ant", "greedy", "--deals", "1", "--data", data, "--move-time", "60s", "--start-time", "60s"), "ant@1")
	copied := filepath.Join(dir, "copy")
	require.Contains(t, on("bot download ant --output "+copied).out, "ant@1 is in "+copied)
	require.FileExists(t, filepath.Join(copied, "bot.toml"))
	require.Equal(t, exitUsage, on("bot download ant --output "+copied).code)

	require.Equal(t, exitUsage, on("bot retire ant").code)
	require.Contains(t, on("bot retire ant@1").out, "ant@1 is retired; no version of it is in use any more.")
	o = on("match ant@1 greedy")
	require.Equal(t, exitUsage, o.code)
	require.Contains(t, o.errOut, "bring it back by: arena bot activate ant@1 --data "+data)
	require.Contains(t, on("bot show ant").out, "ant@1, retired\n")
	require.Contains(t, on("bot logs ant").out, "It wrote nothing to stderr.")
	require.Contains(t, on("bot activate ant@1").out, "ant@1 is active; ant means ant@1.")
	require.Equal(t, exitNotFound, on("bot show ant@2").code)
	for _, args := range []string{"bot show greedy", "bot download greedy@1", "bot logs greedy", "bot versions greedy"} {
		o = on(args)
		require.Equal(t, exitUsage, o.code, args)
		require.Contains(t, o.errOut, "greedy is built into this program", args)
	}
	o = on("bot show aunt")
	require.Equal(t, exitNotFound, o.code)
	require.Contains(t, o.errOut, "did you mean ant?")
}

// TestBotLogs shows the author what went wrong in ranked games, the latest first.
func TestBotLogs(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	ant := writeBot(t, dir, "ant", 0)
	on := func(args string) outcome { return arenaRun(t, strings.Fields(args+" --data "+data)...) }
	succeed(t, slow("bot submit "+ant+" --"+unsafeFlag+" --data "+data)...)
	require.NotContains(t, on("bot logs ant").out, "Faults in tournaments")
	packages, err := filepath.Glob(filepath.Join(data, "packages", "*", "bot", "bot.sh"))
	require.NoError(t, err)
	require.Empty(t, packages)
	succeed(t, "match", "ant", "greedy", "--deals", "1", "-q", "--no-replays", "--"+unsafeFlag, "--data", data, "--move-time", "60s", "--start-time", "60s")
	packages, err = filepath.Glob(filepath.Join(data, "packages", "*", "bot", "bot.sh"))
	require.NoError(t, err)
	require.Len(t, packages, 1)
	for _, cup := range []string{"first", "last"} { // in which it ends at its first turn
		require.NoError(t, os.WriteFile(packages[0], []byte("read -r m; echo '{\"type\":\"ready\"}'; read -r m; echo lost in "+cup+" >&2; exit 3\n"), 0o600))
		file := filepath.Join(dir, cup+".toml")
		require.NoError(t, os.WriteFile(file, []byte("bots = [\"ant@1\", \"greedy\"]\ndeal_sets = 1\nmove_ms = 60000\nstartup_ms = 60000\n"), 0o600))
		require.Equal(t, exitOK, on("tournament run "+file+" -q --no-replays --"+unsafeFlag).code)
	}
	logs := on("bot logs ant").out
	require.Regexp(t, `(?s)Faults in tournaments, the latest first:.*tournament last, match 1, game .*lost in last.*tournament first, match 1, game .*lost in first`, logs)
	var shown botLog
	require.NoError(t, json.Unmarshal([]byte(on("bot logs ant@1 --faults 1 --json").out), &shown))
	require.Len(t, shown.Faults, 1)
	require.Equal(t, "last", shown.Faults[0].Tournament)
	require.Equal(t, "ant@1", shown.Faults[0].Bot)
	require.Equal(t, exitNotFound, on("bot logs ant@2").code)
	require.Equal(t, exitUsage, on("bot logs ant --faults -1").code)
}

// TestServedRegistry: who serves the store checks bots, and a worker elsewhere fetches those that it plays with.
func TestServedRegistry(t *testing.T) {
	dir, data, away := t.TempDir(), t.TempDir(), t.TempDir()
	ant := writeBot(t, dir, "ant", 0)
	address := freeAddress(t)
	server := launch(t, plain("serve", "--data", data, "--slots", "0", "--no-replays", "--listen", address)...)
	server.says(t, "With a token: arena worker --nats ")
	url := "nats://" + address
	author := tokenFile(t, data, "--author")
	o := arenaRun(t, "bot", "submit", ant, "--nats", url, "--creds", author)
	require.Equal(t, exitOK, o.code, o.errOut)
	require.Contains(t, o.out, "Submitted: ant@1")
	require.Regexp(t, `^Uploading \d+ bytes, to be checked by the arena at `+url+`\.\nChecking: .*\n$`, o.errOut)
	require.Contains(t, succeed(t, "bot", "list", "--nats", url, "--creds", author), "ant")
	require.Contains(t, succeed(t, "bot", "logs", "ant", "--nats", url, "--creds", author), "It wrote nothing to stderr.")
	require.NoError(t, os.RemoveAll(ant))
	file := filepath.Join(dir, "cup.toml")
	require.NoError(t, os.WriteFile(file, []byte("bots = [\"ant\", \"greedy\"]\nmove_ms = 60000\nstartup_ms = 60000\n"), 0o600))
	succeed(t, "tournament", "new", file, "--data", data)
	events := follow(t, data, "cup")
	worker := launch(t, plain("worker", "--nats", url, "--creds", tokenFile(t, data, "--worker"), "--data", away, "--slots", "1")...)
	worker.says(t, "plays up to 1 match at once")
	succeed(t, "tournament", "start", "cup", "--data", data)
	require.NoError(t, await(events, isPlayed))
	packages, err := os.ReadDir(filepath.Join(away, "packages"))
	require.NoError(t, err)
	require.Len(t, packages, 1)
	require.Equal(t, exitInterrupted, worker.stop(t), worker.errOut)
	require.Equal(t, exitInterrupted, server.stop(t), server.errOut)
}
