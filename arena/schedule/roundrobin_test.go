package schedule_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// oneCycle returns the tables of a cycle of three seats or more.
func oneCycle(t *testing.T, n, seats int) [][]int {
	t.Helper()
	stages, err := schedule.RoundRobin(n, seats, 1)
	require.NoError(t, err, "%d entrants at %d seats", n, seats)
	require.Len(t, stages, 1)
	require.Empty(t, stages[0].Byes)
	return stages[0].Tables
}

// meetings counts by brute force the fewest and the most meetings of any two entrants.
func meetings(n int, tables [][]int) (fewest, most int) {
	met := make([]int, n*n)
	for _, table := range tables {
		for i, a := range table {
			for _, b := range table[i+1:] {
				met[a*n+b]++
			}
		}
	}
	fewest = len(tables)
	for a := range n {
		for b := a + 1; b < n; b++ {
			fewest, most = min(fewest, met[a*n+b]), max(most, met[a*n+b])
		}
	}
	return fewest, most
}

func checkBalance(t *testing.T, n, seats int) {
	t.Helper()
	tables := oneCycle(t, n, seats)
	sits := make([]int, n)
	distinct := map[string]bool{}
	for _, table := range tables {
		require.Len(t, table, seats)
		require.True(t, slices.IsSorted(table), "%v", table)
		require.Len(t, slices.Compact(slices.Clone(table)), seats, "%v", table)
		require.True(t, table[0] >= 0 && table[seats-1] < n, "%v", table)
		distinct[fmt.Sprint(table)] = true
		for _, e := range table {
			sits[e]++
		}
	}
	assert.Len(t, distinct, len(tables), "%d entrants at %d seats repeat a table", n, seats)
	assert.Equal(t, slices.Min(sits), slices.Max(sits), "%d entrants at %d seats: tables per entrant", n, seats)

	fewest, most := meetings(n, tables)
	assert.GreaterOrEqual(t, fewest, 1, "%d entrants at %d seats", n, seats)
	assert.LessOrEqual(t, most-fewest, 1, "%d entrants at %d seats", n, seats)

	all := binomial(n, seats)
	if all <= 210 {
		assert.Len(t, tables, int(all))
		assert.True(t, slices.IsSortedFunc(tables, slices.Compare), "lexicographic order")
		return
	}
	perfect := float64(n*(n-1)) / float64(seats*(seats-1))
	bound := 4.0
	if n >= 60 {
		bound = 1.5
	}
	assert.LessOrEqual(t, float64(len(tables)), bound*perfect, "%d entrants at %d seats", n, seats)
}

func binomial(n, k int) int64 {
	c := int64(1)
	for i := range k {
		c = c * int64(n-i) / int64(i+1)
	}
	return c
}

func TestRoundRobinBalancesMeetings(t *testing.T) {
	for seats := 3; seats <= 6; seats++ {
		t.Run(fmt.Sprint(seats), func(t *testing.T) {
			t.Parallel()
			for n := seats; n <= 40; n++ {
				checkBalance(t, n, seats)
			}
			for n := 60; n <= 200; n += 70 {
				checkBalance(t, n, seats)
			}
		})
	}
}

func TestRoundRobinGoldens(t *testing.T) {
	assert.Equal(t, [][]int{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}, oneCycle(t, 4, 3))
	for seats := 3; seats <= 6; seats++ {
		table := make([]int, seats)
		for i := range table {
			table[i] = i
		}
		assert.Equal(t, [][]int{table}, oneCycle(t, seats, seats), "as many entrants as seats are one table")
	}
	assert.Equal(t, 210, len(oneCycle(t, 10, 6)), "all subsets at the limit")
	assert.Equal(t, 11, len(oneCycle(t, 11, 6)), "a design beyond it")
}

// Perfect designs: every two meet exactly once.
func TestRoundRobinFindsPerfectDesigns(t *testing.T) {
	tests := []struct{ n, seats, tables int }{
		{13, 3, 26},
		{15, 3, 35}, // with a short orbit of 5 tables
		{19, 3, 57},
		{27, 3, 117}, // with a short orbit of 9 tables
		{13, 4, 13},  // the projective plane of order 3
		{21, 5, 21},  // the projective plane of order 4
	}
	for _, tt := range tests {
		tables := oneCycle(t, tt.n, tt.seats)
		fewest, most := meetings(tt.n, tables)
		assert.Equal(t, [3]int{tt.tables, 1, 1}, [3]int{len(tables), fewest, most}, "%d entrants at %d seats", tt.n, tt.seats)
	}
}

// A table's place is its id, so the schedules of one release must be those of the next.
func TestRoundRobinStaysTheSame(t *testing.T) {
	for _, tt := range []struct {
		n, seats int
		want     string
	}{
		{12, 3, "6081765322a1865a"},
		{36, 4, "4068810c8f4ae239"},
		{60, 5, "2d72ac5d4e8f6bbe"},
		{200, 6, "1daee1cb89fdbc98"},
	} {
		sum := sha256.Sum256(fmt.Append(nil, oneCycle(t, tt.n, tt.seats)))
		assert.Equal(t, tt.want, fmt.Sprintf("%x", sum[:8]), "%d entrants at %d seats", tt.n, tt.seats)
	}
}

func TestRoundRobinCyclesShareNothing(t *testing.T) {
	stages, err := schedule.RoundRobin(13, 4, 3)
	require.NoError(t, err)
	require.Len(t, stages, 3)
	assert.Equal(t, stages[0], stages[1])
	stages[0].Tables[0][0] = -1
	assert.Equal(t, stages[1], stages[2])
	assert.NotEqual(t, stages[0], stages[1])
}

func TestRoundRobinRefuses(t *testing.T) {
	tests := []struct {
		name             string
		n, seats, cycles int
		want             string
	}{
		{"one seat", 5, 1, 1, "round robin with 1 seats: choose 2 to 6"},
		{"seven seats", 9, 7, 1, "round robin with 7 seats: choose 2 to 6"},
		{"too few entrants", 3, 4, 1, "round robin with 3 entrants at tables of 4: enter at least 4"},
		{"negative entrants", -1, 2, 1, "round robin with -1 entrants at tables of 2: enter at least 2"},
		{"too many entrants", 201, 3, 1, "round robin with 201 entrants at tables of 3: enter at most 200"},
		{"no cycle", 4, 2, 0, "round robin of 0 cycles: choose at least 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stages, err := schedule.RoundRobin(tt.n, tt.seats, tt.cycles)
			require.EqualError(t, err, tt.want)
			assert.Nil(t, stages)
		})
	}
}
