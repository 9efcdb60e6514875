package league

import (
	"cmp"
	"slices"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Tally sums what a bot did in some games.
type Tally struct {
	Bot       string  `json:"bot"`
	Games     int     `json:"games"`
	Points    float64 `json:"points"`     // for places: 1 a game for the first, 0 for the last, even steps between
	Firsts    float64 `json:"firsts"`     // a shared first place counts its share
	MeanPlace float64 `json:"mean_place"` // shared places count the mean of those they cover
	Penalty   float64 `json:"penalty"`    // penalty points a round
	Faults    int     `json:"faults"`
	Forfeits  int     `json:"forfeits"`
	Think     *Times  `json:"think,omitempty"`

	places  int // twice their sum
	players int
	rounds  int
	penalty int
}

// Times are think times in milliseconds.
type Times struct {
	Mean float64 `json:"mean_ms"`
	Max  float64 `json:"max_ms"`

	total float64
	moves int
}

// tallies sums over results of tables of one size, in the order of the labels given.
func tallies(labels []string, results []*arena.Result) []Tally {
	rows := make([]Tally, len(labels))
	index := make(map[string]*Tally, len(labels))
	for i, label := range labels {
		rows[i] = Tally{Bot: label, Think: &Times{}}
		index[label] = &rows[i]
	}
	for _, result := range results {
		if result == nil {
			continue
		}
		for _, set := range result.Sets {
			for _, game := range set.Games {
				for seat, bot := range game.Order {
					index[result.Bots[bot]].add(game, seat)
				}
			}
		}
	}
	for i := range rows {
		rows[i].finish()
	}
	return rows
}

func (t *Tally) add(game arena.Game, seat int) {
	better, equal := 0, 0
	for _, rank := range game.Ranks {
		switch {
		case rank < game.Ranks[seat]:
			better++
		case rank == game.Ranks[seat]:
			equal++
		}
	}
	t.Games++
	t.places += 2*better + equal + 1
	t.players = len(game.Ranks)
	if better == 0 {
		t.Firsts += 1 / float64(equal)
	}
	t.rounds += game.Rounds
	t.penalty += game.Scores[seat]
	t.addFaults(game.Faults, seat)
	if len(game.Think) > 0 {
		t.Think.total += game.Think[seat].TotalMS
		t.Think.moves += game.Think[seat].Moves
		t.Think.Max = max(t.Think.Max, game.Think[seat].MaxMS)
	}
}

func (t *Tally) addFaults(faults []protocol.SeatFault, seat int) {
	for _, fault := range faults {
		if fault.Seat != seat {
			continue
		}
		t.Faults += fault.Count
		if fault.Forfeit {
			t.Forfeits++
		}
	}
}

func (t *Tally) finish() {
	if t.Games > 0 {
		t.MeanPlace = float64(t.places) / float64(2*t.Games)
		t.Points = float64(2*t.Games*t.players-t.places) / float64(2*(t.players-1))
		t.Penalty = float64(t.penalty) / float64(t.rounds)
	}
	if t.Think.moves > 0 {
		t.Think.Mean = t.Think.total / float64(t.Think.moves)
	}
}

// Standing is a line of the standings of one tournament or match.
type Standing struct {
	Rank int `json:"rank"`
	Tally
}

// Standings order the bots by points, then by fewest penalty points a round. Equal bots share a rank and stand in the
// order of their names.
func Standings(labels []string, results []*arena.Result) []Standing {
	rows := tallies(labels, results)
	order := func(a, b Tally) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Penalty, b.Penalty))
	}
	slices.SortFunc(rows, func(a, b Tally) int { return cmp.Or(order(a, b), cmp.Compare(a.Bot, b.Bot)) })
	standings := make([]Standing, len(rows))
	for i, row := range rows {
		standings[i] = Standing{Rank: i + 1, Tally: row}
		if i > 0 && order(rows[i-1], row) == 0 {
			standings[i].Rank = standings[i-1].Rank
		}
	}
	return standings
}
