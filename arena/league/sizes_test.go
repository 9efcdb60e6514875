package league_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

func TestTableSizes(t *testing.T) {
	for _, test := range []struct {
		format  league.Format
		players int
		want    []int
	}{
		{league.RoundRobin, 4, []int{4}},
		{league.Gauntlet, 6, []int{6}},
		{league.Ladder, 2, []int{2}},
		{league.Swiss, 2, []int{2}},
		{league.Swiss, 3, []int{3}},
		{league.Swiss, 4, []int{3, 4}},
		{league.Swiss, 6, []int{4, 5, 6}},
		{league.Knockout, 2, []int{2}},
		{league.Knockout, 4, []int{2, 3, 4}},
		{league.DoubleElimination, 2, []int{2}},
	} {
		var to league.Tournament
		to.Format, to.Settings.Rules.Players = test.format, test.players
		require.Equal(t, test.want, to.TableSizes(), "%s at %d", test.format, test.players)
	}
}
