package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/engine"
)

// combinations calls do for every preset and number of players under every combination of the options.
func combinations(t *testing.T, do func(t *testing.T, rules engine.Rules)) {
	t.Helper()
	for players := 2; players <= 6; players++ {
		for _, preset := range engine.Presets() {
			base, err := engine.NewRules(preset, players)
			require.NoError(t, err)
			for bits := range 8 {
				rules := base
				rules.PermanentPass = bits&1 != 0
				rules.GreaterOverwrite = bits&2 != 0
				rules.Target = []int{0, 10}[bits>>2]
				name := fmt.Sprintf("%s/%d players/%d%t%t", preset, players, rules.Target, rules.PermanentPass, rules.GreaterOverwrite)
				t.Run(name, func(t *testing.T) { do(t, rules) })
			}
		}
	}
}

// bruteLegal tries every multiset of one to three cards of the hand, as every kind, by the wording of the rules.
func bruteLegal(rules engine.Rules, hand, centre []int) []string {
	var out []string
	plays := multisets(hand)
	if len(centre) == 0 {
		for _, play := range plays {
			if isSet(play) || isRun(play) {
				out = append(out, fmt.Sprint("lead ", play))
			}
		}
		return out
	}
	for _, play := range plays {
		if bruteOverwrites(rules, play, centre) {
			out = append(out, fmt.Sprint("overwrite ", play))
		}
	}
	for _, play := range plays {
		whole := append(slices.Clone(centre), play...)
		slices.Sort(whole)
		if isSet(whole) || isRun(whole) {
			out = append(out, fmt.Sprint("add ", play))
		}
	}
	return append(out, "pass")
}

func bruteOverwrites(rules engine.Rules, play, centre []int) bool {
	if !isSet(play) && !isRun(play) {
		return false
	}
	if rules.GreaterOverwrite && len(play) > len(centre) {
		return true
	}
	if len(play) != len(centre) {
		return false
	}
	if isSet(centre) {
		return isSet(play) && play[0] > centre[0]
	}
	return isRun(play) && play[0] < centre[0]
}

// isSet takes a single for a set of one.
func isSet(cards []int) bool {
	return slices.Min(cards) == slices.Max(cards)
}

func isRun(cards []int) bool {
	for i := 1; i < len(cards); i++ {
		if cards[i] != cards[i-1]+1 {
			return false
		}
	}
	return len(cards) > 1
}

// multisets lists the distinct plays of one to three cards, by size and then lexicographically.
func multisets(hand []int) (out [][]int) {
	seen := map[string]bool{}
	add := func(play ...int) {
		if key := fmt.Sprint(play); !seen[key] {
			seen[key] = true
			out = append(out, play)
		}
	}
	for i, a := range hand {
		add(a)
		for j, b := range hand[i+1:] {
			add(a, b)
			for _, c := range hand[i+1:][j+1:] {
				add(a, b, c)
			}
		}
	}
	slices.SortFunc(out, func(x, y []int) int {
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		return slices.Compare(x, y)
	})
	return out
}

// TestLegalAgainstBruteForce compares the list, and what Apply accepts, at every position of random games.
func TestLegalAgainstBruteForce(t *testing.T) {
	combinations(t, func(t *testing.T, rules engine.Rules) {
		random := rand.New(rand.NewPCG(1, uint64(rules.Players)))
		for n := range 2 {
			game := newGame(t, rules, n)
			for game.Phase() == engine.Playing {
				legal := game.Legal(nil)
				hand := game.Hand(game.Turn()).Slice()
				var got []string
				for _, a := range legal {
					got = append(got, a.String())
				}
				require.Equal(t, bruteLegal(rules, hand, game.Meld().Slice()), got, "hand %v centre %v", hand, game.Meld())
				requireRefusals(t, game.State, legal, hand)
				_, err := game.Apply(legal[random.IntN(len(legal))])
				require.NoError(t, err)
			}
		}
	})
}

