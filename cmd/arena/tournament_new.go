package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func newCommand() *cli.Command {
	return &cli.Command{
		Name:        "new",
		Usage:       "make a tournament that arena serve will play, without starting it",
		Description: fileDescription,
		ArgsUsage:   "FILE.toml",
		Flags:       join(formatFlags(), settingsFlags(fromFile), rulesFlags(fromFile), whereFlags(), []cli.Flag{jsonFlag()}),
		Action:      newTournament,
	}
}

func newTournament(c *cli.Context) error {
	if err := wantArgs(c, 1, 1, "one file"); err != nil {
		return err
	}
	t, _, err := readTournament(c, c.Args().First())
	if err != nil {
		return err
	}
	store, end, err := openStore(c)
	if err != nil {
		return err
	}
	defer end()
	if err = drawSeed(c.Context, store, &t); err != nil {
		return err
	}
	state, err := store.New(c.Context, t)
	if errors.Is(err, league.ErrExists) {
		return fmt.Errorf("%w, or see it with: arena tournament show %s%s", err, t.ID, where(c))
	}
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, summaryReport{show.Schema, summaryOf(state)})
	}
	printTournamentHead(c, state)
	fmt.Fprintf(c.App.Writer, "It is not started. Start it with: arena tournament start %s%s\n", t.ID, where(c))
	return nil
}
