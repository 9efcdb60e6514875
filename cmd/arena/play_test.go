package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

// TestJobsDoNotMatter is the promise that equal seeds give equal bytes, however much is played at once.
func TestJobsDoNotMatter(t *testing.T) {
	t.Run("match", func(t *testing.T) {
		var outs []string
		for _, jobs := range []string{"1", "8"} {
			outs = append(outs, succeed(t, "match", "greedy", "random", "heuristic", "--seed", "7", "--deals", "1", "--option", "target=0", "--jobs", jobs, "--move-time", "60s",
				"--json", "--no-times", "--no-replays", "-q", "--unsafe-no-sandbox"))
		}
		require.Equal(t, outs[0], outs[1])
	})
	t.Run("tournament", func(t *testing.T) {
		file := writeCup(t, t.TempDir(), "deal_sets = 2\nseed = 11\n")
		var runs, boards []string
		for _, jobs := range []string{"1", "8"} {
			data := t.TempDir()
			runs = append(runs, builtSucceed(t, "tournament", "run", file, "--jobs", jobs, "--move-time", "60s", "--data", data, "--json", "--no-times", "--no-replays", "-q", "--unsafe-no-sandbox"))
			boards = append(boards, succeed(t, "leaderboard", "--data", data, "--json", "--no-times"))
		}
		require.Equal(t, runs[0], runs[1])
		require.Equal(t, boards[0], boards[1])
	})
}

func writeCup(t *testing.T, dir, more string) string {
	t.Helper()
	file := filepath.Join(dir, "cup.toml")
	text := "bots = [\"random\", \"greedy\", \"heuristic\"]\nplayers = 2\noptions = {target = 0}\n" + more
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func TestMatchPrintsWhatAPersonNeeds(t *testing.T) {
	data := t.TempDir()
	o := arenaRun(t, "match", "random", "random", "--deals", "2", "--option", "target=0", "--seed", "3", "--data", data)
	require.Equal(t, exitOK, o.code, o.errOut)
	require.Contains(t, o.out, "rulebook, 2 seats, 4 games (2 deal sets under 2 seat orders)")
	for _, part := range []string{"SHA-256 of the seed: ", "random@1", "random@1#2", "Seed: ", "arena replay show " + data} {
		require.Contains(t, o.out, part)
	}
	require.Contains(t, o.errOut, "4 of 4 games")
	commitment := field(t, o.out, "SHA-256 of the seed: ")
	again := succeed(t, "match", "random", "random", "--deals", "2", "--option", "target=0", "--seed", field(t, o.out, "Seed: "), "-q", "--no-replays")
	require.Equal(t, commitment, field(t, again, "SHA-256 of the seed: "), "the seed that is published repeats the match")
}

func field(t *testing.T, text, before string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, before)
	require.True(t, ok, text)
	return strings.Fields(rest)[0]
}

func TestFaultsAreShown(t *testing.T) {
	script := filepath.Join(t.TempDir(), "liar.sh")
	require.NoError(t, os.WriteFile(script, []byte(`while read -r m; do case $m in
'{"type":"hello"'*) echo '{"type":"ready"}' ;;
'{"type":"turn"'*) echo 'I am lost' >&2; t=${m#*'"turn":'}; echo '{"type":"move","turn":'"${t%%,*}"',"action":99}' ;; esac; done
`), 0o644)) // the bot may run as another user
	o := arenaRun(t, "match", "greedy", "cmd:bash "+script, "--deals", "1", "--strict", "-q", "--no-replays", "--seed", "1", "--move-time", "30s")
	require.Equal(t, exitFault, o.code, o.errOut)
	for _, part := range []string{
		"fault: illegal of liar@dev at seat 1", "turn 1: strike", "turn 3: forfeit", "index 99 is outside the legal list",
		`its last line: "{\"type\":\"move\",\"turn\":1,\"action\":99}"`, "its stderr:\n    I am lost",
	} {
		require.Contains(t, o.out, part)
	}
}

// broken is an output that is full.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestOutputThatCannotBeWritten(t *testing.T) {
	for _, args := range []string{"bot list", "bot list --json", "rules show", "--help", "version"} {
		var errOut strings.Builder
		code := run(t.Context(), strings.Fields(args), strings.NewReader(""), broken{}, &errOut)
		require.Equal(t, exitError, code, args)
		require.Contains(t, errOut.String(), syscall.ENOSPC.Error(), args)
	}
}

