package schedule_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// The guarantee of the doc comment, from any history on.
func TestLadderLetsEveryAllowedPairMeet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, l := anyLadder(t)
		here := playersOf(h)
		allowed := 0
		for i, b := range here {
			for _, a := range here[:i] {
				if !isForbidden(h.Forbidden, a, b) {
					allowed++
				}
			}
		}
		if allowed == 0 {
			_, _, err := l.Next(h)
			require.EqualError(t, err, "ladder: no two who may meet are present: enter at least 2")
			return
		}
		bound := 2*(len(here)-2) + 1
		if h.Seats > 2 {
			bound += (allowed - 1) / max(len(here)/h.Seats, 1)
		}
		from := len(h.Stages)
		for range bound * max(l.Cover, 1) {
			_, ok := playOn(t, l, &h, bestSeedsWin)
			require.True(t, ok)
		}
		met := map[[2]int]bool{}
		for _, stage := range h.Stages[from:] {
			for _, table := range stage.Tables {
				for _, a := range table.Entrants {
					for _, b := range table.Entrants {
						met[[2]int{a, b}] = true
						require.False(t, isForbidden(h.Forbidden, a, b))
					}
				}
			}
		}
		for i, b := range here {
			for _, a := range here[:i] {
				require.Equal(t, !isForbidden(h.Forbidden, a, b), met[[2]int{a, b}], "%d and %d", a, b)
			}
		}
	})
}

func anyLadder(t *rapid.T) (schedule.History, schedule.Ladder) {
	n := rapid.IntRange(2, 14).Draw(t, "n")
	h := schedule.History{Seats: rapid.IntRange(2, 6).Draw(t, "seats"), Entrants: entrants(n), Forbidden: forbiddenPairs(t, n)}
	l := schedule.Ladder{Cover: rapid.IntRange(1, 3).Draw(t, "cover")}
	for e := range h.Entrants {
		h.Entrants[e].Rating = rapid.Float64Range(0, 3000).Draw(t, "rating")
		h.Entrants[e].Deviation = rapid.Float64Range(0, 350).Draw(t, "deviation")
	}
	for range rapid.IntRange(0, 12).Draw(t, "before") {
		var played schedule.Played
		order := rapid.Permutation(indices(n)).Draw(t, "order")
		for len(order) >= 2 {
			size := min(h.Seats, len(order))
			played.Tables = append(played.Tables, inOrder(order[:size]))
			order = order[size:]
		}
		h.Stages = append(h.Stages, played)
	}
	for e := range h.Entrants {
		switch rapid.IntRange(0, 9).Draw(t, "state") {
		case 0:
			h.Entrants[e].Absent = true
		case 1:
			h.Entrants[e].Joined = len(h.Stages)
		}
	}
	return h, l
}

func playersOf(h schedule.History) []int {
	var here []int
	for i, e := range h.Entrants {
		if !e.Absent && e.Joined <= len(h.Stages) {
			here = append(here, i)
		}
	}
	return here
}

// Without forbidden pairs all tables are full, and as many as can be.
func TestLadderFillsTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, l := anyLadder(t)
		h.Forbidden = nil
		here := len(playersOf(h))
		if here < 2 {
			t.Skip("nobody to play")
		}
		stage, ok, err := l.Next(h)
		require.NoError(t, err)
		require.True(t, ok)
		if here < h.Seats {
			require.Len(t, stage.Tables, 1)
			require.Len(t, stage.Tables[0], here)
			require.Len(t, stage.Notes, 1)
			return
		}
		require.Empty(t, stage.Notes)
		require.Len(t, stage.Tables, here/h.Seats)
		require.Len(t, stage.Byes, here%h.Seats)
		for _, table := range stage.Tables {
			require.Len(t, table, h.Seats)
			require.True(t, slices.IsSorted(table))
		}
	})
}

// learning returns the tables of a stage in which learning comes first, at the given number of seats.
func learning(t *testing.T, seats int, e ...schedule.Entrant) schedule.Stage {
	t.Helper()
	stage, ok, err := schedule.Ladder{}.Next(schedule.History{Seats: seats, Entrants: e, Stages: make([]schedule.Played, 1)})
	require.NoError(t, err)
	require.True(t, ok)
	return stage
}

