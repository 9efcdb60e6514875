package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/engine"
)

func rulesOf(t *testing.T, players int, options ...string) engine.Rules {
	t.Helper()
	rules, err := engine.NewRules(engine.Rulebook, players)
	require.NoError(t, err)
	for _, option := range options {
		key, value, _ := strings.Cut(option, "=")
		rules, err = rules.With(key, value)
		require.NoError(t, err)
	}
	return rules
}

func cards(t *testing.T, ranks ...int) engine.Cards {
	t.Helper()
	c, err := engine.NewCards(ranks...)
	require.NoError(t, err)
	return c
}

// table starts a game with the hands as given, one string of ranks for each seat; the rest of the deck is undealt. In a
// game of two the third and fourth strings are the hands of half two.
func table(t *testing.T, rules engine.Rules, leader int, hands ...string) *engine.Game {
	t.Helper()
	game, err := engine.NewGame(rules, leader)
	require.NoError(t, err)
	require.NoError(t, game.Deal(dealOf(t, rules, hands...)))
	return game
}

func dealOf(t *testing.T, rules engine.Rules, hands ...string) engine.Deal {
	t.Helper()
	var deal engine.Deal
	for i, text := range hands {
		if i < rules.Players {
			deal.Hands[i] = cards(t, ranksIn(t, text)...)
		} else {
			deal.Hands2[i-rules.Players] = cards(t, ranksIn(t, text)...)
		}
	}
	if rules.Players == 2 && len(hands) == 2 {
		deal.Hands2 = [2]engine.Cards{cards(t, 15), cards(t, 15)}
	}
	return deal.Rest(rules)
}

func ranksIn(t *testing.T, text string) (ranks []int) {
	t.Helper()
	for field := range strings.FieldsSeq(text) {
		var rank int
		_, err := fmt.Sscan(field, &rank)
		require.NoError(t, err)
		ranks = append(ranks, rank)
	}
	return ranks
}

// act reads "lead 2 3 4", "overwrite 8", "add 1", "pass".
func act(t *testing.T, text string) engine.Action {
	t.Helper()
	word, rest, _ := strings.Cut(text, " ")
	var kind engine.Kind
	require.NoError(t, kind.UnmarshalText([]byte(word)))
	return engine.NewAction(kind, cards(t, ranksIn(t, rest)...))
}

// play applies the actions one after the other and returns the last outcome.
func play(t *testing.T, game *engine.Game, actions ...string) (outcome engine.Outcome) {
	t.Helper()
	for _, action := range actions {
		var err error
		outcome, err = game.Apply(act(t, action))
		require.NoError(t, err, action)
	}
	return outcome
}

// refused requires that the action is illegal, in the list and for Apply, and that the refusal changes nothing.
func refused(t *testing.T, game *engine.Game, action string) {
	t.Helper()
	require.NotContains(t, game.Legal(nil), act(t, action))
	before := game.State
	_, err := game.Apply(act(t, action))
	require.ErrorIs(t, err, engine.ErrIllegal, action)
	require.Equal(t, before, game.State, action)
}

func allowed(t *testing.T, game *engine.Game, action string) {
	t.Helper()
	require.Contains(t, game.Legal(nil), act(t, action))
	_, err := game.Clone().Apply(act(t, action))
	require.NoError(t, err, action)
}
