package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/engine"
)

const idle = "12 14" // the hand of a seat that only passes

func TestR1Lead(t *testing.T) {
	game := table(t, rulesOf(t, 4), 0, "1 2 3 4 4 4 4 9", idle, idle, "15 15 14")
	for _, ok := range []string{"lead 9", "lead 4 4", "lead 4 4 4", "lead 2 3", "lead 2 3 4"} {
		allowed(t, game, ok)
	}
	for _, bad := range []string{"pass", "lead 1 2 3 4", "lead 4 4 4 4", "lead 1 3", "lead 3 4 4", "lead 5", "overwrite 9", "add 9"} {
		refused(t, game, bad)
	}
}

func TestR2Overwrite(t *testing.T) {
	game := table(t, rulesOf(t, 4), 0, "9 14 15 15", "1 1 2 2 3 3 9 9 11 11", idle, idle)
	single := game.Clone()
	play(t, single, "lead 9")
	allowed(t, single, "overwrite 11")
	for _, bad := range []string{"overwrite 9", "overwrite 3", "overwrite 11 11", "lead 11"} {
		refused(t, single, bad)
	}
	runs := game.Clone()
	play(t, runs, "lead 14 15")
	allowed(t, runs, "overwrite 2 3") // the lower cards win
	refused(t, runs, "overwrite 11 11")
	pairs := table(t, rulesOf(t, 4), 0, "9 9 14", "9 9 11 11 7 7 7 12 13", idle, idle)
	play(t, pairs, "lead 9 9")
	allowed(t, pairs, "overwrite 11 11")
	for _, bad := range []string{"overwrite 9 9", "overwrite 7 7", "overwrite 7 7 7", "overwrite 12 13"} {
		refused(t, pairs, bad)
	}
	equal := table(t, rulesOf(t, 4), 0, "2 3 9", "2 3 3 4 1 2", idle, idle)
	play(t, equal, "lead 2 3")
	refused(t, equal, "overwrite 2 3")
	refused(t, equal, "overwrite 3 4")
	allowed(t, equal, "overwrite 1 2")
}

func TestR3RunsStopAtTheGaps(t *testing.T) {
	game := table(t, rulesOf(t, 4), 0, "4 5 7 9 11 15 1", "5 7 9 11", idle, idle)
	for _, bad := range []string{"lead 5 7", "lead 4 5 7", "lead 9 11", "lead 1 15"} {
		refused(t, game, bad)
	}
	play(t, game, "lead 7")
	refused(t, game, "add 5")
	game = table(t, rulesOf(t, 4), 0, "9 15", "11 1 7", idle, idle)
	play(t, game, "lead 9")
	refused(t, game, "add 11")
}

func TestR4AddedCardsNeedNotBeAMeld(t *testing.T) {
	game := table(t, rulesOf(t, 4), 0, "2 9", "1 3 4 15", idle, idle)
	play(t, game, "lead 2")
	require.Equal(t, engine.Continues, play(t, game, "add 1 3 4"))
	require.Equal(t, cards(t, 1, 2, 3, 4), game.Meld())
	game = table(t, rulesOf(t, 4), 0, "3 4 9", "2 5 5 15", idle, idle)
	play(t, game, "lead 3 4")
	refused(t, game, "add 5 5")
	refused(t, game, "add 2 5 5")
	play(t, game, "add 2 5")
}

func TestR5SingleOntoSingle(t *testing.T) {
	game := table(t, rulesOf(t, 4), 0, "7 15", "7 8 15", idle, idle)
	play(t, game, "lead 7")
	allowed(t, game, "add 7")
	allowed(t, game, "add 8")
}

func TestR6SameCardsAddOrOverwrite(t *testing.T) {
	game := table(t, rulesOf(t, 4), 0, "3 15", "4 15", idle, idle)
	play(t, game, "lead 3")
	add, overwrite := game.Clone(), game.Clone()
	play(t, add, "add 4")
	play(t, overwrite, "overwrite 4")
	require.Equal(t, cards(t, 3, 4), add.Meld())
	require.Equal(t, cards(t, 4), overwrite.Meld())
}

