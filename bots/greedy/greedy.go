// Package greedy plays as many cards as it can, the weakest first and 8s last. It never passes by choice, which makes it
// easy prey for who keeps strong cards.
package greedy

import (
	"math"

	"github.com/fivethreefive/fivethreefive/engine"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

// New needs no memory and no randomness.
func New() bot.Func { return act }

// act takes the best action, the first of the legal list among equals.
func act(turn bot.Turn) bot.Move {
	var best bot.Action
	most := math.MinInt
	for _, action := range turn.Legal {
		if v := value(turn, action); v > most {
			best, most = action, v
		}
	}
	return bot.Play(best)
}

const eight = 8

func value(turn bot.Turn, action bot.Action) int {
	cards := action.Cards()
	switch {
	case cards == turn.Hand:
		return math.MaxInt // going out
	case action.Kind() == bot.Pass:
		return -1000
	case action.Kind() == bot.Add:
		return 100*cards.Len() - 150*cards.Count(eight) - strength(turn.Meld+cards)
	default:
		return 100*cards.Len() - 150*cards.Count(eight) - strength(cards)
	}
}

// strength orders the melds of one size, from 1 to 15: sets by rank, runs from the other end.
func strength(cards bot.Cards) int {
	meld, _ := cards.Meld()
	if meld.Kind == engine.Run {
		return 15 - meld.Low
	}
	return meld.Low
}
