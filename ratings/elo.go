package ratings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

const (
	defaultK       = 20
	defaultInitial = 1500
)

// Expected returns the score, from 0 to 1, that a bot rated a should make against one rated b: 1/(1+10^((b-a)/400)).
// The two sides add up to 1.
func Expected(a, b float64) float64 {
	return 1 / (1 + math.Pow(10, (b-a)/400))
}

// EloConfig sets up an Elo; the zero value asks for the defaults. K does not fall with the number of games, as it does for
// people: that would make the rating depend even more on the order of the games, and whoever wants one that comes to rest
// has the official one.
type EloConfig struct {
	K       float64 // most points that a bot can win or lose in one deal set at any size of table; 0 means 20
	Initial float64 // rating of a bot before its first deal set, and the fixed one of the anchor; 0 means 1500
}

// Elo rates bots as results come in. The order of the deal sets matters, that of the bots of a deal set and of its games
// does not, down to the last bit. The sum of all ratings does not change, but for the initial rating of each new bot.
//
// The zero value is ready, with the default configuration. An Elo is not safe for concurrent use.
type Elo struct {
	config EloConfig
	bots   map[string]*EloRow // made by the first Add
}

// NewElo returns an Elo without bots. It is an error if a number of the configuration is negative or not finite.
func NewElo(config EloConfig) (*Elo, error) {
	if !(config.K >= 0) || math.IsInf(config.K, 0) {
		return nil, fmt.Errorf("elo: k is %v: choose a positive number", config.K)
	}
	if !(config.Initial >= 0) || math.IsInf(config.Initial, 0) {
		return nil, fmt.Errorf("elo: initial rating is %v: choose a positive number", config.Initial)
	}
	return &Elo{config: config}, nil
}

// Add rates one deal set: every two of its n bots are compared by their mean score s over the games, and K/(n-1) times
// s - Expected goes from one to the other, all from the ratings before the set. A deal set of bad shape is an error and
// changes nothing.
func (e *Elo) Add(set DealSet) error {
	if err := set.check(); err != nil {
		return err
	}
	order := make([]int, len(set.Bots)) // by name, so that sums do not depend on the order given
	rows := make([]*EloRow, len(set.Bots))
	for i, bot := range set.Bots {
		order[i], rows[i] = i, e.row(bot)
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(set.Bots[i], set.Bots[j]) })

	k := cmp.Or(e.config.K, defaultK) / float64(len(set.Bots)-1)
	deltas := make([]float64, len(set.Bots))
	for at, i := range order {
		for _, j := range order[at+1:] {
			// The conversion rounds, where a fused multiply-add would give and take different amounts.
			change := float64(k * (set.score(i, j) - Expected(rows[i].Rating, rows[j].Rating)))
			deltas[i] += change
			deltas[j] -= change
		}
	}
	for i, row := range rows {
		row.Rating += deltas[i]
		row.DealSets++
		row.Games += len(set.Ranks)
	}
	return nil
}

// row returns the bot's row, a new one at the initial rating if need be.
func (e *Elo) row(bot string) *EloRow {
	if e.bots == nil {
		e.bots = make(map[string]*EloRow)
	}
	row := e.bots[bot]
	if row == nil {
		row = &EloRow{Bot: bot, Rating: e.initial()}
		e.bots[bot] = row
	}
	return row
}

func (e *Elo) initial() float64 {
	return cmp.Or(e.config.Initial, defaultInitial)
}

// EloTable is a snapshot of all ratings.
type EloTable struct {
	Anchored bool     // whether the anchor has played, and so the ratings are relative to it
	Rows     []EloRow // best first, equal ratings by name
}

// EloRow is the line of one bot.
type EloRow struct {
	Bot      string
	Rating   float64
	DealSets int
	Games    int
}

// Table returns the bots rated so far. If the anchor, by its full name, is one of them, all ratings are shifted so that it
// has exactly the initial rating; otherwise they are as Add left them.
func (e *Elo) Table(anchor string) EloTable {
	table := EloTable{Rows: make([]EloRow, 0, len(e.bots))}
	zero := e.initial()
	if row, ok := e.bots[anchor]; ok {
		table.Anchored = true
		zero = row.Rating
	}
	for _, row := range e.bots {
		shown := *row
		if table.Anchored {
			shown.Rating = e.initial() + (row.Rating - zero)
		}
		table.Rows = append(table.Rows, shown)
	}
	slices.SortFunc(table.Rows, func(a, b EloRow) int {
		return cmp.Or(cmp.Compare(b.Rating, a.Rating), cmp.Compare(a.Bot, b.Bot))
	})
	return table
}
