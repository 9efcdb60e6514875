package schedule_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

func TestGauntletOfTwoSeats(t *testing.T) {
	g := schedule.Gauntlet{Heroes: []int{1}, Cycles: 2}
	h := schedule.History{Seats: 2, Entrants: entrants(4)}
	stages, notes := playToEnd(t, g, &h, bestSeedsWin)
	assert.Equal(t, []schedule.Stage{
		{Tables: [][]int{{1, 0}, {2, 1}, {1, 3}}},
		{Tables: [][]int{{0, 1}, {1, 2}, {3, 1}}},
	}, stages)
	assert.Nil(t, notes)
}

func TestGauntletOfTwoHeroes(t *testing.T) {
	g := schedule.Gauntlet{Heroes: []int{0, 3}, Cycles: 1}
	h := schedule.History{Seats: 3, Entrants: entrants(6)}
	stages, _ := playToEnd(t, g, &h, bestSeedsWin)
	assert.Equal(t, []schedule.Stage{{Tables: [][]int{{0, 1, 2}, {0, 4, 5}, {1, 3, 4}, {2, 3, 5}}}}, stages,
		"the second hero finds others together")
}

// In every cycle every hero meets everyone in the field equally often at full tables, and heroes never meet.
func TestGauntletIsEven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seats := rapid.IntRange(2, 6).Draw(t, "seats")
		heroes := rapid.IntRange(1, 3).Draw(t, "heroes")
		field := rapid.IntRange(seats-1, 14).Draw(t, "field")
		n := heroes + field
		g := schedule.Gauntlet{Heroes: rapid.Permutation(indices(n)).Draw(t, "who")[:heroes], Cycles: 2}
		h := schedule.History{Seats: seats, Entrants: entrants(n)}
		stages, _ := playToEnd(t, g, &h, bestSeedsWin)
		require.Len(t, stages, 2)
		for _, stage := range stages {
			require.Empty(t, stage.Notes)
			require.Empty(t, stage.Byes)
			met := map[[2]int]int{}
			for _, table := range stage.Tables {
				require.Len(t, table, seats)
				for _, a := range table {
					for _, b := range table {
						met[[2]int{a, b}]++
					}
				}
			}
			each := (seats - 1) / commonDivisor(seats-1, field)
			for _, hero := range g.Heroes {
				for e := range n {
					switch {
					case e == hero:
						require.Equal(t, each*field/(seats-1), met[[2]int{hero, e}])
					case slices.Contains(g.Heroes, e):
						require.Zero(t, met[[2]int{hero, e}])
					default:
						require.Equal(t, each, met[[2]int{hero, e}])
					}
				}
			}
		}
	})
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func commonDivisor(a, b int) int {
	for d := a; ; d-- {
		if a%d == 0 && b%d == 0 {
			return d
		}
	}
}

// Who of the field sit together is balanced: over as many cycles as it takes that all could meet, and beyond.
func TestGauntletBalancesTheField(t *testing.T) {
	for _, tt := range []struct{ seats, field, cycles, spread int }{
		{3, 12, 11, 2}, {3, 30, 40, 1}, {4, 12, 11, 2}, {4, 30, 30, 2}, {5, 16, 10, 2}, {6, 25, 12, 2}, {6, 23, 5, 2}, {4, 8, 14, 1},
	} {
		h := schedule.History{Seats: tt.seats, Entrants: entrants(tt.field + 1)}
		stages, _ := playToEnd(t, schedule.Gauntlet{Heroes: []int{tt.field}, Cycles: tt.cycles}, &h, bestSeedsWin)
		met := map[[2]int]int{}
		for _, stage := range stages {
			for _, table := range stage.Tables {
				for i, b := range table {
					for _, a := range table[:i] {
						met[[2]int{a, b}]++
					}
				}
			}
		}
		fewest, most := 1000, 0
		for b := range tt.field {
			for a := range b {
				fewest, most = min(fewest, met[[2]int{a, b}]), max(most, met[[2]int{a, b}])
			}
		}
		assert.LessOrEqual(t, most-fewest, tt.spread, "%+v: %d to %d", tt, fewest, most)
	}
}

