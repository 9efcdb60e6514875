package main

import (
	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/bots"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

func botCommand() *cli.Command {
	return &cli.Command{
		Name:  "bot",
		Usage: "make, check, submit and list bots",
		Subcommands: []*cli.Command{
			newBotCommand(),
			botCheckCommand(),
			botSubmitCommand(),
			botListCommand(),
			botShowCommand(),
			botVersionsCommand(),
			botLogsCommand(),
			botActivateCommand(),
			botRetireCommand(),
			botDownloadCommand(),
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
