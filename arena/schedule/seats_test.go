package schedule_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// follows counts how often bot b sits directly after bot a; round the table, the first seat also follows the last.
func follows(rows [][]int, k int, round bool) [][]int {
	counts := make([][]int, k)
	for a := range counts {
		counts[a] = make([]int, k)
	}
	for _, row := range rows {
		for seat := range k {
			if seat < k-1 || round {
				counts[row[seat]][row[(seat+1)%k]]++
			}
		}
	}
	return counts
}

// between returns the smallest and the largest count of two different bots.
func between(counts [][]int) (least, most int) {
	least, most = counts[0][1], counts[0][1]
	for a, row := range counts {
		for b, c := range row {
			if a != b {
				least, most = min(least, c), max(most, c)
			}
		}
	}
	return least, most
}

func TestSeatOrdersAreBalanced(t *testing.T) {
	tests := []struct {
		k, rows  int
		line     int // how often each bot directly follows each other, first to last seat
		low, top int // the same round the table
	}{
		{k: 2, rows: 2, line: 1, low: 2, top: 2},
		{k: 3, rows: 6, line: 2, low: 3, top: 3},
		{k: 4, rows: 4, line: 1, low: 1, top: 2},
		{k: 5, rows: 10, line: 2, low: 2, top: 3},
		{k: 6, rows: 6, line: 1, low: 1, top: 2},
	}
	for _, tt := range tests {
		rows := schedule.SeatOrders(tt.k)
		require.Len(t, rows, tt.rows)
		identity := make([]int, tt.k)
		for i := range identity {
			identity[i] = i
		}
		assert.Equal(t, identity, rows[0])

		for seat := range tt.k {
			held := make([]int, tt.k)
			for _, row := range rows {
				held[row[seat]]++
			}
			for bot, times := range held {
				assert.Equal(t, tt.rows/tt.k, times, "%d bots: bot %d at seat %d", tt.k, bot, seat)
			}
		}
		for _, row := range rows {
			sorted := slices.Sorted(slices.Values(row))
			assert.Equal(t, identity, sorted, "%v is not a permutation", row)
		}

		least, most := between(follows(rows, tt.k, false))
		assert.Equal(t, [2]int{tt.line, tt.line}, [2]int{least, most}, "%d bots in line", tt.k)
		least, most = between(follows(rows, tt.k, true))
		assert.Equal(t, [2]int{tt.low, tt.top}, [2]int{least, most}, "%d bots round the table", tt.k)
	}
}

// Every bot has tt.rows neighbours to its left, shared out among k-1 opponents: where that leaves a rest, a difference of
// one cannot be avoided.
func TestSeatOrdersAreAsBalancedRoundTheTableAsCanBe(t *testing.T) {
	for k := 2; k <= 12; k++ {
		rows := schedule.SeatOrders(k)
		least, most := between(follows(rows, k, true))
		if len(rows)%(k-1) == 0 {
			assert.Equal(t, least, most, "%d bots", k)
		} else {
			assert.Equal(t, 1, most-least, "%d bots", k)
		}
	}
}

func TestSeatOrdersGoldens(t *testing.T) {
	assert.Equal(t, [][]int{{0, 1}, {1, 0}}, schedule.SeatOrders(2))
	assert.Equal(t, [][]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}, {0, 2, 1}, {1, 0, 2}}, schedule.SeatOrders(3))
	assert.Equal(t, [][]int{{0, 1, 2, 3}, {1, 3, 0, 2}, {3, 2, 1, 0}, {2, 0, 3, 1}}, schedule.SeatOrders(4))
}

func TestSeatOrdersOfOneBot(t *testing.T) {
	for k := -1; k < 2; k++ {
		assert.Nil(t, schedule.SeatOrders(k))
	}
}
