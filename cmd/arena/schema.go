package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/schemas"
)

func schemaCommand() *cli.Command {
	about := map[string]string{
		"bot": "bot.toml", "tournament": "a tournament file", "protocol": "a line of the bot protocol", "replay": "a line of a replay",
	}
	command := &cli.Command{Name: "schema", Usage: "print a JSON Schema, for editors and checkers"}
	for _, name := range schemas.Names() {
		command.Subcommands = append(command.Subcommands, &cli.Command{
			Name: name, Usage: "the schema of " + about[name], Flags: []cli.Flag{jsonFlag()},
			Action: func(c *cli.Context) error {
				if err := wantArgs(c, 0, 0, "no arguments"); err != nil {
					return err
				}
				schema, err := schemas.Of(name)
				if err != nil {
					return err
				}
				fmt.Fprintf(c.App.Writer, "%s\n", schema)
				return nil
			},
		})
	}
	return command
}
