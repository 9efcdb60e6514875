package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// TestRatingCommands plays a small tournament and looks at it in every way.
func TestRatingCommands(t *testing.T) {
	data := t.TempDir()
	file := writeCup(t, data, "deal_sets = 2\nseed = 4\nmove_ms = 60000\n")
	succeed(t, "tournament", "run", file, "--data", data, "-q", "--unsafe-no-sandbox")
	in := func(line string) []string { return append(strings.Fields(line), "--data", data) }

	t.Run("leaderboard", func(t *testing.T) {
		text := succeed(t, in("leaderboard")...)
		require.Contains(t, text, "Leaderboard at 2 seats (greedy@1 = 1500): rules rulebook; 1 tournament, 6 deals, 12 games")
		require.Contains(t, text, "Provisional, and so without a rank: heuristic@1, greedy@1, random@1.")
		require.Contains(t, text, "Penalty points a round, compared with the others at the table:")
		require.Regexp(t, ` -  greedy@1 +go +1500 `, text)
		require.Contains(t, succeed(t, in("leaderboard --format md")...), "| ---: | :--- | :--- |")
		rows, err := csv.NewReader(strings.NewReader(succeed(t, in("leaderboard --format csv --language Go")...))).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 4)
		require.Equal(t, "heuristic@1", rows[1][6])
		require.Equal(t, succeed(t, in("leaderboard --format json --no-times")...), succeed(t, in("leaderboard --json --no-times")...))
		require.NotContains(t, succeed(t, in("leaderboard --json --no-times")...), "_ms")
		require.Equal(t, succeed(t, in("leaderboard --anchor random@1 --language Go")...), succeed(t, in("leaderboard --anchor random --language go")...))
		require.Contains(t, succeed(t, in("leaderboard --json")...), "p99_ms")
	})
	t.Run("errors", func(t *testing.T) {
		for line, want := range map[string]outcome{
			"leaderboard --players 9":               {code: exitUsage, errOut: "--players 9: games have 2 to 6 players"},
			"leaderboard --players 5":               {code: exitNotFound, errOut: "no games of 5 players in " + data + "; there are some of 2 players"},
			"leaderboard --since yesterday":         {code: exitUsage, errOut: `--since "yesterday" is no date; write it as in`},
			"leaderboard --since 2999-01-01":        {code: exitNotFound, errOut: "no games since 2999-01-01 in"},
			"leaderboard --tournament cub":          {code: exitNotFound, errOut: `there is no tournament "cub" in ` + data + "; did you mean cup?"},
			"leaderboard --rules chess":             {code: exitUsage, errOut: `preset: "chess" is unknown`},
			"leaderboard --rules bga":               {code: exitNotFound, errOut: "no games by the rules bga in"},
			"leaderboard --language rust":           {code: exitNotFound, errOut: `no bot written in "rust" has played`},
			"leaderboard --format xml":              {code: exitUsage, errOut: `--format "xml" is unknown; choose table, csv, md or json`},
			"leaderboard --anchor rendom":           {code: exitNotFound, errOut: "--anchor: rendom has not played; did you mean random?"},
			"h2h greedy":                            {code: exitUsage, errOut: "takes two bots; got 1"},
			"h2h greedy greedy@1":                   {code: exitUsage, errOut: "greedy@1 is one bot; name two"},
			"h2h greedi random":                     {code: exitNotFound, errOut: "greedi has not played; did you mean greedy?"},
			"export":                                {code: exitUsage, errOut: "say which table by --what: matches, games, decisions or ratings"},
			"export --what games --format xml":      {code: exitUsage, errOut: `--format "xml" is unknown; choose csv or jsonl`},
			"export --what games --json":            {code: exitUsage, errOut: "--json is for --dictionary"},
			"export --what games --tournament nope": {code: exitNotFound, errOut: `there is no tournament "nope"`},
		} {
			o := arenaRun(t, in(line)...)
			require.Equal(t, want.code, o.code, line)
			require.Contains(t, o.errOut, want.errOut, line)
			require.Empty(t, o.out, line)
		}
	})
	t.Run("no ratings", func(t *testing.T) {
		o := arenaRun(t, in("export --what ratings --players 5")...)
		require.Equal(t, exitOK, o.code)
		require.Equal(t, 1, strings.Count(o.out, "\n"), "the header")
		require.Contains(t, o.errOut, "The table is empty: no games of 5 players in "+data)
	})
	t.Run("h2h", func(t *testing.T) {
		require.Regexp(t, `heuristic@1 v random@1\n\n SEATS +GAMES.*\n +2 +4 +2 +`, succeed(t, in("h2h heuristic random")...))
		var h struct{ Played []league.HeadToHead }
		require.NoError(t, json.Unmarshal([]byte(succeed(t, in("h2h random@1 heuristic --json")...)), &h))
		require.Equal(t, 4, h.Played[0].Ahead+h.Played[0].Level+h.Played[0].Behind)
	})
	t.Run("export", func(t *testing.T) { exportAll(t, data, in) })
}

