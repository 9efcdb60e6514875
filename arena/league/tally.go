package league

import (
	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/schedule"
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
}

// Times are think times in milliseconds.
type Times struct {
	Mean float64  `json:"mean_ms"`
	Max  float64  `json:"max_ms"`
	P50  *float64 `json:"p50_ms,omitempty"` // half of the moves took no longer, to within 1/16; nil where an older log does not say
	P99  *float64 `json:"p99_ms,omitempty"`
}

// count is a tally in whole numbers, which no order of adding changes.
type count struct {
	games, rounds, penalty int
	points                 int // in schedule.Unit
	firsts                 int // in shares of 1/60, which all numbers of players divide
	places                 int // twice their sum
	behaviour              Behaviour
	times                  arena.Histogram
}

const share = 60

// add counts a match for the bot at a place of its table.
func (c *count) add(p Played, bot int) (points, penalty int) {
	for _, game := range p.Games {
		n := game.bots()
		better, equal := 0, 0
		for other := range n {
			switch rank := game.rank(other); {
			case rank < game.rank(bot):
				better++
			case rank == game.rank(bot):
				equal++
			}
		}
		place := 2*better + equal + 1 // twice
		points += (2*n - place) * (schedule.Unit / (n - 1)) / 2
		penalty += game.penalty(bot)
		c.places += place
		if better == 0 {
			c.firsts += share / equal
		}
		c.rounds += game.rounds()
	}
	c.games += len(p.Games)
	c.points += points
	c.penalty += penalty
	b := p.Bots[bot]
	for i := range b[:4] {
		c.behaviour[i] += b[i]
	}
	c.behaviour[4] = max(c.behaviour[4], b[4])
	if len(p.Times) > 0 {
		c.times.Merge(p.Times[bot])
	}
	return points, penalty
}

func (c count) tally(bot string) Tally {
	t := Tally{Bot: bot, Games: c.games, Faults: int(c.behaviour[0]), Forfeits: int(c.behaviour[1]), Think: &Times{}}
	if c.games > 0 {
		t.Points = float64(c.points) / schedule.Unit
		t.Firsts = float64(c.firsts) / share
		t.MeanPlace = float64(c.places) / float64(2*c.games)
		t.Penalty = float64(c.penalty) / float64(max(1, c.rounds))
	}
	if moves := c.behaviour[2]; moves > 0 {
		t.Think.Mean = float64(c.behaviour[3]) / 1000 / float64(moves)
		t.Think.Max = float64(c.behaviour[4]) / 1000
	}
	if len(c.times) > 0 {
		t.Think.P50 = new(min(c.times.Percentile(50), t.Think.Max))
		t.Think.P99 = new(min(c.times.Percentile(99), t.Think.Max))
	}
	return t
}

// perGame is nil without games. It is rounded once, so that what is equal stays so.
func (c count) perGame() *float64 {
	if c.games == 0 {
		return nil
	}
	return new(float64(c.points) / float64(schedule.Unit*c.games))
}
