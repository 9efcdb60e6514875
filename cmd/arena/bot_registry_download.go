package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func botDownloadCommand() *cli.Command {
	return &cli.Command{
		Name: "download", Usage: "write the files of a submitted bot to a folder", ArgsUsage: "BOT[@VERSION]",
		Flags: join(whereFlags(), []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to this `DIR`, which must not be there yet (default: BOT-VERSION)"},
			jsonFlag(),
		}),
		Action: onVersion(downloadBot),
	}
}

func downloadBot(c *cli.Context, all *catalog.Catalog, bot catalog.Bot, v catalog.Version) error {
	dir := c.String("output")
	if dir == "" {
		dir = bot.Name + "-" + v.Version
	}
	err := all.Download(c.Context, v.Digest, dir)
	if errors.Is(err, fs.ErrExist) {
		return usagef("%s is there already; name another folder by --output", dir)
	}
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, struct {
			Schema string `json:"schema"`
			Dir    string `json:"dir"`
			catalog.Version
		}{show.Schema, dir, v})
	}
	fmt.Fprintf(c.App.Writer, "%s@%s is in %s\n", bot.Name, v.Version, dir)
	return nil
}
