// Package heuristic plays towards the fewest melds in which its hand can be emptied, takes a trick where that is cheap,
// and sheds points when an opponent is about to go out. It looks at one action at a time: it neither counts cards nor
// guesses hands.
package heuristic

import (
	"math"

	"github.com/fivethreefive/fivethreefive/engine"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

// The weights were tuned by self-play on points. One meld less to play is the unit of ten.
const (
	perTurn     = 10
	perCard     = 0.13
	perPoint    = 1.9  // and per degree of danger
	perEight    = 0.6  // against
	perStrength = 0.09 // of a meld that may be overwritten
	leadLow     = 0.3  // against each degree of strength on a lead
	clearing    = 6.6
	passing     = -0.1
	passDanger  = 0.95 // against a pass, per degree of danger
)

const eight = 8

// Player keeps what it has computed about hands from game to game; the memory is bounded by the number of ways in which
// five ranks can be held. It has no randomness.
type Player struct {
	copies int
	turns  turns
}

// New assumes four copies of each rank until a game starts.
func New() *Player { return &Player{copies: 4, turns: turns{}} }

// Start takes the number of copies, which says when a set is complete.
func (p *Player) Start(start bot.Start) { p.copies = start.Rules.Copies }

// Act takes the action of the greatest value, the first of the legal list among equals.
func (p *Player) Act(turn bot.Turn) bot.Move {
	var best bot.Action
	most := math.Inf(-1)
	danger := dangerOf(turn)
	before := p.turns.of(turn.Hand)
	for _, action := range turn.Legal {
		if v := p.value(turn, action, before, danger); v > most {
			best, most = action, v
		}
	}
	return bot.Play(best)
}

// dangerOf is 0 while each opponent has five cards or more, and 4 when one has a single card.
func dangerOf(turn bot.Turn) float64 {
	const near = 5
	fewest := near
	for seat, count := range turn.Counts {
		if seat != turn.Seat {
			fewest = min(fewest, count)
		}
	}
	return float64(near - fewest)
}

func (p *Player) value(turn bot.Turn, action bot.Action, before int, danger float64) float64 {
	cards := action.Cards()
	switch {
	case action.Kind() == bot.Pass:
		return passing - passDanger*danger
	case cards == turn.Hand:
		return math.Inf(1) // going out
	}
	v := perTurn*float64(before-p.turns.of(turn.Hand-cards)) +
		perCard*float64(cards.Len()) +
		perPoint*danger*float64(cards.Points()) -
		perEight*float64(cards.Count(eight))
	centre := cards
	if action.Kind() == bot.Add {
		centre += turn.Meld
	}
	meld, _ := centre.Meld()
	switch {
	case action.Kind() == bot.Lead:
		return v - leadLow*strength(meld)
	case p.clears(cards, meld):
		return v + clearing
	default:
		return v + perStrength*strength(meld)
	}
}

// clears tells whether a play that is no lead clears the trick at once.
func (p *Player) clears(cards bot.Cards, meld engine.Meld) bool {
	return cards.Count(eight) > 0 ||
		meld.Kind == engine.Set && meld.Size == p.copies ||
		meld.Kind == engine.Run && meld.Size == 5
}

// strength is the rank of a set, and for runs, where the low ones are strong, the distance to 15.
func strength(meld engine.Meld) float64 {
	if meld.Kind == engine.Run {
		return float64(15 - meld.Low)
	}
	return float64(meld.Low)
}
