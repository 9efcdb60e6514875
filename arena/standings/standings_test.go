package standings_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
	"github.com/fivethreefive/fivethreefive/arena/standings"
)

func beats(winner, loser int) standings.Table {
	return standings.Table{Entrants: []int{winner, loser}, Points: []int{schedule.Unit, 0}}
}

func draw(a, b int) standings.Table {
	return standings.Table{Entrants: []int{a, b}, Points: []int{schedule.Unit / 2, schedule.Unit / 2}}
}

func ExampleRank() {
	names := []string{"fox", "owl", "cat", "elk"}
	record := standings.Record{Seats: 2, Entrants: 4, Stages: []standings.Stage{
		{Tables: []standings.Table{beats(0, 3), beats(1, 2)}},
		{Tables: []standings.Table{beats(1, 0), beats(2, 3)}},
		{Tables: []standings.Table{beats(0, 2), beats(3, 1)}},
	}}
	rows, err := standings.Rank(record, standings.Rules{Order: standings.RoundRobinOrder(), Unplayed: standings.PlayedOnly})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range rows {
		points, direct := standings.Text(row.Values[0]), standings.Text(row.Values[1])
		fmt.Println(row.Rank, names[row.Entrant], points, "points, direct", direct)
	}
	// Output:
	// 1 owl 2 points, direct 1
	// 2 fox 2 points, direct 0
	// 3 cat 1 points, direct 1
	// 4 elk 1 points, direct 0
}

// In the table of all four 0 and 1 are level again, and so are 2 and 3: their own games decide.
func TestDirectIsAppliedAgainToThoseStillTied(t *testing.T) {
	r := standings.Record{Seats: 2, Entrants: 4, Stages: []standings.Stage{
		{Tables: []standings.Table{beats(1, 0), beats(2, 3)}},
		{Tables: []standings.Table{beats(0, 2), beats(3, 1)}},
		{Tables: []standings.Table{beats(0, 3), beats(1, 2)}},
	}}
	rows := byEntrant(t, r, standings.Rules{Order: []standings.TieBreak{standings.Direct}})
	for e, want := range []struct {
		rank   int
		direct string
	}{{2, "2"}, {1, "2"}, {3, "1"}, {4, "1"}} {
		assert.Equal(t, want.rank, rows[e].Rank)
		assert.Equal(t, want.direct, standings.Text(rows[e].Values[0]))
	}
}

// 1 lost to 0 once, beat it twice: of one point each game they share 1/3 to 2/3.
func TestDirectTakesTheMeanOfRepeatedMeetings(t *testing.T) {
	r := standings.Record{Seats: 2, Entrants: 3, Stages: []standings.Stage{
		{Tables: []standings.Table{beats(0, 1)}},
		{Tables: []standings.Table{beats(1, 0)}},
		{Tables: []standings.Table{beats(1, 0)}},
		{Tables: []standings.Table{beats(0, 2)}},
		{Tables: []standings.Table{beats(2, 1)}},
	}}
	rows := byEntrant(t, r, standings.Rules{Order: []standings.TieBreak{standings.Direct}})
	assert.Equal(t, "4/3", rows[0].Values[0].String())
	assert.Equal(t, "2/3", rows[1].Values[0].String())
	assert.Equal(t, "1/1", rows[2].Values[0].String())
}

// A small mean of a large table and a large mean of a small one.
func TestBuchholzIsAMeanAtLargerTables(t *testing.T) {
	r := standings.Record{Seats: 3, Entrants: 5, Stages: []standings.Stage{
		{Tables: []standings.Table{
			{Entrants: []int{0, 1, 2}, Points: []int{120, 60, 0}},
			{Entrants: []int{3, 4}, Points: []int{120, 0}},
		}},
	}}
	order := []standings.TieBreak{standings.Points, standings.Buchholz, standings.BuchholzCut1, standings.SonnebornBerger}
	rows := byEntrant(t, r, standings.Rules{Order: order})
	for e, want := range [][]string{
		{"1", "0.25", "0.5", "0.5"}, {"0.5", "0.5", "1", "0"}, {"0", "0.75", "1", "0"}, {"1", "0", "0", "0"}, {"0", "1", "0", "0"},
	} {
		for i, v := range want {
			assert.Equal(t, v, standings.Text(rows[e].Values[i]), "entrant %d, %v", e, order[i])
		}
	}
}

