package league

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Played is of a result what standings and ratings need. All is whole numbers, so that no sum depends on an order.
type Played struct {
	Match int               `json:"match"`
	Seq   uint64            `json:"seq,omitempty"`   // of the result in its stream: all results before it are in the log
	Games Games             `json:"games"`           // in the order of deal sets and seat orders
	Bots  []Behaviour       `json:"bots"`            // over all games, in table order
	Times []arena.Histogram `json:"times,omitempty"` // think times of each bot; older logs have none
}

// Game is rounds played, and then for each bot in table order its rank and its penalty points.
type Game []int

func (g Game) rounds() int         { return g[0] }
func (g Game) bots() int           { return (len(g) - 1) / 2 }
func (g Game) rank(bot int) int    { return g[1+2*bot] }
func (g Game) penalty(bot int) int { return g[2+2*bot] }

// ranks are those of all bots in table order.
func (g Game) ranks() []int {
	ranks := make([]int, g.bots())
	for bot := range ranks {
		ranks[bot] = g.rank(bot)
	}
	return ranks
}

// penalties are those of all bots in table order.
func (g Game) penalties() []int {
	penalties := make([]int, g.bots())
	for bot := range penalties {
		penalties[bot] = g.penalty(bot)
	}
	return penalties
}

// Behaviour is faults, forfeits, moves, and the sum and the maximum of think times in microseconds.
type Behaviour [5]int64

// PlayedOf takes from a result what the log keeps.
func PlayedOf(number int, result arena.Result) Played {
	p := Played{Match: number, Bots: make([]Behaviour, len(result.Bots)), Times: result.Times}
	for _, set := range result.Sets {
		for _, game := range set.Games {
			p.add(game)
		}
	}
	return p
}

func (p *Played) add(game arena.Game) {
	g := make(Game, 1+2*len(game.Order))
	g[0] = game.Rounds
	for seat, bot := range game.Order {
		g[1+2*bot], g[2+2*bot] = game.Ranks[seat], game.Scores[seat]
		if len(game.Think) > 0 {
			b := &p.Bots[bot]
			b[2] += int64(game.Think[seat].Moves)
			b[3] += micros(game.Think[seat].TotalMS)
			b[4] = max(b[4], micros(game.Think[seat].MaxMS))
		}
	}
	p.Games = append(p.Games, g)
	for _, fault := range game.Faults {
		b := &p.Bots[game.Order[fault.Seat]]
		b[0] += int64(fault.Count)
		if fault.Forfeit {
			b[1]++
		}
	}
}

// withoutTimes is what would be taken from [arena.Result.WithoutTimes].
func (p Played) withoutTimes() Played {
	p.Bots, p.Times = slices.Clone(p.Bots), nil
	for i := range p.Bots {
		p.Bots[i][2], p.Bots[i][3], p.Bots[i][4] = 0, 0, 0
	}
	return p
}

func micros(ms float64) int64 { return int64(math.Round(ms * 1000)) }

// check says why it cannot be the outcome of a match of that many bots and games.
func (p Played) check(bots, games int) error {
	if len(p.Bots) != bots || len(p.Games) != games {
		return fmt.Errorf("%d bots and %d games, not %d and %d", len(p.Bots), len(p.Games), bots, games)
	}
	if err := checkTimes(p.Times, bots); err != nil {
		return err
	}
	for i, game := range p.Games {
		if len(game) != 1+2*bots || slices.ContainsFunc(game.ranks(), func(rank int) bool { return rank < 1 || rank > bots }) {
			return fmt.Errorf("game %d is damaged", i+1)
		}
	}
	return nil
}

// checkTimes allows none at all.
func checkTimes(times []arena.Histogram, bots int) error {
	if len(times) != 0 && len(times) != bots {
		return fmt.Errorf("times of %d bots, not of %d", len(times), bots)
	}
	for _, of := range times {
		if err := of.Check(); err != nil {
			return err
		}
	}
	return nil
}

// fits says why the result cannot be one of the match.
func fits(result arena.Result, match arena.Match) error {
	if result.Match != match.ID || !slices.Equal(result.Bots, match.Bots) || result.Seed != match.Seed || len(result.Sets) != match.DealSets {
		return errors.New("its result is that of another match")
	}
	if err := checkTimes(result.Times, len(result.Bots)); err != nil {
		return err
	}
	orders := match.SeatOrders()
	for i, set := range result.Sets {
		if len(set.Games) != len(orders) {
			return fmt.Errorf("a deal set has %d games, not %d", len(set.Games), len(orders))
		}
		for row, game := range set.Games {
			id := fmt.Sprintf("%s-%d-%d", match.ID, i+1, row+1) // which also names a file
			if game.ID != id || !slices.Equal(game.Order, orders[row]) || !whole(game) {
				return fmt.Errorf("game %s is damaged", id)
			}
		}
	}
	return nil
}

// whole reports whether a game has what is counted of every seat.
func whole(game arena.Game) bool {
	seats := len(game.Order)
	badRank := func(rank int) bool { return rank < 1 || rank > seats }
	badScore := func(score int) bool { return score < 0 }
	badFault := func(fault protocol.SeatFault) bool { return fault.Seat < 0 || fault.Seat >= seats || fault.Count < 0 }
	return game.Rounds >= 0 && len(game.Scores) == seats && len(game.Ranks) == seats && (len(game.Think) == 0 || len(game.Think) == seats) &&
		!slices.ContainsFunc(game.Ranks, badRank) && !slices.ContainsFunc(game.Scores, badScore) && !slices.ContainsFunc(game.Faults, badFault)
}
