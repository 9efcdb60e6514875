package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
	"github.com/fivethreefive/fivethreefive/bots"
)

// onSubmitted runs a command about one submitted bot, by NAME or NAME@VERSION. It makes no data folder where there is none.
func onSubmitted(do func(c *cli.Context, all *catalog.Catalog, bot catalog.Bot, version string) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		if err := wantArgs(c, 1, 1, "the name of a submitted bot, as foxy or foxy@1"); err != nil {
			return err
		}
		name, version, _ := strings.Cut(c.Args().First(), "@")
		if slices.Contains(bots.Names(), name) {
			return usagef("%s is built into this program, and was not submitted; play it as in: arena match %s random", name, name)
		}
		all, end, err := shelfOf(c).open()
		if err != nil {
			return err
		}
		defer end()
		if all == nil {
			return notFoundError(fmt.Sprintf("there are no submitted bots %s; submit one with: arena bot submit DIR", whereWords(c)))
		}
		bot, err := all.Bot(c.Context, name)
		if err != nil {
			return explainNoBot(c, all, name, err)
		}
		if version != "" {
			if _, err := bot.Find(version); err != nil {
				return err
			}
		}
		return do(c, all, bot, version)
	}
}

// onVersion is onSubmitted for commands that mean one version: without one it is the active one, or the
// latest where all are retired.
func onVersion(do func(c *cli.Context, all *catalog.Catalog, bot catalog.Bot, version catalog.Version) error) cli.ActionFunc {
	return onSubmitted(func(c *cli.Context, all *catalog.Catalog, bot catalog.Bot, name string) error {
		if name == "" && bot.Active == "" {
			name = bot.Versions[len(bot.Versions)-1].Version
		}
		version, err := bot.Find(name)
		if err != nil {
			return err
		}
		return do(c, all, bot, version)
	})
}
