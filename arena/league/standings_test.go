package league_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/standings"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestStandingsGolden has a late entry and a withdrawal wherever the format allows them.
func TestStandingsGolden(t *testing.T) {
	var out strings.Builder
	for _, format := range league.Formats() {
		for _, players := range seats(format) {
			to := formatCup(t, format, 7, players)
			state, err := league.Fold(wholeLog(t, to, dice(1), func(s *league.State) []league.Event {
				switch {
				case s.Stages() == 1 && len(s.Entrants) == 7 && (format == league.Swiss || format == league.Ladder):
					return []league.Event{{Entered: &league.Entrant{Label: botName(7)}}, {Withdrawn: botName(5)}}
				case s.Stages() == 1 && format == league.Gauntlet:
					return []league.Event{{Withdrawn: botName(5)}}
				}
				return nil
			})...)
			require.NoError(t, err)
			fmt.Fprintf(&out, "%s at %d seats\n", format, players)
			printRows(&out, state.Standings())
			for stage := 1; stage <= state.Stages(); stage++ {
				for _, note := range state.Notes(stage) {
					fmt.Fprintf(&out, "stage %d: %s\n", stage, note)
				}
			}
			fmt.Fprintln(&out)
		}
	}
	golden := filepath.Join("testdata", "standings.txt")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}

func printRows(out *strings.Builder, rows []league.Standing) {
	for _, row := range rows {
		fmt.Fprintf(out, "%d %s", row.Rank, row.Bot)
		for _, criterion := range row.Order {
			fmt.Fprintf(out, " %s=%v", criterion.Name, criterion)
		}
		fmt.Fprintf(out, " game points=%.2f penalty=%.2f", row.Points, row.Penalty)
		if row.By != "" {
			fmt.Fprintf(out, " by=%s", row.By)
		}
		if row.Withdrawn {
			fmt.Fprint(out, " withdrawn")
		}
		fmt.Fprintln(out)
	}
}

// scripted makes a log whose matches of two are won as the sides say: '1' or '2' for one, '=' for neither. Each match has
// two games, and whoever wins the match wins both, unless the side is in capital letters: 'A' and 'B' win one and draw one.
func scripted(t *testing.T, to league.Tournament, results string) *league.State {
	t.Helper()
	state := &league.State{}
	n := 0
	write := func(e league.Event) {
		n++
		e.N = n
		require.NoError(t, state.Apply(e))
	}
	write(league.Event{Created: &to})
	for number := 1; number <= len(results); number++ {
		if number > state.Paired() {
			next, ok, err := state.NextStage()
			require.NoError(t, err)
			require.True(t, ok)
			write(league.Event{Paired: &next})
		}
		write(league.Event{Played: &league.Played{Match: number, Games: map[byte]league.Games{
			'1': {{1, 1, 0, 2, 10}, {1, 1, 0, 2, 10}}, '2': {{1, 2, 10, 1, 0}, {1, 2, 10, 1, 0}}, '=': {{1, 1, 0, 2, 10}, {1, 2, 10, 1, 0}},
			'A': {{1, 1, 0, 2, 10}, {1, 1, 5, 1, 5}}, 'B': {{1, 2, 10, 1, 0}, {1, 1, 5, 1, 5}},
		}[results[number-1]], Bots: make([]league.Behaviour, 2)}})
	}
	return state
}

// lines are rank, bot and values of each row.
func lines(s *league.State) []string {
	var all []string
	for _, row := range s.Standings() {
		words := []string{fmt.Sprint(row.Rank), row.Bot[:1]}
		for _, criterion := range row.Order {
			words = append(words, criterion.String())
		}
		all = append(all, strings.Join(words, " "))
	}
	return all
}

