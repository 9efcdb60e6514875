package schedule_test

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

func entrants(n int) []schedule.Entrant { return make([]schedule.Entrant, n) }

// inOrder gives a table the points of finishing in the order of its entrants.
func inOrder(table []int) schedule.Table {
	t := schedule.Table{Entrants: slices.Clone(table)}
	for place := range table {
		t.Points = append(t.Points, schedule.Unit*(len(table)-1-place)/(len(table)-1))
	}
	return t
}

// bestSeedsWin is inOrder by index.
func bestSeedsWin(table []int) schedule.Table { return inOrder(slices.Sorted(slices.Values(table))) }

// worstSeedsWin is the reverse.
func worstSeedsWin(table []int) schedule.Table {
	sorted := slices.Sorted(slices.Values(table))
	slices.Reverse(sorted)
	return inOrder(sorted)
}

// playOn adds the next stage to the history, with these results, and returns it. ok is false at the end.
func playOn(t require.TestingT, f schedule.Format, h *schedule.History, result func([]int) schedule.Table) (schedule.Stage, bool) {
	stage, ok, err := f.Next(*h)
	require.NoError(t, err)
	if !ok {
		require.Empty(t, stage.Tables)
		return stage, false
	}
	checkStage(t, h, stage)
	played := schedule.Played{Byes: slices.Clone(stage.Byes)}
	for _, table := range stage.Tables {
		played.Tables = append(played.Tables, result(table))
	}
	h.Stages = append(h.Stages, played)
	return stage, true
}

// checkStage requires what holds for a stage of any format: tables of the right size, of those present, and byes, ascending,
// for others.
func checkStage(t require.TestingT, h *schedule.History, stage schedule.Stage) {
	atTable := map[int]bool{}
	for _, table := range stage.Tables {
		require.GreaterOrEqual(t, len(table), 2)
		require.LessOrEqual(t, len(table), h.Seats)
		require.Len(t, slices.Compact(slices.Sorted(slices.Values(table))), len(table), "%v", table)
		for _, e := range table {
			atTable[e] = true
			require.False(t, h.Entrants[e].Absent, "absent at a table")
			require.LessOrEqual(t, h.Entrants[e].Joined, len(h.Stages), "late at a table")
		}
	}
	require.True(t, slices.IsSorted(stage.Byes))
	for _, e := range stage.Byes {
		require.False(t, atTable[e], "bye and table")
		require.False(t, h.Entrants[e].Absent, "absent with a bye")
	}
}

// playToEnd returns the stages up to the end and the notes that came with it.
func playToEnd(t require.TestingT, f schedule.Format, h *schedule.History, result func([]int) schedule.Table) (
	stages []schedule.Stage, last []string,
) {
	for range 1000 {
		stage, ok := playOn(t, f, h, result)
		if !ok {
			return stages, stage.Notes
		}
		stages = append(stages, stage)
	}
	require.Fail(t, "no end after 1000 stages")
	return nil, nil
}

func TestKnockoutDrawsTheStandardBracket(t *testing.T) {
	h := schedule.History{Seats: 2, Entrants: entrants(16)}
	stages, notes := playToEnd(t, schedule.Knockout{}, &h, bestSeedsWin)
	assert.Equal(t, []schedule.Stage{
		{Tables: [][]int{{0, 15}, {7, 8}, {3, 12}, {4, 11}, {1, 14}, {6, 9}, {2, 13}, {5, 10}}},
		{Tables: [][]int{{0, 7}, {3, 4}, {1, 6}, {2, 5}}},
		{Tables: [][]int{{0, 3}, {1, 2}}},
		{Tables: [][]int{{0, 1}}},
	}, stages)
	assert.Nil(t, notes)
	places, err := schedule.Knockout{}.Places(h)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 2, 3, 3, 5, 5, 5, 5, 9, 9, 9, 9, 9, 9, 9, 9}, places)
}

