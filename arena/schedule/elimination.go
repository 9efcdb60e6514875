package schedule

import (
	"fmt"
	"slices"
)

// DoubleElimination is a knockout at tables of two in which only the second defeat puts out: losers of the winners'
// bracket, which is that of Knockout, go on in a losers' bracket, and the winners of both meet in the final.
//
// Each stage plays whatever can be played, so that the winners' bracket runs ahead; a bracket for 2^m takes 2m stages, and
// one more for the second final. Who waits for an opponent is listed among the byes. Losers drop into the losers' bracket
// in an order that keeps them away from those whom they can have met: with up to 64 entrants no two meet again before the
// losers' bracket is down to four.
// Draws, walkovers, late entries and forbidden pairs are as in Knockout; a walkover puts out at once.
type DoubleElimination struct {
	// Reset adds a second final if the first is won by the winner of the losers' bracket, so that nobody is second with one
	// defeat only.
	Reset bool
}

// Next draws the next stage.
func (d DoubleElimination) Next(h History) (stage Stage, ok bool, err error) {
	b, err := d.bracket(&h)
	if err != nil {
		return Stage{}, false, err
	}
	return b.next(&h)
}

// Places returns the place of each entrant by how far it came, as that of Knockout does.
func (d DoubleElimination) Places(h History) ([]int, error) {
	b, err := d.bracket(&h)
	if err != nil {
		return nil, err
	}
	p, err := b.replay(&h)
	if err != nil {
		return nil, err
	}
	return placesByLevel(p.level), nil
}

func (d DoubleElimination) bracket(h *History) (*bracket, error) {
	if err := h.check(); err != nil {
		return nil, fmt.Errorf("double elimination: %w", err)
	}
	if h.Seats != 2 {
		return nil, fmt.Errorf("double elimination with tables of %d seats: choose 2, or a knockout", h.Seats)
	}
	leaves, err := draw(h)
	if err != nil {
		return nil, fmt.Errorf("double elimination: %w", err)
	}
	b := &bracket{name: "double elimination", leaves: leaves}
	winners := [][]int{b.leafMatches(2)} // matches by round
	for j := 1; len(winners[j-1]) > 1; j++ {
		winners = append(winners, b.pairWinners(winners[j-1], match{stage: j, lose: 4 * j}))
	}
	last := 2*len(winners) - 1
	final := match{
		stage: last,
		sides: [2]source{winnerOf(winners[len(winners)-1][0]), b.losersBracket(winners)},
		lose:  2 * last,
		win:   2*last + 2,
	}
	b.add(final)
	if d.Reset {
		final.stage++
		final.again = true
		b.add(final)
	}
	return b, nil
}

// losersBracket adds the matches of the losers' bracket and returns where the second finalist comes from. Its round r is
// played in stage r: odd rounds among themselves, even ones against the losers of the winners' round r/2.
func (b *bracket) losersBracket(winners [][]int) source {
	if len(winners) == 1 {
		return loserOf(winners[0][0])
	}
	first := winners[0]
	round := make([]int, len(first)/2)
	met := make([]matchSet, len(round)) // by match of the round: the first matches that its winner can come from
	for i := range round {
		round[i] = b.add(match{stage: 1, sides: [2]source{loserOf(first[2*i]), loserOf(first[2*i+1])}, lose: 2})
		met[i] = newMatchSet(len(first)).with(2*i, 2*i+2)
	}
	for j := 1; j < len(winners); j++ {
		drops := dropOrder(met, len(first))
		width := len(first) / len(round) // of the part of the first round that a loser comes from
		for i, q := range drops {
			round[i] = b.add(match{stage: 2 * j, sides: [2]source{loserOf(winners[j][q]), winnerOf(round[i])}, lose: 4 * j})
			met[i] = met[i].with(q*width, (q+1)*width)
		}
		if len(round) == 1 {
			break
		}
		round = b.pairWinners(round, match{stage: 2*j + 1, lose: 4*j + 2})
		for i := range round {
			met[i] = met[2*i].union(met[2*i+1])
		}
		met = met[:len(round)]
	}
	return winnerOf(round[0])
}

// dropOrder returns which loser drops to each match of a round: of all rotations of the reversed and of the plain order the
// first with the fewest matches at which two meet who can have met before, in this round and, among those, in the next.
func dropOrder(met []matchSet, leaves int) []int {
	c := len(met)
	width := leaves / c
	var best []int
	fewest := [2]int{c + 1}
	order := make([]int, c)
	for turn := range 2 * c {
		again := [2]int{}
		var before matchSet
		for i := range order {
			order[i] = (i + turn) % c
			if turn < c {
				order[i] = c - 1 - order[i]
			}
			from, to := order[i]*width, (order[i]+1)*width
			if met[i].overlaps(from, to) {
				again[0]++
			}
			after := met[i].with(from, to)
			if i%2 == 1 && after.meets(before) {
				again[1]++
			}
			before = after
		}
		if slices.Compare(again[:], fewest[:]) < 0 {
			best, fewest = slices.Clone(order), again
		}
	}
	return best
}

// matchSet is a set of matches of the first round, one bit each.
type matchSet []uint64

func newMatchSet(n int) matchSet { return make(matchSet, (n+63)/64) }

func (s matchSet) with(from, to int) matchSet {
	s = slices.Clone(s)
	for i := from; i < to; i++ {
		s[i/64] |= 1 << (i % 64)
	}
	return s
}

func (s matchSet) union(t matchSet) matchSet {
	s = slices.Clone(s)
	for i, word := range t {
		s[i] |= word
	}
	return s
}

func (s matchSet) overlaps(from, to int) bool {
	for i := from; i < to; i++ {
		if s[i/64]>>(i%64)&1 == 1 {
			return true
		}
	}
	return false
}

func (s matchSet) meets(t matchSet) bool {
	for i, word := range t {
		if s[i]&word != 0 {
			return true
		}
	}
	return false
}
