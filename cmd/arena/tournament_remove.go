package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

func removeCommand() *cli.Command {
	return &cli.Command{
		Name: "remove", Usage: "delete a tournament that is over, with its results; export it first if you want to keep it", ArgsUsage: "ID",
		Flags:  whereFlags(),
		Action: removeTournament,
	}
}

func removeTournament(c *cli.Context) error {
	if err := wantArgs(c, 1, 1, "the name of a tournament"); err != nil {
		return err
	}
	store, end, err := openThere(c)
	if err != nil {
		return err
	}
	defer end()
	id := c.Args().First()
	switch err := store.Remove(c.Context, id); {
	case errors.Is(err, league.ErrForgotten):
		fmt.Fprintf(c.App.Writer, "%s: %v.\n", id, err)
	case err != nil:
		return explainUnknown(c.Context, c, store, id, err)
	default:
		fmt.Fprintf(c.App.Writer, "%s is removed. Its replays, if there are any, are files in the data folder.\n", id)
	}
	return nil
}
