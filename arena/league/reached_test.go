package league_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// TestReached counts how far the bots of whole knockouts came, best first.
func TestReached(t *testing.T) {
	type came struct {
		reached string
		bots    int
	}
	for name, test := range map[string]struct {
		format            league.Format
		entrants, players int
		third             bool
		want              []came
	}{
		"two":         {league.Knockout, 2, 2, false, []came{{"winner", 1}, {"final", 1}}},
		"five":        {league.Knockout, 5, 2, false, []came{{"winner", 1}, {"final", 1}, {"semifinal", 2}, {"quarterfinal", 1}}},
		"eight":       {league.Knockout, 8, 2, false, []came{{"winner", 1}, {"final", 1}, {"semifinal", 2}, {"quarterfinal", 4}}},
		"third place": {league.Knockout, 8, 2, true, []came{{"winner", 1}, {"final", 1}, {"semifinal", 2}, {"quarterfinal", 4}}},
		"thirteen":    {league.Knockout, 13, 2, false, []came{{"winner", 1}, {"final", 1}, {"semifinal", 2}, {"quarterfinal", 4}, {"stage 1", 5}}},
		"four seats":  {league.Knockout, 16, 4, false, []came{{"winner", 1}, {"final", 3}, {"semifinal", 4}, {"stage 1", 8}}},
		"double":      {league.DoubleElimination, 4, 2, false, []came{{"winner", 1}, {"final", 1}, {"stage 3", 1}, {"stage 2", 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			to := formatCup(t, test.format, test.entrants, test.players)
			to.ThirdPlace = test.third
			log := wholeLog(t, to, dice(1), nobody)
			state, err := league.Fold(log...)
			require.NoError(t, err)
			var got []came
			for _, row := range state.Standings() {
				if n := len(got); n == 0 || got[n-1].reached != row.Reached {
					got = append(got, came{reached: row.Reached})
				}
				got[len(got)-1].bots++
			}
			require.Equal(t, test.want, got)

			began, err := league.Fold(log[:2]...)
			require.NoError(t, err)
			for _, row := range began.Standings() {
				require.NotEqual(t, "winner", row.Reached, "nobody has won while it is played")
			}
		})
	}
	state, err := league.Fold(wholeLog(t, formatCup(t, league.Swiss, 4, 2), dice(1), nobody)...)
	require.NoError(t, err)
	require.Empty(t, state.Standings()[0].Reached, "a swiss puts nobody out")
}
