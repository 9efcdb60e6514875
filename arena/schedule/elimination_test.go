package schedule_test

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

func TestDoubleEliminationOfEight(t *testing.T) {
	h := schedule.History{Seats: 2, Entrants: entrants(8)}
	stages, _ := playToEnd(t, schedule.DoubleElimination{Reset: true}, &h, bestSeedsWin)
	assert.Equal(t, []schedule.Stage{
		{Tables: [][]int{{0, 7}, {3, 4}, {1, 6}, {2, 5}}},
		{Tables: [][]int{{0, 3}, {1, 2}, {4, 7}, {5, 6}}},
		{Tables: [][]int{{0, 1}, {2, 4}, {3, 5}}},
		{Tables: [][]int{{2, 3}}, Byes: []int{0, 1}},
		{Tables: [][]int{{1, 2}}, Byes: []int{0}},
		{Tables: [][]int{{0, 1}}},
	}, stages, "3 and 2 cross over as they drop")
	places, err := schedule.DoubleElimination{Reset: true}.Places(h)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 2, 3, 4, 5, 5, 7, 7}, places)
}

func TestDoubleEliminationReset(t *testing.T) {
	// 0 loses to whoever comes out of the losers' bracket, once or twice.
	beaten := 0
	upset := func(table []int) schedule.Table {
		played := bestSeedsWin(table)
		if slices.Equal(played.Entrants, []int{0, 1}) {
			if beaten++; beaten > 1 {
				slices.Reverse(played.Points)
			}
		}
		return played
	}
	for _, tt := range []struct {
		reset  bool
		stages int
	}{{false, 4}, {true, 5}} {
		beaten = 0
		d := schedule.DoubleElimination{Reset: tt.reset}
		h := schedule.History{Seats: 2, Entrants: entrants(4)}
		stages, _ := playToEnd(t, d, &h, upset)
		require.Len(t, stages, tt.stages)
		assert.Equal(t, [][]int{{0, 1}}, stages[3].Tables)
		assert.Equal(t, stages[3], stages[len(stages)-1])
		places, err := d.Places(h)
		require.NoError(t, err)
		assert.Equal(t, []int{2, 1, 3, 4}, places)
	}
}

func TestDoubleEliminationOfTwo(t *testing.T) {
	d := schedule.DoubleElimination{Reset: true}
	h := schedule.History{Seats: 2, Entrants: entrants(2)}
	wins := []int{0, 1, 1}
	stages, _ := playToEnd(t, d, &h, func([]int) schedule.Table {
		w := wins[len(h.Stages)]
		return inOrder([]int{w, 1 - w})
	})
	assert.Len(t, stages, 3)
	places, err := d.Places(h)
	require.NoError(t, err)
	assert.Equal(t, []int{2, 1}, places)
}

func TestDoubleEliminationPutsOutWithTheSecondDefeat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "n")
		d := schedule.DoubleElimination{Reset: rapid.Bool().Draw(t, "reset")}
		h := schedule.History{Seats: 2, Entrants: entrants(n)}
		stages, _ := playToEnd(t, d, &h, anyOrder(t))
		lost, tables := make([]int, n), 0
		for s, stage := range h.Stages {
			for _, table := range stage.Tables {
				tables++
				for i, e := range table.Entrants {
					require.Less(t, lost[e], 2, "stage %d", s)
					if table.Points[i] == 0 {
						lost[e]++
					}
				}
			}
		}
		places, err := d.Places(h)
		require.NoError(t, err)
		champion, second := slices.Index(places, 1), slices.Index(places, 2)
		require.GreaterOrEqual(t, second, 0)
		defeats := 0
		for e, l := range lost {
			defeats += l
			if e != champion && (d.Reset || e != second) {
				require.Equal(t, 2, l, "entrant %d", e)
			}
		}
		assert.LessOrEqual(t, lost[champion], 1)
		assert.Equal(t, tables, defeats)
		assert.LessOrEqual(t, len(stages), 2*bits.Len(uint(n-1))+1)
	})
}