func TestR7FourInTheCentre(t *testing.T) {
	game := table(t, rulesOf(t, 4, "greater_overwrite=true"), 0, "2 3 4 9", "5 15", "1 1 2 3 14", idle)
	play(t, game, "lead 2 3 4", "add 5")
	require.Equal(t, []engine.Action{act(t, "add 1"), act(t, "pass")}, game.Legal(nil))
}

func TestR8Clears(t *testing.T) {
	t.Run("eight", func(t *testing.T) {
		game := table(t, rulesOf(t, 4), 0, "13 14 15", "8 9 15", idle, idle)
		play(t, game, "lead 13 14")
		require.Equal(t, engine.ClearedEight, play(t, game, "overwrite 8 9"))
		require.Equal(t, 1, game.Turn())
		require.Zero(t, game.Meld())
	})
	t.Run("set", func(t *testing.T) {
		game := table(t, rulesOf(t, 4), 0, "1 1 1 9", "1 15", idle, idle)
		play(t, game, "lead 1 1 1")
		require.Equal(t, engine.ClearedSet, play(t, game, "add 1"))
		require.Equal(t, 1, game.Turn())
	})
	t.Run("run", func(t *testing.T) {
		game := table(t, rulesOf(t, 4), 0, "2 3 4 9", "1 5 15", idle, idle)
		play(t, game, "lead 2 3 4")
		require.Equal(t, engine.ClearedRun, play(t, game, "add 1 5"))
	})
	t.Run("passes", func(t *testing.T) {
		game := table(t, rulesOf(t, 4), 0, "2 3 4 9", idle, idle, idle)
		play(t, game, "lead 2", "pass", "pass")
		require.Equal(t, engine.ClearedPasses, play(t, game, "pass"))
		require.Equal(t, 0, game.Turn())
	})
	t.Run("eight before set", func(t *testing.T) {
		game := table(t, rulesOf(t, 4), 0, "8 8 8 9", "8 15", idle, idle)
		play(t, game, "lead 8 8 8")
		require.Equal(t, engine.ClearedEight, play(t, game, "add 8"))
	})
	t.Run("set on a lead", func(t *testing.T) {
		game := table(t, rulesOf(t, 4, "copies=3", "hand_size=9"), 0, "4 4 4 9", idle, idle, "1 2")
		require.Equal(t, engine.ClearedSet, play(t, game, "lead 4 4 4"))
		require.Equal(t, 0, game.Turn())
	})
}

func TestR9AnEightInALeadClearsNothing(t *testing.T) {
	game := table(t, rulesOf(t, 4), 0, "8 8 9 15", "7 9 8", idle, idle)
	led := game.Clone()
	require.Equal(t, engine.Continues, play(t, led, "lead 8"))
	require.Equal(t, engine.Continues, play(t, led.Clone(), "add 7"))
	require.Equal(t, engine.Continues, play(t, led.Clone(), "add 9"))
	require.Equal(t, engine.Continues, play(t, game, "lead 8 8"))
	require.Equal(t, engine.ClearedEight, play(t, game, "add 8"))
}

func TestR10SetCompletionCountsTheCentreOnly(t *testing.T) {
	game := table(t, rulesOf(t, 5), 0, "4 4 4 9", "4 15", "4 15", idle, idle)
	play(t, game, "lead 4 4 4")
	require.Equal(t, engine.Continues, play(t, game, "add 4"))
	require.Equal(t, engine.ClearedSet, play(t, game, "add 4"))
	// Four of five copies in the centre, the fifth played earlier: the set cannot complete and stays open.
	game = table(t, rulesOf(t, 5), 0, "4 9", "4 4 5 15", "4 4 15", idle, idle)
	play(t, game, "lead 4", "overwrite 5", "pass", "pass", "pass", "pass")
	play(t, game, "lead 4 4")
	require.Equal(t, engine.Continues, play(t, game, "add 4 4"))
}

func TestR11PassesAreNotPermanent(t *testing.T) {
	game := table(t, rulesOf(t, 3), 0, "2 11 15", "3 12 1", "4 13 1")
	play(t, game, "lead 2", "pass", "overwrite 4", "pass")
	require.Equal(t, []int{0}, game.Observe(1).Passed)
	play(t, game, "overwrite 12")
	require.Empty(t, game.Observe(0).Passed)
	require.Equal(t, engine.Continues, play(t, game, "pass"))
	require.Equal(t, engine.ClearedPasses, play(t, game, "pass"))
	require.Equal(t, 1, game.Turn())
}

