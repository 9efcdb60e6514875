package arena_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// TestWholeGames plays every number of seats by every preset, and retells all games.
func TestWholeGames(t *testing.T) {
	for players := 2; players <= 6; players++ {
		for _, preset := range engine.Presets() {
			for _, ask := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d %s %v", players, preset, ask), func(t *testing.T) {
					m := matchOf(rulesOf(t, preset, players), uint64(players))
					m.AskForced = ask
					m.Orders = m.SeatOrders()[1:2]
					d := &desk{bots: map[string]maker{"b@1": builtin("random"), "c@1": builtin("heuristic")}}
					result, replays := play(t, m, d)
					require.Len(t, result.Sets, 1)
					require.Empty(t, result.Faults)
					for _, game := range result.Sets[0].Games {
						retell(t, m, game, replays.books[game.ID].Bytes(), d)
					}
				})
			}
		}
	}
}

// TestForced counts the turns in which a seat had no choice.
func TestForced(t *testing.T) {
	for _, ask := range []bool{false, true} {
		m := matchOf(rulesOf(t, engine.Rulebook, 4), 3)
		m.AskForced = ask
		d := &desk{}
		result, _ := play(t, m, d)
		forced, arenas := 0, 0
		game := result.Sets[0].Games[0]
		for seat := range 4 {
			talk := d.at(t, m, game, seat)
			for _, turn := range told[protocol.Turn](t, talk) {
				if len(turn.Legal) == 1 {
					forced++
				}
			}
			for _, event := range told[protocol.End](t, talk)[0].Events {
				if play, ok := event.(protocol.Play); ok && play.By == protocol.ByArena {
					require.Empty(t, play.Fault)
					arenas++
				}
			}
		}
		require.Equal(t, ask, forced > 0)
		require.Equal(t, !ask, arenas > 0)
	}
}

func TestTurnNumbersGrow(t *testing.T) {
	m := matchOf(rulesOf(t, engine.Rulebook, 4), 1)
	d := &desk{}
	result, _ := play(t, m, d)
	for _, game := range result.Sets[0].Games {
		for seat, think := range game.Think {
			turns := told[protocol.Turn](t, d.at(t, m, game, seat))
			require.Len(t, turns, think.Moves)
			for i, turn := range turns {
				require.Equal(t, int64(i+1), turn.Turn)
				require.Equal(t, seat, turn.Seat)
			}
		}
	}
}

// seeds are those given to the bots, by game and seat.
func seeds(t *testing.T, m arena.Match) map[string]uint64 {
	t.Helper()
	d := &desk{}
	play(t, m, d)
	out := map[string]uint64{}
	for place, talk := range d.talks {
		out[fmt.Sprint(place.Game, " ", place.Seat)] = told[protocol.Start](t, talk)[0].Seed
	}
	return out
}

func TestBotSeeds(t *testing.T) {
	m := matchOf(short(t, 4), 1)
	m.DealSets = 2
	first := seeds(t, m)
	require.Len(t, first, 2*4*4)
	require.Equal(t, first, seeds(t, m), "equal for equal seed, seat order and seat")
	m.Seed = m.Seed.Child("another", 0)
	all := map[uint64]bool{}
	for _, some := range []map[string]uint64{first, seeds(t, m)} {
		for _, seed := range some {
			require.Less(t, seed, uint64(1)<<53)
			all[seed] = true
		}
	}
	require.Len(t, all, 2*2*4*4, "different otherwise")
}

// TestDealSet requires that the hands and the first lead belong to seats, and that each bot has each equally often.
func TestDealSet(t *testing.T) {
	for players := 2; players <= 6; players++ {
		m := matchOf(short(t, players), 9)
		m.DealSets = 2
		d := &desk{}
		result, _ := play(t, m, d)
		for set, dealSet := range result.Sets {
			leads := map[int]int{}
			hands := map[[2]int]int{} // of bot and seat
			deals := map[int]string{}
			for row, game := range dealSet.Games {
				require.Equal(t, fmt.Sprintf("m-%d-%d", set+1, row+1), game.ID)
				require.Equal(t, m.SeatOrders()[row], game.Order)
				for seat, bot := range game.Order {
					events := told[protocol.Turn](t, d.at(t, m, game, seat))[0].Events
					deal := events[0].(engine.Dealt)
					require.Equal(t, result.Sets[set].Games[0].Order, m.SeatOrders()[0])
					hand := fmt.Sprint(deal.Leader, " ", deal.Hand)
					if row > 0 {
						require.Equal(t, deals[seat], hand, "each game of a set has the same cards")
					}
					deals[seat] = hand
					hands[[2]int{bot, seat}]++
					if seat == deal.Leader {
						leads[bot]++
					}
				}
			}
			times := len(dealSet.Games) / players
			require.Len(t, leads, players)
			require.Len(t, hands, players*players)
			for bot, n := range leads {
				require.Equal(t, times, n, "bot %d leads first", bot)
			}
			for place, n := range hands {
				require.Equal(t, times, n, "bot and hand %v", place)
			}
		}
	}
}

// TestEqualBots: at two seats, equal bots without chance play both games of a set alike, so they score equally.
func TestEqualBots(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom([]string{"greedy", "heuristic"}).Draw(rt, "bot")
		m := matchOf(rulesOf(t, rapid.SampledFrom(engine.Presets()).Draw(rt, "preset"), 2), rapid.Uint64().Draw(rt, "seed"))
		result, _ := play(t, m, &desk{bots: map[string]maker{"a@1": builtin(name), "b@1": builtin(name)}})
		one, two := result.Sets[0].Games[0], result.Sets[0].Games[1]
		require.Equal(rt, one.Scores, two.Scores)
		require.Equal(rt, one.Ranks, two.Ranks)
		require.Equal(rt, one.ByBot(one.Ranks), []int{two.ByBot(two.Ranks)[1], two.ByBot(two.Ranks)[0]})
	})
}

// TestParallel: neither the number of games at once nor the order in which they end shows in the result.
func TestParallel(t *testing.T) {
	m := matchOf(short(t, 3), 5)
	m.DealSets = 12
	bots := map[string]maker{"b@1": builtin("random"), "c@1": failing(builtin("greedy"), now(5, malformed))}
	var results []arena.Result
	var replays []*shelf
	for _, parallel := range []int{0, 1, 8} {
		s := &shelf{}
		played := make(chan arena.Game, 100)
		referee := arena.Referee{Seats: &desk{bots: bots}, Replays: s.Create, Parallel: parallel, Played: func(g arena.Game) { played <- g }}
		result, err := referee.Play(t.Context(), m)
		require.NoError(t, err)
		require.Len(t, played, 12*6)
		results, replays = append(results, result), append(replays, s)
	}
	require.NotEmpty(t, results[0].Faults)
	for i := range results {
		require.Equal(t, results[0], results[i])
		for id, book := range replays[i].books {
			require.Equal(t, hashOf(t, replays[0].books[id].Bytes()), hashOf(t, book.Bytes()))
		}
	}
}

func TestOrdersOfOnesOwn(t *testing.T) {
	m := matchOf(rulesOf(t, engine.Rulebook, 3), 5)
	m.Orders = [][]int{{2, 0, 1}}
	d := &desk{}
	result, _ := play(t, m, d)
	require.Len(t, result.Sets[0].Games, 1)
	require.Equal(t, []string{"c@1", "a@1", "b@1"}, told[protocol.Start](t, d.at(t, m, result.Sets[0].Games[0], 0))[0].Names)
	require.Equal(t, m.Seed.Commitment(), result.Commitment)
	require.Equal(t, m.Seed, result.Seed)
}
