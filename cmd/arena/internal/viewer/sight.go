// Package viewer steps through a game in the terminal. What it shows comes from steps.Game; it knows no rules.
package viewer

import (
	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/engine"
)

// sight is a step as somebody sees it.
type sight struct {
	steps.Step
	own   *steps.Own      // what the seat that acted knows; nil is hidden
	hands []*engine.Cards // by seat; nil is hidden
	pile  *engine.Cards   // undealt; nil is hidden
}

// see is a step as somebody sees it. What they may not see is taken from nowhere: the views of steps do not have it.
func see(w steps.Who, full *steps.Full) sight {
	s := sight{Step: full.Step, hands: make([]*engine.Cards, len(full.Counts))}
	switch {
	case w == steps.All:
		s.own, s.pile = &full.Own, &full.UndealtHand
		for seat := range full.Hands {
			s.hands[seat] = &full.Hands[seat]
		}
	case w >= 0:
		seen := full.For(int(w))
		s.own, s.hands[w] = seen.Own, &seen.Hand
	}
	if s.Score != nil { // everybody sees what was left
		for seat := range s.hands {
			s.hands[seat] = &s.Score.Hands[seat]
		}
	}
	return s
}
