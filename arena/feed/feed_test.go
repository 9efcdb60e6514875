package feed_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/feed"
	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/bots"
	"github.com/fivethreefive/fivethreefive/protocol"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

// fed runs a feed and gives what it told.
func fed(t *testing.T, game *steps.Game, seat int, opener arena.Opener, label string) ([]feed.Decision, feed.Report) {
	t.Helper()
	var all []feed.Decision
	report, err := feed.Feed{
		Game: game, Seat: seat, Bot: opener, Label: label, See: func(d feed.Decision) { all = append(all, d) },
	}.Run(t.Context())
	require.NoError(t, err)
	return all, report
}

func gameOf(t *testing.T, m arena.Match, d *desk) *steps.Game {
	t.Helper()
	game, err := steps.Read(bytes.NewReader(record(t.Context(), t, m, d)))
	require.NoError(t, err)
	return game
}

// TestOwnGames feeds each seat of games at every number of players to the bot that played it. The random one agrees only if
// it was given the recorded seed.
func TestOwnGames(t *testing.T) {
	for players := 2; players <= 6; players++ {
		m := matchOf(rulesOf(t, players), uint64(players))
		m.AskForced = players%2 == 0
		d := newDesk(nil)
		game := gameOf(t, m, d)
		for seat, label := range game.Header.Bots {
			again := newDesk(nil)
			decisions, report := fed(t, game, seat, again, label)
			require.Equal(t, feed.Report{Decisions: len(d.turns[seat])}, report)
			require.Len(t, decisions, len(d.turns[seat]))
			require.Equal(t, d.turns[seat], again.turns[seat], "it is sent what was sent")
		}
	}
}

// TestAnotherBot holds the differences against those that come of asking the bot without any arena.
func TestAnotherBot(t *testing.T) {
	for _, name := range bots.Names() {
		for players := 2; players <= 6; players++ {
			t.Run(fmt.Sprintf("%s %d", name, players), func(t *testing.T) {
				d := newDesk(nil)
				game := gameOf(t, matchOf(rulesOf(t, players), 7), d)
				seat := players - 1
				decisions, report := fed(t, game, seat, newDesk(nil), name+"@1")

				player, _, err := bots.New(name)
				require.NoError(t, err)
				if s, ok := player.(bot.Starter); ok {
					s.Start(d.starts[seat])
				}
				differences := 0
				for i, turn := range d.turns[seat] {
					want, err := player.Act(turn).Action.In(turn.Legal)
					require.NoError(t, err)
					require.Equal(t, want, decisions[i].Given.Action)
					require.Equal(t, want == decisions[i].Recorded.Action, decisions[i].Same)
					require.Equal(t, game.Steps[decisions[i].Step].Action, decisions[i].Recorded.Action)
					require.Equal(t, turn.Observation, decisions[i].Observation)
					if !decisions[i].Same {
						differences++
					}
				}
				require.Equal(t, differences, report.Differences)
				require.Equal(t, len(d.turns[seat]), report.Decisions)
			})
		}
	}
}

// TestFaults lets the bot that is fed fail, where the recorded one did not, and the other way round.
func TestFaults(t *testing.T) {
	fails := func(turn int64, code protocol.Code) func(protocol.Turn) protocol.Code {
		return func(m protocol.Turn) protocol.Code {
			if m.Seat == 0 && m.Turn == turn {
				return code
			}
			return ""
		}
	}
	m := matchOf(rulesOf(t, 4), 3)
	whole, broken := newDesk(nil), newDesk(fails(2, protocol.Illegal))
	game, with := gameOf(t, m, whole), gameOf(t, m, broken)
	turns := len(whole.turns[0])

	decisions, report := fed(t, game, 0, newDesk(fails(3, protocol.Timeout)), "heuristic@1")
	require.Equal(t, feed.Report{Decisions: turns, Faults: 1}, report)
	require.Equal(t, protocol.Timeout, decisions[2].Given.Fault)
	require.Equal(t, game.Header.Game, decisions[2].Card.Game)
	require.Zero(t, decisions[2].Given.Action)

	decisions, report = fed(t, game, 0, newDesk(fails(3, protocol.Crash)), "heuristic@1")
	require.Equal(t, feed.Report{Decisions: 3, Faults: 1, Unasked: turns - 3}, report)
	require.Len(t, decisions, 3)

	decisions, report = fed(t, with, 0, newDesk(nil), "heuristic@1")
	require.Zero(t, report.Faults)
	require.Equal(t, protocol.Illegal, decisions[1].Recorded.Fault)
	require.Equal(t, decisions[1].Recorded.Action == decisions[1].Given.Action, decisions[1].Same)
}

// absent is a seat that never gets ready.
type absent struct{ told int }

func (a *absent) Open(context.Context, arena.Place) (arena.Seat, error) { return a, nil }

func (a *absent) Ask(context.Context, protocol.Message, time.Duration) (arena.Reply, error) {
	return arena.Reply{Fault: protocol.StartFault, Report: protocol.FaultReport{Detail: "no such file"}}, nil
}

func (a *absent) Tell(context.Context, protocol.Message) error {
	a.told++
	return nil
}

func (a *absent) Close(context.Context) (string, error) { return "its log", nil }

func TestBotThatDoesNotStart(t *testing.T) {
	d := newDesk(nil)
	game := gameOf(t, matchOf(rulesOf(t, 3), 3), d)
	a := &absent{}
	decisions, report := fed(t, game, 1, a, "x@1")
	require.Empty(t, decisions)
	require.Equal(t, len(d.turns[1]), report.Unasked)
	require.Equal(t, "no such file", report.Start.Detail)
	require.Equal(t, "its log", report.Stderr)
	require.Zero(t, a.told)
}

// TestRecordedBotThatFailed asks only where the recorded bot was asked.
func TestRecordedBotThatFailed(t *testing.T) {
	for at, asked := range []int{0, 1, 2} {
		d := newDesk(func(turn protocol.Turn) protocol.Code {
			if turn.Seat == 2 && turn.Turn == int64(at) {
				return protocol.Crash
			}
			return ""
		})
		game := gameOf(t, matchOf(rulesOf(t, 3), 3), d)
		decisions, report := fed(t, game, 2, newDesk(nil), "greedy@1")
		require.Len(t, decisions, asked)
		require.Equal(t, asked, report.Decisions)
	}
}

func TestSeatThatIsNotThere(t *testing.T) {
	game := gameOf(t, matchOf(rulesOf(t, 3), 3), newDesk(nil))
	for _, seat := range []int{-1, 3} {
		_, err := feed.Feed{Game: game, Seat: seat}.Run(t.Context())
		require.EqualError(t, err, fmt.Sprintf("seat %d: the game has seats 0 to 2", seat))
	}
}
