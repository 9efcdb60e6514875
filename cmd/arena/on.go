package main

import (
	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// onStore runs a command without arguments about all tournaments. It makes no data folder where there is none.
func onStore(do func(c *cli.Context, store *league.Store) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		if err := wantArgs(c, 0, 0, "no arguments"); err != nil {
			return err
		}
		store, end, err := openThere(c)
		if err != nil {
			return err
		}
		defer end()
		return do(c, store)
	}
}

// onTournament runs a command about one tournament, which must be there.
func onTournament(
	least, most int, what string, do func(c *cli.Context, store *league.Store, state *league.State) error,
) cli.ActionFunc {
	return func(c *cli.Context) error {
		if err := wantArgs(c, least, most, what); err != nil {
			return err
		}
		store, end, err := openThere(c)
		if err != nil {
			return err
		}
		defer end()
		state, err := store.Load(c.Context, c.Args().First())
		if err != nil {
			return explainUnknown(c.Context, c, store, c.Args().First(), err)
		}
		return do(c, store, state)
	}
}
