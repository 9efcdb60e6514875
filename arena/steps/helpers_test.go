package steps_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/bots"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

// desk seats the built-in bots by their names, without processes, and keeps the turns that they were asked.
type desk struct {
	turns map[int][]protocol.Turn // by seat
	wrong func(turn protocol.Turn) protocol.Code
}

func (d *desk) Open(_ context.Context, place arena.Place) (arena.Seat, error) {
	name, _, _ := bytes.Cut([]byte(place.Bot), []byte("@"))
	player, _, err := bots.New(string(name))
	return &chair{desk: d, seat: place.Seat, player: player}, err
}

type chair struct {
	desk   *desk
	seat   int
	player bot.Player
}

func (c *chair) Ask(_ context.Context, m protocol.Message, _ time.Duration) (arena.Reply, error) {
	turn, ok := m.(protocol.Turn)
	if !ok {
		return arena.Reply{Line: []byte(`{"type":"ready"}`)}, nil
	}
	turn.Legal = append([]engine.Action{}, turn.Legal...)
	c.desk.turns[c.seat] = append(c.desk.turns[c.seat], turn)
	took := time.Duration(turn.Turn%9) * 150 * time.Millisecond
	if code := c.desk.wrong(turn); code != "" {
		return arena.Reply{Fault: code, Elapsed: took}, nil
	}
	move := c.player.Act(turn)
	move.Turn, move.Note = turn.Turn, "hm"
	line, err := protocol.Marshal(move)
	return arena.Reply{Line: line, Elapsed: took}, err
}

func (c *chair) Tell(_ context.Context, m protocol.Message) error {
	if start, ok := m.(protocol.Start); ok {
		if s, ok := c.player.(bot.Starter); ok {
			s.Start(start)
		}
	}
	return nil
}

func (c *chair) Close(context.Context) (string, error) { return "", nil }

// book is a replay in memory.
type book struct{ bytes.Buffer }

func (*book) Abort()       {}
func (*book) Close() error { return nil }

// record plays one game and gives its replay with what the seats were asked.
func record(ctx context.Context, t require.TestingT, m arena.Match, d *desk) []byte {
	d.turns = map[int][]protocol.Turn{}
	if d.wrong == nil {
		d.wrong = func(protocol.Turn) protocol.Code { return "" }
	}
	m.Orders = m.SeatOrders()[:1]
	written := &book{}
	referee := arena.Referee{
		Seats: d, Version: "test",
		Replays: func(protocol.Header) (arena.ReplayFile, error) { return written, nil },
	}
	_, err := referee.Play(ctx, m)
	require.NoError(t, err)
	return written.Bytes()
}

func matchOf(rules engine.Rules, seed uint64) arena.Match {
	m := arena.Match{Settings: arena.DefaultSettings(rules), ID: "m", Seed: engine.Seed{}.Child("steps", seed)}
	m.Bots = []string{"heuristic@1", "random@1", "greedy@1", "random@1#2", "heuristic@1#2", "random@1#3"}[:rules.Players]
	return m
}

func rulesOf(t testing.TB, players int) engine.Rules {
	t.Helper()
	rules, err := engine.NewRules(engine.Rulebook, players)
	require.NoError(t, err)
	return rules
}