func TestLadderSeeksEquals(t *testing.T) {
	var e []schedule.Entrant
	for _, r := range []float64{1500, 2400, 1520, 900, 2390, 910} {
		e = append(e, schedule.Entrant{Rating: r, Deviation: 50})
	}
	assert.Equal(t, [][]int{{1, 4}, {3, 5}, {0, 2}}, learning(t, 2, e...).Tables, "the closest first")
	stage := learning(t, 3, e...)
	assert.Equal(t, [][]int{{1, 2, 4}, {0, 3, 5}}, stage.Tables, "the closest and who is nearest to them, then the others")
}

func TestLadderSeeksTheUncertain(t *testing.T) {
	stage := learning(t, 2,
		schedule.Entrant{Rating: 1500, Deviation: 40}, schedule.Entrant{Rating: 1500, Deviation: 40},
		schedule.Entrant{Rating: 1600, Deviation: 300}, schedule.Entrant{Rating: 1400}, schedule.Entrant{Rating: 1500, Deviation: 40})
	assert.Equal(t, [][]int{{2, 3}, {0, 1}}, stage.Tables, "two unknown ones first, though others are closer")
	assert.Equal(t, []int{4}, stage.Byes)
}

func TestLadderTurnsToThoseWhoMetLess(t *testing.T) {
	h := schedule.History{Seats: 2, Entrants: entrants(4)}
	for range 3 {
		h.Stages = append(h.Stages, schedule.Played{Tables: []schedule.Table{inOrder([]int{0, 1}), inOrder([]int{2, 3})}})
	}
	stage, _, err := schedule.Ladder{}.Next(h)
	require.NoError(t, err)
	assert.Equal(t, [][]int{{0, 2}, {1, 3}}, stage.Tables)
}

func TestLadderBringsInLateEntries(t *testing.T) {
	h := schedule.History{Seats: 2, Entrants: entrants(4)}
	for range 10 {
		playOn(t, schedule.Ladder{}, &h, bestSeedsWin)
	}
	h.Entrants = append(h.Entrants, schedule.Entrant{Joined: 10, Rating: 3000, Deviation: 1})
	stage, _ := playOn(t, schedule.Ladder{}, &h, bestSeedsWin)
	assert.Contains(t, stage.Tables[0], 4, "in spite of a rating that others cannot learn from")
}

func TestLadderCoversWhoNeverMetBeforeTheFirstStage(t *testing.T) {
	h := schedule.History{Seats: 3, Entrants: entrants(4)}
	h.Stages = []schedule.Played{
		{Tables: []schedule.Table{inOrder([]int{0, 1, 2})}},
		{Tables: []schedule.Table{inOrder([]int{2, 3})}},
	}
	h.Entrants[1].Absent = true
	h.Entrants[3].Rating = 9000
	h.Entrants[3].Deviation = 1
	h.Seats = 2
	stage, _, err := schedule.Ladder{Cover: 1}.Next(h)
	require.NoError(t, err)
	assert.Equal(t, [][]int{{0, 3}}, stage.Tables, "0 and 2 have met, and would teach more")
}

func TestLadderLeavesSeatsEmptyForForbiddenPairs(t *testing.T) {
	h := schedule.History{Seats: 3, Entrants: entrants(3), Forbidden: [][2]int{{2, 0}}}
	stage, _, err := schedule.Ladder{}.Next(h)
	require.NoError(t, err)
	assert.Equal(t, schedule.Stage{
		Tables: [][]int{{0, 1}},
		Byes:   []int{2},
		Notes:  []string{"the table of [0] and [1] has 1 of 3 seats empty: nobody is left who may join it"},
	}, stage)
}

func TestLadderEndsOnlyWhenTold(t *testing.T) {
	h := schedule.History{Seats: 2, Entrants: entrants(3)}
	stages, _ := playToEnd(t, schedule.Ladder{Stages: 7}, &h, bestSeedsWin)
	assert.Len(t, stages, 7)
	for range 50 {
		_, ok := playOn(t, schedule.Ladder{}, &h, bestSeedsWin)
		require.True(t, ok)
	}
}

