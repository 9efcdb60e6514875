package standings_test

import (
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
	"github.com/fivethreefive/fivethreefive/arena/standings"
)

type round struct {
	Games []struct {
		White, Black int
		WhitePoints  float64 `json:"white_points"`
		BlackPoints  float64 `json:"black_points"`
		Forfeit      bool
	}
	Byes []struct {
		ID   int
		Kind string
	}
}

type tournament struct {
	Name       string
	Kind       string
	Rounds     []round
	Players    []struct{ Rating float64 }
	Published  map[string]map[string]float64 // by tie-break and player
	Scalachess map[string]map[string]float64 `json:"published_scalachess"` // by player and tie-break
	All        []struct {
		StartNo, Rank    int
		PTS, BH, SB, WIN float64
		BHC1             float64 `json:"BH/C1"`
	} `json:"all_values"`
}

func readTournaments(t *testing.T) []tournament {
	t.Helper()
	var all, rounds struct{ Tournaments []tournament }
	for name, into := range map[string]any{"standings.json": &all, "rounds.json": &rounds} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, into))
	}
	require.Len(t, all.Tournaments, 5)
	for i, have := range all.Tournaments {
		for _, r := range rounds.Tournaments {
			if have.Name == r.Name {
				all.Tournaments[i].Rounds = r.Rounds
			}
		}
		require.NotEmpty(t, all.Tournaments[i].Rounds, have.Name)
	}
	return all.Tournaments
}

// record counts from 0.
func (x *tournament) record(t *testing.T) standings.Record {
	t.Helper()
	r := standings.Record{Seats: 2, Entrants: len(x.All)}
	points := func(p float64) int { return int(p * schedule.Unit) }
	for _, round := range x.Rounds {
		var s standings.Stage
		for _, g := range round.Games {
			s.Tables = append(s.Tables, standings.Table{
				Entrants: []int{g.White - 1, g.Black - 1},
				Points:   []int{points(g.WhitePoints), points(g.BlackPoints)},
				Forfeit:  g.Forfeit,
			})
		}
		for _, b := range round.Byes {
			u := standings.Unplayed{Entrant: b.ID - 1}
			switch b.Kind {
			case "pab":
				u.Points = schedule.Unit
			case "half":
				u.Points, u.Chosen = schedule.Unit/2, true
			case "zero":
				u.Chosen = true
			default:
				require.Fail(t, "unknown bye", b.Kind)
			}
			s.Unplayed = append(s.Unplayed, u)
		}
		r.Stages = append(r.Stages, s)
	}
	return r
}

// byEntrant returns the rows by index.
func byEntrant(t require.TestingT, r standings.Record, rules standings.Rules) []standings.Row {
	rows, err := standings.Rank(r, rules)
	require.NoError(t, err)
	require.Len(t, rows, r.Entrants)
	sorted := make([]standings.Row, len(rows))
	for _, row := range rows {
		sorted[row.Entrant] = row
	}
	return sorted
}

func equalValue(t *testing.T, want float64, got *big.Rat, what ...any) {
	t.Helper()
	assert.Zero(t, new(big.Rat).SetFloat64(want).Cmp(got), "want %v, got %v: %v", want, got, what)
}

// All tie-breaks of FIDE's present program, exactly.
func TestStandingsAreThoseOfThePresentRule(t *testing.T) {
	order := []standings.TieBreak{
		standings.Points, standings.Buchholz, standings.BuchholzCut1, standings.SonnebornBerger, standings.Wins,
	}
	for _, x := range readTournaments(t) {
		rules := standings.Rules{Order: order, Unplayed: standings.FIDE2026}
		if x.Kind == "round-robin" {
			rules.Unplayed = standings.PlayedOnly
		}
		rows := byEntrant(t, x.record(t), rules)
		for _, want := range x.All {
			got := rows[want.StartNo-1].Values
			for i, v := range []float64{want.PTS, want.BH, want.BHC1, want.SB, want.WIN} {
				equalValue(t, v, got[i], x.Name, want.StartNo, order[i])
			}
		}
	}
}

// The values that were published with FIDE's exercise of 2023, exactly. The present rule must not give them all.
func TestStandingsAreThoseOfTheRuleOf2023(t *testing.T) {
	x := readTournaments(t)[0]
	order := []standings.TieBreak{standings.Buchholz, standings.BuchholzCut1, standings.SonnebornBerger}
	rows := byEntrant(t, x.record(t), standings.Rules{Order: order, Unplayed: standings.FIDE2023})
	newer := byEntrant(t, x.record(t), standings.Rules{Order: order, Unplayed: standings.FIDE2026})
	values, differ := 0, 0
	for i, name := range []string{"BH", "BH/C1", "SB"} {
		for id, want := range x.Published[name] {
			e, err := strconv.Atoi(id)
			require.NoError(t, err)
			equalValue(t, want, rows[e-1].Values[i], name, id)
			values++
			if rows[e-1].Values[i].Cmp(newer[e-1].Values[i]) != 0 {
				differ++
			}
		}
	}
	assert.Equal(t, 36, values)
	assert.Equal(t, 6, differ, "values of the newer rule that are not those published")
}

// Direct encounters differ in how programs write them down, so that only the order they make is compared.
func TestStandingsOfARoundRobin(t *testing.T) {
	x := readTournaments(t)[1]
	require.Equal(t, "round-robin", x.Kind)
	order := []standings.TieBreak{standings.Points, standings.Direct, standings.SonnebornBerger, standings.Wins}
	rows := byEntrant(t, x.record(t), standings.Rules{Order: order, Unplayed: standings.PlayedOnly})
	for id, want := range x.Scalachess {
		e, err := strconv.Atoi(id)
		require.NoError(t, err)
		equalValue(t, want["PTS"], rows[e-1].Values[0])
		equalValue(t, want["SB"], rows[e-1].Values[2])
		equalValue(t, want["WIN"], rows[e-1].Values[3])
		for other, theirs := range x.Scalachess {
			o, err := strconv.Atoi(other)
			require.NoError(t, err)
			if theirs["PTS"] == want["PTS"] && other != id {
				byDirect := rows[o-1].Values[1].Cmp(rows[e-1].Values[1])
				assert.Equal(t, int(want["DE"]-theirs["DE"]) > 0, byDirect > 0, "%s before %s", other, id)
			} else if theirs["PTS"] > want["PTS"] {
				assert.Less(t, rows[o-1].Rank, rows[e-1].Rank)
			}
		}
	}
}

// With points, Buchholz, its cut, Sonneborn-Berger and direct encounters the program's ranks are ours; it has more to part
// those whom these leave level.
func TestStandingsRankAsThePresentProgram(t *testing.T) {
	order := []standings.TieBreak{
		standings.Points, standings.Buchholz, standings.BuchholzCut1, standings.SonnebornBerger, standings.Direct,
	}
	for _, x := range readTournaments(t) {
		rows := byEntrant(t, x.record(t), standings.Rules{Order: order})
		level := 0
		for _, a := range x.All {
			for _, b := range x.All {
				switch ours := rows[a.StartNo-1].Rank - rows[b.StartNo-1].Rank; {
				case ours < 0:
					assert.Less(t, a.Rank, b.Rank, "%s: %d and %d", x.Name, a.StartNo, b.StartNo)
				case ours == 0 && a.StartNo < b.StartNo:
					level++
				}
			}
		}
		assert.LessOrEqual(t, level, 1, x.Name)
	}
}
