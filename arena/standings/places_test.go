package standings_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/standings"
)

// By names the tie-break that parts a row from the one before, also where a later one turned the first of a group.
func TestByNamesWhatParts(t *testing.T) {
	r := standings.Record{Seats: 2, Entrants: 6, Ratings: []float64{1, 2, 3, 9, 5, 5}, Stages: []standings.Stage{
		{Tables: []standings.Table{beats(3, 0), draw(4, 5)}, Unplayed: []standings.Unplayed{{Entrant: 1}, {Entrant: 2}}},
	}}
	rows, err := standings.Rank(r, standings.Rules{
		Order: []standings.TieBreak{standings.Points, standings.Rating}, Unplayed: standings.PlayedOnly,
	})
	require.NoError(t, err)
	want := []standings.Row{
		{Entrant: 3, Rank: 1},
		{Entrant: 4, Rank: 2, By: standings.Points},
		{Entrant: 5, Rank: 2},
		{Entrant: 2, Rank: 4, By: standings.Points},
		{Entrant: 1, Rank: 5, By: standings.Rating},
		{Entrant: 0, Rank: 6, By: standings.Rating},
	}
	for i := range rows {
		rows[i].Values = nil
	}
	assert.Equal(t, want, rows)
}

// Places go before points, and 0 behind all.
func TestPlacesGoFirst(t *testing.T) {
	r := standings.Record{Seats: 2, Entrants: 4, Places: []int{2, 0, 1, 2}, Stages: []standings.Stage{
		{Tables: []standings.Table{beats(1, 2), beats(3, 0)}},
	}}
	for _, tt := range []struct {
		order []standings.TieBreak
		ranks []int // by entrant
	}{
		{[]standings.TieBreak{}, []int{2, 4, 1, 2}},
		{[]standings.TieBreak{standings.Points}, []int{3, 4, 1, 2}},
	} {
		for _, row := range byEntrant(t, r, standings.Rules{Order: tt.order}) {
			assert.Equal(t, tt.ranks[row.Entrant], row.Rank, "%v, entrant %d", tt.order, row.Entrant)
		}
	}
	_, err := standings.Rank(standings.Record{Seats: 2, Entrants: 2, Places: []int{1}}, standings.Rules{})
	assert.EqualError(t, err, "standings: 1 places for 2 entrants: give one each or none")
}