// Entrant 0 has a bye, 3 comes late, 2 leaves after the first stage.
func TestRulesForStagesNotPlayed(t *testing.T) {
	h := schedule.History{Seats: 2, Entrants: []schedule.Entrant{{}, {}, {Absent: true}, {Joined: 1}}, Stages: []schedule.Played{
		{Tables: []schedule.Table{{Entrants: []int{1, 2}, Points: []int{120, 0}}}, Byes: []int{0}},
		{Tables: []schedule.Table{{Entrants: []int{1, 0}, Points: []int{120, 0}}}, Byes: []int{3}},
		{Tables: []schedule.Table{{Entrants: []int{3, 0}, Points: []int{0, 120}}}, Byes: []int{1}},
	}}
	order := []standings.TieBreak{standings.Points, standings.Buchholz, standings.BuchholzCut1, standings.SonnebornBerger}
	tests := []struct {
		rule standings.Rule
		bye  int
		want [][]string // by entrant
	}{
		// 0: met 1 (3) and 3 (1), and itself (2 points), of which 1.5 count. 1: met 2, whose two absences are half a point
		// each, 0, and itself (3 or 1.5). 2: met 1, and itself twice (0). 3: met 0, and itself twice (1), once by choice.
		{standings.FIDE2023, 120, [][]string{{"2", "6", "5", "3"}, {"3", "6", "5", "6"}, {"0", "3", "3", "0"}, {"1", "4", "3", "1"}}},
		{standings.FIDE2026, 120, [][]string{{"2", "5.5", "4.5", "2.5"}, {"3", "4.5", "3.5", "4.5"}, {"0", "3", "3", "0"}, {"1", "4", "3", "1"}}},
		{0, 120, [][]string{{"2", "5.5", "4.5", "2.5"}, {"3", "4.5", "3.5", "4.5"}, {"0", "3", "3", "0"}, {"1", "4", "3", "1"}}},
		{standings.PlayedOnly, 0, [][]string{{"1", "2", "2", "0"}, {"2", "1", "1", "1"}, {"0", "2", "0", "0"}, {"0", "1", "0", "0"}}},
	}
	for _, tt := range tests {
		rows := byEntrant(t, standings.FromHistory(h, tt.bye), standings.Rules{Order: order, Unplayed: tt.rule})
		for e, want := range tt.want {
			for i, v := range want {
				assert.Equal(t, v, standings.Text(rows[e].Values[i]), "%v, entrant %d, %v", tt.rule, e, order[i])
			}
		}
	}
}

// At tables of three a bye counts in Sonneborn-Berger as a win against two of one's own score, here 1.5, of which 1 counts.
func TestByeAtLargerTables(t *testing.T) {
	r := standings.Record{Seats: 3, Entrants: 4, Stages: []standings.Stage{
		{
			Tables:   []standings.Table{{Entrants: []int{0, 1, 2}, Points: []int{120, 60, 0}}},
			Unplayed: []standings.Unplayed{{Entrant: 3, Points: schedule.Unit}},
		},
		{
			Tables:   []standings.Table{{Entrants: []int{0, 3, 1}, Points: []int{120, 60, 0}}},
			Unplayed: []standings.Unplayed{{Entrant: 2, Points: schedule.Unit}},
		},
	}}
	order := []standings.TieBreak{standings.Points, standings.Buchholz, standings.SonnebornBerger}
	rows := byEntrant(t, r, standings.Rules{Order: order})
	for i, want := range []string{"1.5", "1.25", "2.5"} {
		assert.Equal(t, want, standings.Text(rows[3].Values[i]), "%v", order[i])
	}
}

// Whoever asked for a bye cannot have it cut a real opponent: its own term goes, even if another is lower.
func TestBuchholzCutsAStageMissedByChoiceFirst(t *testing.T) {
	r := standings.Record{Seats: 2, Entrants: 3, Stages: []standings.Stage{
		{Tables: []standings.Table{beats(0, 1)}},
		{Tables: []standings.Table{beats(1, 2)}, Unplayed: []standings.Unplayed{{Entrant: 0, Chosen: true, Points: 60}}},
		{Tables: []standings.Table{beats(0, 2)}},
	}}
	rows := byEntrant(t, r, standings.Rules{Order: []standings.TieBreak{standings.Buchholz, standings.BuchholzCut1}})
	assert.Equal(t, "3", standings.Text(rows[0].Values[0]), "1.5 of 1, nothing of 2, and 1.5 of itself")
	assert.Equal(t, "1.5", standings.Text(rows[0].Values[1]))
}

func TestRatingDecidesByMillionths(t *testing.T) {
	r := standings.Record{Seats: 2, Entrants: 3, Ratings: []float64{1500.0000001, 1500, 1500.00001}}
	rows, err := standings.Rank(r, standings.Rules{})
	require.NoError(t, err)
	ranks := map[int]int{}
	for _, row := range rows {
		ranks[row.Entrant] = row.Rank
	}
	assert.Equal(t, map[int]int{2: 1, 0: 2, 1: 2}, ranks)
}

