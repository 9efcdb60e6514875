package engine_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/engine"
)

func TestPoints(t *testing.T) {
	want := map[int]int{1: 3, 2: 1, 3: 1, 4: 1, 5: 1, 7: 1, 8: 5, 9: 1, 11: 2, 12: 2, 13: 2, 14: 2, 15: 3}
	sum := 0
	for _, rank := range engine.Ranks() {
		require.Equal(t, want[rank], cards(t, rank).Points(), "rank %d", rank)
		require.Equal(t, 3*want[rank], cards(t, rank, rank, rank).Points(), "rank %d", rank)
		sum += want[rank]
	}
	require.Equal(t, 25, sum)
	require.Equal(t, 100, engine.Rules{Copies: 4}.Deck().Points())
	require.Equal(t, 125, engine.Rules{Copies: 5}.Deck().Points())
}

func TestCardsAgainstSlices(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		var ranks [16]int
		var list []int
		for range random.IntN(30) {
			rank := engine.Ranks()[random.IntN(13)]
			if ranks[rank] < 7 {
				ranks[rank]++
				list = append(list, rank)
			}
		}
		c := cards(t, list...)
		require.Equal(t, len(list), c.Len())
		sub := cards(t, list[:len(list)/2]...)
		require.True(t, c.Contains(sub))
		for _, rank := range engine.Ranks() {
			require.Equal(t, ranks[rank], c.Count(rank))
			require.Equal(t, sub.Count(rank) < c.Count(rank), c.Contains(sub+cards(t, rank)))
		}
		var back engine.Cards
		require.NoError(t, json.Unmarshal(mustJSON(t, c), &back))
		require.Equal(t, c, back)
		require.Equal(t, string(mustJSON(t, c.Slice())), string(mustJSON(t, c)))
	}
}

func TestBadCards(t *testing.T) {
	for text, want := range map[string]string{
		`[6]`:               "6 is not a rank; ranks are 1-5, 7-9 and 11-15",
		`[-1]`:              "-1 is not a rank",
		`[16]`:              "16 is not a rank",
		`[99999999999]`:     "is not a rank",
		`[1,1,1,1,1,1,1,1]`: "more than 7 cards of rank 1",
		`"1"`:               "array of ranks",
		`[1.5]`:             "array of ranks",
		`null`:              "missing",
	} {
		var c engine.Cards
		require.ErrorContains(t, json.Unmarshal([]byte(text), &c), want, text)
	}
}

func TestActionJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"add","cards":[8]}`:                         `{"type":"add","cards":[8]}`,
		`{"cards":[3,2],"type":"lead","x":[{}]}`:             `{"type":"lead","cards":[2,3]}`,
		`{"type":"pass"}`:                                    `{"type":"pass","cards":[]}`,
		`{"type":"pass","cards":[]}`:                         `{"type":"pass","cards":[]}`,
		`{"type":"overwrite","cards":[11,11],"Type":"nope"}`: `{"type":"overwrite","cards":[11,11]}`,
	} {
		var a engine.Action
		require.NoError(t, json.Unmarshal([]byte(text), &a), text)
		require.Equal(t, want, string(mustJSON(t, a)))
	}
	for _, text := range []string{
		`{}`, `[]`, `3`, `"pass"`, `{"type":"jump"}`, `{"type":7}`, `{"type":"add"}`, `{"type":"add","cards":null}`,
		`{"type":"add","cards":[6]}`, `{"type":""}`, `{"Type":"pass"}`,
	} {
		var a engine.Action
		require.Error(t, json.Unmarshal([]byte(text), &a), text)
	}
	_, err := json.Marshal(engine.Action(0))
	require.Error(t, err)
}

func FuzzAction(f *testing.F) {
	f.Add([]byte(`{"type":"add","cards":[8]}`))
	f.Add([]byte(`{"type":"pass"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var a, b engine.Action
		if json.Unmarshal(data, &a) != nil {
			return
		}
		require.NoError(t, json.Unmarshal(mustJSON(t, a), &b))
		require.Equal(t, a, b)
	})
}

// TestSeed pins the derivation that the package comment describes; other programs repeat it.
func TestSeed(t *testing.T) {
	var seed engine.Seed
	require.NoError(t, seed.UnmarshalText([]byte("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")))
	require.Equal(t, "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd", seed.Commitment())
	deal := seed.Deal(rulesOf(t, 4), 1)
	golden(t, "deals.json", map[string]any{
		"seed":    seed.String(),
		"child":   seed.Child("deal", 1).String(),
		"leader4": seed.Leader(4),
		"deal4":   [][]int{deal.Hands[0].Slice(), deal.Hands[1].Slice(), deal.Hands[2].Slice(), deal.Hands[3].Slice(), deal.Undealt.Slice()},
		"deal2":   seed.Deal(rulesOf(t, 2), 1),
		"deal6r3": seed.Deal(rulesOf(t, 6), 3),
	})
	for _, bad := range []string{"", "00", "zz", string(make([]byte, 64))} {
		require.ErrorContains(t, new(engine.Seed).UnmarshalText([]byte(bad)), "64 hexadecimal digits")
	}
}

// TestDealsAreUniform compares the mean of each place over many deals with the deck's.
func TestDealsAreUniform(t *testing.T) {
	rules := rulesOf(t, 4)
	var eights [5]int
	const deals = 4000
	for n := range deals {
		deal := engine.Seed{}.Child("uniform", uint64(n)).Deal(rules, 1)
		for i, place := range []engine.Cards{deal.Hands[0], deal.Hands[1], deal.Hands[2], deal.Hands[3], deal.Undealt} {
			eights[i] += place.Count(8)
		}
	}
	for i, size := range []int{12, 12, 12, 12, 4} {
		require.InEpsilon(t, float64(deals)*4*float64(size)/52, eights[i], 0.1, "place %d", i)
	}
}

func TestBadDeals(t *testing.T) {
	rules := rulesOf(t, 3)
	game, err := engine.NewGame(rules, 0)
	require.NoError(t, err)
	good := engine.Seed{}.Deal(rules, 1)
	for want, spoil := range map[string]func(*engine.Deal){
		"cards of rank":                       func(d *engine.Deal) { d.Undealt = 0 },
		"3 players need 3 hands":              func(d *engine.Deal) { d.Hands[1] = 0 },
		"seat 4 has":                          func(d *engine.Deal) { d.Hands[4] = cards(t, 1) },
		"second hands belong to games of two": func(d *engine.Deal) { d.Hands2[1] = cards(t, 1) },
		"17 cards of rank 1, the deck has 4":  func(d *engine.Deal) { d.Hands = [6]engine.Cards{0x50, 0x50, 0x50}; d.Undealt = 0x20 },
		"1 cards of rank 6, the deck has 0":   func(d *engine.Deal) { d.Hands[0] += 1 << 24 },
		"1 cards of rank 0, the deck has 0":   func(d *engine.Deal) { d.Hands[0]++ },
	} {
		bad := good
		spoil(&bad)
		before := game.State
		require.ErrorContains(t, game.Deal(bad), want)
		require.Equal(t, before, game.State)
	}
	_, err = game.Apply(act(t, "pass"))
	require.ErrorIs(t, err, engine.ErrPhase)
	require.NoError(t, game.Deal(good))
	require.ErrorIs(t, game.Deal(good), engine.ErrPhase)
}
