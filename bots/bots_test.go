package bots_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/bots"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

func TestNames(t *testing.T) {
	require.Equal(t, []string{"random", "greedy", "heuristic"}, bots.Names())
	for _, name := range bots.Names() {
		player, info, err := bots.New(name)
		require.NoError(t, err)
		require.NotNil(t, player)
		require.Equal(t, bot.Info{Name: name, Version: "1"}, info)
	}
}

func TestUnknownName(t *testing.T) {
	const known = "there are random, greedy, heuristic"
	for name, want := range map[string]string{
		"gredy":   `bot "gredy" is unknown; ` + known,
		"Random":  `bot "Random" is unknown; ` + known,
		"heur":    `bot "heur" is unknown; ` + known,
		"foxy":    `bot "foxy" is unknown; ` + known,
		"":        `bot "" is unknown; ` + known,
		"ranmdom": `bot "ranmdom" is unknown; ` + known,
	} {
		_, _, err := bots.New(name)
		require.EqualError(t, err, want)
	}
}

// TestLegal plays every bot at every number of seats under every preset and option; play refuses what is not legal.
func TestLegal(t *testing.T) {
	games := 0
	for players := 2; players <= 6; players++ {
		for _, preset := range engine.Presets() {
			for option := range 4 {
				rules := rulesOf(t, preset, players)
				rules.PermanentPass, rules.GreaterOverwrite = option&1 != 0, option&2 != 0
				for range 4 {
					games++
					seats := make([]bot.Player, players)
					for seat := range seats {
						seats[seat] = newPlayer(t, bots.Names()[(games+seat)%len(bots.Names())])
					}
					play(t, rules, games, seats, nil)
				}
			}
		}
	}
}

// TestOddRules plays with decks and hands that no preset has.
func TestOddRules(t *testing.T) {
	for _, rules := range []engine.Rules{
		{Players: 2, Copies: 7, HandSize: 22},
		{Players: 3, Copies: 1, HandSize: 4, Target: 9},
		{Players: 6, Copies: 7, HandSize: 15, PermanentPass: true},
		{Players: 4, Copies: 2, HandSize: 1},
	} {
		for _, name := range bots.Names() {
			seats := make([]bot.Player, rules.Players)
			for seat := range seats {
				seats[seat] = newPlayer(t, name)
			}
			play(t, rules, 1, seats, nil)
		}
	}
}

// TestWire replays each decision of a game over the wire with another player of the same kind, which must decide alike:
// equal seeds give equal games, and nothing is used that a message does not carry.
func TestWire(t *testing.T) {
	for _, name := range bots.Names() {
		t.Run(name, func(t *testing.T) {
			rules := rulesOf(t, engine.Rulebook, 4)
			var wire bytes.Buffer
			write := func(m protocol.Message) {
				line, err := protocol.Marshal(m)
				require.NoError(t, err)
				wire.Write(append(line, '\n'))
			}
			const seat, n = 2, 7
			write(bot.Start{Game: "g", Seat: seat, Players: 4, Rules: rules, Seed: n*4 + seat})
			var want []engine.Action
			seats := make([]bot.Player, rules.Players)
			for i := range seats {
				seats[i] = newPlayer(t, name)
			}
			play(t, rules, n, seats, func(turn bot.Turn, action engine.Action) {
				if turn.Seat == seat {
					write(turn)
					want = append(want, action)
				}
			})
			require.NotEmpty(t, want)

			var out bytes.Buffer
			require.NoError(t, bot.Serve(&wire, &out, io.Discard, bot.Info{}, newPlayer(t, name)))
			var got []engine.Action
			for line := range bytes.Lines(out.Bytes()) {
				message, err := protocol.ReadBot(line)
				require.NoError(t, err)
				got = append(got, message.(protocol.Move).Action.Action)
			}
			require.Equal(t, want, got)
		})
	}
}
