package ratings

import (
	"fmt"
	"slices"
)

// A DealSet is what one table played with one seed: the unit of rating. Its games share the cards and differ in who sits
// where, so they do not count as independent.
type DealSet struct {
	// Deal names the cards. Deal sets of the same name are one observation, also at different tables. Elo does without.
	Deal string
	// Bots names the bots of the table, two or more, each once.
	Bots []string
	// Ranks holds the finishing ranks game by game: Ranks[game][i] is that of Bots[i], wherever it sat. 1 is best, and bots
	// that share a place have the same rank; only the order counts, so 1 1 3 and 1 1 2 are the same.
	Ranks [][]int
	// Seats holds the seats from 0, in the shape of Ranks. Only Pairs that tell seats apart need them.
	Seats [][]int
	// Penalties holds the penalty points, in the shape of Ranks, and Rounds the rounds of each game. Only Margins need them.
	Penalties [][]int
	Rounds    []int
}

// check returns what is wrong with the shape of the deal set.
func (d DealSet) check() error {
	if len(d.Bots) < 2 {
		return fmt.Errorf("deal set with %d bots: name at least 2", len(d.Bots))
	}
	seen := make(map[string]bool, len(d.Bots))
	for i, bot := range d.Bots {
		if bot == "" {
			return fmt.Errorf("deal set: bot %d has no name", i)
		}
		if seen[bot] {
			return fmt.Errorf("deal set: bot %q is named twice: a bot cannot be rated against itself", bot)
		}
		seen[bot] = true
	}
	if len(d.Ranks) == 0 {
		return fmt.Errorf("deal set of %q without games: give ranks for at least 1", d.Bots)
	}
	for game, ranks := range d.Ranks {
		if len(ranks) != len(d.Bots) {
			return fmt.Errorf("deal set of %q, game %d: %d ranks for %d bots", d.Bots, game, len(ranks), len(d.Bots))
		}
		for i, rank := range ranks {
			if rank < 1 {
				return fmt.Errorf("deal set of %q, game %d: rank %d of %q: ranks count from 1", d.Bots, game, rank, d.Bots[i])
			}
		}
	}
	return nil
}

// checkDeal is check for ratings that tell deals apart and count in fractions of a game.
func (d DealSet) checkDeal() error {
	if err := d.check(); err != nil {
		return err
	}
	if d.Deal == "" {
		return fmt.Errorf("deal set of %q: its deal has no name", d.Bots)
	}
	if len(d.Bots) > maxSeats {
		return fmt.Errorf("deal set of %q: %d bots: at most %d", d.Bots, len(d.Bots), maxSeats)
	}
	return nil
}

// checkSeats returns whether every game has each seat once.
func (d DealSet) checkSeats() error {
	if len(d.Seats) != len(d.Ranks) {
		return fmt.Errorf("deal set of %q: seats of %d games for %d games", d.Bots, len(d.Seats), len(d.Ranks))
	}
	for game, seats := range d.Seats {
		sorted := slices.Sorted(slices.Values(seats))
		for seat := range d.Bots {
			if len(sorted) != len(d.Bots) || sorted[seat] != seat {
				return fmt.Errorf("deal set of %q, game %d: seats %d: give each from 0 to %d once",
					d.Bots, game, seats, len(d.Bots)-1)
			}
		}
	}
	return nil
}

// checkPenalties returns whether every game has its penalty points and rounds.
func (d DealSet) checkPenalties() error {
	if len(d.Penalties) != len(d.Ranks) || len(d.Rounds) != len(d.Ranks) {
		return fmt.Errorf("deal set of %q: penalty points of %d games and rounds of %d games for %d games",
			d.Bots, len(d.Penalties), len(d.Rounds), len(d.Ranks))
	}
	for game, penalties := range d.Penalties {
		if len(penalties) != len(d.Bots) {
			return fmt.Errorf("deal set of %q, game %d: penalty points of %d bots for %d bots",
				d.Bots, game, len(penalties), len(d.Bots))
		}
		if d.Rounds[game] < 0 {
			return fmt.Errorf("deal set of %q, game %d: %d rounds: rounds count from 0", d.Bots, game, d.Rounds[game])
		}
	}
	return nil
}

// halves returns 2, 1 or 0 for a game in which Bots[i] finished before, beside or after Bots[j].
func (d DealSet) halves(game, i, j int) int {
	switch ranks := d.Ranks[game]; {
	case ranks[i] < ranks[j]:
		return 2
	case ranks[i] == ranks[j]:
		return 1
	default:
		return 0
	}
}

// score returns the share of games, from 0 to 1, in which Bots[i] finished before Bots[j], a shared rank counting half.
func (d DealSet) score(i, j int) float64 {
	halves := 0
	for game := range d.Ranks {
		halves += d.halves(game, i, j)
	}
	return float64(halves) / float64(2*len(d.Ranks))
}

// Score returns the mean score of a bot over the games and over the other bots of each, from 0 to 1: 1 for a sole first
// place in every game, a shared rank counting half. A deal set of bad shape or without the bot is an error.
func (d DealSet) Score(bot string) (float64, error) {
	if err := d.check(); err != nil {
		return 0, err
	}
	at := slices.Index(d.Bots, bot)
	if at < 0 {
		return 0, fmt.Errorf("deal set of %q: %q is not one of them", d.Bots, bot)
	}
	halves := 0
	for game := range d.Ranks {
		for other := range d.Bots {
			if other != at {
				halves += d.halves(game, at, other)
			}
		}
	}
	return float64(halves) / float64(2*len(d.Ranks)*(len(d.Bots)-1)), nil
}
