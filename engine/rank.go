package engine

import "slices"

// standing holds what decides a place, most important first; less is better.
type standing struct {
	points, cards, scoredLast int
}

func (s *State) standing(seat int) standing {
	st := standing{points: int(s.scores[seat]), cards: int(s.left[seat])}
	if s.players == 2 && s.out != uint8(seat) {
		st.scoredLast = 1
	}
	return st
}

func (a standing) less(b standing) bool {
	if a.points != b.points {
		return a.points < b.points
	}
	if a.cards != b.cards {
		return a.cards < b.cards
	}
	return a.scoredLast < b.scoredLast
}

// Ranks gives each seat its place: 1 is best, shared places share the number (1, 1, 3). Fewest points decide, then fewest
// cards left in the last round, then, in a game of two, who went out in half two, so that two players never share. It
// counts as final when the phase is Ended.
func (s *State) Ranks() []int {
	ranks := make([]int, s.players)
	for seat := range ranks {
		ranks[seat] = 1
		for other := range ranks {
			if s.standing(other).less(s.standing(seat)) {
				ranks[seat]++
			}
		}
	}
	return ranks
}

// Winners lists the seats of rank 1 in ascending order.
func Winners(ranks []int) []int {
	winners := make([]int, 0, 1)
	for seat, rank := range ranks {
		if rank == slices.Min(ranks) {
			winners = append(winners, seat)
		}
	}
	return winners
}
