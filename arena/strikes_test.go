package arena_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// The replies of a bot that fails.
var (
	malformed = arena.Reply{Line: []byte(`{"type":"move","turn":1}`), Elapsed: time.Millisecond}
	illegal   = say(protocol.Move{Turn: 1, Action: protocol.Choice{Index: 99}}, time.Millisecond)
	silent    = arena.Reply{Fault: protocol.Timeout, Elapsed: time.Second, Report: protocol.FaultReport{Detail: "no answer within 1s", Stderr: "hm"}}
)

func gone(code protocol.Code) arena.Reply {
	return arena.Reply{Fault: code, Elapsed: time.Millisecond, Report: protocol.FaultReport{Detail: "it is gone", Line: "last words", Stderr: "trace"}}
}

// now fails at the turns from a number on.
func now(from int64, reply arena.Reply) func(arena.Place, protocol.Turn) *arena.Reply {
	return func(_ arena.Place, turn protocol.Turn) *arena.Reply {
		if turn.Turn < from {
			return nil
		}
		return &reply
	}
}

// once fails at the numbered turns.
func once(replies map[int64]arena.Reply) func(arena.Place, protocol.Turn) *arena.Reply {
	return func(_ arena.Place, turn protocol.Turn) *arena.Reply {
		if reply, ok := replies[turn.Turn]; ok {
			return &reply
		}
		return nil
	}
}

// oneGame plays the bots in the order of the table only.
func oneGame(t *testing.T, m arena.Match, bots map[string]maker) (arena.Game, []arena.Fault, *desk) {
	t.Helper()
	order := make([]int, len(m.Bots))
	for i := range order {
		order[i] = i
	}
	m.Orders = [][]int{order}
	d := &desk{bots: bots}
	result, replays := play(t, m, d)
	game := result.Sets[0].Games[0]
	retell(t, m, game, replays.books[game.ID].Bytes(), d)
	return game, result.Faults, d
}

// plays are those of a seat as all see them.
func plays(t *testing.T, talk *talk, seat int) (out []protocol.Play) {
	t.Helper()
	for _, message := range talk.messages(t) {
		var events protocol.Events
		switch m := message.(type) {
		case protocol.Turn:
			events = m.Events
		case protocol.End:
			events = m.Events
		}
		for _, event := range events {
			if play, ok := event.(protocol.Play); ok && play.Seat == seat {
				out = append(out, play)
			}
		}
	}
	return out
}

func TestStrikes(t *testing.T) {
	m := matchOf(rulesOf(t, engine.Rulebook, 4), 2)
	replies := []arena.Reply{silent, illegal, malformed}
	wrong := once(map[int64]arena.Reply{2: silent, 4: illegal, 6: malformed})
	game, cards, d := oneGame(t, m, map[string]maker{"b@1": failing(builtin("greedy"), wrong)})
	talk := d.at(t, m, game, 1)
	turns, errors := told[protocol.Turn](t, talk), told[protocol.Error](t, talk)
	require.Len(t, turns, 6, "it is not asked after its third strike")
	require.Len(t, errors, 3)
	require.Len(t, cards, 3)
	for i, code := range []protocol.Code{protocol.Timeout, protocol.Illegal, protocol.Malformed} {
		turn := turns[2*i+1]
		want := turn.Legal[0]
		if last := turn.Legal[len(turn.Legal)-1]; last.Kind() == engine.Pass {
			want = last
		}
		require.Equal(t, protocol.Error{
			Turn: turn.Turn, Code: code, Message: cards[i].Detail, Applied: &want, Strikes: i + 1, StrikeLimit: 3,
		}, errors[i])
		card := cards[i]
		require.NotEmpty(t, card.Detail)
		card.Detail = ""
		require.Equal(t, arena.Fault{
			Game: game.ID, Seat: 1, Bot: "b@1", Code: code, Turn: turn.Turn, LimitMS: 1000,
			UsedMS: float64(replies[i].Elapsed.Milliseconds()), Strikes: i + 1, Forfeit: i == 2,
			Line: string(replies[i].Line), Stderr: replies[i].Report.Stderr,
		}, card)
	}
	require.Equal(t, []protocol.SeatFault{
		{Seat: 1, Code: protocol.Timeout, Count: 1},
		{Seat: 1, Code: protocol.Illegal, Count: 1},
		{Seat: 1, Code: protocol.Malformed, Count: 1, Forfeit: true},
	}, game.Faults)
	require.Equal(t, 4, game.Ranks[1])
	forfeited := false
	for _, play := range plays(t, d.at(t, m, game, 0), 1) {
		require.False(t, forfeited && play.By != protocol.ByArena, "the arena plays on for it")
		forfeited = forfeited || play.Fault == protocol.Malformed
	}
	require.True(t, forfeited)
}