func TestR12PermanentPass(t *testing.T) {
	game := table(t, rulesOf(t, 3, "permanent_pass=true"), 0, "2 11 15", "3 12 1", "4 13 1")
	play(t, game, "lead 2", "pass", "overwrite 4", "overwrite 11")
	require.Equal(t, 2, game.Turn(), "seat 1 is out of the trick")
	require.Equal(t, []int{1}, game.Observe(0).Passed)
	require.Equal(t, engine.ClearedPasses, play(t, game, "pass"))
	require.Equal(t, 0, game.Turn())
	require.Empty(t, game.Observe(0).Passed)
}

func TestR13WhoPlayedLastLeads(t *testing.T) {
	game := table(t, rulesOf(t, 3), 0, "2 15", "3 12", "4 8 13")
	play(t, game, "lead 2", "overwrite 3", "overwrite 8")
	require.Equal(t, 2, game.Turn())
	require.Zero(t, game.Meld())
}

func TestR14TheRoundEndsWithAnEmptyHand(t *testing.T) {
	for name, game := range map[string]*engine.Game{
		"on a lead":          table(t, rulesOf(t, 3), 0, "2", "3 12", "8 15"),
		"on a clearing play": table(t, rulesOf(t, 3), 2, "8", "3 12", "7 15"),
	} {
		t.Run(name, func(t *testing.T) {
			if game.Turn() == 2 {
				play(t, game, "lead 7", "overwrite 8")
			} else {
				require.Equal(t, engine.RoundOver, play(t, game, "lead 2"))
			}
			record := game.Record(0)
			scored, ok := record[len(record)-1].(engine.Scored)
			require.True(t, ok, "a score and no clear")
			require.Equal(t, 0, scored.Out)
			require.Zero(t, scored.Points[0])
			require.Equal(t, 3, scored.Points[1])
			require.Equal(t, engine.Dealing, game.Phase())
		})
	}
}

func TestR15NextLeader(t *testing.T) {
	t.Run("most points in total", func(t *testing.T) {
		game := table(t, rulesOf(t, 3), 0, "2", "3 12", "8 15")
		play(t, game, "lead 2")
		require.Equal(t, 2, game.Leader())
	})
	t.Run("a tie goes to the nearest clockwise, the last leader first", func(t *testing.T) {
		game := table(t, rulesOf(t, 4), 2, "2 2", "15", "1 3", "2 2")
		play(t, game, "lead 3", "pass", "pass", "overwrite 15")
		require.Equal(t, []int{2, 0, 3, 2}, game.Scores())
		require.Equal(t, 2, game.Leader())
		require.NoError(t, game.Deal(dealOf(t, rulesOf(t, 4), "2 3", "9", "7 2", "4 9")))
		play(t, game, "lead 7", "pass", "pass", "overwrite 9")
		require.Equal(t, []int{4, 0, 4, 4}, game.Scores())
		require.Equal(t, 2, game.Leader(), "distance 0 counts")
		require.NoError(t, game.Deal(dealOf(t, rulesOf(t, 4), "2 9", "9 2", "7", "4 9")))
		play(t, game, "lead 7")
		require.Equal(t, []int{6, 2, 4, 6}, game.Scores())
		require.Equal(t, 3, game.Leader(), "clockwise from seat 2 comes 3 before 0")
	})
}

func TestR16SecondHalf(t *testing.T) {
	game := table(t, rulesOf(t, 2), 0, "2 9", "3 8", "11", "14 15")
	require.Equal(t, 1, game.Half())
	require.Equal(t, engine.RoundOver, play(t, game, "lead 2", "pass", "lead 9"))
	require.Equal(t, 2, game.Half())
	require.Equal(t, engine.Playing, game.Phase())
	require.Equal(t, 1, game.Turn(), "the one who scored leads")
	require.Equal(t, []int{1, 2}, game.Observe(0).Counts)
	require.Equal(t, 52-7, game.Observe(0).Undealt)
	require.Equal(t, 0, game.Observe(0).Scores[0])
	scored := game.Record(0)[len(game.Record(0))-2]
	require.Equal(t, []engine.Cards{0, cards(t, 3, 8)}, scored.(engine.Scored).Hands, "scored cards are public")
}

