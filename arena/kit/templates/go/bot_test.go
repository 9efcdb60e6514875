package main

import (
	"testing"

	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

func action(kind bot.Kind, ranks ...int) bot.Action {
	cards, err := bot.NewCards(ranks...)
	if err != nil {
		panic(err)
	}
	return bot.NewAction(kind, cards)
}

func TestKeepsTheEight(t *testing.T) {
	add, pass := action(bot.Add, 8), action(bot.Pass)
	if got := act(bot.Turn{Legal: []bot.Action{add, pass}}).Action.Action; got != pass {
		t.Errorf("plays %v", got)
	}
}

func TestPlaysManyCards(t *testing.T) {
	one, two := action(bot.Lead, 3), action(bot.Lead, 3, 4)
	if got := act(bot.Turn{Legal: []bot.Action{one, two}}).Action.Action; got != two {
		t.Errorf("plays %v", got)
	}
}
