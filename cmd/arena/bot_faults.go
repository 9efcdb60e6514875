package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

// rankedFault is the card of a fault in a tournament.
type rankedFault struct {
	Tournament string `json:"tournament"`
	Number     int    `json:"match"` // in the tournament
	arena.Fault
}

// faultyMatch is one in which a bot was at fault.
type faultyMatch struct {
	tournament string
	number     int
	seq        uint64 // of its result: a later result has a higher one
}

// rankedFaults are the latest cards of a bot, the latest first, and at most so many. What is damaged is left out, and told on
// stderr.
func rankedFaults(c *cli.Context, store *league.Store, bot string, most int) ([]rankedFault, error) {
	leftOut := func(err error) { fmt.Fprintf(c.App.ErrWriter, "left out: %s\n", show.Printable(err.Error())) }
	ids, err := store.ByCreation(c.Context)
	if err != nil {
		return nil, err
	}
	var matches []faultyMatch
	for _, id := range slices.Backward(ids) {
		found, err := faultyMatches(c.Context, store, id, bot)
		if errors.Is(err, league.ErrDamaged) {
			leftOut(err)
		} else if err != nil {
			return nil, err
		}
		matches = append(matches, found...)
	}
	slices.SortStableFunc(matches, func(a, b faultyMatch) int { return cmp.Compare(b.seq, a.seq) })
	cards := []rankedFault{}
	for _, m := range matches {
		if len(cards) >= most {
			break
		}
		result, err := store.Result(c.Context, m.tournament, m.number)
		if c.Err() != nil {
			return nil, err
		}
		if err != nil {
			leftOut(err)
		}
		for _, card := range slices.Backward(result.Faults) {
			if kind(card.Bot) == bot && len(cards) < most {
				cards = append(cards, rankedFault{m.tournament, m.number, card})
			}
		}
	}
	return cards, nil
}

// faultyMatches are those of one tournament.
func faultyMatches(ctx context.Context, store *league.Store, id, bot string) (found []faultyMatch, err error) {
	var state league.State
	_, err = store.Events(ctx, id, func(e league.Event) error {
		if wrong := state.Apply(e); wrong != nil || e.Played == nil {
			return wrong
		}
		for i, label := range state.Table(e.Played.Match).Bots {
			if faults := e.Played.Bots[i][0]; faults > 0 && kind(label) == bot {
				found = append(found, faultyMatch{id, e.Played.Match, e.Played.Seq})
				break
			}
		}
		return nil
	})
	return found, err
}
