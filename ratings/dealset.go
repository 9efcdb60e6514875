package ratings

import "fmt"

// A DealSet is what one table played with one seed: the unit of rating. Its games share the cards and differ in who sits
// where, so they do not count as independent.
type DealSet struct {
	// Bots names the bots of the table, two or more, each once.
	Bots []string
	// Ranks holds the finishing ranks game by game: Ranks[game][i] is that of Bots[i], wherever it sat. 1 is best, and bots
	// that share a place have the same rank; only the order counts, so 1 1 3 and 1 1 2 are the same.
	Ranks [][]int
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

// score returns the share of games, from 0 to 1, in which Bots[i] finished before Bots[j], a shared rank counting half.
func (d DealSet) score(i, j int) float64 {
	halves := 0
	for _, ranks := range d.Ranks {
		switch {
		case ranks[i] < ranks[j]:
			halves += 2
		case ranks[i] == ranks[j]:
			halves++
		}
	}
	return float64(halves) / float64(2*len(d.Ranks))
}
