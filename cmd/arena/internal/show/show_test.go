package show

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// TestJSONIsPrintable: texts of strangers say nothing to a terminal, and are the same to a program.
func TestJSONIsPrintable(t *testing.T) {
	const text = "caf\u00e9 \u009b31m \u202e abc \u001b[0m \U000e0001 \u4f60 \U0001f600 <&> \n\t"
	var out bytes.Buffer
	require.NoError(t, JSON(&out, map[string]string{"a": text}))
	for _, r := range out.String() {
		require.True(t, r == '\n' || unicode.IsPrint(r), "%q", r)
	}
	require.Contains(t, out.String(), `\u009b31m \u202e`)
	var back map[string]string
	require.NoError(t, json.Unmarshal(out.Bytes(), &back))
	require.Equal(t, text, back["a"])
}

func TestStandings(t *testing.T) {
	point := func(name string, value float64) league.Criterion { return league.Criterion{Name: name, Value: &value} }
	tally := func(bot string, points float64) league.Tally {
		return league.Tally{Bot: bot, Games: 4, Points: points, Firsts: points, MeanPlace: 1.5, Penalty: 2}
	}
	var out strings.Builder
	require.NoError(t, Standings(&out, []league.Standing{
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
	Notes(&out, []StageNotes{{2, []string{"a has a bye again", "b too"}}, {0, []string{"too few"}}})
	require.Equal(t, "\nstage 2: a has a bye again\nstage 2: b too\nend: too few\n", out.String())
}

// TestProgressWithoutEnd prints now and then, and no parts.
func TestProgressWithoutEnd(t *testing.T) {
	var out strings.Builder
	p := NewProgress(&out, 0, "games")
	for range 2*gamesPerLine + 1 {
		p.Played(arena.Game{})
	}
	p.End()
	require.Regexp(t, `^500 games, \S+ games/s, 0 faults\n1000 games, \S+ games/s, 0 faults\n$`, out.String())
}

func TestPrintable(t *testing.T) {
	require.Equal(t, "a\n\\x1b[31mb\\x07\\x00 é 漢", Printable("a\n\x1b[31mb\a\x00 é 漢"))
	require.Equal(t, `run 'my cup.toml' --data=x 'it'\''s' ''`, ShellLine([]string{"run", "my cup.toml", "--data=x", "it's", ""}))
}