// exportAll reads what is exported, with another program's reader of CSV as well, and compares it with the results.
func exportAll(t *testing.T, data string, in func(string) []string) {
	t.Helper()
	var run struct{ Tournaments []played }
	require.NoError(t, json.Unmarshal([]byte(succeed(t, append(in("tournament run"), filepath.Join(data, "cup.toml"), "--json", "-q", "--unsafe-no-sandbox")...)), &run))
	games, moves := 0, 0
	for _, result := range run.Tournaments[0].Results {
		for _, set := range result.Sets {
			for _, game := range set.Games {
				games++
				for _, think := range game.Think {
					moves += think.Moves
				}
			}
		}
	}
	asked := 0
	for what, rows := range map[string]int{"matches": 6, "games": 2 * games, "ratings": 3, "decisions": -1} {
		out := filepath.Join(t.TempDir(), what)
		o := arenaRun(t, append(in("export --what "+what), "-o", out)...)
		require.Equal(t, outcome{}, o)
		text, err := os.ReadFile(out)
		require.NoError(t, err)
		require.Equal(t, string(text), succeed(t, in("export --what "+what)...), "the same bytes twice")
		records, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		require.NoError(t, err)
		if rows >= 0 {
			require.Len(t, records, rows+1, what)
		}
		lines := strings.Split(strings.TrimSpace(succeed(t, in("export --format jsonl --what "+what)...)), "\n")
		require.Len(t, lines, len(records)-1)
		for _, line := range lines {
			var row map[string]any
			require.NoError(t, json.Unmarshal([]byte(line), &row))
			require.Len(t, row, len(records[0]))
			if row["by"] == "bot" {
				asked++
			}
		}
		if python, err := exec.LookPath("python3"); err == nil {
			script := `import csv, sys; rows = list(csv.DictReader(open(sys.argv[1], newline=""))); assert all(None not in r and None not in r.values() for r in rows); print(len(rows))`
			counted, err := exec.CommandContext(t.Context(), python, "-c", script, out).CombinedOutput()
			require.NoError(t, err, "%s", counted)
			require.Equal(t, fmt.Sprintln(len(records)-1), string(counted))
		}
	}
	require.Equal(t, moves, asked, "every move that a bot was asked for is a decision of its own")
	require.NoError(t, os.RemoveAll(filepath.Join(data, "replays")))
	o := arenaRun(t, in("export --what decisions")...)
	require.Equal(t, exitOK, o.code)
	require.Contains(t, o.errOut, "12 games of 12 left out, whose replays are not there or cannot be read")
	require.Contains(t, succeed(t, "export", "--dictionary"), "decisions: a row is one move")
}

// TestFilterWithoutResults: what is wrong with a filter is told also where nothing has been played.
func TestFilterWithoutResults(t *testing.T) {
	for line, want := range map[string]string{
		"leaderboard --players 9":            "--players 9: games have 2 to 6 players",
		"h2h greedy random --rules chess":    `preset: "chess" is unknown`,
		"export --what games --since summer": `--since "summer" is no date`,
	} {
		o := arenaRun(t, append(strings.Fields(line), "--data", t.TempDir())...)
		require.Equal(t, exitUsage, o.code, line)
		require.Contains(t, o.errOut, want, line)
	}
}