func TestNamesMarshal(t *testing.T) {
	text, err := json.Marshal(standings.SwissOrder())
	require.NoError(t, err)
	assert.JSONEq(t, `["points", "direct", "buchholz-cut-1", "buchholz", "sonneborn-berger", "wins", "rating"]`, string(text))
	var order []standings.TieBreak
	require.NoError(t, json.Unmarshal(text, &order))
	assert.Equal(t, standings.SwissOrder(), order)

	var rules []standings.Rule
	require.NoError(t, json.Unmarshal([]byte(`["fide-2023", "fide-2026", "played-only"]`), &rules))
	assert.Equal(t, []standings.Rule{standings.FIDE2023, standings.FIDE2026, standings.PlayedOnly}, rules)
	assert.Equal(t, "fide-2026", rules[1].String())

	var by standings.TieBreak
	require.EqualError(t, by.UnmarshalText([]byte("bucholz")),
		`unknown tie-break "bucholz": choose from points, direct, buchholz-cut-1, buchholz, sonneborn-berger, wins, rating`)
	var rule standings.Rule
	require.EqualError(t, rule.UnmarshalText([]byte("2024")),
		`unknown rule for unplayed stages "2024": choose from fide-2023, fide-2026, played-only`)
	_, err = standings.TieBreak(0).MarshalText()
	require.ErrorContains(t, err, "TieBreak(0) is no tie-break: choose from points")
	_, err = standings.Rule(9).MarshalText()
	require.ErrorContains(t, err, "Rule(9) is no rule for unplayed stages: choose from fide-2023")
}

func TestRankRefuses(t *testing.T) {
	stage := func(s standings.Stage) standings.Record {
		return standings.Record{Seats: 2, Entrants: 2, Stages: []standings.Stage{{}, s}}
	}
	tests := []struct {
		name  string
		r     standings.Record
		rules standings.Rules
		want  string
	}{
		{"one seat", standings.Record{Seats: 1}, standings.Rules{}, "tables of 1 seats: choose at least 2"},
		{
			"an empty order",
			standings.Record{Seats: 2},
			standings.Rules{Order: []standings.TieBreak{}},
			"nothing to rank by: name at least one tie-break",
		},
		{
			"a tie-break twice",
			standings.Record{Seats: 2},
			standings.Rules{Order: []standings.TieBreak{standings.Wins, standings.Wins}},
			"tie-break wins is there twice: leave one out",
		},
		{
			"no rule",
			standings.Record{Seats: 2},
			standings.Rules{Unplayed: 7},
			"Rule(7) is no rule for unplayed stages: choose from fide-2023, fide-2026, played-only",
		},
		{
			"too few ratings",
			standings.Record{Seats: 2, Entrants: 2, Ratings: []float64{1}},
			standings.Rules{},
			"1 ratings for 2 entrants: give one each or none",
		},
		{
			"no number",
			standings.Record{Seats: 2, Entrants: 1, Ratings: []float64{math.NaN()}},
			standings.Rules{},
			"entrant [0] has rating NaN: give at most a billion",
		},
		{
			"a stranger", stage(standings.Stage{Tables: []standings.Table{beats(0, 2)}}),
			standings.Rules{},
			"stage 2: table 1: entrant [2] of 2 is unknown",
		},
		{
			"twice at a table", stage(standings.Stage{Tables: []standings.Table{draw(1, 1)}}),
			standings.Rules{},
			"stage 2: table 1: entrant [1] is there twice",
		},
		{"a table and a bye", stage(standings.Stage{
			Tables: []standings.Table{draw(0, 1)}, Unplayed: []standings.Unplayed{{Entrant: 1}},
		}), standings.Rules{}, "stage 2: entrant [1] is there twice: give it tables or a bye"},
		{
			"points left out", stage(standings.Stage{Tables: []standings.Table{{Entrants: []int{0, 1}}}}),
			standings.Rules{},
			"stage 2: table 1: 0 points for 2 entrants: give one each",
		},
		{
			"too many points", stage(standings.Stage{Unplayed: []standings.Unplayed{{Points: 121}}}),
			standings.Rules{},
			"stage 2: entrant [0] has 121 points: give 0 to 120",
		},
		{"a forfeit alone", stage(standings.Stage{
			Tables: []standings.Table{{Entrants: []int{0}, Points: []int{0}, Forfeit: true}},
		}), standings.Rules{}, "stage 2: table 1: a forfeit of 1 entrants: give 2, or results"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := standings.Rank(tt.r, tt.rules)
			require.EqualError(t, err, "standings: "+tt.want)
		})
	}
}