func TestDoubleEliminationEndsWhoeverLeaves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "n")
		d := schedule.DoubleElimination{Reset: rapid.Bool().Draw(t, "reset")}
		h := schedule.History{Seats: 2, Entrants: entrants(n), Forbidden: forbiddenPairs(t, n)}
		for {
			if _, ok := playOn(t, d, &h, anyOrder(t)); !ok {
				break
			}
			for a := range n {
				if rapid.IntRange(0, 9).Draw(t, "leaves") == 0 {
					h.Entrants[a].Absent = !h.Entrants[a].Absent
				}
			}
			require.LessOrEqual(t, len(h.Stages), 2*bits.Len(uint(n-1))+1)
		}
		places, err := d.Places(h)
		require.NoError(t, err)
		ranked := slices.Sorted(slices.Values(places))
		for i, p := range ranked {
			require.True(t, p == i+1 || p == ranked[i-1], "%v", ranked)
		}
	})
}

// The losers' bracket of 64 has 16, 16, 8, 8, 4, 4, 2, 2, 1 and 1 matches in its rounds.
func TestDoubleEliminationDelaysRematches(t *testing.T) {
	for _, tt := range []struct{ n, round int }{{4, 2}, {8, 3}, {16, 4}, {32, 5}, {64, 7}} {
		first := 1000
		for seed := range uint64(100) {
			rng := rand.New(rand.NewPCG(seed, 0))
			h := schedule.History{Seats: 2, Entrants: entrants(tt.n)}
			stages, _ := playToEnd(t, schedule.DoubleElimination{}, &h, func(table []int) schedule.Table {
				winner := rng.IntN(2)
				return inOrder([]int{table[winner], table[1-winner]})
			})
			met := map[[2]int]bool{}
			for round, stage := range stages {
				for _, table := range stage.Tables {
					pair := [2]int{table[0], table[1]}
					if met[pair] {
						first = min(first, round)
					}
					met[pair] = true
				}
			}
		}
		assert.Equal(t, tt.round, first, "%d entrants: first round of the losers' bracket in which any two met again", tt.n)
	}
}

func TestDoubleEliminationWalkoversAndDraws(t *testing.T) {
	d := schedule.DoubleElimination{Reset: true}
	h := schedule.History{Seats: 2, Entrants: entrants(4)}
	playOn(t, d, &h, func(table []int) schedule.Table {
		return schedule.Table{Entrants: table, Points: []int{60, 60}}
	})
	h.Entrants[3].Absent = true
	h.Entrants = append(h.Entrants, schedule.Entrant{Joined: 1})
	stage, _ := playOn(t, d, &h, bestSeedsWin)
	assert.Equal(t, schedule.Stage{
		Tables: [][]int{{0, 1}},
		Byes:   []int{2},
		Notes: []string{
			"[0] and [3] were level: [0] wins as the better seed",
			"[1] and [2] were level: [1] wins as the better seed",
			"[2] wins by walkover: [3] is absent",
			"[4] is not in the bracket: it came after the draw",
		},
	}, stage)
	h.Entrants[0].Absent = true
	stage, _ = playOn(t, d, &h, bestSeedsWin)
	assert.Equal(t, [][]int{{1, 2}}, stage.Tables)
	stage, _ = playOn(t, d, &h, bestSeedsWin)
	assert.Equal(t, schedule.Stage{Byes: []int{1}, Notes: []string{"[1] wins by walkover: [0] is absent"}}, stage)
	_, ok := playOn(t, d, &h, bestSeedsWin)
	assert.False(t, ok, "no second final after a walkover")
	places, err := d.Places(h)
	require.NoError(t, err)
	assert.Equal(t, []int{2, 1, 3, 4, 0}, places)
}

func TestDoubleEliminationRefuses(t *testing.T) {
	d := schedule.DoubleElimination{}
	_, _, err := d.Next(schedule.History{Seats: 4, Entrants: entrants(8)})
	require.EqualError(t, err, "double elimination with tables of 4 seats: choose 2, or a knockout")
	_, _, err = d.Next(schedule.History{Seats: 2, Entrants: entrants(1)})
	require.EqualError(t, err, "double elimination: fewer than two are present: enter at least 2")
	_, err = d.Places(schedule.History{Seats: 1, Entrants: entrants(3)})
	require.EqualError(t, err, "double elimination: tables of 1 seats: choose 2 to 6")

	extra := schedule.History{Seats: 2, Entrants: entrants(4)}
	playOn(t, d, &extra, bestSeedsWin)
	extra.Stages = append(extra.Stages, schedule.Played{Tables: []schedule.Table{inOrder([]int{0, 2})}})
	_, _, err = d.Next(extra)
	require.EqualError(t, err, "double elimination: stage 2 has 1 tables, but its bracket 0: give the history as it was paired")
}
