package ratings

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
)

// Orders collects finishing orders for the Plackett-Luce model: a game is a chain of choices, of the first among all, of
// the second among the rest, and so on. It takes last places as seriously as first ones, and games of one deal as
// independent: compare it with the official ratings, and do not publish it. For games of two it is the same model.
//
// Bots that share a place count as the mean over all orders among them. The order of the games and of the bots does not
// matter, down to the last bit. The zero value is ready. Orders are not safe for concurrent use.
type Orders struct {
	pairs   Pairs // only for the question of who is connected
	choices map[choice]int64
	chosen  map[string]int64
}

// choiceUnits is the least common multiple of the binomial coefficients that weigh the orders among up to 6 bots.
const choiceUnits = 60

// choice is a set of bots by number, in ascending order and -1 beyond its end.
type choice [maxSeats]int32

// Add takes the games of a deal set of 2 to 6 bots with a named deal. One of bad shape is an error and changes nothing.
func (o *Orders) Add(set DealSet) error {
	if err := o.pairs.Add(set); err != nil {
		return err
	}
	if o.choices == nil {
		o.choices, o.chosen = make(map[choice]int64), make(map[string]int64)
	}
	for _, ranks := range set.Ranks {
		o.addGame(set.Bots, ranks)
	}
	return nil
}

// addGame counts the choices of a game: those among the bots of each place and all that come after it.
func (o *Orders) addGame(names []string, ranks []int) {
	sorted := slices.Clone(ranks)
	slices.Sort(sorted)
	for _, rank := range slices.Compact(sorted) {
		var place, later uint
		for i := range names {
			switch {
			case ranks[i] == rank:
				place |= 1 << i
			case ranks[i] > rank:
				later |= 1 << i
			}
		}
		shared := bits.OnesCount(place)
		// When so many of a shared place are left, they are any subset of it with the same chance.
		for left := place; left > 0; left = (left - 1) & place {
			if bits.OnesCount(left|later) < 2 {
				continue // one bot is no choice
			}
			size := bits.OnesCount(left)
			weight := int64(choiceUnits / binomial(shared, size))
			o.choices[o.choice(names, left|later)] += weight
			for i, name := range names {
				if left&(1<<i) != 0 {
					o.chosen[name] += weight * choiceUnits / int64(size)
				}
			}
		}
	}
}

func (o *Orders) choice(names []string, set uint) choice {
	var c choice
	for i := range c {
		c[i] = math.MaxInt32
	}
	n := 0
	for i, name := range names {
		if set&(1<<i) != 0 {
			c[n] = o.pairs.bots.number(name)
			n++
		}
	}
	slices.Sort(c[:])
	for i := n; i < len(c); i++ {
		c[i] = -1
	}
	return c
}

func binomial(n, k int) int {
	c := 1
	for i := range k {
		c = c * (n - i) / (i + 1)
	}
	return c
}

// OrderRow is the line of one bot.
type OrderRow struct {
	Bot    string
	Rating float64 // Elo around a mean of 0
}

// Fit returns the bots at the maximum of the likelihood, best first and equal ones by name. It is an error if that is not
// finite: if some bots finished after all others in every game.
//
// Hunter, D. R. (2004): MM algorithms for generalized Bradley-Terry models, The Annals of Statistics 32(1).
func (o *Orders) Fit() ([]OrderRow, error) {
	if len(o.pairs.sets) == 0 {
		return nil, errors.New("no ratings without deal sets: add at least 1")
	}
	sums := o.pairs.fold()
	if groups := sums.groups(); len(groups) > 1 {
		return nil, fmt.Errorf("finishing orders: %w: they form %d groups", errNoMaximum, len(groups))
	}
	chosen := make([]float64, len(sums.names))
	for bot, name := range sums.names {
		chosen[bot] = float64(o.chosen[name]) / (choiceUnits * choiceUnits)
	}
	logs, ok := maximizeOrders(o.sortedChoices(sums.names), chosen)
	if !ok {
		return nil, errors.New("finishing orders: the ratings did not settle: some bots are hardly connected, add games")
	}
	rows := make([]OrderRow, len(sums.names))
	for bot, name := range sums.names {
		rows[bot] = OrderRow{Bot: name, Rating: eloScale * logs[bot]}
	}
	slices.SortFunc(rows, func(a, b OrderRow) int {
		return cmp.Or(cmp.Compare(b.Rating, a.Rating), cmp.Compare(a.Bot, b.Bot))
	})
	return rows, nil
}

// weightedChoice is how often there was a choice between some bots, by number.
type weightedChoice struct {
	bots   []int32
	weight float64
}

// sortedChoices lists the choices with the bots numbered in the order of the names.
func (o *Orders) sortedChoices(names []string) []weightedChoice {
	byName := make([]int32, len(names))
	for at, name := range names {
		byName[o.pairs.bots.numbers[name]] = int32(at)
	}
	var out []weightedChoice
	for key, weight := range maps.All(o.choices) {
		c := weightedChoice{weight: float64(weight) / choiceUnits}
		for _, number := range key {
			if number >= 0 {
				c.bots = append(c.bots, byName[number])
			}
		}
		slices.Sort(c.bots)
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b weightedChoice) int { return slices.Compare(a.bots, b.bots) })
	return out
}

// maximizeOrders returns the logarithms of the worths around a mean of 0, and whether they settled.
func maximizeOrders(choices []weightedChoice, chosen []float64) ([]float64, bool) {
	worth, share, logs := make([]float64, len(chosen)), make([]float64, len(chosen)), make([]float64, len(chosen))
	for range 20_000 {
		for i := range worth {
			worth[i] = math.Exp(logs[i])
		}
		clear(share)
		for _, c := range choices {
			sum := 0.0
			for _, bot := range c.bots {
				sum += worth[bot]
			}
			for _, bot := range c.bots {
				share[bot] += c.weight / sum
			}
		}
		mean := 0.0
		next := make([]float64, len(logs))
		for i := range next {
			next[i] = math.Log(chosen[i] / share[i])
			mean += next[i] / float64(len(next))
		}
		moved := 0.0
		for i := range next {
			next[i] -= mean
			moved = max(moved, math.Abs(next[i]-logs[i]))
		}
		logs = next
		if moved < 1e-12 {
			return logs, true
		}
	}
	return logs, false
}
