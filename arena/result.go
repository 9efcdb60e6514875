package arena

import (
	"time"

	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Result is what a match came to. All in it is a function of the match and of what the bots answered, except the times.
type Result struct {
	Match      string      `json:"match"`
	Bots       []string    `json:"bots"`       // in table order
	Commitment string      `json:"commitment"` // SHA-256 of the seed, known before play
	Seed       engine.Seed `json:"seed"`
	Sets       []DealSet   `json:"sets"`
	Times      []Histogram `json:"times,omitempty"` // of all moves, in table order
	Faults     []Fault     `json:"faults"`          // in the order of games and turns, bounded; the games count them all
}

// DealSet is the outcome of one seed under all its seat orders.
type DealSet struct {
	Games []Game `json:"games"`
}

// Game is the outcome of one game. Its slices are by seat; Order names the bot of each seat.
type Game struct {
	ID     string               `json:"id"`
	Order  []int                `json:"order"`
	Rounds int                  `json:"rounds"`
	Scores []int                `json:"scores"` // penalty points
	Ranks  []int                `json:"ranks"`  // 1 is best, shared places share the number
	Faults []protocol.SeatFault `json:"faults"`
	Think  []Think              `json:"think"`

	cards []Fault
	times []Histogram // by seat
}

// ByBot gives the ranks in the order of the table instead of the seats.
func (g Game) ByBot(bySeat []int) []int {
	out := make([]int, len(bySeat))
	for seat, bot := range g.Order {
		out[bot] = bySeat[seat]
	}
	return out
}

// Think is the time that a seat took for its moves in a game.
type Think struct {
	Moves   int     `json:"moves"` // turns that it was asked
	TotalMS float64 `json:"total_ms"`
	MaxMS   float64 `json:"max_ms"`
}

func (t *Think) add(d time.Duration) {
	t.Moves++
	t.TotalMS += milliseconds(d)
	t.MaxMS = max(t.MaxMS, milliseconds(d))
}

// milliseconds keeps three decimals.
func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Fault is the card that tells a bot's author what went wrong.
type Fault struct {
	Game    string        `json:"game"`
	Seat    int           `json:"seat"`
	Bot     string        `json:"bot"`
	Code    protocol.Code `json:"code"`
	Turn    int64         `json:"turn"`     // 0 before the first turn
	LimitMS float64       `json:"limit_ms"` // the time that was allowed
	UsedMS  float64       `json:"used_ms"`
	Strikes int           `json:"strikes"` // in this game, this one included
	Forfeit bool          `json:"forfeit"` // whether it cost the seat
	Detail  string        `json:"detail"`  // what was wrong, in words
	Line    string        `json:"line,omitempty"`
	Stderr  string        `json:"stderr,omitempty"`
}

// maxFaults bounds the cards that a result keeps for each bot.
const maxFaults = 20

// collectFaults moves the first cards of each bot out of the games.
func (r *Result) collectFaults() {
	kept := map[string]int{}
	r.Faults = []Fault{}
	for _, set := range r.Sets {
		for i := range set.Games {
			for _, card := range set.Games[i].cards {
				if kept[card.Bot]++; kept[card.Bot] <= maxFaults {
					r.Faults = append(r.Faults, card)
				}
			}
			set.Games[i].cards = nil
		}
	}
}

// collectTimes adds up those of the games.
func (r *Result) collectTimes() {
	r.Times = make([]Histogram, len(r.Bots))
	for _, set := range r.Sets {
		for i, game := range set.Games {
			for seat, times := range game.times {
				r.Times[game.Order[seat]].Merge(times)
			}
			set.Games[i].times = nil
		}
	}
}

// WithoutTimes leaves out all that two runs with the same answers may differ in: think times, limits with what was left
// of a bank, used times, the words about a timeout, and stderr.
func (r Result) WithoutTimes() Result {
	sets := make([]DealSet, len(r.Sets))
	for i, set := range r.Sets {
		sets[i].Games = make([]Game, len(set.Games))
		for j, game := range set.Games {
			game.Think = nil
			sets[i].Games[j] = game
		}
	}
	faults := make([]Fault, len(r.Faults))
	for i, card := range r.Faults {
		card.LimitMS, card.UsedMS, card.Stderr = 0, 0, ""
		if card.Code == protocol.Timeout {
			card.Detail = ""
		}
		faults[i] = card
	}
	r.Sets, r.Faults, r.Times = sets, faults, nil
	return r
}
