package arena_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

func TestSettings(t *testing.T) {
	s := arena.DefaultSettings(rulesOf(t, engine.Rulebook, 4))
	require.NoError(t, s.Validate())
	day := (24 * time.Hour).Milliseconds()
	for want, spoil := range map[string]func(s *arena.Settings){
		"players: 7 is outside 2 to 6":                                                       func(s *arena.Settings) { s.Rules.Players = 7 },
		"deal_sets: 0 is outside 1 to 100000":                                                func(s *arena.Settings) { s.DealSets = 0 },
		"move_ms: 0, a move needs at least 1 ms":                                             func(s *arena.Settings) { s.Clock.MoveMS = 0 },
		"move_ms: 86400001 is longer than 24h0m0s":                                           func(s *arena.Settings) { s.Clock.MoveMS = day + 1 },
		"bank_ms: -1, it cannot be negative":                                                 func(s *arena.Settings) { s.Clock.BankMS = -1 },
		"bank_ms: 86400001 is longer than 24h0m0s":                                           func(s *arena.Settings) { s.Clock.BankMS = day + 1 },
		"increment_ms: -1, it cannot be negative":                                            func(s *arena.Settings) { s.Clock.IncrementMS = -1 },
		"increment_ms: 86400001 is longer than 24h0m0s":                                      func(s *arena.Settings) { s.Clock.IncrementMS = day + 1 },
		"startup_ms: 0, a bot needs at least 1 ms to start":                                  func(s *arena.Settings) { s.Limits.StartupMS = 0 },
		"startup_ms: 86400001 is longer than 24h0m0s":                                        func(s *arena.Settings) { s.Limits.StartupMS = day + 1 },
		"strike_limit: -1; use 0 for no limit":                                               func(s *arena.Settings) { s.Faults.StrikeLimit = -1 },
		`penalty: "death" is unknown; use "last" or "points"`:                                func(s *arena.Settings) { s.Faults.Penalty = "death" },
		`penalty: "" is unknown; use "last" or "points"`:                                     func(s *arena.Settings) { s.Faults.Penalty = "" },
		"hand_size: 14 is outside 1 to 13, which is what a deck of 52 cards gives 4 players": func(s *arena.Settings) { s.Rules.HandSize = 14 },
	} {
		spoilt := s
		spoil(&spoilt)
		require.EqualError(t, spoilt.Validate(), want)
	}
	s.Clock = protocol.Clock{MoveMS: day, BankMS: day, IncrementMS: day}
	s.Faults = protocol.FaultPolicy{Penalty: protocol.RankByPoints}
	require.NoError(t, s.Validate())
}

func TestMatch(t *testing.T) {
	m := matchOf(rulesOf(t, engine.Rulebook, 3), 1)
	require.NoError(t, m.Validate())
	require.Len(t, m.SeatOrders(), 6)
	for want, spoil := range map[string]func(m *arena.Match){
		"deal_sets: -1 is outside 1 to 100000":                      func(m *arena.Match) { m.DealSets = -1 },
		"match m: 2 bots for 3 seats":                               func(m *arena.Match) { m.Bots = m.Bots[:2] },
		"match m: a@1 sits at the table twice":                      func(m *arena.Match) { m.Bots = []string{"a@1", "b@1", "a@1"} },
		"match m: seat order [0 1 1] does not seat each bot once":   func(m *arena.Match) { m.Orders = [][]int{{0, 1, 2}, {0, 1, 1}} },
		"match m: seat order [0 1] does not seat each bot once":     func(m *arena.Match) { m.Orders = [][]int{{0, 1}} },
		"match m: seat order [0 1 3] does not seat each bot once":   func(m *arena.Match) { m.Orders = [][]int{{0, 1, 3}} },
		"match m: there is no seat order":                           func(m *arena.Match) { m.Orders = [][]int{} },
		"match m: seat order [0 1 2 3] does not seat each bot once": func(m *arena.Match) { m.Orders = [][]int{{0, 1, 2, 3}} },
	} {
		spoilt := m
		spoil(&spoilt)
		require.EqualError(t, spoilt.Validate(), want)
		_, err := arena.Referee{}.Play(t.Context(), spoilt)
		require.EqualError(t, err, want)
	}
}

func TestByBot(t *testing.T) {
	g := arena.Game{Order: []int{2, 0, 1}}
	require.Equal(t, []int{20, 30, 10}, g.ByBot([]int{10, 20, 30}))
}
