package engine

import "fmt"

// Deal is how the cards of one round are spread. Seats beyond the number of players hold nothing.
type Deal struct {
	Hands   [maxPlayers]Cards
	Hands2  [2]Cards // the hands of half two, in a game of two
	Undealt Cards
}

// Rest gives the deal with all cards of the deck that nobody holds as undealt. It is how a hand-made deal is completed:
// hands may then have any size. Cards beyond the deck make a deal that [State.Deal] refuses.
func (d Deal) Rest(rules Rules) Deal {
	d.Undealt = 0
	for _, rank := range Ranks() {
		if left := rules.Copies - d.held().Count(rank); left > 0 {
			d.Undealt += one(rank) * Cards(left)
		}
	}
	return d
}

func (d Deal) held() Cards {
	sum := d.Undealt + d.Hands2[0] + d.Hands2[1]
	for _, hand := range d.Hands {
		sum += hand
	}
	return sum
}

// check counts rank by rank, since sums of bad input could carry from one rank into the next.
func (d Deal) check(rules Rules) error {
	for seat, hand := range d.Hands {
		if (hand == 0) != (seat >= rules.Players) {
			return fmt.Errorf("deal: %d players need %d hands with cards, seat %d has %v",
				rules.Players, rules.Players, seat, hand)
		}
	}
	for seat, hand := range d.Hands2 {
		if (hand == 0) != (rules.Halves() == 1) {
			return fmt.Errorf("deal: second hands belong to games of two only, seat %d has %v", seat, hand)
		}
	}
	parts := append(d.Hands[:], d.Hands2[0], d.Hands2[1], d.Undealt)
	for rank := range 16 {
		want := rules.Deck().Count(rank)
		got := 0
		for _, part := range parts {
			got += part.Count(rank)
		}
		if got != want {
			return fmt.Errorf("deal: %d cards of rank %d, the deck has %d", got, rank, want)
		}
	}
	return nil
}
