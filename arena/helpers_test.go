package arena_test

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/bots"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

// mind is a bot at one seat of one game. It hears every message; what it returns counts for Hello and Turn. An error is
// the arena's.
type mind func(m protocol.Message) (arena.Reply, error)

// maker makes the mind of a place.
type maker func(place arena.Place) mind

// desk opens seats that call functions, and writes down what is said at each.
type desk struct {
	bots map[string]maker // by label; who is missing plays as greedy does

	mu    sync.Mutex
	talks map[arena.Place]*talk
}

// talk is what was said at one seat.
type talk struct {
	lines  []string        // "> " to the bot, "< " from it
	limits []time.Duration // of hello and each turn
	closed int
	mind   mind
}

func (d *desk) Open(_ context.Context, place arena.Place) (arena.Seat, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.talks == nil {
		d.talks = map[arena.Place]*talk{}
	}
	if d.talks[place] != nil {
		return nil, fmt.Errorf("%v is taken twice", place)
	}
	made, ok := d.bots[place.Bot]
	if !ok {
		made = builtin("greedy")
	}
	d.talks[place] = &talk{mind: made(place)}
	return d.talks[place], nil
}

// hear keeps the line of the message. The mind gets the message itself, which lasts until it has answered.
func (s *talk) hear(m protocol.Message) (arena.Reply, error) {
	line, err := protocol.Marshal(m)
	if err != nil || len(line) > protocol.MaxLine {
		return arena.Reply{}, fmt.Errorf("message of %d bytes: %w", len(line), err)
	}
	s.lines = append(s.lines, "> "+string(line))
	return s.mind(m)
}

func (s *talk) Ask(ctx context.Context, m protocol.Message, limit time.Duration) (arena.Reply, error) {
	s.limits = append(s.limits, limit)
	if err := ctx.Err(); err != nil {
		return arena.Reply{}, err
	}
	reply, err := s.hear(m)
	if len(reply.Line) > 0 {
		s.lines = append(s.lines, "< "+string(reply.Line))
	}
	return reply, err
}

func (s *talk) Tell(_ context.Context, m protocol.Message) error {
	_, err := s.hear(m)
	return err
}

func (s *talk) Close(context.Context) (string, error) {
	s.closed++
	return "", nil
}

// messages are those to the bot, read back.
func (s *talk) messages(t *testing.T) []protocol.Message {
	t.Helper()
	var all []protocol.Message
	for _, line := range s.lines {
		if line[0] != '>' {
			continue
		}
		message, err := protocol.ReadArena([]byte(line[2:]))
		require.NoError(t, err)
		all = append(all, message)
	}
	return all
}

// told are the messages of one kind.
func told[M protocol.Message](t *testing.T, s *talk) []M {
	t.Helper()
	var some []M
	for _, message := range s.messages(t) {
		if m, ok := message.(M); ok {
			some = append(some, m)
		}
	}
	return some
}

// say is a line from the bot.
func say(m protocol.Message, elapsed time.Duration) arena.Reply {
	line, err := protocol.Marshal(m)
	if err != nil {
		panic(err)
	}
	return arena.Reply{Line: line, Elapsed: elapsed}
}

// builtin seats a bot of the arena. Its time is a function of the turn.
func builtin(name string) maker {
	return func(arena.Place) mind {
		player, _, err := bots.New(name)
		return func(m protocol.Message) (arena.Reply, error) {
			switch m := m.(type) {
			case protocol.Hello:
				return say(protocol.Ready{Name: name, Protocol: protocol.Version}, time.Millisecond), err
			case protocol.Start:
				if s, ok := player.(bot.Starter); ok {
					s.Start(m)
				}
			case protocol.Turn:
				move := player.Act(m)
				move.Turn = m.Turn
				return say(move, time.Duration(m.Turn%7)*300*time.Microsecond), err
			}
			return arena.Reply{}, err
		}
	}
}

// failing lets a bot play as another does, but for the turns for which wrong gives a reply.
func failing(base maker, wrong func(place arena.Place, turn protocol.Turn) *arena.Reply) maker {
	return func(place arena.Place) mind {
		think := base(place)
		return func(m protocol.Message) (arena.Reply, error) {
			if turn, ok := m.(protocol.Turn); ok {
				if reply := wrong(place, turn); reply != nil {
					return *reply, nil
				}
			}
			return think(m)
		}
	}
}

// absent never starts.
func absent(arena.Place) mind {
	return func(protocol.Message) (arena.Reply, error) {
		return arena.Reply{Fault: protocol.Crash, Report: protocol.FaultReport{Detail: "exit status 3", Stderr: "no such file"}}, nil
	}
}

// shelf keeps replays in memory.
type shelf struct {
	mu    sync.Mutex
	books map[string]*book // by game
}

type book struct {
	bytes.Buffer

	aborted, closed int
}

func (b *book) Abort() { b.aborted++ }

func (b *book) Close() error {
	b.closed++
	return nil
}

func (s *shelf) Create(header protocol.Header) (arena.ReplayFile, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.books == nil {
		s.books = map[string]*book{}
	}
	s.books[header.Game] = &book{}
	return s.books[header.Game], nil
}

func rulesOf(t testing.TB, preset engine.Preset, players int) engine.Rules {
	t.Helper()
	rules, err := engine.NewRules(preset, players)
	require.NoError(t, err)
	return rules
}

// short are rules under which a game ends after one round.
func short(t testing.TB, players int) engine.Rules {
	t.Helper()
	rules := rulesOf(t, engine.Rulebook, players)
	rules.Target = 0
	return rules
}

// matchOf is a match of bots a, b, c and so on with the default settings.
func matchOf(rules engine.Rules, seed uint64) arena.Match {
	m := arena.Match{
		Settings: arena.DefaultSettings(rules), ID: "m", Tournament: "t", Seed: engine.Seed{}.Child("test", seed),
	}
	for i := range rules.Players {
		m.Bots = append(m.Bots, string(rune('a'+i))+"@1")
	}
	return m
}

// play plays a match and gives its replays too.
func play(t testing.TB, m arena.Match, d *desk) (arena.Result, *shelf) {
	t.Helper()
	s := &shelf{}
	result, err := arena.Referee{Seats: d, Version: "0.1.0", Replays: s.Create}.Play(t.Context(), m)
	require.NoError(t, err)
	return result, s
}

// at finds what was said at a seat.
func (d *desk) at(t testing.TB, m arena.Match, game arena.Game, seat int) *talk {
	t.Helper()
	talk := d.talks[arena.Place{Bot: m.Bots[game.Order[seat]], Game: game.ID, Seat: seat}]
	require.NotNil(t, talk)
	return talk
}