func TestR17TwoPlayersWithATarget(t *testing.T) {
	rules := rulesOf(t, 2, "target=10")
	game := table(t, rules, 0, "2", "15 15 15 15", "3", "1 2")
	play(t, game, "lead 2")
	require.Equal(t, []int{0, 12}, game.Scores())
	require.Equal(t, engine.Playing, game.Phase(), "the target is tested after half two only")
	play(t, game, "lead 2", "overwrite 3")
	require.Equal(t, engine.Ended, game.Phase())

	game = table(t, rules, 0, "2", "3", "4", "5 5")
	play(t, game, "lead 2")         // 0:1, seat 1 leads half two
	play(t, game, "lead 5", "pass") // seat 1 leads again
	play(t, game, "lead 5")         // 1:1
	require.Equal(t, []int{1, 1}, game.Scores())
	require.Equal(t, engine.Dealing, game.Phase())
	require.Equal(t, 1, game.Leader(), "tied: who led half two is nearest")
}

func TestR18End(t *testing.T) {
	t.Run("fewest cards in the last round", func(t *testing.T) {
		game := table(t, rulesOf(t, 3, "target=0"), 0, "2", "11", "3 4")
		play(t, game, "lead 2")
		require.Equal(t, []int{0, 2, 2}, game.Scores())
		require.Equal(t, []int{1, 2, 3}, game.Ranks())
	})
	t.Run("shared victory", func(t *testing.T) {
		rules := rulesOf(t, 3, "target=20")
		game := table(t, rules, 0, "2", "15 3", "15 15 15 8 8")
		play(t, game, "lead 2") // 0 4 19
		require.NoError(t, game.Deal(dealOf(t, rules, "15 3", "4 4", "2")))
		play(t, game, "lead 2") // 4 6 19
		require.NoError(t, game.Deal(dealOf(t, rules, "2 3", "2 3", "9 8")))
		play(t, game, "lead 9", "pass", "pass", "lead 8")
		require.Equal(t, []int{6, 8, 19}, game.Scores())
		require.NoError(t, game.Deal(dealOf(t, rules, "11 3", "2", "9 9")))
		play(t, game, "lead 9", "overwrite 11", "pass", "pass", "lead 3")
		require.Equal(t, engine.Ended, game.Phase())
		require.Equal(t, []int{6, 9, 20}, game.Scores())
		require.Equal(t, []int{1, 2, 3}, game.Ranks())
		shared := table(t, rulesOf(t, 3, "target=0"), 0, "2", "3", "4")
		play(t, shared, "lead 2")
		require.Equal(t, []int{1, 2, 2}, shared.Ranks())
	})
	t.Run("two players: scored cards, then who did not score last", func(t *testing.T) {
		game := table(t, rulesOf(t, 2), 0, "2", "11", "3 4", "5")
		play(t, game, "lead 2", "lead 5")
		require.Equal(t, []int{2, 2}, game.Scores())
		require.Equal(t, []int{2, 1}, game.Ranks(), "one scored card beats two")
		game = table(t, rulesOf(t, 2), 0, "2", "3", "4", "5")
		play(t, game, "lead 2", "lead 5")
		require.Equal(t, []int{1, 1}, game.Scores())
		require.Equal(t, []int{2, 1}, game.Ranks(), "seat 1 did not score in half two")
	})
}

func TestR19SharedPlacesShareTheNumber(t *testing.T) {
	game := table(t, rulesOf(t, 4, "target=0"), 0, "2", "3", "4", "8")
	play(t, game, "lead 2")
	require.Equal(t, []int{1, 2, 2, 4}, game.Ranks())
	require.Equal(t, []int{0}, engine.Winners(game.Ranks()))
	require.Equal(t, []int{1, 2}, engine.Winners([]int{2, 1, 1}))
}

