package engine_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/engine"
)

// TestR21Information plays the same actions in two worlds that differ only in cards the watching seat cannot know, and
// requires that everything the seat is shown is byte for byte the same.
func TestR21Information(t *testing.T) {
	combinations(t, func(t *testing.T, rules engine.Rules) {
		compared := 0
		for n := range 6 {
			compared += compareWorlds(t, rules, n, n%rules.Players)
		}
		require.Positive(t, compared, "no pair of worlds was ever compared")
	})
}

// compareWorlds records a random game, swaps hidden cards that were never shown, and replays it. It returns how many
// observations were compared.
func compareWorlds(t *testing.T, rules engine.Rules, n, seat int) int {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(n), 4))
	seed := engine.Seed{}.Child("worlds", uint64(n))
	deal := seed.Deal(rules, 1)
	game := start(t, rules, seed, deal)
	var actions []engine.Action
	for range random.IntN(40) + 1 {
		if game.Phase() != engine.Playing || game.Half() == 2 {
			break
		}
		legal := game.Legal(nil)
		action := legal[random.IntN(len(legal))]
		actions = append(actions, action)
		_, err := game.Apply(action)
		require.NoError(t, err)
	}
	if game.Phase() != engine.Playing || game.Half() == 2 {
		return 0 // the scored hands have been shown
	}
	other := start(t, rules, seed, shuffleHidden(random, rules, game, deal, seat))
	compared := 0
	compare := func(a, b *engine.Game) {
		require.Equal(t, string(mustJSON(t, a.Observe(seat))), string(mustJSON(t, b.Observe(seat))))
		require.Equal(t, string(mustJSON(t, a.RecordFor(seat, 0))), string(mustJSON(t, b.RecordFor(seat, 0))))
		if a.Turn() == seat {
			require.Equal(t, a.Legal(nil), b.Legal(nil))
		}
		compared++
	}
	again := start(t, rules, seed, deal)
	for _, action := range actions {
		compare(again, other)
		_, err := again.Apply(action)
		require.NoError(t, err)
		_, err = other.Apply(action)
		require.NoError(t, err)
	}
	compare(game, other)
	return compared
}

func start(t *testing.T, rules engine.Rules, seed engine.Seed, deal engine.Deal) *engine.Game {
	t.Helper()
	game, err := engine.NewGame(rules, seed.Leader(rules.Players))
	require.NoError(t, err)
	require.NoError(t, game.Deal(deal))
	return game
}

// shuffleHidden spreads all cards that the seat has neither held nor seen anew over their places: the others' remaining
// hands, every hand of half two, and the undealt cards.
func shuffleHidden(random *rand.Rand, rules engine.Rules, game *engine.Game, deal engine.Deal, seat int) engine.Deal {
	var hidden []int
	places := []*engine.Cards{&deal.Undealt}
	for other := range rules.Players {
		if other != seat {
			places = append(places, &deal.Hands[other])
		}
		if rules.Players == 2 {
			places = append(places, &deal.Hands2[other])
		}
	}
	sizes := make([]int, len(places))
	for i, place := range places {
		unseen := *place
		for other := range rules.Players {
			if place == &deal.Hands[other] {
				unseen = game.Hand(other)
			}
		}
		hidden = append(hidden, unseen.Slice()...)
		sizes[i] = unseen.Len()
		*place -= unseen
	}
	random.Shuffle(len(hidden), func(i, j int) { hidden[i], hidden[j] = hidden[j], hidden[i] })
	for i, place := range places {
		for _, rank := range hidden[:sizes[i]] {
			*place += 1 << (4 * rank)
		}
		hidden = hidden[sizes[i]:]
	}
	return deal
}

// TestUndealtCardsStayHidden looks for the scored record too: what is shown at the end are the hands left, never
// the undealt cards.
func TestUndealtCardsStayHidden(t *testing.T) {
	rules := rulesOf(t, 3)
	game := newGame(t, rules, 5)
	for game.Phase() == engine.Playing {
		legal := game.Legal(nil)
		_, err := game.Apply(legal[0])
		require.NoError(t, err)
	}
	shown := 0
	for _, event := range game.Record(0) {
		switch e := event.(type) {
		case engine.Played:
			shown += e.Action.Cards().Len()
		case engine.Scored:
			for _, hand := range e.Hands {
				shown += hand.Len()
			}
		case engine.Dealt:
			require.Nil(t, e.Hand)
		}
	}
	require.Equal(t, 48, shown, "all but the four undealt cards")
}

func TestCloneIsIndependent(t *testing.T) {
	game := newGame(t, rulesOf(t, 4), 9)
	for game.Phase() == engine.Playing {
		clone := game.Clone()
		legal := game.Legal(nil)
		_, err := clone.Apply(legal[len(legal)-1])
		require.NoError(t, err)
		cloned := slices.Clone(clone.Record(0))
		_, err = game.Apply(legal[0])
		require.NoError(t, err)
		require.Equal(t, cloned, clone.Record(0))
	}
}
