package compare_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/compare"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
	"github.com/fivethreefive/fivethreefive/ratings"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// comparison is one of n seats, with games that world makes up.
func comparison(t testing.TB, seats int, field bool, world world) compare.Comparison {
	t.Helper()
	rules, err := engine.NewRules(engine.Rulebook, seats)
	require.NoError(t, err)
	c := compare.Comparison{
		New: "new", Old: "old", Settings: arena.DefaultSettings(rules), Seed: engine.Seed{}.Child("test", 1), Most: 400, Jobs: 3,
		Test: ratings.Sequential{Elo0: 0, Elo1: 50}, Play: world.play,
	}
	for i := range seats - 1 {
		c.Copies = append(c.Copies, fmt.Sprint("old#", i+2))
	}
	if field {
		c.Field, c.Copies = c.Copies, nil
	}
	return c
}

// world has hands whose luck goes with the seat and is the same in all games of a deal; the bot new is better by so much.
type world struct {
	ahead  float64
	faulty bool // the new bot forfeits its first game of each deal set
}

func (w world) play(_ context.Context, m arena.Match) (arena.Result, error) {
	seed := m.DealSeed(0)
	deal := rand.New(rand.NewPCG(binary.BigEndian.Uint64(seed[:]), 1))
	play := rand.New(rand.NewPCG(binary.BigEndian.Uint64(seed[:]), uint64(m.ID[len(m.ID)-1])))
	luck := make([]float64, len(m.Bots))
	for seat := range luck {
		luck[seat] = deal.NormFloat64()
	}
	result := arena.Result{Match: m.ID, Bots: m.Bots, Seed: m.Seed, Sets: make([]arena.DealSet, 1)}
	for row, order := range m.SeatOrders() {
		value := make([]float64, len(order))
		for seat, bot := range order {
			value[seat] = luck[seat] + play.NormFloat64()
			if m.Bots[bot] == "new" {
				value[seat] += w.ahead
			}
		}
		game := arena.Game{Order: order, Ranks: make([]int, len(order))}
		if at := slices.Index(order, 0); w.faulty && row == 0 && m.Bots[0] == "new" {
			value[at] -= 1000
			game.Faults = append(game.Faults, protocol.SeatFault{Seat: at, Code: protocol.Crash, Count: 1, Forfeit: true})
		}
		for seat := range order {
			for _, other := range value {
				if other >= value[seat] {
					game.Ranks[seat]++
				}
			}
		}
		result.Sets[0].Games = append(result.Sets[0].Games, game)
	}
	return result, nil
}

// TestJobsDoNotMatter: the decision falls at the first deal set in order, however many are played at once, and whichever is
// over first.
func TestJobsDoNotMatter(t *testing.T) {
	for _, field := range []bool{false, true} {
		for _, seats := range []int{2, 3, 4} {
			var reports []compare.Report
			for _, jobs := range []int{1, 2, 7} {
				c := comparison(t, seats, field, world{})
				c.Jobs, c.Test.Elo1 = jobs, 30
				c.Play = func(ctx context.Context, m arena.Match) (arena.Result, error) {
					time.Sleep(time.Duration(m.Seed[0]) * time.Millisecond) // in the time of the bubble
					return world{ahead: 1}.play(ctx, m)
				}
				synctest.Test(t, func(t *testing.T) {
					report, err := c.Run(t.Context(), nil)
					require.NoError(t, err)
					reports = append(reports, report)
				})
			}
			require.Equal(t, ratings.AcceptH1, reports[0].Decision)
			require.Less(t, reports[0].DealSets, 400)
			require.Equal(t, reports[0], reports[1])
			require.Equal(t, reports[0], reports[2])
		}
	}
}

