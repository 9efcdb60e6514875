package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
)

// Ranks lists the thirteen ranks of the deck in ascending order. There is no 6 and no 10.
func Ranks() []int { return []int{1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15} }

// Cards is a multiset of ranks. The count of rank r stands in bits 4r to 4r+2; ranks 6 and 10 are always absent, which
// is what stops a run at the gaps. The zero value is no cards. In JSON it is an array of ranks in ascending order.
type Cards uint64

const (
	allRanks Cards = 0x1111_1011_1011_1110 // one card of each rank
	ones     Cards = 0x1111_1111_1111_1111
	highBits Cards = 0x8888_8888_8888_8888
	eights   Cards = 0x7 << (4 * 8)

	maxCopies = 7 // a count has three bits, the fourth is kept free for the subset test
)

// NewCards collects ranks in any order. It fails on a rank that is not in the deck and on more than seven of one rank.
func NewCards(ranks ...int) (Cards, error) {
	var c Cards
	for _, r := range ranks {
		if r < 1 || r > 15 || one(r)&allRanks == 0 {
			return 0, fmt.Errorf("%d is not a rank; ranks are 1-5, 7-9 and 11-15", r)
		}
		if c.Count(r) == maxCopies {
			return 0, fmt.Errorf("more than %d cards of rank %d", maxCopies, r)
		}
		c += one(r)
	}
	return c, nil
}

func one(rank int) Cards { return 1 << (4 * rank) }

// Count is the number of cards of a rank.
func (c Cards) Count(rank int) int { return int(c>>(4*rank)) & 0xf }

// Len is the number of cards.
func (c Cards) Len() int {
	pairs := (c & 0x0f0f_0f0f_0f0f_0f0f) + (c>>4)&0x0f0f_0f0f_0f0f_0f0f
	return int(pairs * 0x0101_0101_0101_0101 >> 56)
}

// Contains reports whether every card of sub is there, copies counted.
func (c Cards) Contains(sub Cards) bool {
	return sub&highBits == 0 && ((c|highBits)-sub)&highBits == highBits
}

// Points is the sum of penalty points: 3 for a 1 or 15, 5 for an 8, 2 for 11 to 14, and 1 for any other card.
func (c Cards) Points() int {
	const twos = 0x7777 << (4 * 11)
	return c.Len() + (c & twos).Len() + 2*(c.Count(1)+c.Count(15)) + 4*c.Count(8)
}

// Slice lists the ranks in ascending order. It is never nil.
func (c Cards) Slice() []int {
	out := make([]int, 0, c.Len())
	for ; c != 0; c -= lowest(c) {
		out = append(out, bits.TrailingZeros64(uint64(c))/4)
	}
	return out
}

// String gives the ranks in brackets, as in "[2 3 3]".
func (c Cards) String() string { return fmt.Sprint(c.Slice()) }

// MarshalJSON writes the ranks in ascending order; no cards are [].
func (c Cards) MarshalJSON() ([]byte, error) {
	out := make([]byte, 0, 40)
	out = append(out, '[')
	for ; c != 0; c -= lowest(c) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		rank := bits.TrailingZeros64(uint64(c)) / 4
		if rank >= 10 {
			out = append(out, '1')
		}
		out = append(out, '0'+byte(rank%10))
	}
	return append(out, ']'), nil
}

// UnmarshalJSON reads an array of ranks in any order.
func (c *Cards) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return errors.New("cards are missing: give an array of ranks")
	}
	var ranks []int
	if err := json.Unmarshal(data, &ranks); err != nil {
		return fmt.Errorf("cards are an array of ranks: %w", err)
	}
	cards, err := NewCards(ranks...)
	if err != nil {
		return err
	}
	*c = cards
	return nil
}

// lowest is one card of the lowest rank.
func lowest(c Cards) Cards {
	return 1 << (bits.TrailingZeros64(uint64(c)) &^ 3)
}

// atLeast has one card of each rank of which there are n or more, for n from 1 to 3.
func atLeast(c Cards, n int) Cards {
	b0, b1, b2 := c, c>>1, c>>2
	switch n {
	case 1:
		return (b0 | b1 | b2) & ones
	case 2:
		return (b1 | b2) & ones
	default:
		return (b2 | b1&b0) & ones
	}
}

// MeldKind tells what the cards of a meld have in common.
type MeldKind uint8

// The kinds of meld. A single is neither set nor run: it can grow into either.
const (
	Single MeldKind = iota + 1
	Set
	Run
)

// Meld describes a meld by its lowest rank and its number of cards.
type Meld struct {
	Kind MeldKind
	Low  int
	Size int
}

// Meld tells which meld the cards form, and false (with no meaningful meld) if they form none. A run lies inside 1-5, 7-9 or 11-15. Sets and runs
// of any size are recognised, also those too large for one play.
func (c Cards) Meld() (Meld, bool) {
	if c == 0 {
		return Meld{}, false
	}
	low := bits.TrailingZeros64(uint64(c)) / 4
	switch rest := c >> (4 * low); rest {
	case 1:
		return Meld{Single, low, 1}, true
	case 0x11, 0x111, 0x1111, 0x1_1111:
		return Meld{Run, low, (bits.Len64(uint64(rest)) + 3) / 4}, true
	default:
		return Meld{Set, low, int(rest)}, rest <= maxCopies
	}
}

// Strength compares melds of equal kind and size: the greater one may overwrite. Of sets and singles it is the rank, of runs
// 16 minus the lowest, since there the lower beats the higher.
func (m Meld) Strength() int {
	if m.Kind == Run {
		return 16 - m.Low
	}
	return m.Low
}

// Beats reports whether m may overwrite other by equal kind and size and greater strength.
func (m Meld) Beats(other Meld) bool {
	return m.Kind == other.Kind && m.Size == other.Size && m.Strength() > other.Strength()
}
