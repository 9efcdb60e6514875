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

func TestKnockoutAtLargerTables(t *testing.T) {
	tests := []struct {
		n, seats int
		want     []schedule.Stage
	}{
		{3, 4, []schedule.Stage{{Tables: [][]int{{0, 1, 2}}}}},
		{9, 3, []schedule.Stage{{Tables: [][]int{{0, 5, 6}, {1, 4, 7}, {2, 3, 8}}}, {Tables: [][]int{{0, 1, 2}}}}},
		{13, 4, []schedule.Stage{
			{Tables: [][]int{{0, 7, 8}, {1, 6, 9}, {2, 5, 10}, {3, 4, 11, 12}}},
			{Tables: [][]int{{0, 3, 4, 7}, {1, 2, 5, 6}}},
			{Tables: [][]int{{0, 1, 2, 3}}},
		}},
		{5, 4, []schedule.Stage{{Tables: [][]int{{1, 2, 4}}, Byes: []int{0, 3}}, {Tables: [][]int{{0, 1, 2, 3}}}}},
		{7, 6, []schedule.Stage{{Tables: [][]int{{1, 2, 5, 6}}, Byes: []int{0, 3, 4}}, {Tables: [][]int{{0, 1, 2, 3, 4, 5}}}}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.n, " at ", tt.seats), func(t *testing.T) {
			h := schedule.History{Seats: tt.seats, Entrants: entrants(tt.n)}
			stages, _ := playToEnd(t, schedule.Knockout{}, &h, bestSeedsWin)
			assert.Equal(t, tt.want, stages)
			places, err := schedule.Knockout{}.Places(h)
			require.NoError(t, err)
			assert.True(t, slices.IsSorted(places), "%v", places)
			assert.Equal(t, 1, places[0])
			assert.Equal(t, 2, places[1])
		})
	}
}

func TestKnockoutAtLargerTablesSendsOnTheTopHalf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seats := rapid.IntRange(3, 6).Draw(t, "seats")
		h := schedule.History{Seats: seats, Entrants: entrants(rapid.IntRange(2, 80).Draw(t, "n"))}
		in := len(h.Entrants)
		for {
			stage, ok := playOn(t, schedule.Knockout{}, &h, anyOrder(t))
			if !ok {
				break
			}
			seated := 0
			for _, table := range stage.Tables {
				seated += len(table)
			}
			require.Equal(t, in, seated+len(stage.Byes))
			if in <= seats {
				require.Len(t, stage.Tables, 1)
				require.Empty(t, stage.Byes)
				in = 1
				continue
			}
			in = len(stage.Byes) + len(stage.Tables)*(seats/2)
		}
		require.Equal(t, 1, in)
	})
}

func TestKnockoutAtLargerTablesNotes(t *testing.T) {
	k := schedule.Knockout{}
	h := schedule.History{Seats: 3, Entrants: entrants(6), Forbidden: [][2]int{{0, 3}, {5, 1}, {0, 1}}}
	stage, _ := playOn(t, k, &h, func(table []int) schedule.Table {
		return schedule.Table{Entrants: table, Points: []int{90, 90, 0}, Tiebreak: []int64{1, 1, 2}}
	})
	assert.Equal(t, [][]int{{0, 2, 5}, {1, 3, 4}}, stage.Tables, "exchanged within the rows of the snake")
	assert.Nil(t, stage.Notes)

	h.Entrants = append(h.Entrants, schedule.Entrant{Joined: 1})
	stage, _ = playOn(t, k, &h, bestSeedsWin)
	assert.Equal(t, [][]int{{0, 1}}, stage.Tables)
	assert.Equal(t, []string{
		"[0] and [2] were level: [0] goes before as the better seed",
		"[1] and [3] were level: [1] goes before as the better seed",
		"[0] and [1] meet although they must not: no exchange of equal seeds parts them",
		"[6] is not in the knockout: it came after the first draw",
	}, stage.Notes)

	h = schedule.History{Seats: 3, Entrants: entrants(9)}
	playOn(t, k, &h, bestSeedsWin)
	h.Entrants[1].Absent = true
	stage, _ = playOn(t, k, &h, bestSeedsWin)
	assert.Equal(t, schedule.Stage{Tables: [][]int{{0, 2}}, Notes: []string{"[1] is out: it is absent"}}, stage)
}
