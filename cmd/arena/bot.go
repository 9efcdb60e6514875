package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/bots"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

func botCommand() *cli.Command {
	return &cli.Command{
		Name:  "bot",
		Usage: "check bots, and list the built-in ones",
		Subcommands: []*cli.Command{
			botCheckCommand(),
			{
				Name:   "list",
				Usage:  "list the built-in bots, the weakest first",
				Flags:  []cli.Flag{jsonFlag()},
				Action: listBots,
			},
			{
				Name:      "exec",
				Usage:     "play as a built-in bot on stdin and stdout",
				ArgsUsage: "NAME",
				Flags:     []cli.Flag{jsonFlag()},
				Action: func(c *cli.Context) error {
					if err := wantArgs(c, 1, 1, "the name of a bot"); err != nil {
						return err
					}
					player, info, err := bots.New(c.Args().First())
					if err != nil {
						return usageError{err}
					}
					return bot.Serve(c.App.Reader, c.App.Writer, c.App.ErrWriter, info, player)
				},
			},
		},
	}
}

type listedBot struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func listBots(c *cli.Context) error {
	if err := wantArgs(c, 0, 0, "no arguments"); err != nil {
		return err
	}
	listed := struct {
		Schema string      `json:"schema"`
		Bots   []listedBot `json:"bots"`
	}{Schema: show.Schema}
	for _, name := range bots.Names() {
		_, info, err := bots.New(name)
		if err != nil {
			return err
		}
		listed.Bots = append(listed.Bots, listedBot{Name: info.Name, Version: info.Version})
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, listed)
	}
	for _, b := range listed.Bots {
		fmt.Fprintf(c.App.Writer, "%s@%s\n", b.Name, b.Version)
	}
	return nil
}
