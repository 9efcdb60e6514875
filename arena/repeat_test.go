package arena_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// TestRepeat plays every game of a match again from its replay alone. The random bot shows that the seeds are the same.
func TestRepeat(t *testing.T) {
	for players := 2; players <= 6; players++ {
		m := matchOf(rulesOf(t, engine.Rulebook, players), 9)
		m.DealSets = 2
		m.Orders = m.SeatOrders()[:2]
		m.Clock.BankMS = 100
		d := &desk{bots: map[string]maker{"a@1": builtin("random"), "b@1": builtin("heuristic")}}
		_, shelf := play(t, m, d)
		require.Len(t, shelf.books, 4)
		for id, first := range shelf.books {
			was, err := arena.VerifyReplay(bytes.NewReader(first.Bytes()))
			require.NoError(t, err)
			second := &book{}
			referee := arena.Referee{
				Seats: &desk{bots: d.bots}, Version: "0.1.0",
				Replays: func(protocol.Header) (arena.ReplayFile, error) { return second, nil },
			}
			game, err := referee.Repeat(t.Context(), was.Header)
			require.NoError(t, err)
			require.Equal(t, id, game.ID)
			is, err := arena.VerifyReplay(bytes.NewReader(second.Bytes()))
			require.NoError(t, err)
			require.Equal(t, was.Hash, is.Hash)
		}
	}
}

func TestRepeatWithStrangeHeaders(t *testing.T) {
	rules := rulesOf(t, engine.Rulebook, 2)
	game, err := arena.Referee{Seats: &desk{}}.Repeat(t.Context(), protocol.Header{Game: "any", Rules: rules, Bots: []string{"a@1", "b@1"}})
	require.NoError(t, err, "what other programs leave out is filled in")
	require.Len(t, game.Ranks, 2)
	_, err = arena.Referee{Seats: &desk{}}.Repeat(t.Context(), protocol.Header{})
	require.EqualError(t, err, "players: 0 is outside 2 to 6")
}
