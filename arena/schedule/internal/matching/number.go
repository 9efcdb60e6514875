package matching

import (
	"math/bits"
	"slices"
)

// A number is a signed integer in two's complement, least significant word first. All numbers of a search are equally long.
type number []uint64

func (x number) add(y number) {
	var carry uint64
	for i := range x {
		x[i], carry = bits.Add64(x[i], y[i], carry)
	}
}

func (x number) sub(y number) {
	var borrow uint64
	for i := range x {
		x[i], borrow = bits.Sub64(x[i], y[i], borrow)
	}
}

// shift multiplies by 2^by.
func (x number) shift(by int) {
	words, rest := by/64, uint(by%64)
	for i := len(x) - 1; i >= 0; i-- {
		var word uint64
		if from := i - words; from >= 0 {
			word = x[from] << rest
			if from > 0 && rest > 0 {
				word |= x[from-1] >> (64 - rest)
			}
		}
		x[i] = word
	}
}

// half divides an even number by 2.
func (x number) half() {
	last := len(x) - 1
	for i := range last {
		x[i] = x[i]>>1 | x[i+1]<<63
	}
	x[last] = uint64(int64(x[last]) >> 1)
}

func (x number) sign() int {
	if int64(x[len(x)-1]) < 0 {
		return -1
	}
	for _, word := range x {
		if word != 0 {
			return 1
		}
	}
	return 0
}

func (x number) less(y number) bool {
	last := len(x) - 1
	if x[last] != y[last] {
		return int64(x[last]) < int64(y[last])
	}
	for i := last - 1; i >= 0; i-- {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return false
}

// A packer turns the digits of a weight into one number, wide enough that the sums of lower digits never reach a higher one.
type packer struct {
	widths []int // bits of each digit
	words  int   // of a number, with room for what the search makes of weights
}

func newPacker(n int, edges []Edge) packer {
	var largest []uint64
	for _, e := range edges {
		for i, digit := range e.Weight {
			if i == len(largest) {
				largest = append(largest, 0)
			}
			largest[i] = max(largest[i], magnitude(digit))
		}
	}
	// The digits of two matchings, of n/2 edges each, differ by at most n*largest. Twice that leaves room for a sign.
	p := packer{widths: make([]int, len(largest))}
	total := bits.Len(uint(n)) + 4 // duals and slacks are less than 16n times the largest weight
	for i, m := range largest {
		p.widths[i] = bits.Len64(m) + bits.Len(uint(n)) + 1
		total += p.widths[i]
	}
	p.words = total/64 + 1
	return p
}

func (p packer) pack(weight []int64) number {
	x, digit := make(number, p.words), make(number, p.words)
	for i, d := range weight {
		x.shift(p.widths[i])
		for w := range digit {
			digit[w] = uint64(d >> 63)
		}
		digit[0] = uint64(d)
		x.add(digit)
	}
	return slices.Clip(x)
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}
