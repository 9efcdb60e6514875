package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

func removeCommand() *cli.Command {
	return &cli.Command{
		Name: "remove", Usage: "delete a tournament that is over, with its results; export it first if you want to keep it", ArgsUsage: "ID",
		Flags: whereFlags(),
		Action: onTournament(1, 1, "the name of a tournament", func(c *cli.Context, store *league.Store, state *league.State) error {
			if err := store.Remove(c.Context, state.ID); err != nil {
				return err
			}
			fmt.Fprintf(c.App.Writer, "%s is removed. Its replays, if there are any, are files in the data folder.\n", state.ID)
			return nil
		}),
	}
}
