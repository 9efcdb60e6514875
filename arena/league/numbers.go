package league

import (
	"bytes"
	"errors"
	"math"
)

// Games are read by hand: they are most of a log, and the usual way takes five times as long.
type Games []Game

var errNumbers = errors.New("it is not a list of lists of whole numbers")

// UnmarshalJSON reads lists of numbers from 0 on. All share one array.
func (g *Games) UnmarshalJSON(text []byte) error {
	var (
		numbers = make([]int, 0, bytes.Count(text, []byte{','})+1)
		games   = make(Games, 0, bytes.Count(text, []byte{']'}))
		begin   int
		depth   int
	)
	for at := 0; at < len(text); at++ {
		switch c := text[at]; c {
		case ',', ' ':
		case '[':
			depth++
		case ']':
			if depth == 2 {
				games = append(games, Game(numbers[begin:len(numbers):len(numbers)]))
				begin = len(numbers)
			}
			depth--
		default:
			number, digits := leading(text[at:])
			if digits == 0 || depth != 2 {
				return errNumbers
			}
			numbers = append(numbers, number)
			at += digits - 1
		}
	}
	*g = games
	return nil
}

// leading reads the number that a text begins with. One that is too large has no digits.
func leading(text []byte) (number, digits int) {
	for digits < len(text) && text[digits]-'0' <= 9 {
		if number > math.MaxInt32 {
			return 0, 0
		}
		number = 10*number + int(text[digits]-'0')
		digits++
	}
	return number, digits
}