func TestKnockoutGivesByesToTheBestSeeds(t *testing.T) {
	h := schedule.History{Seats: 2, Entrants: entrants(5)}
	stages, _ := playToEnd(t, schedule.Knockout{ThirdPlace: true}, &h, worstSeedsWin)
	assert.Equal(t, []schedule.Stage{
		{Tables: [][]int{{3, 4}}, Byes: []int{0, 1, 2}},
		{Tables: [][]int{{0, 4}, {1, 2}}},
		{Tables: [][]int{{2, 4}, {0, 1}}},
	}, stages, "the last is the final and the match for third place")
	places, err := schedule.Knockout{ThirdPlace: true}.Places(h)
	require.NoError(t, err)
	assert.Equal(t, []int{4, 3, 2, 5, 1}, places)
}

func TestKnockoutOfThreeHasNoMatchForThirdPlace(t *testing.T) {
	h := schedule.History{Seats: 2, Entrants: entrants(3)}
	stages, _ := playToEnd(t, schedule.Knockout{ThirdPlace: true}, &h, bestSeedsWin)
	assert.Equal(t, []schedule.Stage{
		{Tables: [][]int{{1, 2}}, Byes: []int{0}},
		{Tables: [][]int{{0, 1}}},
	}, stages)
	places, err := schedule.Knockout{ThirdPlace: true}.Places(h)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 2, 3}, places)
}

func TestKnockoutDecidesADraw(t *testing.T) {
	level := []int{schedule.Unit / 2, schedule.Unit / 2}
	tests := []struct {
		name     string
		tiebreak []int64
		winner   int
		notes    []string
	}{
		{"by the tie-break", []int64{3, 4}, 1, nil},
		{"by the seed for want of one", nil, 0, []string{"[0] and [1] were level: [0] wins as the better seed"}},
		{"by the seed where that is level", []int64{7, 7}, 0, []string{"[0] and [1] were level: [0] wins as the better seed"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := schedule.History{Seats: 2, Entrants: entrants(2)}
			_, notes := playToEnd(t, schedule.Knockout{}, &h, func(table []int) schedule.Table {
				return schedule.Table{Entrants: table, Points: level, Tiebreak: tt.tiebreak}
			})
			assert.Equal(t, tt.notes, notes)
			places, err := schedule.Knockout{}.Places(h)
			require.NoError(t, err)
			assert.Equal(t, 1, places[tt.winner])
			assert.Equal(t, 2, places[1-tt.winner])
		})
	}
}

func TestKnockoutNotesADrawOnce(t *testing.T) {
	h := schedule.History{Seats: 2, Entrants: entrants(8)}
	drawn := func(table []int) schedule.Table {
		return schedule.Table{Entrants: table, Points: []int{60, 60}}
	}
	stages, last := playToEnd(t, schedule.Knockout{}, &h, drawn)
	require.Len(t, stages, 3)
	assert.Empty(t, stages[0].Notes)
	assert.Len(t, stages[1].Notes, 4)
	assert.Len(t, stages[2].Notes, 2)
	assert.Len(t, last, 1)
}

func TestKnockoutWalkovers(t *testing.T) {
	k := schedule.Knockout{}
	h := schedule.History{Seats: 2, Entrants: entrants(4)}
	playOn(t, k, &h, bestSeedsWin)
	h.Entrants[0].Absent = true
	stage, ok := playOn(t, k, &h, bestSeedsWin)
	require.True(t, ok, "the walkover is a stage of the history")
	assert.Equal(t, schedule.Stage{Byes: []int{1}, Notes: []string{"[1] wins by walkover: [0] is absent"}}, stage)
	h.Entrants[0].Absent = false
	_, ok = playOn(t, k, &h, bestSeedsWin)
	assert.False(t, ok, "who gave a walkover cannot come back")
	places, err := k.Places(h)
	require.NoError(t, err)
	assert.Equal(t, []int{2, 1, 3, 3}, places)
}

func TestKnockoutGoesOnWhereBothAreAbsent(t *testing.T) {
	k := schedule.Knockout{}
	h := schedule.History{Seats: 2, Entrants: entrants(8)}
	playOn(t, k, &h, bestSeedsWin)
	h.Entrants[0].Absent, h.Entrants[3].Absent = true, true
	stages, _ := playToEnd(t, k, &h, bestSeedsWin)
	assert.Equal(t, []schedule.Stage{
		{Tables: [][]int{{1, 2}}, Notes: []string{"nobody wins the match of [0] and [3]: both are absent"}},
	}, stages, "and the finalist without an opponent has won")
	places, err := k.Places(h)
	require.NoError(t, err)
	assert.Equal(t, []int{2, 1, 2, 2, 5, 5, 5, 5}, places)
}

