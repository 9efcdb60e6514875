package heuristic

import (
	"math/bits"

	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

// turns remembers, for the cards of a stretch of neighbouring ranks, the least number of leads that empty them. Stretches
// are shifted down to rank 0, since it does not matter where in the deck they stand.
type turns map[bot.Cards]int

// of is the least number of leads that empty the hand. No meld reaches over the gaps at 6 and 10, so the three groups of
// ranks are counted on their own.
func (t turns) of(hand bot.Cards) int {
	const cats, both, dogs = bot.Cards(0xffffff), bot.Cards(0xfff) << (4 * 7), bot.Cards(0xfffff) << (4 * 11)
	return t.stretch(hand&cats) + t.stretch(hand&both) + t.stretch(hand&dogs)
}

// stretch tries each meld that holds a card of the lowest rank.
func (t turns) stretch(cards bot.Cards) int {
	if cards == 0 {
		return 0
	}
	cards >>= bits.TrailingZeros64(uint64(cards)) &^ 3
	if known, ok := t[cards]; ok {
		return known
	}
	least := cards.Len()
	for _, meld := range [...]bot.Cards{0x1, 0x2, 0x3, 0x11, 0x111} {
		if cards.Contains(meld) {
			least = min(least, 1+t.stretch(cards-meld))
		}
	}
	t[cards] = least
	return least
}
