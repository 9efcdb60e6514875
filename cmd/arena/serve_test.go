package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// plain are flags of all programs of a fleet.
func plain(args ...string) []string { return append(args, "--unsafe-no-sandbox", "--lost-after", "5s") }

// TestFleet plays a tournament by three processes, kills each of them on the way, and requires the bytes of a run in one
// process.
func TestFleet(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals to send")
	}
	file := writeCup(t, t.TempDir(), "cycles = 8\nseed = 12\nmove_ms = 60000\nstartup_ms = 60000\n")
	alone, data := t.TempDir(), t.TempDir()
	succeed(t, "tournament", "run", file, "--data", alone, "-q", "--unsafe-no-sandbox", "--no-replays")
	want := whole(t, alone, "cup")

	address := freeAddress(t)
	serves := plain("serve", "--data", data, "--slots", "1", "--listen", address)
	near := plain("worker", "--data", data, "--slots", "1", "--name", "near")
	far := plain("worker", "--nats", "nats://"+address, "--creds", tokenFile(t, data, "--worker"), "--slots", "1", "--name", "far")
	server := launch(t, serves...)
	server.says(t, "With a token: arena worker --nats nats://"+address+" --creds FILE")
	succeed(t, "tournament", "new", file, "--data", data)
	events := follow(t, data, "cup")
	one, two := launch(t, near...), launch(t, far...)
	one.says(t, "Worker near plays up to 1 match at once")
	two.says(t, "Worker far plays up to 1 match at once")
	operator := tokenFile(t, data, "--operator")
	out := succeed(t, "tournament", "start", "cup", "--nats", "nats://"+address, "--creds", operator)
	require.Contains(t, out, "cup is started.\nFollow it: arena tournament watch cup --nats nats://"+address+" --creds "+operator)

	require.NoError(t, await(events, isPlayed))
	one.kill()
	require.NoError(t, await(events, isPlayed))
	two.kill()
	one = launch(t, near...)
	require.NoError(t, await(events, isPlayed))
	server.kill()
	two = launch(t, far...)
	server = launch(t, serves...)
	require.NoError(t, await(events, func(e league.Event) bool { return e.Finished != nil }))

	require.Equal(t, want, whole(t, data, "cup"))
	require.Equal(t, exitInterrupted, one.stop(t))
	require.Contains(t, one.errOut.String(), "the worker has left")
	require.Equal(t, exitInterrupted, two.stop(t))
	replays, err := filepath.Glob(filepath.Join(data, "replays", "cup", "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, replays, 48, "of two games a match")
	require.Contains(t, succeed(t, "replay", "verify", filepath.Join(data, "replays")), "ok    ")
	requireOnce(t, data, "cup")
	require.Equal(t, exitInterrupted, server.stop(t), server.errOut)
	require.Contains(t, server.errOut.String(), "all that was played is kept; go on with: arena serve --data "+data)
}

// TestWorkers holds what is said of them, and that a bot that nobody has ends its matches with the reasons of all.
func TestWorkers(t *testing.T) {
	data, bots := t.TempDir(), t.TempDir()
	require.Equal(t, exitNotFound, arenaRun(t, "worker", "list", "--data", data).code)
	mine := writeBot(t, bots, "mine", 0)
	file := filepath.Join(bots, "cup.toml")
	require.NoError(t, os.WriteFile(file, []byte("bots = [\"greedy\", \"./mine\"]\nseed = 3\nmove_ms = 60000\nstartup_ms = 60000\n"), 0o600))
	server := launch(t, plain("serve", "--data", data, "--slots", "0")...)
	server.says(t, "other workers play their matches")
	succeed(t, "tournament", "new", file, "--data", data)
	events := follow(t, data, "cup")

	o := arenaRun(t, "worker", "list", "--data", data)
	require.Equal(t, exitOK, o.code)
	require.Empty(t, o.out)
	require.Contains(t, o.errOut, "There are no workers in "+data)
	require.NoError(t, os.Rename(mine, mine+"-gone"))
	w := launch(t, plain("worker", "--data", data, "--slots", "3", "--name", "w")...)
	w.says(t, "Worker w plays up to 3 matches at once")
	var list struct{ Workers []league.WorkerStatus }
	require.NoError(t, json.Unmarshal([]byte(succeed(t, "worker", "list", "--data", data, "--json")), &list))
	require.Len(t, list.Workers, 1)
	require.Equal(t, "w", list.Workers[0].Name)
	require.Equal(t, 3, list.Workers[0].Slots)
	require.Equal(t, w.cmd.Process.Pid, list.Workers[0].PID)
	require.Empty(t, list.Workers[0].Playing)

	succeed(t, "tournament", "start", "cup", "--data", data)
	require.NoError(t, await(events, func(e league.Event) bool { return e.Dead != nil }))
	shown := succeed(t, "tournament", "show", "cup", "--data", data)
	require.Contains(t, shown, "Given up   match 1 (greedy@1, mine@1): worker w has no bot mine@1: bot \""+mine+"\": there is no such folder")
	require.Contains(t, shown, "arena tournament requeue cup --all --data "+data)
	require.Contains(t, succeed(t, "tournament", "pairings", "cup", "--data", data), "given up: worker w has no bot")
	require.Contains(t, succeed(t, "tournament", "list", "--data", data), "running   0 of 1         1 ")

	writeBot(t, bots, "mine", 1) // the same name and version
	require.Contains(t, succeed(t, "tournament", "requeue", "cup", "1", "--data", data), "Tried again: match 1.")
	require.NoError(t, await(events, func(e league.Event) bool { return e.Dead != nil && strings.Contains(e.Dead.Cause, "differ") }))
	require.Contains(t, succeed(t, "tournament", "show", "cup", "--data", data), "differ from those of the organiser")

	elsewhere := t.TempDir()
	require.NoError(t, os.Rename(mine+"-gone", filepath.Join(elsewhere, "any")))
	two := launch(t, plain("worker", "--data", data, "--slots", "1", "--name", "two", "--bots", elsewhere)...)
	two.says(t, "Worker two plays up to 1 match at once")
	require.Contains(t, succeed(t, "tournament", "requeue", "cup", "--all", "--data", data), "Tried again: match 1.")
	require.NoError(t, await(events, func(e league.Event) bool { return e.Finished != nil }))
	table := succeed(t, "worker", "list", "--data", data)
	require.Regexp(t, `two +\S+ +`+version+` +0 of 1 +1 +2 `, table)
}

// writeBot makes a bot that always answers with one of the first legal actions, and is gone from the processor at once.
func writeBot(t *testing.T, dir, name string, action int) (folder string) {
	t.Helper()
	folder = filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(folder, 0o755))
	script := `while read -r m; do case $m in
'{"type":"hello"'*) echo '{"type":"ready"}' ;;
'{"type":"turn"'*) t=${m#*'"turn":'} l=${m#*'"legal":['} a=ACTION; case $l in *'},{'*) ;; *) a=0 ;; esac
  echo '{"type":"move","turn":'"${t%%,*}"',"action":'$a'}' ;;
'{"type":"quit"'*) exit ;;
esac; done
`
	script = strings.ReplaceAll(script, "ACTION", string(rune('0'+action)))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "bot.sh"), []byte(script), 0o644))
	manifest := "name = \"" + name + "\"\nversion = \"1\"\nlanguage = \"bash\"\nrun = [\"bash\", \"bot.sh\"]\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "bot.toml"), []byte(manifest), 0o644))
	return folder
}