func TestKnockoutTakesNobodyIn(t *testing.T) {
	k := schedule.Knockout{}
	h := schedule.History{Seats: 2, Entrants: entrants(5)}
	h.Entrants[1].Absent = true
	stage, _ := playOn(t, k, &h, bestSeedsWin)
	assert.Equal(t, [][]int{{0, 4}, {2, 3}}, stage.Tables, "seeds move up for an absent one")

	h.Entrants[1].Absent = false
	h.Entrants = append(h.Entrants, schedule.Entrant{Joined: 1})
	stage, _ = playOn(t, k, &h, bestSeedsWin)
	assert.Equal(t, [][]int{{0, 2}}, stage.Tables)
	assert.Equal(t, []string{"[5] is not in the bracket: it came after the draw"}, stage.Notes)
	places, err := k.Places(h)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 0, 2, 3, 3, 0}, places)
}

func TestKnockoutKeepsForbiddenPairsApart(t *testing.T) {
	k := schedule.Knockout{}
	h := schedule.History{Seats: 2, Entrants: entrants(8), Forbidden: [][2]int{{0, 7}, {2, 1}}}
	stages, _ := playToEnd(t, k, &h, bestSeedsWin)
	assert.Equal(t, [][]int{{0, 6}, {3, 4}, {1, 7}, {2, 5}}, stages[0].Tables, "the nearest seed takes the place")
	assert.Nil(t, stages[0].Notes)
	assert.Equal(t, []string{"[1] and [2] meet although they must not: the bracket leaves no other way"}, stages[1].Notes)

	all := schedule.History{Seats: 2, Entrants: entrants(4), Forbidden: [][2]int{{0, 3}, {0, 2}}}
	stage, ok, err := k.Next(all)
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, [][]int{{0, 3}, {1, 2}}, stage.Tables)
	assert.Len(t, stage.Notes, 1)
}

// The first draw breaks as few prohibitions as any draw of the better against the worse half.
func TestKnockoutBreaksAsFewProhibitionsAsItMust(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{4, 6, 8, 12, 13}).Draw(t, "n")
		h := schedule.History{Seats: 2, Entrants: entrants(n), Forbidden: forbiddenPairs(t, n)}
		stage, _, err := schedule.Knockout{}.Next(h)
		require.NoError(t, err)
		var better, worse []int
		for _, table := range stage.Tables {
			better, worse = append(better, table[0]), append(worse, table[1])
		}
		assert.Len(t, stage.Notes, fewestClashes(better, worse, h.Forbidden))
		clashes := 0
		for _, table := range stage.Tables {
			if isForbidden(h.Forbidden, table[0], table[1]) {
				clashes++
			}
		}
		assert.Len(t, stage.Notes, clashes)
		require.Equal(t, slices.Min(worse), slices.Max(better)+1, "halves")
	})
}

// fewestClashes tries all assignments, worse seeds as a bit set.
func fewestClashes(better, worse []int, forbidden [][2]int) int {
	best := make([]int, 1<<len(worse))
	for set := 1; set < len(best); set++ {
		b := better[bits.OnesCount(uint(set))-1]
		best[set] = len(worse)
		for w := range worse {
			if set>>w&1 == 1 {
				clash := 0
				if isForbidden(forbidden, b, worse[w]) {
					clash = 1
				}
				best[set] = min(best[set], best[set&^(1<<w)]+clash)
			}
		}
	}
	return best[len(best)-1]
}

func isForbidden(pairs [][2]int, a, b int) bool {
	return slices.Contains(pairs, [2]int{a, b}) || slices.Contains(pairs, [2]int{b, a})
}