// requireRefusals tries every kind with every play of the hand that is not in the legal list.
func requireRefusals(t *testing.T, state engine.State, legal []engine.Action, hand []int) {
	t.Helper()
	if len(hand) > 4 { // the longest hands would take most of the time and show nothing new
		return
	}
	for _, play := range append(multisets(hand), []int{}, []int{1, 2, 3, 4}) {
		cards, err := engine.NewCards(play...)
		require.NoError(t, err)
		for kind := range engine.Pass + 2 {
			action := engine.NewAction(kind, cards)
			before := state
			_, err := state.Apply(action)
			if slices.Contains(legal, action) {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, engine.ErrIllegal)
				require.Equal(t, before, state)
			}
			state = before
		}
	}
}

// newGame deals round one of a seeded game.
func newGame(tb testing.TB, rules engine.Rules, n int) *engine.Game {
	tb.Helper()
	seed := engine.Seed{}.Child("test", uint64(n))
	game, err := engine.NewGame(rules, seed.Leader(rules.Players))
	require.NoError(tb, err)
	require.NoError(tb, game.Deal(seed.Deal(rules, 1)))
	return game
}

// TestR23Bound plays random games of every kind to the end: they end, and no round is longer than players x cards dealt.
func TestR23Bound(t *testing.T) {
	combinations(t, func(t *testing.T, rules engine.Rules) {
		random := rand.New(rand.NewPCG(2, 3))
		buffer := make([]engine.Action, 0, engine.MaxLegal)
		for n := range 5 {
			seed := engine.Seed{byte(n)}
			state, err := engine.NewState(rules, seed.Leader(rules.Players))
			require.NoError(t, err)
			for state.Phase() != engine.Ended {
				require.NoError(t, state.Deal(seed.Deal(rules, state.Round()+1)))
				bound, actions := rules.Players*state.DealtCards(), 0
				for state.Phase() == engine.Playing {
					legal := state.Legal(buffer)
					require.NotEmpty(t, legal)
					require.LessOrEqual(t, len(legal), engine.MaxLegal)
					_, err := state.Apply(legal[random.IntN(len(legal))])
					require.NoError(t, err)
					actions++
				}
				require.LessOrEqual(t, actions, bound)
				require.Empty(t, state.Legal(nil))
			}
			require.NotEmpty(t, engine.Winners(state.Ranks()))
			if rules.Players == 2 {
				require.Len(t, engine.Winners(state.Ranks()), 1, "two players never share")
			}
		}
	})
}

// FuzzGame lets the fuzzer choose rules, deal and every action.
func FuzzGame(f *testing.F) {
	f.Add(uint8(0), uint64(1), []byte{1, 2, 3})
	f.Add(uint8(77), uint64(2), []byte{0, 0, 0, 9, 9, 9, 200})
	f.Fuzz(func(t *testing.T, kind uint8, n uint64, picks []byte) {
		rules, err := engine.NewRules(engine.Presets()[kind%3], 2+int(kind/3)%5)
		require.NoError(t, err)
		rules.PermanentPass, rules.GreaterOverwrite = kind&64 != 0, kind&128 != 0
		seed := engine.Seed{}.Child("fuzz", n)
		game, err := engine.NewGame(rules, seed.Leader(rules.Players))
		require.NoError(t, err)
		for _, pick := range picks {
			if game.Phase() == engine.Ended {
				return
			}
			if game.Phase() == engine.Dealing {
				require.NoError(t, game.Deal(seed.Deal(rules, game.Round()+1)))
			}
			legal := game.Legal(nil)
			_, err := game.Apply(legal[int(pick)%len(legal)])
			require.NoError(t, err)
		}
	})
}

func TestNoAllocation(t *testing.T) {
	game := newGame(t, rulesOf(t, 4), 1)
	buffer := make([]engine.Action, 0, engine.MaxLegal)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		state := game.State
		for state.Phase() == engine.Playing {
			legal := state.Legal(buffer)
			if _, err := state.Apply(legal[len(legal)/2]); err != nil {
				t.Fatal(err)
			}
		}
	}))
}
