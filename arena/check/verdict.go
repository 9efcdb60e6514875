package check

import (
	"fmt"

	"github.com/fivethreefive/fivethreefive/arena"
)

// verdict is what is wrong with a bot. It travels as an error and ends in a step.
type verdict struct {
	state      State
	text, hint string
	card       *arena.Fault
	stderr     string
}

func (v *verdict) Error() string { return v.text }

func failed(hint, format string, args ...any) *verdict {
	return &verdict{state: Failed, text: fmt.Sprintf(format, args...), hint: hint}
}

func warned(hint, format string, args ...any) *verdict {
	return &verdict{state: Warning, text: fmt.Sprintf(format, args...), hint: hint}
}

// blamed makes a verdict of a fault in a game.
func blamed(card arena.Fault, players int) *verdict {
	where := fmt.Sprintf("%s in a game of %d at turn %d", card.Code, players, card.Turn)
	if card.Turn == 0 {
		where = fmt.Sprintf("%s in a game of %d", card.Code, players)
	}
	return &verdict{state: Failed, text: where + ": " + card.Detail, hint: hintFor(card), card: &card}
}
