package random_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/bots/random"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

func TestActIsUniform(t *testing.T) {
	player := random.New()
	player.Start(bot.Start{Seed: 1})
	turn := bot.Turn{Legal: make([]bot.Action, 4)}
	for i := range turn.Legal {
		turn.Legal[i] = bot.Action(bot.Lead) | 1<<(4*(i+1))
	}
	drawn := map[bot.Action]int{}
	const n = 4000
	for range n {
		drawn[player.Act(turn).Action.Action]++
	}
	for _, action := range turn.Legal {
		require.InDelta(t, n/4, drawn[action], 110) // four standard deviations
	}
}
