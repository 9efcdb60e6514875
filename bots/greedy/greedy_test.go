package greedy_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/bots/greedy"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

func TestAct(t *testing.T) {
	for _, test := range []struct{ name, turn, want string }{
		{
			"most cards", `{"hand":[1,1,2],"legal":[{"type":"lead","cards":[1]},{"type":"lead","cards":[1,1]}]}`,
			"lead [1 1]",
		},
		{
			"the weakest of one size", `{"hand":[3,15,2],"legal":[{"type":"lead","cards":[3]},{"type":"lead","cards":[2]}]}`,
			"lead [2]",
		},
		{
			"a high run is weak", `{"hand":[1,2,13,14,9],"legal":[{"type":"lead","cards":[1,2]},{"type":"lead","cards":[13,14]}]}`,
			"lead [13 14]",
		},
		{
			"of an addition the whole meld counts: the run 4-5 is stronger than the single 9",
			`{"hand":[5,9,9],"meld":[4],"legal":[{"type":"overwrite","cards":[9]},{"type":"add","cards":[5]},{"type":"pass"}]}`,
			"overwrite [9]",
		},
		{
			"two cards with an 8 are worse than one without",
			`{"hand":[7,8,15],"legal":[{"type":"lead","cards":[15]},{"type":"lead","cards":[7,8]}]}`, "lead [15]",
		},
		{
			"an 8 is better than a pass", `{"hand":[8,8,8,1],"meld":[7,7,7],"legal":[{"type":"overwrite","cards":[8,8,8]},{"type":"pass"}]}`,
			"overwrite [8 8 8]",
		},
		{
			"going out is best", `{"hand":[8,8,8],"meld":[9],"legal":[{"type":"add","cards":[8]},{"type":"add","cards":[8,8,8]}]}`,
			"add [8 8 8]",
		},
		{
			"the first of equals", `{"hand":[2,4,9],"meld":[3],"legal":[{"type":"add","cards":[2]},{"type":"add","cards":[2]}]}`,
			"add [2]",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var turn bot.Turn
			require.NoError(t, json.Unmarshal([]byte(test.turn), &turn))
			require.Equal(t, test.want, greedy.New().Act(turn).Action.Action.String())
		})
	}
}