// TestEachSeat: the new bot holds every seat of every deal once.
func TestEachSeat(t *testing.T) {
	for _, seats := range []int{2, 5} {
		c := comparison(t, seats, false, world{})
		c.Most, c.Jobs = 3, 1
		var deals []engine.Seed
		c.Play = func(ctx context.Context, m arena.Match) (arena.Result, error) {
			require.NoError(t, m.Validate())
			require.Equal(t, append([]string{"new"}, c.Copies...), m.Bots)
			require.Len(t, m.Orders, seats)
			for seat, order := range m.Orders {
				require.Zero(t, order[seat])
			}
			deals = append(deals, m.DealSeed(0))
			return world{}.play(ctx, m)
		}
		report, err := c.Run(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, 3*seats, report.Games)
		require.Equal(t, ratings.PlayOn, report.Decision)
		require.Len(t, deals, 3)
		require.NotEqual(t, deals[0], deals[1])
	}
}

// TestField: both meet the same others with the same cards, in the same seats.
func TestField(t *testing.T) {
	c := comparison(t, 3, true, world{})
	c.Most, c.Jobs = 2, 1
	var matches []arena.Match
	c.Play = func(ctx context.Context, m arena.Match) (arena.Result, error) {
		matches = append(matches, m)
		return world{}.play(ctx, m)
	}
	_, err := c.Run(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, matches, 4)
	require.Equal(t, []string{"new", "old#2", "old#3"}, matches[0].Bots)
	require.Equal(t, []string{"old", "old#2", "old#3"}, matches[1].Bots)
	require.Equal(t, matches[0].DealSeed(0), matches[1].DealSeed(0))
	require.Equal(t, matches[0].Orders, matches[1].Orders)
	require.NotEqual(t, matches[0].ID, matches[1].ID)
	require.NotEqual(t, matches[0].DealSeed(0), matches[2].DealSeed(0))
}

// TestFaults: a forfeited seat is last, and it is told whose it was.
func TestFaults(t *testing.T) {
	for _, field := range []bool{false, true} {
		c := comparison(t, 2, field, world{faulty: true})
		report, err := c.Run(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, ratings.AcceptH0, report.Decision)
		require.Equal(t, compare.Conduct{Faults: report.DealSets, Forfeits: report.DealSets}, report.New)
		require.Zero(t, report.Old)
	}
}

// TestAlwaysFirst: a bot that wins everything is accepted at any number of seats, and one that loses everything rejected.
func TestAlwaysFirst(t *testing.T) {
	for seats := 2; seats <= 6; seats++ {
		for ahead, want := range map[float64]ratings.Decision{1000: ratings.AcceptH1, -1000: ratings.AcceptH0} {
			for _, field := range []bool{false, true} {
				report, err := comparison(t, seats, field, world{ahead: ahead}).Run(t.Context(), nil)
				require.NoError(t, err)
				require.Equal(t, want, report.Decision, "%d seats, field %v", seats, field)
				require.Nil(t, report.Elo)
				require.Nil(t, report.Superiority)
			}
		}
	}
}

// TestFieldAlwaysBeaten: a bot that beats the field in every game has not won everything, since the other did not lose
// everything; how much stronger it is cannot be known.
func TestFieldAlwaysBeaten(t *testing.T) {
	for _, dominant := range []int{0, 1} {
		c := comparison(t, 3, true, world{ahead: 1000})
		c.Test.Elo1, c.Most = 500, 40
		if dominant == 1 {
			c.New, c.Old = "old", "new" // the world lets the bot called new win
		}
		report, err := c.Run(t.Context(), nil)
		require.NoError(t, err)
		require.Nil(t, report.Elo)
		require.Nil(t, report.Superiority)
		require.NotNil(t, report.Normalized)
		require.EqualValues(t, 1, report.Against[dominant])
		require.Greater(t, report.Against[1-dominant], 0.2)
		require.Less(t, report.Against[1-dominant], 0.8)
		require.InDelta(t, 2*report.Score-1, report.Against[0]-report.Against[1], 1e-9)
	}
}

