package bots_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/bots"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

func rulesOf(t testing.TB, preset engine.Preset, players int) engine.Rules {
	t.Helper()
	rules, err := engine.NewRules(preset, players)
	require.NoError(t, err)
	return rules
}

func seedOf(n int) (seed engine.Seed) {
	binary.BigEndian.PutUint64(seed[:], uint64(n))
	return seed
}

func newPlayer(t testing.TB, name string) bot.Player {
	t.Helper()
	player, _, err := bots.New(name)
	require.NoError(t, err)
	return player
}

// play plays a whole game as the arena does: players hear of the start, and are not asked where they have no choice. Each
// decision is shown to see, if it is not nil, before it is applied; the events of the turns are left out otherwise.
func play(t testing.TB, rules engine.Rules, n int, players []bot.Player, see func(bot.Turn, engine.Action)) *engine.Game {
	t.Helper()
	seed := seedOf(n)
	game, err := engine.NewGame(rules, seed.Leader(rules.Players))
	require.NoError(t, err)
	for seat, player := range players {
		if s, ok := player.(bot.Starter); ok {
			own := uint64(n*rules.Players + seat)
			s.Start(bot.Start{Game: "g", Seat: seat, Players: rules.Players, Rules: rules, Seed: own})
		}
	}
	seen := make([]int, rules.Players)
	turn := bot.Turn{Game: "g"}
	for game.Phase() != engine.Ended {
		if game.Phase() == engine.Dealing {
			require.NoError(t, game.Deal(seed.Deal(rules, game.Round()+1)))
		}
		turn.Legal = game.Legal(turn.Legal[:0])
		action := turn.Legal[0]
		if len(turn.Legal) > 1 {
			seat := game.Turn()
			turn.Turn++
			turn.Observation = game.Observe(seat)
			if see != nil {
				turn.Events = publicEvents(game.RecordFor(seat, seen[seat]))
				seen[seat] = len(game.Record(0))
			}
			action, err = players[seat].Act(turn).Action.In(turn.Legal)
			if err != nil {
				t.Fatalf("seed %d, turn %d, hand %v onto %v: %v", n, turn.Turn, turn.Hand, turn.Meld, err)
			}
			if see != nil {
				see(turn, action)
			}
		}
		if _, err := game.Apply(action); err != nil {
			t.Fatal(err)
		}
	}
	return game
}

func publicEvents(record []engine.Event) protocol.Events {
	events := make(protocol.Events, 0, len(record))
	for _, event := range record {
		if played, ok := event.(engine.Played); ok {
			event = protocol.Play{Played: played}
		}
		events = append(events, event)
	}
	return events
}
