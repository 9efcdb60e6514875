// Package viewer steps through a game in the terminal. What it shows comes from steps.Game; it knows no rules.
package viewer

import (
	"fmt"
	"strconv"

	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/engine"
)

// Who is through whose eyes a game is seen: [All], [Public], or a seat.
type Who int

// All see every hand; the public sees none.
const (
	All    Who = -1
	Public Who = -2
)

// ParseWho reads all, public, or the number of a seat.
func ParseWho(text string, players int) (Who, error) {
	switch text {
	case "all":
		return All, nil
	case "public":
		return Public, nil
	}
	seat, err := strconv.Atoi(text)
	if err != nil || seat < 0 || seat >= players {
		return 0, fmt.Errorf("%q is not all, public, or a seat from 0 to %d", text, players-1)
	}
	return Who(seat), nil
}

// sight is a step as somebody sees it.
type sight struct {
	steps.Step
	own   *steps.Own      // what the seat that acted knows; nil is hidden
	hands []*engine.Cards // by seat; nil is hidden
	pile  *engine.Cards   // undealt; nil is hidden
}

// at is the step as they see it. What they may not see is taken from nowhere: the views of steps do not have it.
func (w Who) at(full *steps.Full) sight {
	s := sight{Step: full.Step, hands: make([]*engine.Cards, len(full.Counts))}
	switch {
	case w == All:
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
