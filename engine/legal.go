package engine

import "math/bits"

// MaxLegal bounds the length of a legal list, so a buffer of this capacity always suffices.
const MaxLegal = 72

// Legal appends the legal actions of the seat to act and returns the extended slice; it allocates only when dst is too
// small. The order is canonical: lead, overwrite, add, pass; within a kind by the number of cards, then lexicographically
// by the cards. There is at least one while the phase is Playing, and none otherwise.
func (s *State) Legal(dst []Action) []Action {
	if s.phase != Playing {
		return dst
	}
	hand := s.hands[s.turn]
	if s.meld == 0 {
		for size := 1; size <= 3; size++ {
			dst = appendMelds(dst, Lead, hand, size)
		}
		return dst
	}
	meld, _ := s.meld.Meld()
	dst = appendOverwrites(dst, hand, meld, s.greater)
	dst = appendAdds(dst, hand, meld)
	return append(dst, NewAction(Pass, 0))
}

// runOf and setOf stretch one card to a meld that starts with it.
func runOf(card Cards, size int) Cards { return card * (0x1_1111 & (1<<(4*size) - 1)) }
func setOf(card Cards, size int) Cards { return card * Cards(size) }

// runStarts has one card of each rank at which a run of the size, 2 or 3, begins.
func runStarts(hand Cards, size int) Cards {
	has := atLeast(hand, 1)
	starts := has & (has >> 4)
	if size == 3 {
		starts &= has >> 8
	}
	return starts
}

// appendMelds adds every meld of 1 to 3 cards of the hand, in lexicographic order.
func appendMelds(dst []Action, kind Kind, hand Cards, size int) []Action {
	sets, runs := atLeast(hand, size), Cards(0)
	if size > 1 {
		runs = runStarts(hand, size)
	}
	return appendEach(dst, kind, size, sets, runs)
}

func appendEach(dst []Action, kind Kind, size int, sets, runs Cards) []Action {
	for left := sets | runs; left != 0; left &= left - 1 {
		card := left & -left
		if sets&card != 0 {
			dst = append(dst, NewAction(kind, setOf(card, size)))
		}
		if runs&card != 0 {
			dst = append(dst, NewAction(kind, runOf(card, size)))
		}
	}
	return dst
}

func appendOverwrites(dst []Action, hand Cards, meld Meld, greater bool) []Action {
	low := one(meld.Low)
	switch {
	case meld.Size > 3:
	case meld.Kind == Run:
		dst = appendEach(dst, Overwrite, meld.Size, 0, runStarts(hand, meld.Size)&(low-1))
	default:
		dst = appendEach(dst, Overwrite, meld.Size, atLeast(hand, meld.Size)&^(2*low-1), 0)
	}
	if greater {
		for size := meld.Size + 1; size <= 3; size++ {
			dst = appendMelds(dst, Overwrite, hand, size)
		}
	}
	return dst
}

// appendAdds orders the additions of n cards by the lowest rank of the resulting meld: longer runs that begin below the
// centre, then the set, then the run that begins with the centre.
func appendAdds(dst []Action, hand Cards, meld Meld) []Action {
	has, low := atLeast(hand, 1), one(meld.Low)
	beside := low>>4 | low<<(4*meld.Size)
	runs := meld.Kind != Set && has&beside != 0 // the added cards include one next to the centre
	copies := 0
	if meld.Kind != Run {
		copies = hand.Count(meld.Low)
	}
	if !runs && copies == 0 {
		return dst
	}
	for n := 1; n <= 3; n++ {
		if runs {
			for start := max(1, meld.Low-n); start < meld.Low; start++ {
				dst = appendRunAdd(dst, has, meld, start, n)
			}
		}
		if copies >= n {
			dst = append(dst, NewAction(Add, setOf(low, n)))
		}
		if runs {
			dst = appendRunAdd(dst, has, meld, meld.Low, n)
		}
	}
	return dst
}

// appendRunAdd adds n cards if the hand has all that the centre lacks to become the run from low. Ranks 6 and 10 are in
// no hand, so no run crosses a gap.
func appendRunAdd(dst []Action, has Cards, meld Meld, low, n int) []Action {
	size := meld.Size + n
	if size > 5 || low+size > 16 {
		return dst
	}
	need := runOf(one(low), size) &^ runOf(one(meld.Low), meld.Size)
	if need&^has != 0 {
		return dst
	}
	return append(dst, NewAction(Add, need))
}

// seatsOf counts the seats in a set of bits.
func seatsOf(mask uint8) int { return bits.OnesCount8(mask) }
