package schedule_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

func nextPods(t require.TestingT, h schedule.History) schedule.Stage {
	stage, ok, err := schedule.Pods{Stages: 99}.Next(h)
	require.NoError(t, err)
	require.True(t, ok)
	checkPlaces(t, h, stage)
	return stage
}

func sizes(stage schedule.Stage) []int {
	var all []int
	for _, table := range stage.Tables {
		all = append(all, len(table))
	}
	slices.Sort(all)
	return all
}

func TestPodsFirstStageSnakes(t *testing.T) {
	stage := nextPods(t, schedule.History{Seats: 4, Entrants: make([]schedule.Entrant, 11)})
	assert.Equal(t, schedule.Stage{Tables: [][]int{{0, 5, 6, 10}, {1, 4, 7, 9}, {2, 3, 8}}}, stage)
}

// Tables are full or one seat short but for these numbers of entrants.
func TestPodsSizes(t *testing.T) {
	odd := map[int]map[int][]int{
		3: {},
		4: {2: {2}, 5: {2, 3}},
		5: {2: {2}, 3: {3}, 6: {3, 3}, 7: {3, 4}, 11: {3, 4, 4}},
		6: {2: {2}, 3: {3}, 4: {4}, 7: {6}, 8: {4, 4}, 9: {4, 5}, 13: {4, 4, 5}, 14: {4, 5, 5}, 19: {4, 5, 5, 5}},
	}
	for seats, exceptions := range odd {
		for n := 2; n <= 60; n++ {
			stage := nextPods(t, schedule.History{Seats: seats, Entrants: make([]schedule.Entrant, n)})
			if want := exceptions[n]; want != nil {
				assert.Equal(t, want, sizes(stage), "%d entrants at %d seats", n, seats)
				assert.Len(t, stage.Notes, 1, "%d entrants at %d seats", n, seats)
				continue
			}
			short := 0
			for (n-short*(seats-1))%seats != 0 {
				short++
			}
			want := slices.Concat(slices.Repeat([]int{seats - 1}, short), slices.Repeat([]int{seats}, (n-short*(seats-1))/seats))
			assert.Equal(t, want, sizes(stage), "%d entrants at %d seats", n, seats)
			assert.Empty(t, stage.Notes)
			assert.Empty(t, stage.Byes)
		}
	}
}

func TestPodsShareOutTheBye(t *testing.T) {
	h := schedule.History{Seats: 6, Entrants: make([]schedule.Entrant, 7)}
	var byes []int
	tournament(t, schedule.Pods{Stages: 7}, h, 3, func(_ schedule.History, stage schedule.Stage) {
		byes = append(byes, stage.Byes...)
		assert.Equal(t, "tables of 6: 7 entrants do not fill tables of 6 and 5", stage.Notes[0])
	})
	slices.Sort(byes)
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6}, byes)
}

// podCost returns a function that costs tables by the words of the rules, the most important first.
func podCost(h schedule.History) func(tables [][]int) []int {
	n, points := len(h.Entrants), score(h)
	met, never, short := make([]int, n*n), make([]bool, n*n), make([]int, n)
	for _, f := range h.Forbidden {
		never[f[0]*n+f[1]], never[f[1]*n+f[0]] = true, true
	}
	for _, s := range h.Stages {
		for _, table := range s.Tables {
			for _, a := range table.Entrants {
				if len(table.Entrants) < h.Seats {
					short[a]++
				}
				for _, b := range table.Entrants {
					met[a*n+b]++
				}
			}
		}
	}
	return func(tables [][]int) []int {
		cost := make([]int, 4)
		for _, table := range tables {
			most, least := points[table[0]], points[table[0]]
			for i, a := range table {
				most, least = max(most, points[a]), min(least, points[a])
				if len(table) < h.Seats {
					cost[3] += short[a]
				}
				for _, b := range table[:i] {
					cost[1] += met[a*n+b] * met[a*n+b]
					if never[a*n+b] {
						cost[0]++
					}
				}
			}
			cost[2] += most - least
		}
		return cost
	}
}

