package league_test

import (
	"context"
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// tournament has entrants a@1, b@1 and so on.
func tournament(t testing.TB, id string, entrants, players int) league.Tournament {
	t.Helper()
	rules, err := engine.NewRules(engine.Rulebook, players)
	require.NoError(t, err)
	to := league.Tournament{
		ID: id, Format: league.RoundRobin, Cycles: 1, Settings: arena.DefaultSettings(rules), Seed: engine.Seed{}.Child(id, 0),
		Created: time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC),
	}
	for i := range entrants {
		to.Entrants = append(to.Entrants, league.Entrant{Label: string(rune('a'+i)) + "@1", Language: "go"})
	}
	return to
}

// resultOf makes up a result of the right shape. It is a function of the match.
func resultOf(m arena.Match) arena.Result {
	random := rand.New(rand.NewPCG(binary.BigEndian.Uint64(m.Seed[:]), 0))
	result := arena.Result{Match: m.ID, Bots: m.Bots, Seed: m.Seed, Commitment: m.Seed.Commitment(), Faults: []arena.Fault{}}
	for range m.DealSets {
		var set arena.DealSet
		for _, order := range m.SeatOrders() {
			game := arena.Game{ID: m.ID, Order: order, Rounds: 1 + random.IntN(3), Faults: []protocol.SeatFault{}}
			for seat := range order {
				game.Scores = append(game.Scores, random.IntN(4))
				ms := float64(random.IntN(1000)) / 8
				game.Think = append(game.Think, arena.Think{Moves: 2, TotalMS: ms * 1.5, MaxMS: ms})
				if random.IntN(8) == 0 {
					game.Faults = append(game.Faults, protocol.SeatFault{
						Seat: seat, Code: protocol.Timeout, Count: 1 + random.IntN(3), Forfeit: random.IntN(2) == 0,
					})
				}
			}
			for seat := range order {
				rank := 1
				for _, score := range game.Scores {
					if score < game.Scores[seat] {
						rank++
					}
				}
				game.Ranks = append(game.Ranks, rank)
			}
			set.Games = append(set.Games, game)
		}
		result.Sets = append(result.Sets, set)
	}
	return result
}

// logOf is the log of a tournament that was played to the end.
func logOf(t testing.TB, to league.Tournament) []league.Event {
	t.Helper()
	matches, err := to.Matches()
	require.NoError(t, err)
	events := []league.Event{{Created: &to}}
	for _, match := range matches {
		result := resultOf(match)
		events = append(events, league.Event{Played: &result})
	}
	end := to.Created.Add(time.Hour)
	return append(events, league.Event{Finished: &end})
}

// memory is a store without a disk. It may fail once it holds a number of events.
type memory struct {
	fails error
	after int

	mu   sync.Mutex
	logs map[string][]league.Event
}

func (s *memory) Events(_ context.Context, id string) ([]league.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.logs[id]), nil
}

func (s *memory) Append(ctx context.Context, id string, event league.Event) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails != nil && len(s.logs[id]) >= s.after {
		return s.fails
	}
	if s.logs == nil {
		s.logs = map[string][]league.Event{}
	}
	s.logs[id] = append(s.logs[id], event)
	return nil
}

func (s *memory) Acquire(context.Context, string) (func(), error) { return func() {}, nil }

func (s *memory) Tournaments(context.Context) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.logs)), nil
}

// refereeFunc plays by a function.
type refereeFunc func(ctx context.Context, m arena.Match) (arena.Result, error)

func (f refereeFunc) Play(ctx context.Context, m arena.Match) (arena.Result, error) { return f(ctx, m) }

// pretends gives the made-up results.
var pretends = refereeFunc(func(_ context.Context, m arena.Match) (arena.Result, error) { return resultOf(m), nil })