func forbiddenPairs(t *rapid.T, n int) [][2]int {
	var pairs [][2]int
	for range rapid.IntRange(0, 2*n).Draw(t, "forbidden") {
		a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")
		if a != b {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	return pairs
}

// anyOrder gives a table the points of a random order.
func anyOrder(t *rapid.T) func([]int) schedule.Table {
	return func(table []int) schedule.Table { return inOrder(rapid.Permutation(table).Draw(t, "order")) }
}

func TestKnockoutPutsOutWhoLoses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "n")
		h := schedule.History{Seats: 2, Entrants: entrants(n)}
		stages, _ := playToEnd(t, schedule.Knockout{}, &h, anyOrder(t))
		require.Len(t, stages, bits.Len(uint(n-1)))
		out, tables := map[int]bool{}, 0
		for s, stage := range h.Stages {
			require.Equal(t, 1<<(len(stages)-s)/2, len(stage.Tables)+len(stage.Byes), "winners")
			for _, e := range stage.Byes {
				require.Zero(t, s, "no byes later")
				require.Less(t, e, 1<<len(stages)-n, "byes are for the best")
			}
			for _, table := range stage.Tables {
				tables++
				for i, e := range table.Entrants {
					require.False(t, out[e])
					out[e] = table.Points[i] == 0
				}
			}
		}
		assert.Equal(t, n-1, tables)
		places, err := schedule.Knockout{}.Places(h)
		require.NoError(t, err)
		champion := slices.Index(places, 1)
		assert.False(t, out[champion])
		assert.Equal(t, n-1, len(slices.DeleteFunc(slices.Clone(places), func(p int) bool { return p == 1 })))
	})
}

// Whoever leaves at whatever time, there is an end, it is soon, and Next of every prefix says the same again.
func TestKnockoutEndsWhoeverLeaves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "n")
		seats := rapid.IntRange(2, 6).Draw(t, "seats")
		k := schedule.Knockout{ThirdPlace: seats == 2 && rapid.Bool().Draw(t, "third")}
		h := schedule.History{Seats: seats, Entrants: entrants(n), Forbidden: forbiddenPairs(t, n)}
		for {
			if len(h.Stages) > 0 {
				for e := range h.Entrants {
					if rapid.IntRange(0, 9).Draw(t, "leaves") == 0 {
						h.Entrants[e].Absent = !h.Entrants[e].Absent
					}
				}
			}
			before, err := k.Places(h)
			require.NoError(t, err)
			if _, ok := playOn(t, k, &h, anyOrder(t)); !ok {
				break
			}
			after, err := k.Places(h)
			require.NoError(t, err)
			for a := range n {
				for b := range n {
					if before[a] < before[b] {
						require.Less(t, after[a], after[b], "who was before stays before")
					}
				}
			}
			require.LessOrEqual(t, len(h.Stages), n)
		}
	})
}

func TestKnockoutRefuses(t *testing.T) {
	foreign := schedule.History{Seats: 2, Entrants: entrants(4)}
	foreign.Stages = []schedule.Played{{Tables: []schedule.Table{inOrder([]int{0, 1}), inOrder([]int{2, 3})}}}
	waits := schedule.History{Seats: 2, Entrants: entrants(4)}
	playOn(t, schedule.Knockout{}, &waits, bestSeedsWin)
	waits.Stages = append(waits.Stages, schedule.Played{Byes: []int{0, 1}})
	tests := []struct {
		name string
		k    schedule.Knockout
		h    schedule.History
		want string
	}{
		{
			"one entrant",
			schedule.Knockout{},
			schedule.History{Seats: 2, Entrants: entrants(1)},
			"knockout: fewer than two are present: enter at least 2",
		},
		{
			"one entrant at larger tables",
			schedule.Knockout{},
			schedule.History{Seats: 4, Entrants: entrants(1)},
			"knockout: fewer than two are present: enter at least 2",
		},
		{
			"a third place at larger tables",
			schedule.Knockout{ThirdPlace: true},
			schedule.History{Seats: 4, Entrants: entrants(8)},
			"knockout: third-place match with tables of 4 seats: leave it out, the final gives that place",
		},
		{"no seats", schedule.Knockout{}, schedule.History{Entrants: entrants(8)}, "knockout: tables of 0 seats: choose 2 to 6"},
		{
			"another format's history",
			schedule.Knockout{},
			foreign,
			"knockout: the first stage is not that of a bracket: give the history as it was paired",
		},
		{
			"a match left out",
			schedule.Knockout{},
			waits,
			"knockout: stage 2 lacks the table of [0] and [1]: give the history as it was paired",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := tt.k.Next(tt.h)
			require.EqualError(t, err, tt.want)
			_, err = tt.k.Places(tt.h)
			if tt.h.Seats == 2 {
				require.EqualError(t, err, tt.want)
			}
		})
	}
}
