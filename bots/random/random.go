// Package random plays any legal action, each with the same chance. It is the zero of the scale of strength.
package random

import (
	"math/rand/v2"

	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

// Player draws from the seed of the game.
type Player struct{ rand *rand.Rand }

// New draws from seed 0 until a game starts.
func New() *Player { return &Player{rand: newRand(0)} }

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// Start takes the seed.
func (p *Player) Start(start bot.Start) { p.rand = newRand(start.Seed) }

// Act draws one of the legal actions.
func (p *Player) Act(turn bot.Turn) bot.Move {
	return bot.Play(turn.Legal[p.rand.IntN(len(turn.Legal))])
}
