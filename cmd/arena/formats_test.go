package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
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
				runs = append(runs, succeed(t, "tournament", "run", file, "--jobs", jobs, "--move-time", "60s", "--data", t.TempDir(),
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

func TestPrintStandings(t *testing.T) {
	point := func(name string, value float64) league.Criterion { return league.Criterion{Name: name, Value: &value} }
	tally := func(bot string, points float64) league.Tally {
		return league.Tally{Bot: bot, Games: 4, Points: points, Firsts: points, MeanPlace: 1.5, Penalty: 2}
	}
	var out strings.Builder
	require.NoError(t, printStandings(&out, []league.Standing{
		{Rank: 1, Tally: tally("a@1", 3), Order: []league.Criterion{point("points", 2.5), {Name: "direct"}, point("buchholz", 3), point("wins", 2)}},
		{Rank: 2, Tally: tally("b@1", 3), By: "points", Order: []league.Criterion{point("points", 2), {Name: "direct"}, point("buchholz", 3.25), point("wins", 1)}},
		{Rank: 3, Tally: tally("c@1", 1), By: "buchholz", Withdrawn: true, Order: []league.Criterion{point("points", 2), {Name: "direct"}, point("buchholz", 3), point("wins", 1)}},
	}))
	require.Equal(t, strings.TrimPrefix(`
 #  BOT              MATCH PTS  BUCHHOLZ  POINTS  GAMES   FIRST  PLACE  PEN/ROUND  THINK MS  FAULTS 
 1  a@1                    2.5      3.00     3.0      4  75.0 %   1.50       2.00         -       0 
 2  b@1                    2.0      3.25     3.0      4  75.0 %   1.50       2.00         -       0 
 3  c@1 (withdrawn)        2.0      3.00     1.0      4  25.0 %   1.50       2.00         -       0 
`, "\n"), out.String())

	out.Reset()
	printNotes(&out, []stageNotes{{2, []string{"a has a bye again", "b too"}}, {0, []string{"too few"}}})
	require.Equal(t, "\nstage 2: a has a bye again\nstage 2: b too\nend: too few\n", out.String())
}

// TestProgressWithoutEnd prints now and then, and no parts.
func TestProgressWithoutEnd(t *testing.T) {
	var out strings.Builder
	p := newProgress(&out, 0, "games")
	for range 2*gamesPerLine + 1 {
		p.played(arena.Game{})
	}
	p.end()
	require.Regexp(t, `^500 games, \S+ games/s, 0 faults\n1000 games, \S+ games/s, 0 faults\n$`, out.String())
}
