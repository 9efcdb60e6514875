package schedule_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

func TestRoundRobinFormatPlaysTheStagesOfTheRoundRobin(t *testing.T) {
	for _, tt := range []struct{ n, seats, cycles int }{
		{2, 2, 1}, {3, 2, 3}, {8, 2, 1}, {9, 2, 2}, {10, 2, 2}, {14, 2, 4}, {4, 3, 1}, {13, 4, 2}, {14, 6, 1},
	} {
		want, err := schedule.RoundRobin(tt.n, tt.seats, tt.cycles)
		require.NoError(t, err)
		var got []schedule.Stage
		h := schedule.History{Seats: tt.seats, Entrants: make([]schedule.Entrant, tt.n)}
		tournament(t, schedule.RoundRobinFormat{Cycles: tt.cycles}, h, 1, func(_ schedule.History, stage schedule.Stage) {
			got = append(got, stage)
		})
		assert.Equal(t, want, got, "%+v", tt)
	}
}

// Whoever is there meets everybody else who is there, whatever the others do.
func TestRoundRobinFormatWithAbsentEntrants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 12).Draw(t, "n")
		gone := rapid.IntRange(1, n-2).Draw(t, "gone")
		h := schedule.History{Seats: 2, Entrants: make([]schedule.Entrant, n)}
		for _, e := range rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Perm(n)[:gone] {
			h.Entrants[e].Absent = true
		}
		met := make(map[[2]int]int)
		tournament(t, schedule.RoundRobinFormat{Cycles: 2}, h, 1, func(h schedule.History, stage schedule.Stage) {
			checkPlaces(t, h, stage)
			for _, table := range stage.Tables {
				met[[2]int{table[0], table[1]}]++
			}
		})
		require.Len(t, met, (n-gone)*(n-gone-1), "both ways round")
	})
}

func TestRoundRobinFormatNotesWhatFallsOut(t *testing.T) {
	h := schedule.History{Seats: 2, Entrants: make([]schedule.Entrant, 7), Forbidden: [][2]int{{6, 1}}}
	h.Entrants[2].Absent = true
	stage, ok, err := schedule.RoundRobinFormat{Cycles: 1}.Next(h)
	require.NoError(t, err)
	require.True(t, ok)
	assert.Equal(t, schedule.Stage{
		Tables: [][]int{{3, 4}}, Byes: []int{0, 5},
		Notes: []string{"[1] and [6] do not play: they must not meet", "[5] has a bye: [2] is absent"},
	}, stage)

	h = schedule.History{Seats: 3, Entrants: make([]schedule.Entrant, 4), Forbidden: [][2]int{{3, 0}, {1, 2}}}
	h.Entrants[1].Absent = true
	stage, ok, err = schedule.RoundRobinFormat{Cycles: 1}.Next(h)
	require.NoError(t, err)
	require.True(t, ok)
	assert.Equal(t, schedule.Stage{
		Tables: [][]int{{0, 2}, {0, 3}, {0, 2, 3}, {2, 3}},
		Notes: []string{
			"[1] is absent: its tables are played by the others",
			"[0] and [3] meet although they must not: at tables of 3 all meet",
		},
	}, stage)

	h.Entrants[2].Absent, h.Entrants[3].Absent = true, true
	stage, ok, err = schedule.RoundRobinFormat{Cycles: 1}.Next(h)
	require.NoError(t, err)
	assert.False(t, ok)
	assert.Equal(t, schedule.Stage{Notes: []string{"the tournament ends early: 1 of its entrants are present"}}, stage)
}

func TestRoundRobinFormatRefuses(t *testing.T) {
	entrants := make([]schedule.Entrant, 4)
	late := make([]schedule.Entrant, 4)
	late[3].Joined = 2
	tests := []struct {
		cycles int
		h      schedule.History
		want   string
	}{
		{0, schedule.History{Seats: 2, Entrants: entrants}, "round robin of 0 cycles: choose at least 1"},
		{1, schedule.History{Seats: 5, Entrants: entrants}, "round robin with 4 entrants at tables of 5: enter at least 5"},
		{
			1,
			schedule.History{Seats: 2, Entrants: entrants, Forbidden: [][2]int{{0, 4}}},
			"round robin: forbidden pair [0 4]: entrant [4] of 4 is unknown",
		},
		{
			1,
			schedule.History{Seats: 2, Entrants: late},
			"round robin: entrant [3] joins late, after the stages were made: leave it out, or choose swiss or pods",
		},
	}
	for _, tt := range tests {
		stage, ok, err := schedule.RoundRobinFormat{Cycles: tt.cycles}.Next(tt.h)
		require.EqualError(t, err, tt.want)
		assert.False(t, ok)
		assert.Zero(t, stage)
	}
}

func ExampleRoundRobinFormat() {
	f := schedule.RoundRobinFormat{Cycles: 1}
	h := schedule.History{Seats: 2, Entrants: make([]schedule.Entrant, 4)}
	for stage, ok, err := f.Next(h); ok && err == nil; stage, ok, err = f.Next(h) {
		fmt.Println(stage.Tables)
		h.Stages = append(h.Stages, schedule.Played{}) // with the results of the tables
	}
	// Output:
	// [[0 3] [1 2]]
	// [[3 2] [0 1]]
	// [[1 3] [2 0]]
}
