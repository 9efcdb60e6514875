package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// TestFormatsRun plays every format with real bots, and the same again in another order of play.
func TestFormatsRun(t *testing.T) {
	for format, more := range map[league.Format]string{
		league.Swiss: "stages = 3\n", league.Gauntlet: "heroes = [\"greedy\"]\n", league.Knockout: "third_place = true\n",
		league.DoubleElimination: "", league.Ladder: "stages = 3\n",
	} {
		t.Run(string(format), func(t *testing.T) {
			file := writeCup(t, t.TempDir(), "format = \""+string(format)+"\"\nseed = 5\n"+more)
			var runs []string
			for _, jobs := range []string{"1", "4"} {
				runs = append(runs, builtSucceed(t, "tournament", "run", file, "--jobs", jobs, "--move-time", "60s", "--data", t.TempDir(),
					"--json", "--no-times", "--no-replays", "-q", "--unsafe-no-sandbox"))
			}
			require.Equal(t, runs[0], runs[1])
			var report tournamentReport
			require.NoError(t, json.Unmarshal([]byte(runs[0]), &report))
			require.Equal(t, format, report.Tournaments[0].Format)
			require.Len(t, report.Tournaments[0].Standings, 3)
		})
	}
}

// TestFormatFlags: flags count instead of the file, and what does not go together is refused before anything is played.
func TestFormatFlags(t *testing.T) {
	file := writeCup(t, t.TempDir(), "cycles = 2\n")
	run := []string{"tournament", "run", file, "--data", t.TempDir(), "-q"}
	for want, flags := range map[string][]string{
		"cycles: it means nothing in a swiss at 2 seats":                      {"--format", "swiss"},
		"--cycles 0: at least 1 is needed":                                    {"--cycles", "0"},
		"--stages -1: at least 1 is needed":                                   {"--stages", "-1"},
		"stages: it means nothing in a round-robin at 2 seats":                {"--stages", "3"},
		`format "gauntled" is unknown; choose from round-robin, swiss, gaunt`: {"--format", "gauntled"},
	} {
		o := arenaRun(t, append(run, flags...)...)
		require.Equal(t, exitUsage, o.code, o.errOut)
		require.Contains(t, o.errOut, want)
	}
}

// TestDropTwice: a bot that has withdrawn is not taken for its namesake.
func TestDropTwice(t *testing.T) {
	data := t.TempDir()
	file := filepath.Join(data, "cup.toml")
	require.NoError(t, os.WriteFile(file, []byte(`bots = ["greedy", "greedy", "random"]`), 0o600))
	succeed(t, "tournament", "new", file, "--data", data)
	require.Contains(t, succeed(t, "tournament", "drop", "cup", "greedy@1", "--data", data), "withdrawn: greedy@1. There are now 2 bots.")
	again := arenaRun(t, "tournament", "drop", "cup", "greedy@1", "--data", data)
	require.Equal(t, exitError, again.code)
	require.Contains(t, again.errOut, "bot greedy@1 has withdrawn from tournament cup already")
}
