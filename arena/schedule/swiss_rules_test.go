package schedule_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

func TestSwissNotesWhatItGaveUp(t *testing.T) {
	pair := func(a, b int) schedule.Table { return schedule.Table{Entrants: []int{a, b}, Points: []int{60, 60}} }
	again := schedule.Stage{Tables: [][]int{{0, 3}, {1, 2}}, Notes: []string{
		"[0] and [3] meet again (meeting 2): every pairing of those present has rematches or forbidden pairs",
		"[1] and [2] meet again (meeting 2): every pairing of those present has rematches or forbidden pairs",
	}}
	tests := []struct {
		name string
		h    schedule.History
		want schedule.Stage
	}{
		{
			name: "a second bye before a rematch",
			h: schedule.History{Entrants: make([]schedule.Entrant, 3), Stages: []schedule.Played{
				{Tables: []schedule.Table{pair(0, 1)}, Byes: []int{2}},
				{Tables: []schedule.Table{pair(0, 2)}, Byes: []int{1}},
				{Byes: []int{0}},
			}},
			want: schedule.Stage{Tables: [][]int{{1, 2}}, Byes: []int{0}, Notes: []string{
				"[0] has a bye again (bye 2): every bye for somebody with fewer forces more rematches or forbidden pairs",
			}},
		},
		{
			name: "the rematch of those who met least",
			h: schedule.History{Entrants: make([]schedule.Entrant, 4), Stages: []schedule.Played{
				{Tables: []schedule.Table{pair(0, 1), pair(2, 3)}},
				{Tables: []schedule.Table{pair(0, 1), pair(2, 3)}},
				{Tables: []schedule.Table{pair(0, 2), pair(1, 3)}},
				{Tables: []schedule.Table{pair(0, 2), pair(1, 3)}},
				{Tables: []schedule.Table{pair(0, 3), pair(1, 2)}},
			}},
			want: again,
		},
		{
			name: "a rematch before a forbidden pair",
			h: schedule.History{Entrants: make([]schedule.Entrant, 4), Forbidden: [][2]int{{0, 1}, {0, 2}}, Stages: []schedule.Played{
				{Tables: []schedule.Table{pair(0, 3), pair(1, 2)}},
			}},
			want: again,
		},
		{
			name: "a forbidden pair",
			h:    schedule.History{Entrants: make([]schedule.Entrant, 2), Forbidden: [][2]int{{1, 0}}},
			want: schedule.Stage{Tables: [][]int{{0, 1}}, Notes: []string{
				"[0] and [1] meet although they must not: every pairing of those present has forbidden pairs",
			}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.h.Seats = 2
			stage, ok, err := schedule.Swiss{Stages: 9}.Next(tt.h)
			require.NoError(t, err)
			require.True(t, ok)
			assert.Equal(t, tt.want, stage)
		})
	}
}

func TestSwissRefuses(t *testing.T) {
	entrants := make([]schedule.Entrant, 4)
	one := func(p schedule.Played) schedule.History {
		return schedule.History{Seats: 2, Entrants: entrants, Stages: []schedule.Played{p}}
	}
	table := func(entrants []int, points []int, tiebreak ...int64) schedule.History {
		return one(schedule.Played{Tables: []schedule.Table{{Entrants: entrants, Points: points, Tiebreak: tiebreak}}, Byes: []int{3}})
	}
	tests := []struct {
		name string
		f    schedule.Swiss
		h    schedule.History
		want string
	}{
		{"stages", schedule.Swiss{Stages: -1}, one(schedule.Played{}), "swiss of -1 stages: choose 0 for the usual number, or more"},
		{"seats", schedule.Swiss{}, schedule.History{Seats: 3, Entrants: entrants}, "swiss at tables of 3: choose 2 seats, or pods"},
		{"one", schedule.Swiss{}, schedule.History{Seats: 2, Entrants: entrants[:1]}, "swiss with 1 entrants: enter 2 to 1000"},
		{"unknown", schedule.Swiss{}, table([]int{0, 4}, []int{0, 120}), "swiss: stage 1: table 1: entrant [4] of 4 is unknown"},
		{"twice", schedule.Swiss{}, table([]int{1, 1}, []int{0, 120}), "swiss: stage 1: table 1: entrant [1] is there twice"},
		{"points", schedule.Swiss{}, table([]int{0, 1}, []int{120}), "swiss: stage 1: table 1: 1 points for 2 entrants: give one each"},
		{"range", schedule.Swiss{}, table([]int{0, 1}, []int{121, 0}), "swiss: stage 1: table 1: 121 points: give 0 to 120"},
		{
			"tie-break",
			schedule.Swiss{},
			table([]int{0, 1}, []int{120, 0}, 3),
			"swiss: stage 1: table 1: 1 tie-break values for 2 entrants: give one each or none",
		},
		{
			"bye and table",
			schedule.Swiss{},
			table([]int{0, 3}, []int{60, 60}),
			"swiss: stage 1: entrant [3] has a bye and a table: choose one",
		},
		{"bye", schedule.Swiss{}, one(schedule.Played{Byes: []int{-1}}), "swiss: stage 1: byes: entrant [-1] of 4 is unknown"},
		{
			"forbidden",
			schedule.Swiss{},
			schedule.History{Seats: 2, Entrants: entrants, Forbidden: [][2]int{{2, 2}}},
			"swiss: forbidden pair [2 2]: entrant [2] is there twice",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stage, ok, err := tt.f.Next(tt.h)
			require.EqualError(t, err, tt.want)
			assert.False(t, ok)
			assert.Zero(t, stage)
		})
	}
}
