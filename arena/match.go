package arena

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Settings are what all matches of a tournament have in common. [DefaultSettings] fills them.
type Settings struct {
	Rules     engine.Rules         `json:"rules"`
	DealSets  int                  `json:"deal_sets"` // of each match
	Clock     protocol.Clock       `json:"clock"`
	Limits    protocol.Limits      `json:"limits"`
	Faults    protocol.FaultPolicy `json:"faults"`
	AskForced bool                 `json:"ask_forced"`           // ask also where only one action is legal
	Freeze    bool                 `json:"freeze"`               // bots get no processor time but for their turns
	NetworkMS int64                `json:"network_ms,omitempty"` // what of the time of a remote bot's answer is not counted, for the way
}

// DefaultSettings are one second a move without a bank, ten seconds to start, and three strikes.
func DefaultSettings(rules engine.Rules) Settings {
	return Settings{
		Rules:    rules,
		DealSets: 1,
		Clock:    protocol.Clock{MoveMS: 1000},
		Limits:   protocol.Limits{StartupMS: 10_000, LineBytes: protocol.MaxLine, MemoryMB: 512},
		Faults:   protocol.FaultPolicy{StrikeLimit: 3, Penalty: protocol.RankLast},
		Freeze:   true,
	}
}

// Validate names the first setting that cannot be played.
func (s Settings) Validate() error {
	if err := s.Rules.Validate(); err != nil {
		return err
	}
	switch {
	case s.DealSets < 1 || s.DealSets > maxDealSets:
		return fmt.Errorf("deal_sets: %d is outside 1 to %d", s.DealSets, maxDealSets)
	case s.Clock.MoveMS < 1:
		return fmt.Errorf("move_ms: %d, a move needs at least 1 ms", s.Clock.MoveMS)
	case s.Limits.MemoryMB < minMemoryMB:
		return fmt.Errorf("memory_mb: %d is too little for any bot to start; one in C needs %d, in Python 16, in Go or Node.js 128",
			s.Limits.MemoryMB, minMemoryMB)
	case s.Limits.MemoryMB > maxMemoryMB:
		return fmt.Errorf("memory_mb: %d is more than %d", s.Limits.MemoryMB, maxMemoryMB)
	case s.Limits.StartupMS < 1:
		return fmt.Errorf("startup_ms: %d, a bot needs at least 1 ms to start", s.Limits.StartupMS)
	}
	for _, limit := range []struct {
		name string
		ms   int64
	}{
		{"move_ms", s.Clock.MoveMS},
		{"bank_ms", s.Clock.BankMS},
		{"increment_ms", s.Clock.IncrementMS},
		{"startup_ms", s.Limits.StartupMS},
		{"network_ms", s.NetworkMS},
	} {
		if limit.ms < 0 {
			return fmt.Errorf("%s: %d, it cannot be negative", limit.name, limit.ms)
		}
		if limit.ms > maxClock.Milliseconds() {
			return fmt.Errorf("%s: %d is longer than %v", limit.name, limit.ms, maxClock)
		}
	}
	return checkPolicy(s.Faults)
}

const (
	maxClock    = 24 * time.Hour
	maxDealSets = 100_000
	minMemoryMB = 4 // measured on Linux: with less a small static program is not even loaded
	maxMemoryMB = 1 << 20
)

// Match is a table of bots with all that decides what is played. Its seed is secret until it has been played.
type Match struct {
	Settings

	ID         string
	Tournament string
	Bots       []string // distinct labels, name@version, in table order
	Seed       engine.Seed
	Orders     [][]int // seat orders of each deal set: the bot by seat; nil is the rows of a Williams square
}

// Validate names what keeps the match from being played.
func (m Match) Validate() error {
	if err := m.Settings.Validate(); err != nil {
		return err
	}
	if ok, err := regexp.MatchString(`^[A-Za-z0-9][A-Za-z0-9-]{0,59}$`, m.ID); !ok || err != nil {
		return fmt.Errorf("match %q: an id has 1 to 60 letters, digits and -, since it names files", m.ID)
	}
	if len(m.Bots) != m.Rules.Players {
		return fmt.Errorf("match %s: %d bots for %d seats", m.ID, len(m.Bots), m.Rules.Players)
	}
	for i, bot := range m.Bots {
		if slices.Contains(m.Bots[:i], bot) {
			return fmt.Errorf("match %s: %s sits at the table twice", m.ID, bot)
		}
	}
	if m.Orders != nil && len(m.Orders) == 0 {
		return fmt.Errorf("match %s: there is no seat order", m.ID)
	}
	for _, order := range m.Orders {
		sorted := slices.Sorted(slices.Values(order))
		for i := range m.Bots {
			if len(sorted) != len(m.Bots) || sorted[i] != i {
				return fmt.Errorf("match %s: seat order %v does not seat each bot once", m.ID, order)
			}
		}
	}
	return nil
}

// SeatOrders are those that each deal set is played under.
func (m Match) SeatOrders() [][]int {
	if m.Orders != nil {
		return m.Orders
	}
	return schedule.SeatOrders(len(m.Bots))
}

// seating is one game of a match.
type seating struct {
	match *Match
	id    string
	set   int         // deal set, from 0
	row   int         // seat order within it, from 0
	order []int       // the bot by seat
	seed  engine.Seed // of the deal set
}

// seating gives each game its id, which is the match's with the numbers of deal set and seat order, from 1.
func (m *Match) seating(set, row int, order []int) seating {
	return seating{
		match: m,
		id:    fmt.Sprintf("%s-%d-%d", m.ID, set+1, row+1),
		set:   set,
		row:   row,
		order: order,
		seed:  m.DealSeed(set),
	}
}

// DealSeed is the seed of a deal set, from 0: where two are equal, so are the cards.
func (m *Match) DealSeed(set int) engine.Seed { return m.Seed.Child("deal set", uint64(set)) }

// names lists the bots by seat.
func (s seating) names() []string {
	names := make([]string, len(s.order))
	for seat, bot := range s.order {
		names[seat] = s.match.Bots[bot]
	}
	return names
}

// botSeed is for the own randomness of the bot at a seat: 53 bits that tell nothing about the deals.
func (s seating) botSeed(seat int) uint64 {
	child := s.seed.Child("bot", uint64(s.row)<<8|uint64(seat))
	return binary.BigEndian.Uint64(child[:]) >> 11
}
