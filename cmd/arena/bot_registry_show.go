package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func botShowCommand() *cli.Command {
	return &cli.Command{
		Name: "show", Usage: "show a version of a submitted bot", ArgsUsage: "BOT[@VERSION]",
		Flags: join(whereFlags(), []cli.Flag{jsonFlag()}), Action: onVersion(showBot),
	}
}

type shownBot struct {
	Schema string `json:"schema"`
	Name   string `json:"name"`
	Active bool   `json:"active"`
	catalog.Version
}

func showBot(c *cli.Context, _ *catalog.Catalog, bot catalog.Bot, v catalog.Version) error {
	if c.Bool("json") {
		return show.JSON(c.App.Writer, shownBot{show.Schema, bot.Name, bot.Active == v.Version, v})
	}
	out := c.App.Writer
	fmt.Fprintf(out, "%s@%s, %s\n", bot.Name, v.Version, stateOf(bot, v))
	for _, line := range [][2]string{
		{"language", v.Language},
		{"author", v.Author},
		{"submitted", v.Submitted.Format(time.RFC3339)},
		{"sha256", v.Digest},
		{"files", fmt.Sprintf("%d, %d bytes (%d packed)", v.Files, v.Bytes, v.Packed)},
		{"versions", fmt.Sprint(len(bot.Versions))},
	} {
		if line[1] != "" {
			fmt.Fprintf(out, "  %-10s %s\n", line[0], show.Printable(line[1]))
		}
	}
	return nil
}

func stateOf(bot catalog.Bot, v catalog.Version) string {
	switch {
	case v.Retired:
		return "retired"
	case v.Version == bot.Active:
		return "active"
	default:
		return "in use"
	}
}

func botVersionsCommand() *cli.Command {
	return &cli.Command{
		Name: "versions", Usage: "list the versions of a submitted bot, the latest last", ArgsUsage: "BOT",
		Flags: join(whereFlags(), []cli.Flag{jsonFlag()}), Action: onSubmitted(listVersions),
	}
}

func listVersions(c *cli.Context, _ *catalog.Catalog, bot catalog.Bot, _ string) error {
	if c.Bool("json") {
		return show.JSON(c.App.Writer, struct {
			Schema string `json:"schema"`
			catalog.Bot
		}{show.Schema, bot})
	}
	var rows [][]string
	for _, v := range bot.Versions {
		rows = append(rows, []string{v.Version, stateOf(bot, v), show.Printable(v.Language), v.Submitted.Format(time.RFC3339), v.Digest[:12]})
	}
	return show.Table(c.App.Writer, []string{"<VERSION", "<STATE", "<LANGUAGE", "<SUBMITTED", "<SHA256"}, rows)
}

func explainNoBot(c *cli.Context, all *catalog.Catalog, name string, err error) error {
	if !errors.Is(err, catalog.ErrUnknown) {
		return err
	}
	known, listing := all.Bots(c.Context)
	if listing != nil {
		return errors.Join(err, listing)
	}
	var names []string
	for _, bot := range known {
		names = append(names, bot.Name)
	}
	text := fmt.Sprintf("no bot %q was submitted %s", name, whereWords(c))
	switch near := registry.Nearest(name, names); {
	case strings.ContainsAny(name, `/\`):
		text += "; give the name of a bot, not its folder"
	case near != "":
		text += fmt.Sprintf("; did you mean %s?", near)
	case len(names) > 0:
		text += "; see arena bot list" + where(c)
	default:
		text += "; submit one with: arena bot submit DIR" + where(c)
	}
	return notFoundError(text)
}
