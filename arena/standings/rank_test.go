package standings_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
	"github.com/fivethreefive/fivethreefive/arena/standings"
)

// anyRecord has up to 9 entrants, tables of all sizes, byes, absences and, at two seats, forfeits.
func anyRecord(t *rapid.T) standings.Record {
	r := standings.Record{Seats: rapid.IntRange(2, 4).Draw(t, "seats"), Entrants: rapid.IntRange(1, 9).Draw(t, "entrants")}
	if rapid.Bool().Draw(t, "rated") {
		for range r.Entrants {
			r.Ratings = append(r.Ratings, float64(rapid.IntRange(1, 3).Draw(t, "rating")))
		}
	}
	for range rapid.IntRange(0, 5).Draw(t, "stages") {
		var s standings.Stage
		left := rapid.Permutation(indices(r.Entrants)).Draw(t, "order")
		for len(left) >= 2 && rapid.IntRange(0, 5).Draw(t, "on") > 0 {
			size := rapid.IntRange(2, min(r.Seats, len(left))).Draw(t, "size")
			s.Tables = append(s.Tables, standings.Table{
				Entrants: left[:size],
				Points:   placePoints(rapid.SliceOfN(rapid.IntRange(0, 3), size, size).Draw(t, "result")),
				Forfeit:  r.Seats == 2 && rapid.IntRange(0, 4).Draw(t, "forfeit") == 0,
			})
			left = left[size:]
		}
		for _, e := range left {
			switch rapid.IntRange(0, 3).Draw(t, "without") {
			case 0:
				s.Unplayed = append(s.Unplayed, standings.Unplayed{Entrant: e, Points: schedule.Unit})
			case 1:
				s.Unplayed = append(s.Unplayed, standings.Unplayed{Entrant: e, Points: schedule.Unit / 2, Chosen: true})
			}
		}
		r.Stages = append(r.Stages, s)
	}
	return r
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// placePoints gives points by place, shared by equals.
func placePoints(results []int) []int {
	points := make([]int, len(results))
	for i, a := range results {
		for j, b := range results {
			switch {
			case i == j:
			case a > b:
				points[i] += schedule.Unit / (len(results) - 1)
			case a == b:
				points[i] += schedule.Unit / 2 / (len(results) - 1)
			}
		}
	}
	return points
}

func anyRules(t *rapid.T) standings.Rules {
	return standings.Rules{
		Order:    rapid.Permutation(standings.SwissOrder()).Draw(t, "order"),
		Unplayed: rapid.SampledFrom([]standings.Rule{0, standings.FIDE2023, standings.FIDE2026, standings.PlayedOnly}).Draw(t, "rule"),
	}
}

func TestRankDoesNotDependOnTheOrderOfTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, rules := anyRecord(t), anyRules(t)
		want, err := standings.Rank(r, rules)
		require.NoError(t, err)
		other := r
		other.Stages = nil
		for _, s := range r.Stages {
			mixed := standings.Stage{Unplayed: rapid.Permutation(s.Unplayed).Draw(t, "byes")}
			for _, table := range rapid.Permutation(s.Tables).Draw(t, "tables") {
				var turned standings.Table
				for _, i := range rapid.Permutation(indices(len(table.Entrants))).Draw(t, "seats") {
					turned.Entrants = append(turned.Entrants, table.Entrants[i])
					turned.Points = append(turned.Points, table.Points[i])
				}
				turned.Forfeit = table.Forfeit
				mixed.Tables = append(mixed.Tables, turned)
			}
			other.Stages = append(other.Stages, mixed)
		}
		got, err := standings.Rank(other, rules)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

// Renaming the entrants renames the rows and nothing else.
func TestRankDoesNotDependOnTheOrderOfEntrants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, rules := anyRecord(t), anyRules(t)
		name := rapid.Permutation(indices(r.Entrants)).Draw(t, "names")
		other := standings.Record{Seats: r.Seats, Entrants: r.Entrants}
		if r.Ratings != nil {
			other.Ratings = make([]float64, r.Entrants)
			for e, rating := range r.Ratings {
				other.Ratings[name[e]] = rating
			}
		}
		for _, s := range r.Stages {
			var renamed standings.Stage
			for _, table := range s.Tables {
				table.Entrants = slices.Clone(table.Entrants)
				for i, e := range table.Entrants {
					table.Entrants[i] = name[e]
				}
				renamed.Tables = append(renamed.Tables, table)
			}
			for _, u := range s.Unplayed {
				u.Entrant = name[u.Entrant]
				renamed.Unplayed = append(renamed.Unplayed, u)
			}
			other.Stages = append(other.Stages, renamed)
		}
		want, got := byEntrant(t, r, rules), byEntrant(t, other, rules)
		for e := range want {
			require.Equal(t, want[e].Rank, got[name[e]].Rank)
			require.Equal(t, want[e].Values, got[name[e]].Values)
		}
	})
}

func TestRankConservesPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRecord(t)
		given := 0
		for _, s := range r.Stages {
			for _, table := range s.Tables {
				for _, p := range table.Points {
					given += p
				}
			}
			for _, u := range s.Unplayed {
				given += u.Points
			}
		}
		sum := new(big.Rat)
		for _, row := range byEntrant(t, r, standings.Rules{}) {
			sum.Add(sum, row.Values[0])
		}
		require.Zero(t, sum.Cmp(big.NewRat(int64(given), schedule.Unit)))
	})
}

// The rows are in the order of their values as far as these can be compared, a rank is shared exactly by those whom no
// value parts, and rows of one rank are in the order of their index.
func TestRankFollowsTheValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, rules := anyRecord(t), anyRules(t)
		rows, err := standings.Rank(r, rules)
		require.NoError(t, err)
		for i, row := range rows {
			if i == 0 {
				require.Equal(t, 1, row.Rank)
				continue
			}
			above, parted := rows[i-1], 0
			for v := range row.Values {
				if above.Values[v] == nil || row.Values[v] == nil {
					continue
				}
				if parted = above.Values[v].Cmp(row.Values[v]); parted != 0 {
					break
				}
			}
			require.GreaterOrEqual(t, parted, 0)
			if row.Rank == above.Rank {
				require.Zero(t, parted)
				require.Less(t, above.Entrant, row.Entrant)
			} else {
				require.Equal(t, i+1, row.Rank)
			}
		}
	})
}

// Direct encounters after points, from the definition: a group with equal points has values if and only if every two of it
// have met, and they are the sums of mean results.
func TestDirectNeedsAllToHaveMet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRecord(t)
		rows := byEntrant(t, r, standings.Rules{Order: []standings.TieBreak{standings.Points, standings.Direct}})
		for _, row := range rows {
			var tied []int
			for _, other := range rows {
				if other.Values[0].Cmp(row.Values[0]) == 0 {
					tied = append(tied, other.Entrant)
				}
			}
			want := new(big.Rat)
			for _, a := range tied {
				for _, b := range tied {
					if points, times := between(r, a, b); a != b && times == 0 {
						want = nil
					} else if a == row.Entrant && a != b && want != nil {
						want.Add(want, big.NewRat(int64(points), int64(times*schedule.Unit)))
					}
				}
			}
			if len(tied) == 1 {
				want = nil
			}
			require.Equal(t, standings.Text(want), standings.Text(row.Values[1]), "entrant %d of %v", row.Entrant, tied)
			require.Equal(t, want == nil, row.Values[1] == nil)
		}
	})
}

// between looks up what a has against b.
func between(r standings.Record, a, b int) (points, times int) {
	for _, s := range r.Stages {
		for _, table := range s.Tables {
			i, j := slices.Index(table.Entrants, a), slices.Index(table.Entrants, b)
			if i < 0 || j < 0 || table.Forfeit {
				continue
			}
			times++
			switch x, y := table.Points[i], table.Points[j]; {
			case x > y:
				points += schedule.Unit
			case x == y && len(table.Entrants) > 2:
				points += schedule.Unit / 2
			case x == y:
				points += x
			}
		}
	}
	return points, times
}

// At three seats and more, with everything played: Buchholz and Sonneborn-Berger from their definition.
func TestBuchholzOfTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRecord(t)
		r.Seats = max(r.Seats, 3)
		for i := range r.Stages {
			for j := range r.Stages[i].Tables {
				r.Stages[i].Tables[j].Forfeit = false
			}
		}
		order := []standings.TieBreak{standings.Points, standings.Buchholz, standings.BuchholzCut1, standings.SonnebornBerger}
		rows := byEntrant(t, r, standings.Rules{Order: order, Unplayed: standings.PlayedOnly})
		for _, row := range rows {
			var scores []*big.Rat
			sum, sonneborn := new(big.Rat), new(big.Rat)
			for _, other := range rows {
				points, times := between(r, row.Entrant, other.Entrant)
				if other.Entrant == row.Entrant {
					continue
				}
				for range times {
					scores = append(scores, other.Values[0])
					sum.Add(sum, other.Values[0])
				}
				sonneborn.Add(sonneborn, new(big.Rat).Mul(other.Values[0], big.NewRat(int64(points), schedule.Unit)))
			}
			slices.SortFunc(scores, (*big.Rat).Cmp)
			require.Zero(t, sonneborn.Cmp(row.Values[3]))
			if len(scores) == 0 {
				require.Zero(t, row.Values[1].Sign())
				continue
			}
			require.Zero(t, new(big.Rat).Quo(sum, big.NewRat(int64(len(scores)), 1)).Cmp(row.Values[1]))
			if len(scores) > 1 {
				sum.Sub(sum, scores[0])
				require.Zero(t, new(big.Rat).Quo(sum, big.NewRat(int64(len(scores)-1), 1)).Cmp(row.Values[2]))
			}
		}
	})
}
