package main

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/bots"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

func botCommand() *cli.Command {
	return &cli.Command{
		Name:  "bot",
		Usage: "the built-in bots, and new ones",
		Subcommands: []*cli.Command{
			newBotCommand(),
			{
				Name:   "list",
				Usage:  "list the built-in bots, the weakest first, and the bots in folders of the current folder",
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
	Name     string `json:"name"`
	Version  string `json:"version"`
	Language string `json:"language,omitempty"`
	Folder   string `json:"folder,omitempty"` // empty for a built-in bot
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
	here, err := botsHere(c)
	if err != nil {
		return err
	}
	listed.Bots = append(listed.Bots, here...)
	if c.Bool("json") {
		return show.JSON(c.App.Writer, listed)
	}
	for _, b := range listed.Bots {
		line := fmt.Sprintf("%s@%s", b.Name, b.Version)
		if b.Folder != "" {
			line = fmt.Sprintf("%-20s %-12s %s", line, b.Language, b.Folder)
		}
		fmt.Fprintln(c.App.Writer, line)
	}
	return nil
}

// botsHere are those in the folders of the current folder. A bot.toml that is wrong is told on stderr.
func botsHere(c *cli.Context) (here []listedBot, err error) {
	paths, err := filepath.Glob(filepath.Join("*", registry.ManifestName))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		m, err := registry.ReadManifest(filepath.Dir(path))
		if err != nil {
			fmt.Fprintf(c.App.ErrWriter, "left out: %s\n", show.Printable(err.Error()))
			continue
		}
		here = append(here, listedBot{Name: m.Name, Version: m.Version, Language: m.Language, Folder: folderWord(filepath.Dir(path))})
	}
	return here, nil
}
