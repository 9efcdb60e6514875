package schedule_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

type bergerTables struct {
	Tables []struct {
		Players int
		Rounds  [][][]int
	}
}

func readBerger(t *testing.T) bergerTables {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "berger.json"))
	require.NoError(t, err)
	var published bergerTables
	require.NoError(t, json.Unmarshal(text, &published))
	require.NotEmpty(t, published.Tables)
	return published
}

func TestRoundRobinIsThePublishedBergerTable(t *testing.T) {
	for _, want := range readBerger(t).Tables {
		for _, n := range []int{want.Players, want.Players - 1} {
			stages, err := schedule.RoundRobin(n, 2, 1)
			require.NoError(t, err)
			require.Len(t, stages, len(want.Rounds), "%d entrants", n)
			for r, round := range want.Rounds {
				tables, byes := withoutBye(round, n)
				assert.Equal(t, tables, stages[r].Tables, "%d entrants, stage %d", n, r)
				assert.Equal(t, byes, stages[r].Byes, "%d entrants, stage %d", n, r)
			}
		}
	}
}

// The published rule of the double round robin, on the published tables.
func TestDoubleRoundRobinIsThePublishedOne(t *testing.T) {
	for _, published := range readBerger(t).Tables {
		n := published.Players
		stages, err := schedule.RoundRobin(n, 2, 2)
		require.NoError(t, err)
		var want [][][]int
		for _, round := range published.Rounds {
			tables, _ := withoutBye(round, n)
			want = append(want, tables)
		}
		last := len(want) - 1
		want[last-1], want[last] = want[last], want[last-1]
		for _, round := range published.Rounds {
			tables, _ := withoutBye(round, n)
			for _, pair := range tables {
				slices.Reverse(pair)
			}
			want = append(want, tables)
		}
		var got [][][]int
		for _, stage := range stages {
			got = append(got, stage.Tables)
		}
		assert.Equal(t, want, got, "%d entrants", n)
	}
}

// withoutBye counts from 0 and turns the pair with the missing entrant n into a bye.
func withoutBye(round [][]int, n int) (tables [][]int, byes []int) {
	for _, pair := range round {
		a, b := pair[0]-1, pair[1]-1
		switch {
		case a == n:
			byes = append(byes, b)
		case b == n:
			byes = append(byes, a)
		default:
			tables = append(tables, []int{a, b})
		}
	}
	return tables, byes
}

func TestRoundRobinOfTwoSeats(t *testing.T) {
	for n := 2; n <= 60; n++ {
		for cycles := 1; cycles <= 4; cycles++ {
			stages, err := schedule.RoundRobin(n, 2, cycles)
			require.NoError(t, err)
			require.Len(t, stages, cycles*(n-1+n%2))

			met := map[[2]int]int{}
			byes := make([]int, n)
			for i, stage := range stages {
				seen := make([]int, n)
				for _, table := range stage.Tables {
					require.Len(t, table, 2)
					met[[2]int{table[0], table[1]}]++
					seen[table[0]]++
					seen[table[1]]++
				}
				for _, e := range stage.Byes {
					byes[e]++
					seen[e]++
				}
				for e, times := range seen {
					require.Equal(t, 1, times, "n %d, stage %d, entrant %d", n, i, e)
				}
			}
			for a := range n {
				require.Equal(t, n%2*cycles, byes[a])
				for b := range a {
					first, second := met[[2]int{a, b}], met[[2]int{b, a}]
					require.Equal(t, cycles, first+second, "n %d, %d against %d", n, a, b)
					require.Equal(t, cycles%2, max(first-second, second-first), "n %d, %d against %d", n, a, b)
				}
			}
		}
	}
}

func TestRoundRobinKeepsNobodyInASeatThreeTimes(t *testing.T) {
	for n := 4; n <= 40; n += 2 {
		cycles := 5
		if n == 4 {
			cycles = 2
		}
		stages, err := schedule.RoundRobin(n, 2, cycles)
		require.NoError(t, err)
		seats := make([][]int, n)
		for _, stage := range stages {
			for _, table := range stage.Tables {
				for seat, e := range table {
					seats[e] = append(seats[e], seat)
				}
			}
		}
		for e, s := range seats {
			for i := 2; i < len(s); i++ {
				kept := slices.Max(s[i-2:i+1]) == slices.Min(s[i-2:i+1])
				require.False(t, kept, "n %d, entrant %d, stage %d: %v", n, e, i, s)
			}
		}
	}
}

func TestDoubleRoundRobinExchangesTheLastStagesOfTheFirstCycle(t *testing.T) {
	stages, err := schedule.RoundRobin(5, 2, 2)
	require.NoError(t, err)
	assert.Equal(t, []schedule.Stage{
		{Tables: [][]int{{1, 4}, {2, 3}}, Byes: []int{0}},
		{Tables: [][]int{{4, 2}, {0, 1}}, Byes: []int{3}},
		{Tables: [][]int{{2, 0}, {3, 4}}, Byes: []int{1}},
		{Tables: [][]int{{3, 1}, {4, 0}}, Byes: []int{2}},
		{Tables: [][]int{{0, 3}, {1, 2}}, Byes: []int{4}},

		{Tables: [][]int{{4, 1}, {3, 2}}, Byes: []int{0}},
		{Tables: [][]int{{2, 4}, {1, 0}}, Byes: []int{3}},
		{Tables: [][]int{{0, 2}, {4, 3}}, Byes: []int{1}},
		{Tables: [][]int{{3, 0}, {2, 1}}, Byes: []int{4}},
		{Tables: [][]int{{1, 3}, {0, 4}}, Byes: []int{2}},
	}, stages)
}
