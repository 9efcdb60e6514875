package league_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
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
		ID: id, Format: league.RoundRobin, Choices: league.Choices{Cycles: 1}, Settings: arena.DefaultSettings(rules), Seed: engine.Seed{}.Child(id, 0),
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
	for i := range m.DealSets {
		var set arena.DealSet
		for row, order := range m.SeatOrders() {
			id := fmt.Sprintf("%s-%d-%d", m.ID, i+1, row+1)
			game := arena.Game{ID: id, Order: order, Rounds: 1 + random.IntN(3), Faults: []protocol.SeatFault{}}
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

// streams is the way around the store.
func streams(t testing.TB, b *bus.Bus) jetstream.JetStream {
	t.Helper()
	nc, err := b.Connect("test")
	require.NoError(t, err)
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	return js
}

type play func(ctx context.Context, m arena.Match, replays league.Replays) (arena.Result, error)

// pretends gives the made-up results.
func pretends(_ context.Context, m arena.Match, _ league.Replays) (arena.Result, error) {
	return resultOf(m), nil
}

// begin makes a round robin of entrants at tables of two.
func begin(t testing.TB, store *league.Store, id string, entrants int) {
	t.Helper()
	_, err := store.Begin(t.Context(), tournament(t, id, entrants, 2))
	require.NoError(t, err)
}

func load(t testing.TB, store *league.Store, id string) *league.State {
	t.Helper()
	state, err := store.Load(t.Context(), id)
	require.NoError(t, err)
	return state
}

// coordinate gives the tournament up at the end of the test, unless that has been done.
func coordinate(t testing.TB, store *league.Store, id string, cfg league.Coordinating) *league.Coordinator {
	t.Helper()
	c, err := store.Coordinate(t.Context(), id, cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func worker(store *league.Store, pool string, slots int, play play) *league.Worker {
	return &league.Worker{Store: store, Name: "w", Pool: pool, Slots: slots, Play: play}
}

// finish goes on with the cup to the end, and requires that every match was played once, to the same result as always.
func finish(t testing.TB, store *league.Store) {
	t.Helper()
	c, err := store.Coordinate(t.Context(), "cup", league.Coordinating{Strict: true})
	require.NoError(t, err)
	require.NoError(t, league.RunLocal(t.Context(), nil, c, worker(store, "cup", 4, pretends)))
	require.NoError(t, c.Close())
	requireWhole(t, store, "cup")
}

func requireWhole(t testing.TB, store *league.Store, id string) {
	t.Helper()
	state := load(t, store, id)
	require.Equal(t, league.Finished, state.Phase)
	require.Equal(t, state.Paired(), state.Played())
	played := map[int]int{}
	_, err := store.Events(t.Context(), id, func(e league.Event) error {
		if e.Played != nil {
			played[e.Played.Match]++
		}
		return nil
	})
	require.NoError(t, err)
	require.Len(t, played, state.Paired())
	for number, times := range played {
		require.Equal(t, 1, times)
		match, matchErr := state.Match(number)
		require.NoError(t, matchErr)
		result, resultErr := store.Result(t.Context(), id, number)
		require.NoError(t, resultErr)
		require.Equal(t, resultOf(match), result)
	}
	want, err := league.Fold(logOf(t, state.Tournament)...)
	require.NoError(t, err)
	rows := state.Standings()
	for i := range rows {
		rows[i].Withdrawn = false // it plays what was paired before
	}
	require.Equal(t, want.Standings(), rows)
}

// canonical is the export of the cup without times.
func canonical(t testing.TB, store *league.Store) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, store.Export(t.Context(), "cup", &out, false))
	return out.String()
}