func TestR20GreaterOverwrite(t *testing.T) {
	game := table(t, rulesOf(t, 3, "greater_overwrite=true"), 0, "9 13 14 15", "2 2 2 3 4 7 8 1", idle)
	single := game.Clone()
	play(t, single, "lead 9")
	for _, ok := range []string{"overwrite 2 2", "overwrite 2 2 2", "overwrite 2 3", "overwrite 2 3 4"} {
		allowed(t, single, ok)
	}
	refused(t, single, "overwrite 7")
	require.Equal(t, engine.ClearedEight, play(t, single, "overwrite 7 8"))
	pair := game.Clone()
	play(t, pair, "lead 13 14")
	for _, ok := range []string{"overwrite 2 3", "overwrite 2 2 2"} {
		allowed(t, pair, ok)
	}
	refused(t, pair, "overwrite 2 2")
	triple := game.Clone()
	play(t, triple, "lead 13 14 15")
	refused(t, triple, "overwrite 2 2 2")
	allowed(t, triple, "overwrite 2 3 4")
	standard := table(t, rulesOf(t, 3), 0, "9 13 14 15", "2 2 2 3 4 7 8 1", idle)
	play(t, standard, "lead 9")
	refused(t, standard, "overwrite 2 2")
}

func TestR22Bounds(t *testing.T) {
	for option, want := range map[string]string{
		"hand_size=14":  "hand_size: 14 is outside 1 to 13",
		"hand_size=0":   "hand_size: 0 is outside 1 to 13",
		"copies=8":      "copies: 8 is outside 1 to 7",
		"target=-1":     "target: -1 is outside 0 to 1000",
		"copies=0":      "copies: 0 is outside 1 to 7",
		"target=100000": "target: 100000 is outside 0 to 1000",
	} {
		err := rulesOf(t, 4, option).Validate()
		require.ErrorContains(t, err, want)
		_, err = engine.NewGame(rulesOf(t, 4, option), 0)
		require.ErrorContains(t, err, want)
	}
	require.NoError(t, rulesOf(t, 4, "hand_size=13").Validate())
	require.NoError(t, rulesOf(t, 4, "hand_size=15", "copies=5", "target=7").Validate())
	require.ErrorContains(t, rulesOf(t, 2, "hand_size=14").Validate(), "hand_size")
	for _, players := range []int{1, 7} {
		_, err := engine.NewRules(engine.Rulebook, players)
		require.ErrorContains(t, err, "players")
	}
	_, err := engine.NewRules("poker", 4)
	require.ErrorContains(t, err, "rulebook, bga or classic2020")
	_, err = rulesOf(t, 4).With("target", "ten")
	require.ErrorContains(t, err, `target: "ten" is not a whole number`)
	_, err = rulesOf(t, 4).With("permanent_pass", "maybe")
	require.ErrorContains(t, err, "true or false")
	_, err = rulesOf(t, 4).With("colour", "red")
	require.ErrorContains(t, err, `option "colour" is unknown`)
	_, err = engine.NewGame(rulesOf(t, 4), 4)
	require.ErrorContains(t, err, "leader")
}

// TestRulebookExamples plays every example that the rulebook prints.
func TestRulebookExamples(t *testing.T) {
	for _, ex := range []struct {
		name, centre, hand, action string
		outcome                    engine.Outcome
		after                      string
	}{
		{"summer leads a run", "", "2 3 4 15", "lead 2 3 4", engine.Continues, "2 3 4"},
		{"spring overwrites a single", "1", "14 15", "overwrite 14", engine.Continues, "14"},
		{"winter overwrites a run", "14 15", "2 3 15", "overwrite 2 3", engine.Continues, "2 3"},
		{"sonny adds a set", "7", "7 7 15", "add 7 7", engine.Continues, "7 7 7"},
		{"spring adds around", "2", "1 3 4 15", "add 1 3 4", engine.Continues, "1 2 3 4"},
		{"winter completes the set", "1 1 1", "1 15", "add 1", engine.ClearedSet, ""},
		{"spring plays an eight", "13 14", "8 9 15", "overwrite 8 9", engine.ClearedEight, ""},
		{"spring leads eights", "", "8 8 15", "lead 8 8", engine.Continues, "8 8"},
		{"winter adds an eight", "8 8", "8 15", "add 8", engine.ClearedEight, ""},
	} {
		t.Run(ex.name, func(t *testing.T) {
			state := engine.Position(rulesOf(t, 4), cards(t, ranksIn(t, ex.hand)...), cards(t, ranksIn(t, ex.centre)...))
			outcome, err := state.Apply(act(t, ex.action))
			require.NoError(t, err)
			require.Equal(t, ex.outcome, outcome)
			require.Equal(t, cards(t, ranksIn(t, ex.after)...), state.Meld())
		})
	}
	require.Equal(t, 4, cards(t, 11, 11).Points())
}
