package schedule_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
	"github.com/fivethreefive/fivethreefive/arena/schedule/internal/matching"
)

// results draws a result for every table of a stage.
func results(stage schedule.Stage, rng *rand.Rand) schedule.Played {
	p := schedule.Played{Byes: stage.Byes}
	for _, entrants := range stage.Tables {
		p.Tables = append(p.Tables, schedule.Table{Entrants: entrants, Points: drawPoints(len(entrants), rng)})
	}
	return p
}

// drawPoints shares out the places of a table of k, ties included.
func drawPoints(k int, rng *rand.Rand) []int {
	strength, points := make([]int, k), make([]int, k)
	for i := range strength {
		strength[i] = rng.IntN(2 * k)
	}
	for i, a := range strength {
		for j, b := range strength {
			switch {
			case i != j && a > b:
				points[i] += schedule.Unit / (k - 1)
			case i != j && a == b:
				points[i] += schedule.Unit / (k - 1) / 2
			}
		}
	}
	return points
}

func TestSwissFirstStageFoldsTheSeeds(t *testing.T) {
	tests := []struct {
		n    int
		f    schedule.Swiss
		want schedule.Stage
	}{
		{2, schedule.Swiss{}, schedule.Stage{Tables: [][]int{{0, 1}}}},
		{7, schedule.Swiss{}, schedule.Stage{Tables: [][]int{{0, 3}, {1, 4}, {2, 5}}, Byes: []int{6}}},
		{8, schedule.Swiss{}, schedule.Stage{Tables: [][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}}}},
		{7, schedule.Swiss{Adjacent: true}, schedule.Stage{Tables: [][]int{{0, 1}, {2, 3}, {4, 5}}, Byes: []int{6}}},
	}
	for _, tt := range tests {
		stage, ok, err := tt.f.Next(schedule.History{Seats: 2, Entrants: make([]schedule.Entrant, tt.n)})
		require.NoError(t, err)
		require.True(t, ok)
		assert.Equal(t, tt.want, stage, "%d entrants, %+v", tt.n, tt.f)
	}
}

// Of eight entrants the higher seed wins every game.
func ExampleSwiss() {
	h := schedule.History{Seats: 2, Entrants: make([]schedule.Entrant, 8)}
	for {
		stage, ok, err := schedule.Swiss{Stages: 3}.Next(h)
		if err != nil || !ok {
			fmt.Println("over", err)
			return
		}
		fmt.Println("stage", len(h.Stages)+1, stage.Tables)
		var played schedule.Played
		for _, pair := range stage.Tables {
			slices.Sort(pair)
			played.Tables = append(played.Tables, schedule.Table{Entrants: pair, Points: []int{schedule.Unit, 0}})
		}
		h.Stages = append(h.Stages, played)
	}
	// Output:
	// stage 1 [[0 4] [1 5] [2 6] [3 7]]
	// stage 2 [[0 2] [1 3] [4 6] [5 7]]
	// stage 3 [[0 1] [2 4] [3 5] [6 7]]
	// over <nil>
}

func TestSwissEndsAfterItsStages(t *testing.T) {
	tests := []struct{ n, stages, want int }{
		{n: 2, want: 1},
		{n: 3, want: 3},
		{n: 4, want: 3},
		{n: 5, want: 5},
		{n: 8, want: 5},
		{n: 9, want: 6},
		{n: 33, want: 8},
		{n: 2, stages: 3, want: 3},
		{n: 33, stages: 2, want: 2},
	}
	for _, tt := range tests {
		played := 0
		tournament(t, schedule.Swiss{Stages: tt.stages}, schedule.History{Seats: 2, Entrants: make([]schedule.Entrant, tt.n)}, 1,
			func(schedule.History, schedule.Stage) { played++ })
		assert.Equal(t, tt.want, played, "%+v", tt)
	}
}

// tournament plays a format with drawn results to its end and shows each stage, with the history before it.
func tournament(t require.TestingT, f schedule.Format, h schedule.History, seed uint64,
	each func(schedule.History, schedule.Stage),
) {
	rng := rand.New(rand.NewPCG(seed, 0))
	for {
		stage, ok, err := f.Next(h)
		require.NoError(t, err)
		if !ok {
			require.Empty(t, stage.Tables)
			require.Empty(t, stage.Byes)
			return
		}
		each(h, stage)
		h.Stages = append(h.Stages, results(stage, rng))
	}
}

