package league

import (
	"errors"
	"math"
)

// Games are read by hand: they are most of a log, and the usual way takes five times as long.
type Games []Game

var errNumbers = errors.New("it is not a list of lists of whole numbers")

// UnmarshalJSON reads lists of numbers from 0 on. All share one array.
func (g *Games) UnmarshalJSON(text []byte) error {
	var (
		numbers = make([]int, 0, len(text)/2)
		ends    = make([]int, 0, 8)
		depth   int
		number  = -1
	)
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			if number > math.MaxInt32 {
				return errNumbers
			}
			number = max(number, 0)*10 + int(c-'0')
			continue
		case c != ',' && c != '[' && c != ']' && c != ' ':
			return errNumbers
		}
		if number >= 0 {
			if depth != 2 {
				return errNumbers
			}
			numbers, number = append(numbers, number), -1
		}
		switch c {
		case '[':
			depth++
		case ']':
			if depth == 2 {
				ends = append(ends, len(numbers))
			}
			depth--
		}
	}
	if number >= 0 { // a number alone
		return errNumbers
	}
	*g = make(Games, len(ends))
	begin := 0
	for i, end := range ends {
		(*g)[i], begin = numbers[begin:end:end], end
	}
	return nil
}