// A slow second way to choose: of all ways to fill the tables at two seats, always the best pair left.
func TestLadderTakesTheBestPairsFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, _ := anyLadder(t)
		h.Seats = 2
		h.Stages = append(h.Stages, make([]schedule.Played, 1-len(h.Stages)%2)...) // an odd number: learning is due
		stage, ok, err := schedule.Ladder{}.Next(h)
		if err != nil {
			t.Skip("nobody to play")
		}
		require.True(t, ok)
		left := playersOf(h)
		for _, table := range stage.Tables {
			best := 0.0
			for i, b := range left {
				for _, a := range left[:i] {
					if !isForbidden(h.Forbidden, a, b) {
						best = max(best, worth(h, a, b))
					}
				}
			}
			require.InEpsilon(t, best, worth(h, table[0], table[1]), 1e-4)
			left = slices.DeleteFunc(left, func(e int) bool { return slices.Contains(table, e) })
		}
		require.Equal(t, left, append([]int{}, stage.Byes...))
	})
}

// worth is the formula of the doc comment.
func worth(h schedule.History, a, b int) float64 {
	variance := func(e schedule.Entrant) float64 {
		d := math.Round(e.Deviation)
		if e.Deviation <= 0 {
			d = 350
		}
		return max(d, 1) * max(d, 1)
	}
	one, two := h.Entrants[a], h.Entrants[b]
	met := 0.0
	for _, stage := range h.Stages {
		for _, table := range stage.Tables {
			if slices.Contains(table.Entrants, a) && slices.Contains(table.Entrants, b) {
				met++
			}
		}
	}
	apart := (math.Round(one.Rating) - math.Round(two.Rating)) * math.Ln10 / 800
	return (variance(one) + variance(two)) / (1 + apart*apart) / (1 + met)
}

func TestLadderRefuses(t *testing.T) {
	tests := []struct {
		name string
		l    schedule.Ladder
		e    []schedule.Entrant
		want string
	}{
		{"alone", schedule.Ladder{}, entrants(1), "ladder: no two who may meet are present: enter at least 2"},
		{"negative coverage", schedule.Ladder{Cover: -1}, entrants(2), "ladder: coverage in every -1-th stage: choose at least 1"},
		{"negative stages", schedule.Ladder{Stages: -1}, entrants(2), "ladder: -1 stages: choose at least 1, or 0 for no end"},
		{
			"no number",
			schedule.Ladder{},
			[]schedule.Entrant{{}, {Rating: math.NaN()}},
			"ladder: entrant [1] has rating NaN and deviation 0: give at most a million and a thousand",
		},
		{
			"no deviation",
			schedule.Ladder{},
			[]schedule.Entrant{{}, {Deviation: math.Inf(1)}},
			"ladder: entrant [1] has rating 0 and deviation +Inf: give at most a million and a thousand",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := tt.l.Next(schedule.History{Seats: 2, Entrants: tt.e})
			require.EqualError(t, err, tt.want)
		})
	}
	_, _, err := schedule.Ladder{}.Next(schedule.History{Seats: 7, Entrants: entrants(8)})
	require.EqualError(t, err, "ladder: tables of 7 seats: choose 2 to 6")
}

func BenchmarkLadder(b *testing.B) {
	for _, n := range []int{100, 300, 1000} {
		for _, seats := range []int{2, 4} {
			b.Run(fmt.Sprint(n, "x", seats), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 2))
				h := schedule.History{Seats: seats, Entrants: entrants(n), Stages: make([]schedule.Played, 1)}
				for e := range h.Entrants {
					h.Entrants[e].Rating = 1500 + 300*rng.NormFloat64()
					h.Entrants[e].Deviation = 30 + 200*rng.Float64()
				}
				slices.SortFunc(h.Entrants, func(x, y schedule.Entrant) int { return cmp.Compare(y.Rating, x.Rating) })
				for b.Loop() {
					if _, _, err := (schedule.Ladder{}).Next(h); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