// To n-1 stages, where legal pairings run out.
func TestSwissTournamentsCompleteOrSayWhy(t *testing.T) {
	relaxed := 0
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 2 + rng.IntN(15)
		if seed%50 == 0 {
			n = 17 + rng.IntN(24)
		}
		f := schedule.Swiss{Stages: n - 1, Adjacent: rng.IntN(4) == 0}
		h := schedule.History{Seats: 2, Entrants: make([]schedule.Entrant, n)}
		for range rng.IntN(4) {
			if a, b := rng.IntN(n), rng.IntN(n); a != b {
				h.Forbidden = append(h.Forbidden, [2]int{a, b})
			}
		}
		stages := 0
		tournament(t, f, h, seed, func(h schedule.History, stage schedule.Stage) {
			stages++
			checkPlaces(t, h, stage)
			if len(stage.Notes) == 0 {
				checkLegal(t, h, stage)
				return
			}
			relaxed++
			require.False(t, legalExists(h), "stage %d is relaxed for nothing: %v", len(h.Stages), stage.Notes)
		})
		require.Equal(t, f.Stages, stages)
	}
	assert.Greater(t, relaxed, 100, "the tournaments were too easy")
}

// legalExists says whether everybody present can be paired without a rematch, a forbidden pair or a second bye.
func legalExists(h schedule.History) bool {
	never, here := mustNot(h), present(h)
	n := len(here) + len(here)%2
	var edges []matching.Edge
	for i, a := range here {
		for j, b := range here[:i] {
			if !never[[2]int{a, b}] {
				edges = append(edges, matching.Edge{A: j, B: i})
			}
		}
		if len(here)%2 == 1 && !never[[2]int{a, a}] {
			edges = append(edges, matching.Edge{A: i, B: len(here)})
		}
	}
	return !slices.Contains(matching.MaxCardinality(n, edges), -1)
}

// Few entrants: all pairings are tried, and costed by the words of the rules.
func TestSwissFindsTheBestOfAllPairings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 7).Draw(t, "n")
		f := schedule.Swiss{Stages: rapid.IntRange(1, 2*n).Draw(t, "stages"), Adjacent: rapid.Bool().Draw(t, "adjacent")}
		h := schedule.History{Seats: 2, Entrants: make([]schedule.Entrant, n)}
		if n > 2 {
			h.Forbidden = [][2]int{{0, 1}, {n - 1, n - 2}}[:rapid.IntRange(0, 2).Draw(t, "forbidden")]
		}
		tournament(t, f, h, rapid.Uint64().Draw(t, "seed"), func(h schedule.History, stage schedule.Stage) {
			here := present(h)
			points := score(h)
			slices.SortStableFunc(here, func(a, b int) int { return points[b] - points[a] })
			least := cost(h, f, here, stage)
			eachPairing(here, schedule.Stage{}, func(other schedule.Stage) {
				require.LessOrEqual(t, slices.Compare(least, cost(h, f, here, other)), 0, "%v is better than %v", other, stage)
			})
		})
	})
}

// eachPairing shows every way to pair those of a ranking.
func eachPairing(here []int, so schedule.Stage, show func(schedule.Stage)) {
	if len(here) == 0 {
		show(so)
		return
	}
	if len(here)%2 == 1 {
		for i, e := range here {
			eachPairing(slices.Concat(here[:i], here[i+1:]), schedule.Stage{Byes: []int{e}}, show)
		}
		return
	}
	for i := 1; i < len(here); i++ {
		with := schedule.Stage{Tables: append(slices.Clone(so.Tables), []int{here[0], here[i]}), Byes: so.Byes}
		eachPairing(slices.Concat(here[1:i], here[i+1:]), with, show)
	}
}

