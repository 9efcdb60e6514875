package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/compare"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/ratings"
)

// comparisonOf takes all but how it is played from the command line.
func comparisonOf(c *cli.Context) (compare.Comparison, []entrant, error) {
	field, err := fieldOf(c)
	if err != nil {
		return compare.Comparison{}, nil, err
	}
	test, err := testOf(c)
	if err != nil {
		return compare.Comparison{}, nil, err
	}
	players := 2
	if len(field) > 0 {
		players = 1 + len(field)
	}
	if c.IsSet("players") {
		switch n := c.Int("players"); {
		case len(field) > 0 && n != players:
			return compare.Comparison{}, nil, usagef("--players %d: with a field of %s there are %d", n, show.Count(len(field), "bot", "bots"), players)
		default:
			players = n
		}
	}
	if players < 2 || players > 6 {
		return compare.Comparison{}, nil, usagef("--players %d: games have 2 to 6 players", players)
	}
	settings, err := settingsOf(c, players)
	if err != nil {
		return compare.Comparison{}, nil, err
	}
	seed, err := seedOf(c)
	if err != nil {
		return compare.Comparison{}, nil, err
	}
	words := append(c.Args().Slice(), field...)
	for len(field) == 0 && len(words) < players {
		words = append(words, c.Args().Get(1))
	}
	entrants, err := resolve(shelfOf(c), "", words)
	if err != nil {
		return compare.Comparison{}, nil, err
	}
	if fresh, old := entrants[0].Bot, entrants[1].Bot; sameBot(fresh, old) {
		return compare.Comparison{}, nil, usagef("%s is one bot; name two", fresh.Label())
	}
	names := labels(entrants)
	settings.DealSets = 1
	comparison := compare.Comparison{
		New: names[0], Old: names[1], Settings: settings, Seed: seed, Most: c.Int(maxDealSets), Jobs: c.Int("jobs"), Test: test,
	}
	if len(field) > 0 {
		comparison.Field = names[2:]
	} else {
		comparison.Copies = names[1:]
	}
	if err := comparison.Check(); err != nil {
		return comparison, nil, usageError{err}
	}
	return comparison, entrants, nil
}

// The bounds of what can be asked for: beyond them a hypothesis says nothing about bots, and a match has no more deal sets.
const (
	mostElo      = 1000
	mostDealSets = 100_000
)

// testOf checks the flags of the test, and of how long it may take.
func testOf(c *cli.Context) (ratings.Sequential, error) {
	test := ratings.Sequential{Elo0: c.Float64("elo0"), Elo1: c.Float64("elo1"), Alpha: c.Float64("alpha"), Beta: c.Float64("beta")}
	for _, name := range []string{"elo0", "elo1"} {
		if elo := c.Float64(name); !(elo >= -mostElo && elo <= mostElo) {
			return test, usagef("--%s %v: choose a number from %d to %d", name, elo, -mostElo, mostElo)
		}
	}
	if test.Elo0 >= test.Elo1 {
		return test, usagef("--elo0 %v is not below --elo1 %v", test.Elo0, test.Elo1)
	}
	for _, name := range []string{"alpha", "beta"} {
		switch rate := c.Float64(name); {
		case rate == 0:
			return test, usagef("--%s 0: a test that never errs never ends; choose a number above 0 and below 0.5", name)
		case !(rate > 0 && rate < 0.5):
			return test, usagef("--%s %v: choose a number above 0 and below 0.5", name, rate)
		}
	}
	if n := c.Int(maxDealSets); n < 1 || n > mostDealSets {
		return test, usagef("--%s %d: choose a number from 1 to %d", maxDealSets, n, mostDealSets)
	}
	return test, nil
}

// sameBot tells whether there is but one program. Folders that call themselves the same are two.
func sameBot(a, b registry.Bot) bool {
	return a.Label() == b.Label() && a.Dir == b.Dir && a.Package == b.Package && slices.Equal(a.Args, b.Args)
}

// fieldOf takes apart what is separated by commas, which a command line keeps.
func fieldOf(c *cli.Context) (words []string, err error) {
	for _, value := range c.StringSlice("field") {
		if strings.HasPrefix(value, commandPrefix) {
			words = append(words, value)
			continue
		}
		for word := range strings.SplitSeq(value, ",") {
			if word = strings.TrimSpace(word); word == "" {
				return nil, usagef("--field %q: a bot has no name; write for example --field greedy,heuristic", value)
			}
			words = append(words, word)
		}
	}
	return words, nil
}