// eachSwap shows tables after every swap of two entrants and every move to a table one shorter.
func eachSwap(tables [][]int, show func([][]int)) {
	for i := range tables {
		for j := range tables {
			for x := range tables[i] {
				other := slices.Clone(tables)
				if len(tables[i]) == len(tables[j])+1 {
					other[i] = slices.Delete(slices.Clone(tables[i]), x, x+1)
					other[j] = append(slices.Clone(tables[j]), tables[i][x])
					show(other)
				}
				for y := range tables[j] {
					if i < j {
						other[i], other[j] = slices.Clone(tables[i]), slices.Clone(tables[j])
						other[i][x], other[j][y] = tables[j][y], tables[i][x]
						show(other)
					}
				}
			}
		}
	}
}

func drawHistory(t *rapid.T, most int) schedule.History {
	seats := rapid.IntRange(3, 6).Draw(t, "seats")
	n := rapid.IntRange(2, most).Draw(t, "n")
	h := schedule.History{Seats: seats, Entrants: make([]schedule.Entrant, n)}
	for range rapid.IntRange(0, 4).Draw(t, "forbidden") {
		if a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b"); a != b {
			h.Forbidden = append(h.Forbidden, [2]int{a, b})
		}
	}
	return h
}

func TestPodsCannotBeMadeBetterByOneExchange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t, 26)
		f := schedule.Pods{Stages: rapid.IntRange(1, 6).Draw(t, "stages")}
		tournament(t, f, h, rapid.Uint64().Draw(t, "seed"), func(h schedule.History, stage schedule.Stage) {
			checkPlaces(t, h, stage)
			costOf := podCost(h)
			cost := costOf(stage.Tables)
			require.Equal(t, cost[0] > 0 || cost[1] > 0, slices.ContainsFunc(stage.Notes, func(s string) bool { return s[:2] == "no" }))
			eachSwap(stage.Tables, func(other [][]int) {
				require.LessOrEqual(t, slices.Compare(cost, costOf(other)), 0, "%v is better than %v", other, stage)
			})
		})
	})
}

// Few entrants: all seatings are tried.
func TestPodsOfFewAreTheBestOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t, 9)
		f := schedule.Pods{Stages: rapid.IntRange(1, 6).Draw(t, "stages")}
		tournament(t, f, h, rapid.Uint64().Draw(t, "seed"), func(h schedule.History, stage schedule.Stage) {
			costOf := podCost(h)
			best := costOf(stage.Tables)
			seated := slices.Concat(stage.Tables...)
			slices.Sort(seated)
			eachSeating(seated, sizes(stage), nil, func(other [][]int) {
				require.LessOrEqual(t, slices.Compare(best, costOf(other)), 0, "%v is better than %v", other, stage)
			})
		})
	})
}

// eachSeating shows every way to seat entrants at tables of the given sizes.
func eachSeating(entrants, sizes []int, so [][]int, show func([][]int)) {
	if len(entrants) == 0 {
		show(so)
		return
	}
	for s, size := range sizes {
		if slices.Contains(sizes[:s], size) {
			continue
		}
		rest := slices.Concat(sizes[:s], sizes[s+1:])
		for mask := range 1 << (len(entrants) - 1) {
			table, others := []int{entrants[0]}, []int(nil)
			for i, e := range entrants[1:] {
				if mask>>i&1 == 1 {
					table = append(table, e)
				} else {
					others = append(others, e)
				}
			}
			if len(table) == size {
				eachSeating(others, rest, append(slices.Clone(so), table), show)
			}
		}
	}
}

func TestPodsWithLateEntriesAndWithdrawals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t, 12)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range 6 {
			if rng.IntN(3) == 0 {
				h.Entrants = append(h.Entrants, schedule.Entrant{Joined: len(h.Stages) + rng.IntN(2)})
			}
			for i := range h.Entrants {
				h.Entrants[i].Absent = rng.IntN(5) == 0
			}
			if len(present(h)) < 2 {
				stage, ok, err := schedule.Pods{Stages: 99}.Next(h)
				require.NoError(t, err)
				require.False(t, ok)
				require.Len(t, stage.Notes, 1)
				return
			}
			h.Stages = append(h.Stages, results(nextPods(t, h), rng))
		}
	})
}

