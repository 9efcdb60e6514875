package heuristic

import bot "github.com/fivethreefive/fivethreefive/sdk/go"

// Turns is the least number of leads that empty a hand.
func Turns(p *Player, hand bot.Cards) int { return p.turns.of(hand) }

// Remembered is the number of stretches in memory.
func Remembered(p *Player) int { return len(p.turns) }
