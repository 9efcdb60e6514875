package league_test

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
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
				ms := float64(random.IntN(1_000_000)) / 1000
				game.Think = append(game.Think, arena.Think{Moves: 2, TotalMS: ms, MaxMS: ms})
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

// openBus has its folder in that of the test.
func openBus(t testing.TB, dir string) *bus.Bus {
	t.Helper()
	b, err := bus.Open(bus.Config{Dir: filepath.Join(dir, "tournaments"), Reserve: -1})
	require.NoError(t, err)
	t.Cleanup(b.Close)
	return b
}

func openStore(t testing.TB, dir string) *league.Store {
	t.Helper()
	store, err := league.Open(t.Context(), openBus(t, dir), league.Options{Dir: filepath.Join(dir, "tournaments")})
	require.NoError(t, err)
	return store
}

type play func(ctx context.Context, m arena.Match, replays league.Replays) (arena.Result, error)

// pretends gives the made-up results.
func pretends(_ context.Context, m arena.Match, _ league.Replays) (arena.Result, error) {
	return resultOf(m), nil
}