func TestPodsKeepApartWhoMustNotMeet(t *testing.T) {
	h := schedule.History{Seats: 4, Entrants: make([]schedule.Entrant, 16)}
	for a := range 4 { // four bots of one author
		for b := range a {
			h.Forbidden = append(h.Forbidden, [2]int{a, b})
		}
	}
	tournament(t, schedule.Pods{Stages: 6}, h, 11, func(h schedule.History, stage schedule.Stage) {
		assert.Zero(t, podCost(h)(stage.Tables)[0], "%v", stage)
	})
	h.Seats, h.Entrants = 5, h.Entrants[:4]
	assert.Equal(t, []string{"no tables were found that keep apart who must not meet: " +
		"[0] and [1], [0] and [2], [1] and [2], [0] and [3], [1] and [3], [2] and [3]"}, nextPods(t, h).Notes)
}

func TestPodsDependOnNoOrder(t *testing.T) {
	h := schedule.History{Seats: 4, Entrants: make([]schedule.Entrant, 27), Forbidden: [][2]int{{3, 4}, {9, 2}, {0, 20}}}
	rng := rand.New(rand.NewPCG(5, 3))
	tournament(t, schedule.Pods{Stages: 5}, h, 535, func(h schedule.History, stage schedule.Stage) {
		again, _, err := schedule.Pods{Stages: 5}.Next(shuffled(h, rng))
		require.NoError(t, err)
		assert.Equal(t, stage, again)
	})
}

// A log of stages is only worth something if the next release seats as this one did, on every machine.
func TestPodsStayTheSame(t *testing.T) {
	sum := sha256.New()
	h := schedule.History{Seats: 4, Entrants: make([]schedule.Entrant, 27), Forbidden: [][2]int{{1, 2}}}
	tournament(t, schedule.Pods{}, h, 7, func(_ schedule.History, stage schedule.Stage) { fmt.Fprint(sum, stage) })
	assert.Equal(t, "3299c36639770625", fmt.Sprintf("%x", sum.Sum(nil)[:8]))
}

func TestPodsEndAfterTheirStages(t *testing.T) {
	tests := []struct{ n, seats, stages, want int }{
		{n: 2, seats: 4, want: 1},
		{n: 4, seats: 4, want: 1},
		{n: 5, seats: 4, want: 2},
		{n: 16, seats: 4, want: 4},
		{n: 17, seats: 4, want: 5},
		{n: 16, seats: 4, stages: 9, want: 9},
	}
	for _, tt := range tests {
		played := 0
		tournament(t, schedule.Pods{Stages: tt.stages}, schedule.History{Seats: tt.seats, Entrants: make([]schedule.Entrant, tt.n)},
			1, func(schedule.History, schedule.Stage) { played++ })
		assert.Equal(t, tt.want, played, "%+v", tt)
	}
}

func TestPodsRefuse(t *testing.T) {
	entrants := make([]schedule.Entrant, 8)
	tests := []struct {
		f    schedule.Pods
		h    schedule.History
		want string
	}{
		{
			schedule.Pods{Stages: -2},
			schedule.History{Seats: 4, Entrants: entrants},
			"pods of -2 stages: choose 0 for the usual number, or more",
		},
		{schedule.Pods{}, schedule.History{Seats: 2, Entrants: entrants}, "pods at tables of 2: choose 3 to 6 seats, or swiss"},
		{schedule.Pods{}, schedule.History{Seats: 7, Entrants: entrants}, "pods at tables of 7: choose 3 to 6 seats, or swiss"},
		{schedule.Pods{}, schedule.History{Seats: 3, Entrants: entrants[:1]}, "pods with 1 entrants: enter at least 2"},
		{
			schedule.Pods{},
			schedule.History{Seats: 3, Entrants: entrants, Stages: []schedule.Played{{Byes: []int{8}}}},
			"pods: stage 1: byes: entrant [8] of 8 is unknown",
		},
	}
	for _, tt := range tests {
		stage, ok, err := tt.f.Next(tt.h)
		require.EqualError(t, err, tt.want)
		assert.False(t, ok)
		assert.Zero(t, stage)
	}
}