func TestGauntletKeepsForbiddenPairsApart(t *testing.T) {
	h := schedule.History{Seats: 3, Entrants: entrants(7), Forbidden: [][2]int{{6, 0}, {1, 2}, {3, 4}}}
	stages, _ := playToEnd(t, schedule.Gauntlet{Heroes: []int{0}, Cycles: 3}, &h, bestSeedsWin)
	for i, stage := range stages {
		for _, table := range stage.Tables {
			assert.NotContains(t, table, 6)
			assert.False(t, slices.Contains(table, 1) && slices.Contains(table, 2), "%v", table)
			assert.False(t, slices.Contains(table, 3) && slices.Contains(table, 4), "%v", table)
		}
		assert.Equal(t, []int{6}, stage.Byes)
		if i == 0 {
			assert.Equal(t, []string{"[0] does not meet [6]: the pair is forbidden"}, stage.Notes)
		} else {
			assert.Empty(t, stage.Notes)
		}
	}

	must := schedule.History{Seats: 3, Entrants: entrants(3), Forbidden: [][2]int{{2, 1}}}
	stages, _ = playToEnd(t, schedule.Gauntlet{Heroes: []int{0}, Cycles: 1}, &must, bestSeedsWin)
	assert.Equal(t, []schedule.Stage{{
		Tables: [][]int{{0, 1, 2}},
		Notes:  []string{"[1] and [2] meet although they must not: no exchange of seats parts them"},
	}}, stages)
}

func TestGauntletTakesWhoIsThere(t *testing.T) {
	g := schedule.Gauntlet{Heroes: []int{0}, Cycles: 4}
	h := schedule.History{Seats: 4, Entrants: entrants(4)}
	playOn(t, g, &h, bestSeedsWin)
	h.Entrants = append(h.Entrants, schedule.Entrant{Joined: 1}, schedule.Entrant{Joined: 2})
	stage, _ := playOn(t, g, &h, bestSeedsWin)
	assert.Equal(t, [][]int{{0, 1, 2, 4}, {0, 1, 3, 4}, {0, 2, 3, 4}, {0, 1, 2, 3}}, sortedTables(stage.Tables, 4))
	for _, e := range []int{2, 3, 4} {
		h.Entrants[e].Absent = true
	}
	stage, _ = playOn(t, g, &h, bestSeedsWin)
	assert.Equal(t, schedule.Stage{
		Tables: [][]int{{0, 1, 5}},
		Notes:  []string{"[0] plays at a table of 3 for want of others whom it may meet"},
	}, stage)
	h.Entrants[0].Absent = true
	stage, ok := playOn(t, g, &h, bestSeedsWin)
	assert.False(t, ok)
	assert.Equal(t, []string{"the gauntlet ends early: no hero has anyone left to meet"}, stage.Notes)
}

// sortedTables sorts by whether the entrant is there, those without it last, then by entrants.
func sortedTables(tables [][]int, entrant int) [][]int {
	sorted := slices.Clone(tables)
	slices.SortFunc(sorted, func(a, b []int) int {
		if x, y := slices.Contains(a, entrant), slices.Contains(b, entrant); x != y {
			if x {
				return -1
			}
			return 1
		}
		return slices.Compare(a, b)
	})
	return sorted
}

func TestGauntletRefuses(t *testing.T) {
	tests := []struct {
		name     string
		g        schedule.Gauntlet
		seats, n int
		want     string
	}{
		{"no hero", schedule.Gauntlet{Cycles: 1}, 2, 4, "gauntlet: no heroes: name at least 1"},
		{"a stranger", schedule.Gauntlet{Heroes: []int{4}, Cycles: 1}, 2, 4, "gauntlet: heroes: entrant [4] of 4 is unknown"},
		{"a hero twice", schedule.Gauntlet{Heroes: []int{1, 1}, Cycles: 1}, 2, 4, "gauntlet: heroes: entrant [1] is there twice"},
		{"no cycle", schedule.Gauntlet{Heroes: []int{0}}, 2, 4, "gauntlet: 0 cycles: choose at least 1"},
		{
			"no field",
			schedule.Gauntlet{Heroes: []int{0, 1}, Cycles: 1},
			2, 2,
			"gauntlet: no hero has anyone to meet: enter heroes and others who may meet them",
		},
		{
			"a field too large",
			schedule.Gauntlet{Heroes: []int{0}, Cycles: 1},
			3, 2001,
			"gauntlet: 2001 entrants at tables of 3: enter at most 2000",
		},
		{"one seat", schedule.Gauntlet{Heroes: []int{0}, Cycles: 1}, 1, 4, "gauntlet: tables of 1 seats: choose 2 to 6"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := tt.g.Next(schedule.History{Seats: tt.seats, Entrants: entrants(tt.n)})
			require.EqualError(t, err, tt.want)
		})
	}
}

func BenchmarkGauntlet(b *testing.B) {
	for _, seats := range []int{2, 4, 6} {
		b.Run(fmt.Sprint(seats), func(b *testing.B) {
			h := schedule.History{Seats: seats, Entrants: entrants(500)}
			for b.Loop() {
				if _, _, err := (schedule.Gauntlet{Heroes: []int{0}, Cycles: 1}).Next(h); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