// TestStandingsByHand: small tournaments that one can reckon up.
func TestStandingsByHand(t *testing.T) {
	withScoring := func(format league.Format, scoring league.Scoring, by ...standings.TieBreak) league.Tournament {
		to := tournament(t, "cup", 4, 2)
		to.Format, to.Choices = format, league.Choices{Scoring: scoring, TieBreaks: by}
		if format == league.RoundRobin || format == league.Gauntlet {
			to.Cycles = 1
		}
		if format == league.Gauntlet {
			to.Heroes = []int{3}
		}
		return to
	}
	for name, test := range map[string]struct {
		to      league.Tournament
		results string
		want    []string
	}{
		// Berger's table of four: a-d b-c, d-c a-b, b-d c-a.
		"a round robin counts games": {withScoring(league.RoundRobin, ""), "A11111", []string{
			"1 b", "2 a", "3 d", "4 c",
		}},
		"a round robin by matches": {withScoring(league.RoundRobin, league.ScoreMatch), "A1B111", []string{
			"1 a 2 1 2 2", "1 b 2 1 2 2", "1 c 2 1 2 2", "4 d 0  0 0",
		}},
		"tied twos by who beat whom": {withScoring(league.RoundRobin, league.ScoreMatch), "A12121", []string{
			"1 c 2 1 3 2", "2 a 2 0 2 2", "3 d 1 1 1 1", "4 b 1 0 2 1",
		}},
		"by the mean of games": {withScoring(league.RoundRobin, league.ScoreGames), "A12121", []string{
			"1 c 2  3 2", "2 a 1.75  1.94 1", "3 d 1.25  1.44 1", "4 b 1  2 1",
		}},
		"tie-breaks follow points": {withScoring(league.RoundRobin, "", standings.Wins), "A12121", []string{
			"1 c 2 2", "2 a 1.75 1", "3 d 1.25 1", "4 b 1 1",
		}},
		"unless points are among them": {withScoring(league.RoundRobin, "", standings.Wins, standings.Points), "A12121", []string{
			"1 c 2 2", "2 a 1 1.75", "3 d 1 1.25", "4 b 1 1",
		}},
		// a-c and b-d.
		"a swiss by the mean of games": {withScoring(league.Swiss, league.ScoreGames, standings.Buchholz), "A1", []string{
			"1 b 1 0", "2 a 0.75 0.25", "3 c 0.25 0.75", "4 d 0 1",
		}},
		// Who is still to play has nothing, and half a point of its own is no opponent.
		"a swiss in the middle of a stage": {withScoring(league.Swiss, "", standings.Buchholz), "1", []string{
			"1 a 1 0", "2 c 0 1", "3 b 0 0", "3 d 0 0",
		}},
		// d-a, b-d, d-c.
		"a gauntlet by points a game": {withScoring(league.Gauntlet, ""), "12=", []string{
			"1 d 0.83", "2 c 0.5", "3 a 0", "3 b 0",
		}},
		// a-d and b-c, and then the first finalist loses.
		"a knockout shares ranks":                 {withScoring(league.Knockout, ""), "112", []string{"1 b 1", "2 a 2", "3 c 3", "3 d 3"}},
		"a knockout in the middle of a stage":     {withScoring(league.Knockout, ""), "1", []string{"1 a 1", "1 b 1", "1 c 1", "1 d 1"}},
		"a knockout with tie-breaks":              {withScoring(league.Knockout, "", standings.Buchholz), "112", []string{"1 b 1 1", "2 a 2 2", "3 c 3 2", "4 d 3 1"}},
		"a ladder by rating, which level, shares": {withScoring(league.Ladder, ""), "==", []string{"1 a 1500 0.5", "1 b 1500 0.5", "1 c 1500 0.5", "1 d 1500 0.5"}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, lines(scripted(t, test.to, test.results)))
		})
	}
}

// TestStandingsJSON has every value, and null where one does not apply.
func TestStandingsJSON(t *testing.T) {
	to := tournament(t, "cup", 3, 2)
	to.Format, to.Choices = league.Swiss, league.Choices{TieBreaks: []standings.TieBreak{standings.Direct}}
	text, err := json.Marshal(scripted(t, to, "1").Standings()[0])
	require.NoError(t, err)
	require.JSONEq(t, `{"rank": 1, "order": [{"name": "points", "value": 1}, {"name": "direct", "value": null}], "rating": 1510,
		"bot": "a@1", "games": 2, "points": 2, "firsts": 2, "mean_place": 1, "penalty": 0, "faults": 0, "forfeits": 0,
		"think": {"mean_ms": 0, "max_ms": 0}}`, string(text))
}
