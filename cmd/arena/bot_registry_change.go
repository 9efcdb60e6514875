package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func botActivateCommand() *cli.Command {
	return &cli.Command{
		Name: "activate", Usage: "let the name of a bot mean this version, also one that was retired", ArgsUsage: "BOT@VERSION",
		Flags:  join(whereFlags(), []cli.Flag{jsonFlag()}),
		Action: changing("activate", (*catalog.Catalog).Activate),
	}
}

func botRetireCommand() *cli.Command {
	return &cli.Command{
		Name: "retire", Usage: "take a version out of use; what was begun with it is played to its end", ArgsUsage: "BOT@VERSION",
		Flags:  join(whereFlags(), []cli.Flag{jsonFlag()}),
		Action: changing("retire", (*catalog.Catalog).Retire),
	}
}

// changing runs a change that has to name its version.
func changing(verb string, do func(*catalog.Catalog, context.Context, string, string) error) cli.ActionFunc {
	return onSubmitted(func(c *cli.Context, all *catalog.Catalog, bot catalog.Bot, version string) error {
		if version == "" {
			return usagef("which version? as in: arena bot %s %s@%s", verb, bot.Name, bot.Versions[len(bot.Versions)-1].Version)
		}
		if err := do(all, c.Context, bot.Name, version); err != nil {
			return err
		}
		now, err := all.Bot(c.Context, bot.Name)
		if err != nil {
			return err
		}
		if c.Bool("json") {
			return listVersions(c, all, now, "")
		}
		means := fmt.Sprintf("%s means %s@%s", now.Name, now.Name, now.Active)
		if now.Active == "" {
			means = "no version of it is in use any more"
		}
		found, err := now.Find(version)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.App.Writer, "%s@%s is %s; %s.\n", now.Name, version, stateOf(now, found), show.Printable(means))
		return nil
	})
}