// TestSecondArena starts a tournament that another arena runs, while that one keeps the data folder open.
func TestSecondArena(t *testing.T) {
	data := t.TempDir()
	dir := filepath.Join(data, "tournaments")
	b, err := bus.Open(bus.Config{Dir: dir})
	require.NoError(t, err)
	defer b.Close()
	store, err := league.Open(t.Context(), b, league.Options{Dir: dir})
	require.NoError(t, err)
	file := writeCup(t, t.TempDir(), "seed = 1\n")
	spec, err := league.ReadSpec(file)
	require.NoError(t, err)
	to, err := spec.Tournament()
	require.NoError(t, err)
	to.Entrants = []league.Entrant{{Label: "random@1"}, {Label: "greedy@1"}, {Label: "heuristic@1"}}
	_, err = store.Begin(t.Context(), to)
	require.NoError(t, err)
	coordinator, err := store.Coordinate(t.Context(), "cup", league.Coordinating{})
	require.NoError(t, err)
	o := arenaRun(t, "tournament", "run", file, "--data", data, "-q", "--no-replays")
	require.Equal(t, exitError, o.code)
	require.Contains(t, o.errOut, "another arena runs this tournament")
	require.NoError(t, coordinator.Close())
	succeed(t, "tournament", "run", file, "--data", data, "-q", "--no-replays")
	require.Contains(t, succeed(t, "leaderboard", "--data", data), "heuristic@1")
}

// TestNATSURL plays over a server of its own, as in a cluster.
func TestNATSURL(t *testing.T) {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	args := []string{"match", "greedy", "random", "--seed", "5", "--deals", "2", "--move-time", "30s", "--json", "--no-times", "--no-replays", "-q"}
	require.Equal(t, succeed(t, args...), succeed(t, append(args, "--nats", s.ClientURL())...))
}

func TestReplayCommands(t *testing.T) {
	dir := t.TempDir()
	succeed(t, "match", "greedy", "heuristic", "--seed", "5", "--deals", "1", "--replays", dir, "-q")
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	require.Equal(t, 2, strings.Count(succeed(t, "replay", "verify", dir), "ok    "))

	shown := succeed(t, "replay", "show", files[0])
	for _, part := range []string{"rulebook, 2 seats", "Round 1, half 1", "Round 1, half 2", "undealt", "leads", "goes out", "Result\n  1.  "} {
		require.Contains(t, shown, part)
	}
	var lines struct{ Lines []json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(succeed(t, "replay", "show", files[0], "--json")), &lines))
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Len(t, lines.Lines, strings.Count(string(text), "\n"))

	altered := strings.Replace(string(text), `"ms":`, `"ms":1`, 1)
	before, _, _ := strings.Cut(altered, `"ms":`)
	number := 1 + strings.Count(before, "\n")
	require.NoError(t, os.WriteFile(files[0], []byte(altered), 0o600))
	o := arenaRun(t, "replay", "verify", dir, "--json")
	require.Equal(t, exitError, o.code)
	require.Contains(t, o.errOut, "a replay is wrong: 1 of 2")
	require.Contains(t, o.out, "line "+string(rune('0'+number))+": line was changed after it was written")
}

func TestPlainCommands(t *testing.T) {
	require.Equal(t, "random@1\ngreedy@1\nheuristic@1\n", succeed(t, "bot", "list"))
	require.Contains(t, succeed(t, "version"), "arena "+version)
	rules := succeed(t, "rules", "show", "--rules", "bga", "--option", "target=10")
	require.Contains(t, rules, "preset bga")
	require.Contains(t, rules, "10 points")
	for _, args := range []string{"bot list --json", "version --json", "rules show --json"} {
		var v struct{ Schema string }
		require.NoError(t, json.Unmarshal([]byte(succeed(t, strings.Fields(args)...)), &v), args)
		require.Equal(t, show.Schema, v.Schema)
	}
}

// TestHumanInMatch names the command in which a person plays.
func TestHumanInMatch(t *testing.T) {
	o := arenaRun(t, "match", "human", "greedy", "--data", t.TempDir())
	require.Equal(t, exitUsage, o.code)
	require.Contains(t, o.errOut, "a person takes a seat by arena play BOT..., as in: arena play greedy heuristic")
}
