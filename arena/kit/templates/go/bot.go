// Command bot plays Five Three Five.
package main

import (
	"log"

	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

// worth is how good an action looks: many cards are good, and an 8 is better kept.
func worth(action bot.Action) int {
	return action.Cards().Len() - 10*action.Cards().Count(8)
}

// act answers a turn with the best of the legal actions.
func act(turn bot.Turn) bot.Move {
	best := turn.Legal[0]
	for _, action := range turn.Legal {
		if worth(action) > worth(best) {
			best = action
		}
	}
	bot.Logf(turn, "%d cards in hand, playing %v", turn.Hand.Len(), best)
	return bot.Play(best)
}

func main() {
	if err := bot.Run(bot.Info{Name: "mybot", Version: "1"}, bot.Func(act)); err != nil {
		log.Fatal(err)
	}
}
