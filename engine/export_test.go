package engine

// Position makes a state in which seat 0 is to act with the hand on the central meld, whoever dealt. The others hold
// enough cards that the round goes on.
func Position(rules Rules, hand, meld Cards) State {
	s := State{
		players: uint8(rules.Players), copies: uint8(rules.Copies), perm: rules.PermanentPass, greater: rules.GreaterOverwrite,
		phase: Playing, round: 1, meld: meld, meldSeat: uint8(rules.Players - 1),
	}
	s.hands[0] = hand
	for seat := 1; seat < rules.Players; seat++ {
		s.hands[seat] = allRanks
	}
	return s
}

// DealtCards sums the cards in all hands, those of half two included.
func (s *State) DealtCards() int {
	n := s.hands2[0].Len() + s.hands2[1].Len()
	for _, hand := range s.hands {
		n += hand.Len()
	}
	return n
}