// TestStrikeLimits: the limit forfeits, 0 never does.
func TestStrikeLimits(t *testing.T) {
	for limit, asked := range map[int]int{1: 1, 2: 2, 4: 4, 0: 0} {
		m := matchOf(rulesOf(t, engine.Rulebook, 4), 4)
		m.Faults.StrikeLimit = limit
		game, cards, d := oneGame(t, m, map[string]maker{"c@1": failing(builtin("greedy"), now(1, illegal))})
		turns := told[protocol.Turn](t, d.at(t, m, game, 2))
		fault := protocol.SeatFault{Seat: 2, Code: protocol.Illegal, Count: len(turns), Forfeit: limit > 0}
		require.Equal(t, []protocol.SeatFault{fault}, game.Faults)
		require.Len(t, cards, min(len(turns), 20))
		if limit > 0 {
			require.Len(t, turns, asked)
			require.Equal(t, 4, game.Ranks[2])
			continue
		}
		require.Greater(t, len(turns), 5)
		require.Equal(t, 0, told[protocol.Error](t, d.at(t, m, game, 2))[0].StrikeLimit)
	}
}

// TestFatal: some faults forfeit at once, whatever the limit.
func TestFatal(t *testing.T) {
	for _, code := range []protocol.Code{protocol.Crash, protocol.Memory, protocol.Flood, protocol.Disconnect} {
		for _, limit := range []int{0, 3} {
			m := matchOf(rulesOf(t, engine.Rulebook, 3), 2)
			m.Faults.StrikeLimit = limit
			game, cards, d := oneGame(t, m, map[string]maker{"a@1": failing(builtin("greedy"), now(3, gone(code)))})
			require.Len(t, told[protocol.Turn](t, d.at(t, m, game, 0)), 3)
			require.Equal(t, []protocol.SeatFault{{Seat: 0, Code: code, Count: 1, Forfeit: true}}, game.Faults)
			require.Equal(t, 3, game.Ranks[0])
			require.Equal(t, arena.Fault{
				Game: game.ID, Bot: "a@1", Code: code, Turn: 3, LimitMS: 1000, UsedMS: 1, Forfeit: true,
				Detail: "it is gone", Line: "last words", Stderr: "trace",
			}, cards[0])
		}
	}
}

func TestStartFaults(t *testing.T) {
	hello := func(reply arena.Reply) maker {
		return func(place arena.Place) mind {
			think := builtin("greedy")(place)
			return func(m protocol.Message) (arena.Reply, error) {
				if _, ok := m.(protocol.Hello); ok {
					return reply, nil
				}
				return think(m)
			}
		}
	}
	ready := say(protocol.Ready{}, time.Millisecond)
	late := ready
	late.Elapsed = 10*time.Second + 1
	for name, test := range map[string]struct {
		bot    maker
		detail string
	}{
		"crash":     {absent, "exit status 3"},
		"no detail": {hello(arena.Reply{Fault: protocol.Crash}), "crash"},
		"late":      {hello(late), "ready took 10.000000001s, the limit is 10s"},
		"no ready":  {hello(illegal), "the answer to hello is ready"},
		"malformed": {hello(arena.Reply{Line: []byte("{}")}), `malformed line: it has no "type"`},
	} {
		t.Run(name, func(t *testing.T) {
			m := matchOf(rulesOf(t, engine.Rulebook, 4), 2)
			game, cards, d := oneGame(t, m, map[string]maker{"d@1": test.bot})
			require.Equal(t, []protocol.SeatFault{{Seat: 3, Code: protocol.StartFault, Count: 1, Forfeit: true}}, game.Faults)
			require.Equal(t, 4, game.Ranks[3])
			require.Len(t, cards, 1)
			require.Equal(t, test.detail, cards[0].Detail)
			require.Equal(t, 10_000.0, cards[0].LimitMS)
			talk := d.at(t, m, game, 3)
			require.Empty(t, told[protocol.Turn](t, talk))
			require.Empty(t, told[protocol.Start](t, talk))
			require.Equal(t, []protocol.Error{{Code: protocol.StartFault, Message: test.detail, StrikeLimit: 3}}, told[protocol.Error](t, talk))
			require.Len(t, told[protocol.End](t, talk), 1)
		})
	}
	m := matchOf(rulesOf(t, engine.Rulebook, 2), 1)
	exact := ready
	exact.Elapsed = 10 * time.Second
	game, _, _ := oneGame(t, m, map[string]maker{"a@1": hello(exact)})
	require.Empty(t, game.Faults, "the limit itself is in time")
}

