package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// compared is of the JSON of a comparison what the tests look at.
type compared struct {
	Verdict, Sentence string
	DealSets          int `json:"deal_sets"`
	Elo               struct{ Value, Low, High float64 }
	Conduct           []struct{ Faults, Forfeits int }
}

func compareJSON(t *testing.T, code int, args ...string) compared {
	t.Helper()
	o := arenaRun(t, append([]string{"compare", "--seed", "3", "--move-time", "60s", "--unsafe-no-sandbox", "--json", "-q"}, args...)...)
	require.Equal(t, code, o.code, "%s\n%s", o.errOut, o.out)
	var c compared
	require.NoError(t, json.Unmarshal([]byte(o.out), &c))
	return c
}

// TestCompareAgreesWithRatings decides by one command, and comes to what a tournament of the same bots says, as far as the
// intervals of both allow.
func TestCompareAgreesWithRatings(t *testing.T) {
	dir := t.TempDir()
	run := func(to any, args ...string) {
		require.NoError(t, json.Unmarshal([]byte(builtSucceed(t, append(args, "--json", "--data", dir)...)), to))
	}
	for players := 2; players <= 4; players += 2 {
		var direct compared
		run(&direct, "compare", "heuristic", "greedy", "--players", fmt.Sprint(players), "--elo1", "150", "--seed", "3", "--move-time", "60s", "--unsafe-no-sandbox")
		require.Equal(t, "better", direct.Verdict)
		require.Regexp(t, fmt.Sprintf(`^heuristic@1 is \+\d+ (± \d+ Elo|Elo \(\+\d+ to \+\d+\)) v greedy@1 at %d seats after %d deal sets: better\.$`, players, direct.DealSets), direct.Sentence)
		require.Positive(t, direct.Elo.Low)

		file := filepath.Join(dir, fmt.Sprintf("cup%d.toml", players))
		bots := `"heuristic"` + strings.Repeat(`, "greedy"`, players-1)
		text := fmt.Sprintf("bots = [%s]\nplayers = %d\ndeal_sets = 8\nseed = 8\nmove_ms = 60000\n", bots, players)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		var boards struct{ Leaderboards []league.Leaderboard }
		run(&struct{}{}, "tournament", "run", file, "--no-replays", "--unsafe-no-sandbox")
		run(&boards, "leaderboard", "--players", fmt.Sprint(players))
		board := boards.Leaderboards[len(boards.Leaderboards)-1]
		first := board.Rows[0]
		require.Equal(t, players, board.Players)
		require.Equal(t, "heuristic@1", first.Bot)
		ahead := first.Rating - league.AnchorRating
		both := (first.Interval.High - first.Interval.Low + direct.Elo.High - direct.Elo.Low) / 2
		t.Logf("%d seats: %s The tournament says %+.0f, %+.0f to %+.0f.", players, direct.Sentence, ahead,
			first.Interval.Low-league.AnchorRating, first.Interval.High-league.AnchorRating)
		require.Less(t, math.Abs(ahead-direct.Elo.Value), both)
	}
}

// TestCompareDoesNotDependOnJobs: the same seed gives the same bytes, against copies and against a field.
func TestCompareDoesNotDependOnJobs(t *testing.T) {
	for _, more := range [][]string{{"--players", "2"}, {"--field", "random"}} {
		var outs []string
		for _, jobs := range []string{"1", "5"} {
			args := []string{
				"compare", "random", "greedy", "--seed", "5", "--move-time", "60s", "--unsafe-no-sandbox", "--json", "-q",
				"--max-deal-sets", "3", "--option", "target=0", "--jobs", jobs,
			}
			o := arenaRun(t, append(args, more...)...)
			require.Equal(t, exitUndecided, o.code, o.errOut)
			require.Contains(t, o.errOut, "not known yet")
			outs = append(outs, o.out)
		}
		require.Equal(t, outs[0], outs[1])
		require.Contains(t, outs[0], `"verdict": "undecided"`)
	}
}

