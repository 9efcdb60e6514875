package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func standingsCommand() *cli.Command {
	return &cli.Command{
		Name: "standings", Usage: "print the standings of a tournament", ArgsUsage: "ID",
		Flags:  join(whereFlags(), []cli.Flag{jsonFlag(), noTimesFlag()}),
		Action: onTournament(1, 1, "the name of a tournament", showStandings),
	}
}

func showStandings(c *cli.Context, _ *league.Store, state *league.State) error {
	rows := state.Standings()
	if c.Bool("no-times") {
		rows = standingsWithoutTimes(rows)
	}
	sum := summaryOf(state)
	if c.Bool("json") {
		return show.JSON(c.App.Writer, struct {
			Schema    string            `json:"schema"`
			ID        string            `json:"id"`
			Phase     league.Phase      `json:"phase"`
			Played    int               `json:"played"` // matches
			Standings []league.Standing `json:"standings"`
		}{show.Schema, state.ID, state.Phase, state.Played(), rows})
	}
	fmt.Fprintf(c.App.Writer, "Standings of %s, %s: %s matches played\n", sum.ID, sum.phase(), sum.progress())
	return show.Standings(c.App.Writer, rows)
}