// TestSeveralForfeits: who is forfeited shares the last place, and the others keep their order.
func TestSeveralForfeits(t *testing.T) {
	out := failing(builtin("greedy"), now(2, gone(protocol.Crash)))
	for _, test := range []struct {
		name  string
		bots  map[string]maker
		check func(t *testing.T, game arena.Game)
	}{
		{"two", map[string]maker{"a@1": out, "c@1": absent}, func(t *testing.T, game arena.Game) {
			require.Equal(t, 3, game.Ranks[0])
			require.Equal(t, 3, game.Ranks[2])
			require.ElementsMatch(t, []int{1, 2}, []int{game.Ranks[1], game.Ranks[3]})
			require.Equal(t, game.Ranks[1] < game.Ranks[3], game.Scores[1] < game.Scores[3])
		}},
		{"all", map[string]maker{"a@1": out, "b@1": out, "c@1": absent, "d@1": out}, func(t *testing.T, game arena.Game) {
			require.Equal(t, []int{1, 1, 1, 1}, game.Ranks)
			require.Len(t, game.Faults, 4)
		}},
		{"all absent", map[string]maker{"a@1": absent, "b@1": absent, "c@1": absent, "d@1": absent}, func(t *testing.T, game arena.Game) {
			require.Equal(t, []int{1, 1, 1, 1}, game.Ranks)
			require.Equal(t, arena.Think{}, game.Think[0])
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := matchOf(rulesOf(t, engine.Rulebook, 4), 2)
			game, _, _ := oneGame(t, m, test.bots)
			test.check(t, game)
		})
	}
}

// TestPenaltyPoints: a forfeit then changes nothing but who plays.
func TestPenaltyPoints(t *testing.T) {
	m := matchOf(rulesOf(t, engine.Rulebook, 4), 2)
	m.Faults.Penalty = protocol.RankByPoints
	m.Orders = [][]int{{0, 1, 2, 3}}
	fails := map[string]maker{}
	for _, name := range m.Bots {
		fails[name] = absent
	}
	result, replays := play(t, m, &desk{bots: fails})
	game := result.Sets[0].Games[0]
	require.NotEqual(t, []int{1, 1, 1, 1}, game.Ranks)
	for seat, rank := range game.Ranks {
		ahead := 0
		for _, score := range game.Scores {
			if score < game.Scores[seat] {
				ahead++
			}
		}
		require.Equal(t, ahead+1, rank)
	}
	require.Equal(t, engine.Winners(game.Ranks), verified(t, replays.books[game.ID].Bytes()).Result.Winners)
}

// TestManyFaults: the cards of a result are bounded for each bot, the counts are not.
func TestManyFaults(t *testing.T) {
	m := matchOf(rulesOf(t, engine.Rulebook, 2), 1)
	m.Faults.StrikeLimit, m.DealSets = 0, 4
	result, _ := play(t, m, &desk{bots: map[string]maker{
		"a@1": failing(builtin("greedy"), now(1, malformed)), "b@1": failing(builtin("greedy"), now(3, silent)),
	}})
	kept, counted := map[string]int{}, map[string]int{}
	for _, card := range result.Faults {
		kept[card.Bot]++
	}
	for _, set := range result.Sets {
		for _, game := range set.Games {
			for _, fault := range game.Faults {
				counted[m.Bots[game.Order[fault.Seat]]] += fault.Count
			}
		}
	}
	require.Equal(t, map[string]int{"a@1": 20, "b@1": 20}, kept)
	require.Greater(t, counted["a@1"], 20)
	require.Greater(t, counted["b@1"], 20)
}

func TestWithoutTimes(t *testing.T) {
	m := matchOf(rulesOf(t, engine.Rulebook, 2), 1)
	m.Clock.BankMS = 5000
	slow := func(used, much time.Duration) arena.Result {
		wrong := func(_ arena.Place, turn protocol.Turn) *arena.Reply {
			reply := say(protocol.Move{Turn: turn.Turn}, used)
			reply.Report.Stderr = used.String()
			if turn.Turn == 4 {
				reply.Elapsed = much
			}
			if turn.Turn == 5 {
				return &illegal
			}
			return &reply
		}
		result, _ := play(t, m, &desk{bots: map[string]maker{"a@1": failing(builtin("greedy"), wrong)}})
		return result
	}
	one, two := slow(time.Millisecond, time.Minute), slow(2*time.Millisecond, time.Hour)
	require.NotEqual(t, one, two)
	require.Equal(t, one.WithoutTimes(), two.WithoutTimes())
	require.NotNil(t, one.Sets[0].Games[0].Think, "the result itself is left alone")
	require.NotZero(t, one.Faults[0].UsedMS)
	require.NotEmpty(t, one.WithoutTimes().Faults[1].Detail)
}
