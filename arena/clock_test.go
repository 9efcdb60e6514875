package arena_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// TestClock follows the bank of one seat from turn to turn.
func TestClock(t *testing.T) {
	const ms, us = time.Millisecond, time.Microsecond
	type step struct {
		used  time.Duration
		limit time.Duration // that the seat keeps
		bank  int64         // that the bot is told, before the turn
		late  bool
	}
	for _, test := range []struct {
		name  string
		clock protocol.Clock
		steps []step
	}{
		{"a limit a move", protocol.Clock{MoveMS: 100}, []step{
			{100 * ms, 100 * ms, 0, false},
			{100*ms + 1, 100 * ms, 0, true},
			{0, 100 * ms, 0, false},
			{-5 * ms, 100 * ms, 0, false},
		}},
		{"a bank", protocol.Clock{MoveMS: 100, BankMS: 1000}, []step{
			{99 * ms, 1100 * ms, 1000, false},
			{300 * ms, 1100 * ms, 1000, false},
			{100*ms + 1500*us, 900 * ms, 800, false},
			{898*ms + 500*us, 898*ms + 500*us, 798, false},
			{101 * ms, 100 * ms, 0, true},
			{100 * ms, 100 * ms, 0, false},
		}},
		{"a bank that is used up at once", protocol.Clock{MoveMS: 100, BankMS: 1000}, []step{
			{5000 * ms, 1100 * ms, 1000, true},
			{50 * ms, 100 * ms, 0, false},
		}},
		{"increments", protocol.Clock{MoveMS: 100, BankMS: 10, IncrementMS: 7}, []step{
			{0, 110 * ms, 10, false},
			{100 * ms, 117 * ms, 17, false},
			{110 * ms, 124 * ms, 24, false},
			{121 * ms, 121 * ms, 21, false},
			{108 * ms, 107 * ms, 7, true},
			{107 * ms, 107 * ms, 7, false},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := matchOf(rulesOf(t, engine.Rulebook, 4), 4)
			m.Clock, m.Faults.StrikeLimit = test.clock, 0
			replies := map[int64]arena.Reply{}
			for i, s := range test.steps {
				replies[int64(i+1)] = say(protocol.Move{Turn: int64(i + 1)}, s.used)
			}
			game, cards, d := oneGame(t, m, map[string]maker{"a@1": failing(builtin("greedy"), once(replies))})
			talk := d.at(t, m, game, 0)
			turns := told[protocol.Turn](t, talk)
			require.GreaterOrEqual(t, len(turns), len(test.steps), "the game is too short for the test")
			require.Equal(t, 10*time.Second, talk.limits[0])
			var last *float64
			for i, s := range test.steps {
				require.Equal(t, s.limit, talk.limits[i+1], "limit of turn %d", i+1)
				require.Equal(t, protocol.TurnClock{MoveMS: test.clock.MoveMS, BankMS: s.bank, LastMS: last}, turns[i].Clock, "turn %d", i+1)
				used := float64(min(max(s.used, 0), s.limit)/us) / 1000
				last = &used
				if s.late {
					require.Equal(t, protocol.Timeout, cards[0].Code)
					require.Equal(t, turns[i].Turn, cards[0].Turn)
					require.Contains(t, cards[0].Detail, s.used.String())
					require.InDelta(t, float64(s.used)/1e6, cards[0].UsedMS, 0.001)
					cards = cards[1:]
				}
			}
			require.Empty(t, cards)
		})
	}
}

// sleeper is a seat whose bot takes its time: the given one, but no more than it is allowed.
type sleeper struct {
	*talk

	takes time.Duration
}

func (s sleeper) Ask(ctx context.Context, m protocol.Message, limit time.Duration) (arena.Reply, error) {
	wait, cancel := context.WithTimeout(ctx, min(s.takes, limit))
	defer cancel()
	<-wait.Done()
	reply, err := s.talk.Ask(ctx, m, limit)
	if s.takes >= limit {
		return arena.Reply{Fault: protocol.Timeout, Elapsed: limit}, err
	}
	reply.Elapsed = s.takes
	return reply, err
}

type sleepers struct {
	desk

	takes map[string]time.Duration
}

func (s *sleepers) Open(ctx context.Context, place arena.Place) (arena.Seat, error) {
	opened, err := s.desk.Open(ctx, place)
	if err != nil {
		return nil, err
	}
	return sleeper{opened.(*talk), s.takes[place.Bot]}, nil
}

// TestTimePasses plays with real waits on a clock that does not run by itself.
func TestTimePasses(t *testing.T) {
	m := matchOf(rulesOf(t, engine.Rulebook, 2), 1)
	m.Clock = protocol.Clock{MoveMS: 1000, BankMS: 60_000}
	m.Faults.StrikeLimit, m.DealSets = 0, 2
	takes := map[string]time.Duration{"a@1": 700 * time.Millisecond, "b@1": 5 * time.Second}
	for _, parallel := range []int{1, 2} {
		synctest.Test(t, func(t *testing.T) {
			begin := time.Now()
			result, err := arena.Referee{Seats: &sleepers{takes: takes}, Parallel: parallel}.Play(t.Context(), m)
			require.NoError(t, err)
			var all [2]time.Duration // thought in each set, with the hellos
			for set, dealSet := range result.Sets {
				for _, game := range dealSet.Games {
					all[set] += takes["b@1"] // both are greeted at once
					for _, think := range game.Think {
						all[set] += time.Duration(think.TotalMS * float64(time.Millisecond))
					}
				}
			}
			want := all[0] + all[1]
			if parallel > 1 {
				want = max(all[0], all[1])
			}
			require.Equal(t, want, time.Since(begin))
		})
	}
}

// TestCancelWhileABotThinks: the end of the context is no timeout of the bot.
func TestCancelWhileABotThinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := matchOf(rulesOf(t, engine.Rulebook, 4), 1)
		s := &sleepers{takes: map[string]time.Duration{"c@1": 900 * time.Millisecond}}
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		begin := time.Now()
		replays := &shelf{}
		result, err := arena.Referee{Seats: s, Replays: replays.Create}.Play(ctx, m)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Zero(t, result)
		require.Equal(t, 1500*time.Millisecond, time.Since(begin))
		require.Len(t, s.talks, 4)
		for _, talk := range s.talks {
			require.Equal(t, 1, talk.closed)
			require.Empty(t, told[protocol.Error](t, talk))
		}
		require.Equal(t, 1, replays.books["m-1-1"].aborted)
	})
}
