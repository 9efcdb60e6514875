package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/check"
	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func botLogsCommand() *cli.Command {
	return &cli.Command{
		Name: "logs", Usage: "show what the last check of a submitted bot has found, and what the bot wrote to stderr", ArgsUsage: "BOT[@VERSION]",
		Flags: join(whereFlags(), []cli.Flag{jsonFlag()}), Action: onVersion(showLog),
	}
}

func showLog(c *cli.Context, all *catalog.Catalog, bot catalog.Bot, v catalog.Version) error {
	report, err := all.Log(c.Context, bot.Name, v.Version)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, checkReport{show.Schema, report})
	}
	for _, step := range report.Steps {
		if step.State != check.OK || step.Name == "games" || step.Name == "timing" {
			show.Step(c.App.Writer, step)
		}
	}
	if report.Stderr == "" {
		fmt.Fprintln(c.App.Writer, "It wrote nothing to stderr.")
		return nil
	}
	fmt.Fprintf(c.App.Writer, "The last lines that it wrote to stderr:\n%s\n", show.Printable(report.Stderr))
	return nil
}
