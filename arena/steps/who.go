package steps

import (
	"fmt"
	"strconv"
)

// Who is through whose eyes a game is seen: [All], [Public], or a seat by its number.
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

// Sees reports whether the hand of a seat is shown, and what only that seat knows.
func (w Who) Sees(seat int) bool { return w == All || int(w) == seat }

// Of is the step as they may see it: a [Full], a [Step] or a [Seat].
func (w Who) Of(full Full) any {
	switch w {
	case All:
		return full
	case Public:
		return full.Step
	default:
		return full.For(int(w))
	}
}