// TestStopped: what was in play when it was stopped counts, and nothing more is begun.
func TestStopped(t *testing.T) {
	c := comparison(t, 2, false, world{})
	stop := make(chan struct{})
	var begun atomic.Int64
	c.Play = func(ctx context.Context, m arena.Match) (arena.Result, error) {
		if begun.Add(1) == 5 {
			close(stop)
		}
		return world{}.play(ctx, m)
	}
	report, err := c.Run(t.Context(), stop)
	require.ErrorIs(t, err, compare.ErrStopped)
	require.EqualValues(t, begun.Load(), report.DealSets)
	require.GreaterOrEqual(t, report.DealSets, 5)
	require.LessOrEqual(t, report.DealSets, 5+c.Jobs)
}

// TestStoppedBefore: a comparison that was stopped when it began begins nothing.
func TestStoppedBefore(t *testing.T) {
	for range 50 { // whatever is ready first
		c := comparison(t, 2, false, world{})
		stop := make(chan struct{})
		close(stop)
		c.Play = func(context.Context, arena.Match) (arena.Result, error) {
			t.Error("a deal set was begun")
			return arena.Result{}, errors.New("not wanted")
		}
		report, err := c.Run(t.Context(), stop)
		require.ErrorIs(t, err, compare.ErrStopped)
		require.Zero(t, report.DealSets)
	}
}

// TestGivenUp: the end of the context ends all that is in play, and what had counted is kept.
func TestGivenUp(t *testing.T) {
	c := comparison(t, 2, false, world{})
	ctx, cancel := context.WithCancel(t.Context())
	c.Seen = func(r compare.Report) {
		if r.DealSets == 10 {
			cancel()
		}
	}
	c.Play = func(ctx context.Context, m arena.Match) (arena.Result, error) {
		if ctx.Err() != nil {
			return arena.Result{}, ctx.Err()
		}
		return world{}.play(ctx, m)
	}
	report, err := c.Run(ctx, nil)
	require.ErrorIs(t, err, compare.ErrStopped)
	require.GreaterOrEqual(t, report.DealSets, 10)
	require.LessOrEqual(t, report.DealSets, 10+2*c.Jobs+1)
}

// TestFailures: what the arena fails to play is no result: it is tried again, and then the comparison ends.
func TestFailures(t *testing.T) {
	c := comparison(t, 2, false, world{ahead: 0.5})
	want, err := c.Run(t.Context(), nil)
	require.NoError(t, err)
	var mu sync.Mutex
	tried := map[string]int{}
	failing := 2
	c.Play = func(ctx context.Context, m arena.Match) (arena.Result, error) {
		mu.Lock()
		tried[m.ID]++
		fails := tried[m.ID] <= failing
		mu.Unlock()
		if fails {
			return arena.Result{}, errors.New("no room on the disk")
		}
		return world{ahead: 0.5}.play(ctx, m)
	}
	got, err := c.Run(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
	clear(tried)
	failing = 3
	report, err := c.Run(t.Context(), nil)
	require.ErrorContains(t, err, "-1, 3 times: no room on the disk")
	require.NotErrorIs(t, err, compare.ErrStopped)
	require.Zero(t, report.DealSets)
}

func TestCheck(t *testing.T) {
	for want, change := range map[string]func(c *compare.Comparison){
		"copies of the old bot, or by a field": func(c *compare.Comparison) { c.Copies = nil },
		"3 bots for 2 players":                 func(c *compare.Comparison) { c.Copies = []string{"a", "b"} },
		"0 deal sets: at least 1":              func(c *compare.Comparison) { c.Most = 0 },
		"elo0 50 is not below elo1 50":         func(c *compare.Comparison) { c.Test.Elo0 = 50 },
		"error rate 0.7":                       func(c *compare.Comparison) { c.Test.Alpha = 0.7 },
	} {
		c := comparison(t, 2, false, world{})
		require.NoError(t, c.Check())
		change(&c)
		require.ErrorContains(t, c.Check(), want)
	}
}
