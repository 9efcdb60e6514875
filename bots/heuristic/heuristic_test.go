package heuristic_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/bots/heuristic"
	"github.com/fivethreefive/fivethreefive/engine"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

func TestAct(t *testing.T) {
	const far, near = `"seat":0,"counts":[9,9,9,9]`, `"seat":0,"counts":[9,9,1,9]`
	for _, test := range []struct{ name, turn, want string }{
		{
			"fewest leads are left", far + `,"hand":[3,4,4,5],"legal":[{"type":"lead","cards":[4,4]},{"type":"lead","cards":[3,4,5]}]`,
			"lead [3 4 5]",
		},
		{
			"a strong single is no good lead", far + `,"hand":[3,12],"legal":[{"type":"lead","cards":[3]},{"type":"lead","cards":[12]}]`,
			"lead [3]",
		},
		{
			"it may split a set that needs two leads anyway", far + `,"hand":[9,9,9,9],"meld":[7],"legal":[{"type":"overwrite","cards":[9]},{"type":"pass"}]`,
			"overwrite [9]",
		},
		{
			"it passes rather than break a run", far + `,"hand":[3,4,5],"meld":[1],"legal":[{"type":"overwrite","cards":[4]},{"type":"pass"}]`,
			"pass",
		},
		{
			"it clears the trick", far + `,"hand":[4,8],"meld":[7],"legal":[{"type":"overwrite","cards":[8]},{"type":"add","cards":[8]},{"type":"pass"}]`,
			"overwrite [8]",
		},
		{
			"points go when an opponent is near", near + `,"hand":[2,8],"legal":[{"type":"lead","cards":[2]},{"type":"lead","cards":[8]}]`,
			"lead [8]",
		},
		{
			"and stay while none is", far + `,"hand":[2,8],"legal":[{"type":"lead","cards":[2]},{"type":"lead","cards":[8]}]`,
			"lead [2]",
		},
		{
			"its own cards are no danger", `"seat":1,"counts":[9,1,9,9],"hand":[2,8],"legal":[{"type":"lead","cards":[2]},{"type":"lead","cards":[8]}]`,
			"lead [2]",
		},
		{
			"going out is best", far + `,"hand":[4,5],"meld":[1,2,3],"legal":[{"type":"add","cards":[4]},{"type":"add","cards":[4,5]},{"type":"pass"}]`,
			"add [4 5]",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var turn bot.Turn
			require.NoError(t, json.Unmarshal([]byte("{"+test.turn+"}"), &turn))
			require.Equal(t, test.want, heuristic.New().Act(turn).Action.Action.String())
		})
	}
}

// TestCopies has a fourth 4, which clears only where there is no fifth one.
func TestCopies(t *testing.T) {
	var turn bot.Turn
	require.NoError(t, json.Unmarshal([]byte(`{"seat":0,"counts":[9,9],"hand":[4,5,5,5,9],"meld":[4,4,4],`+
		`"legal":[{"type":"overwrite","cards":[5,5,5]},{"type":"add","cards":[4]},{"type":"pass"}]}`), &turn))
	player := heuristic.New()
	for copies, want := range map[int]string{4: "add [4]", 5: "overwrite [5 5 5]"} {
		player.Start(bot.Start{Rules: bot.Rules{Copies: copies}})
		require.Equal(t, want, player.Act(turn).Action.Action.String())
	}
}

func TestTurns(t *testing.T) {
	for _, test := range []struct {
		hand []int
		want int
	}{
		{nil, 0},
		{[]int{8}, 1},
		{[]int{5, 7}, 2},
		{[]int{1, 2, 3, 4, 5}, 2},
		{[]int{7, 7, 7, 7}, 2},
		{[]int{1, 2, 2, 3, 3, 4}, 2},
		{[]int{11, 12, 12, 12, 13}, 2},
		{[]int{1, 1, 2, 4, 4, 5, 8, 15}, 6},
		{[]int{3, 4, 5, 7, 8, 9, 13, 14, 15}, 3},
	} {
		hand, err := engine.NewCards(test.hand...)
		require.NoError(t, err)
		require.Equal(t, test.want, heuristic.Turns(heuristic.New(), hand), hand)
	}
}

// TestTurnsIsLeast compares with a search over all sequences of legal leads.
func TestTurnsIsLeast(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	player := heuristic.New()
	known := map[engine.Cards]int{0: 0}
	for range 300 {
		var ranks []int
		for range 1 + source.IntN(8) {
			ranks = append(ranks, engine.Ranks()[source.IntN(13)])
		}
		hand, err := engine.NewCards(ranks...)
		require.NoError(t, err)
		require.Equal(t, leastLeads(hand, known), heuristic.Turns(player, hand), "%v", hand)
	}
	require.Less(t, heuristic.Remembered(player), 600)
}

// leastLeads takes every multiset of one to three cards that is a meld, wherever it stands in the hand.
func leastLeads(hand engine.Cards, known map[engine.Cards]int) int {
	if least, ok := known[hand]; ok {
		return least
	}
	least := hand.Len()
	ranks := hand.Slice()
	for i := range ranks {
		for j := i; j < len(ranks); j++ {
			for k := j; k < len(ranks); k++ {
				chosen := map[int]bool{i: true, j: true, k: true}
				var cards []int
				for index := range chosen {
					cards = append(cards, ranks[index])
				}
				lead, _ := engine.NewCards(cards...)
				if _, ok := lead.Meld(); ok {
					least = min(least, 1+leastLeads(hand-lead, known))
				}
			}
		}
	}
	known[hand] = least
	return least
}