// shellBots are folders of bots that call themselves the same, each with the action that it always takes: 99 is a fault.
func shellBots(t *testing.T, actions map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, action := range actions {
		folder := filepath.Join(dir, name)
		require.NoError(t, os.Mkdir(folder, 0o755))
		manifest := "name = \"shell\"\nversion = \"1\"\nlanguage = \"bash\"\nrun = [\"bash\", \"bot.sh\"]\n"
		require.NoError(t, os.WriteFile(filepath.Join(folder, "bot.toml"), []byte(manifest), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "bot.sh"), []byte(`while read -r m; do case $m in
'{"type":"hello"'*) echo '{"type":"ready"}' ;;
'{"type":"turn"'*) t=${m#*'"turn":'}; echo '{"type":"move","turn":'"${t%%,*}"',"action":`+action+`}' ;; esac; done
`), 0o644))
	}
	return dir
}

// TestCompareVersionsOfOneName keeps two folders apart that call themselves the same, and says what the new one did wrong.
func TestCompareVersionsOfOneName(t *testing.T) {
	dir := shellBots(t, map[string]string{"good": "0", "bad": "99"})
	fresh, old := filepath.Join(dir, "bad"), filepath.Join(dir, "good")
	c := compareJSON(t, exitNo, fresh, old, "--elo1", "80")
	require.Equal(t, "worse", c.Verdict)
	games := 2 * c.DealSets
	require.Equal(t, fmt.Sprintf("%s lost everything v %s at 2 seats after %d deal sets: worse. %s had %d faults and forfeited %d games.",
		fresh, old, c.DealSets, fresh, c.Conduct[0].Faults, games), c.Sentence)
	require.Zero(t, c.Conduct[1].Faults)
}

// TestCompareInterrupted keeps the count so far.
func TestCompareInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals to send")
	}
	dir := shellBots(t, map[string]string{"one": "0", "two": "0"})
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	cmd := command(t, "compare", one, two, "--elo1", "0.5", "--seed", "1", "--unsafe-no-sandbox", "--move-time", "60s")
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	var out bytes.Buffer
	cmd.Stdout = &out
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "20 deal sets: ") {
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
		}
	}
	require.Error(t, cmd.Wait())
	require.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode(), out.String())
	require.Regexp(t, regexp.QuoteMeta(one+" is level v "+two)+` at 2 seats after \d\d deal sets so far: undecided\.`, out.String())
}

func TestCompareRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"greedy":                    "takes two bots, NEW and OLD; got 1",
		"greedy nobody":             `bot "nobody" is unknown`,
		"greedy random --players 7": "--players 7: games have 2 to 6 players",
		"greedy random --field greedy,greedy --players 2": "--players 2: with a field of 2 bots there are 3",
		"greedy random --elo0 5":                          "--elo0 5 is not below --elo1 5",
		"greedy random --elo0 -1001":                      "--elo0 -1001: choose a number from -1000 to 1000",
		"greedy random --elo1 1e300":                      "--elo1 1e+300: choose a number from -1000 to 1000",
		"greedy random --elo1 NaN":                        "--elo1 NaN: choose",
		"greedy random --elo0 -Inf":                       "--elo0 -Inf: choose",
		"greedy random --alpha 0":                         "--alpha 0: a test that never errs never ends",
		"greedy random --alpha NaN":                       "--alpha NaN: choose a number above 0 and below 0.5",
		"greedy random --beta 0.6":                        "--beta 0.6: choose a number above 0 and below 0.5",
		"greedy random --max-deal-sets 0":                 "--max-deal-sets 0: choose a number from 1 to 100000",
		"greedy random --deals 100001":                    "--max-deal-sets 100001: choose",
		"greedy random --field=":                          "--field is empty; give it a value, or leave it out",
		"greedy random --field greedy,,greedy":            `--field "greedy,,greedy": a bot has no name`,
		"greedy greedy":                                   "greedy@1 is one bot; name two",
		"cmd:true cmd:true":                               "is one bot; name two",
		"greedy random --seed x":                          `--seed "x" is neither`,
	} {
		o := arenaRun(t, append([]string{"sprt"}, strings.Fields(args)...)...)
		require.Equal(t, exitUsage, o.code, args)
		require.Contains(t, o.errOut, want, args)
	}
}
