package main

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
	"github.com/fivethreefive/fivethreefive/bots"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func botListCommand() *cli.Command {
	return &cli.Command{
		Name:   "list",
		Usage:  "list the built-in bots, the weakest first, those that were submitted, and those in folders here",
		Flags:  join(whereFlags(), []cli.Flag{jsonFlag()}),
		Action: listBots,
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
		Schema    string        `json:"schema"`
		Bots      []listedBot   `json:"bots"` // of this program
		Submitted []catalog.Bot `json:"submitted"`
		Folders   []listedBot   `json:"folders"` // below the current one
	}{Schema: show.Schema}
	for _, name := range bots.Names() {
		_, info, err := bots.New(name)
		if err != nil {
			return err
		}
		listed.Bots = append(listed.Bots, listedBot{Name: info.Name, Version: info.Version})
	}
	var err error
	if listed.Submitted, err = submittedBots(c); err != nil {
		return err
	}
	if listed.Folders, err = botsHere(c); err != nil {
		return err
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, listed)
	}
	for _, b := range listed.Bots {
		fmt.Fprintf(c.App.Writer, "%s@%s\n", b.Name, b.Version)
	}
	if err := printCatalog(c, listed.Submitted); err != nil {
		return err
	}
	return printFolders(c, listed.Folders)
}

func printCatalog(c *cli.Context, submitted []catalog.Bot) error {
	if len(submitted) == 0 {
		return nil
	}
	fmt.Fprintln(c.App.Writer)
	var rows [][]string
	for _, b := range submitted {
		latest := b.Versions[len(b.Versions)-1]
		active := b.Active
		if active == "" {
			active = "- (retired)"
		}
		rows = append(rows, []string{b.Name, active, fmt.Sprint(len(b.Versions)), show.Printable(latest.Language), show.Printable(latest.Author)})
	}
	return show.Table(c.App.Writer, []string{"<SUBMITTED", "<ACTIVE", "VERSIONS", "<LANGUAGE", "<AUTHOR"}, rows)
}

func printFolders(c *cli.Context, folders []listedBot) error {
	if len(folders) == 0 {
		return nil
	}
	fmt.Fprintln(c.App.Writer)
	var rows [][]string
	for _, b := range folders {
		rows = append(rows, []string{b.Folder, b.Name + "@" + b.Version, show.Printable(b.Language)})
	}
	return show.Table(c.App.Writer, []string{"<FOLDER", "<BOT", "<LANGUAGE"}, rows)
}

// botsHere are those in the folders of the current folder. A bot.toml that is wrong is told on stderr.
func botsHere(c *cli.Context) ([]listedBot, error) {
	here := []listedBot{}
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

func submittedBots(c *cli.Context) ([]catalog.Bot, error) {
	all, end, err := shelfOf(c).open()
	if err != nil {
		return nil, err
	}
	defer end()
	if all == nil {
		return []catalog.Bot{}, nil
	}
	return all.Bots(c.Context)
}