// cost returns what a pairing costs, the most important first.
func cost(h schedule.History, f schedule.Swiss, ranking []int, stage schedule.Stage) []int {
	points := score(h)
	descending := func(a, b int) int { return b - a }
	forbidden, fold := 0, 0
	var meetings, gaps []int
	for _, table := range stage.Tables {
		a, b := table[0], table[1]
		met := 0
		for _, s := range h.Stages {
			for _, t := range s.Tables {
				if slices.Contains(t.Entrants, a) && slices.Contains(t.Entrants, b) {
					met++
				}
			}
		}
		meetings = append(meetings, met)
		if slices.Contains(h.Forbidden, [2]int{a, b}) || slices.Contains(h.Forbidden, [2]int{b, a}) {
			forbidden++
		}
		gaps = append(gaps, max(points[a]-points[b], points[b]-points[a]))
		same := 0
		for _, e := range ranking {
			if points[e] == points[a] {
				same++
			}
		}
		distance := max(slices.Index(ranking, a)-slices.Index(ranking, b), slices.Index(ranking, b)-slices.Index(ranking, a))
		if points[a] == points[b] && !f.Adjacent {
			fold += (distance - same/2) * (distance - same/2)
		} else {
			fold += (distance - 1) * (distance - 1)
		}
	}
	slices.SortFunc(meetings, descending)
	slices.SortFunc(gaps, descending)
	had, scored, rank := 0, 0, 0
	for _, e := range stage.Byes {
		for _, s := range h.Stages {
			if slices.Contains(s.Byes, e) {
				had++
			}
		}
		scored, rank = points[e], -slices.Index(ranking, e)
	}
	return slices.Concat([]int{forbidden}, meetings, []int{had, scored}, gaps, []int{rank, fold})
}

func TestSwissWithLateEntriesAndWithdrawals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := schedule.History{Seats: 2, Entrants: make([]schedule.Entrant, rapid.IntRange(2, 14).Draw(t, "n"))}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range 8 {
			if rng.IntN(3) == 0 {
				h.Entrants = append(h.Entrants, schedule.Entrant{Joined: len(h.Stages) + rng.IntN(2)})
			}
			for i := range h.Entrants {
				h.Entrants[i].Absent = rng.IntN(5) == 0
			}
			stage, ok, err := schedule.Swiss{Stages: 8}.Next(h)
			require.NoError(t, err)
			if len(present(h)) < 2 {
				require.False(t, ok)
				require.Len(t, stage.Notes, 1)
				return
			}
			require.True(t, ok)
			checkPlaces(t, h, stage)
			if len(stage.Notes) == 0 {
				checkLegal(t, h, stage)
			} else {
				require.False(t, legalExists(h), "stage %d is relaxed for nothing: %v", len(h.Stages), stage.Notes)
			}
			h.Stages = append(h.Stages, results(stage, rng))
		}
	})
}

func TestSwissDependsOnNoOrder(t *testing.T) {
	h := schedule.History{Seats: 2, Entrants: make([]schedule.Entrant, 31), Forbidden: [][2]int{{3, 4}, {9, 2}, {0, 30}}}
	rng := rand.New(rand.NewPCG(5, 3))
	tournament(t, schedule.Swiss{}, h, 535, func(h schedule.History, stage schedule.Stage) {
		var wait sync.WaitGroup
		for range 4 {
			other := shuffled(h, rng)
			wait.Go(func() {
				again, _, err := schedule.Swiss{}.Next(other)
				assert.NoError(t, err)
				assert.Equal(t, stage, again)
			})
		}
		wait.Wait()
	})
}

// shuffled returns the same history with everything in another order of which the order means nothing.
func shuffled(h schedule.History, rng *rand.Rand) schedule.History {
	h.Forbidden = slices.Clone(h.Forbidden)
	rng.Shuffle(len(h.Forbidden), func(i, j int) { h.Forbidden[i], h.Forbidden[j] = h.Forbidden[j], h.Forbidden[i] })
	for i, f := range h.Forbidden {
		h.Forbidden[i] = [2]int{f[1], f[0]}
	}
	h.Stages = slices.Clone(h.Stages)
	for s := range h.Stages {
		tables := slices.Clone(h.Stages[s].Tables)
		rng.Shuffle(len(tables), func(i, j int) { tables[i], tables[j] = tables[j], tables[i] })
		for i, table := range tables {
			tables[i].Entrants, tables[i].Points = slices.Clone(table.Entrants), slices.Clone(table.Points)
			slices.Reverse(tables[i].Entrants)
			slices.Reverse(tables[i].Points)
		}
		h.Stages[s].Tables = tables
	}
	return h
}

// A log of stages is only worth something if the next release pairs as this one did, on every machine.
func TestSwissStaysTheSame(t *testing.T) {
	sum := sha256.New()
	h := schedule.History{Seats: 2, Entrants: make([]schedule.Entrant, 33), Forbidden: [][2]int{{1, 2}}}
	tournament(t, schedule.Swiss{}, h, 7, func(_ schedule.History, stage schedule.Stage) { fmt.Fprint(sum, stage) })
	assert.Equal(t, "d52662a37541ab97", fmt.Sprintf("%x", sum.Sum(nil)[:8]))
}
