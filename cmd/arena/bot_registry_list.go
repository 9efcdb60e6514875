package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
	"github.com/fivethreefive/fivethreefive/bots"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func botListCommand() *cli.Command {
	return &cli.Command{
		Name:   "list",
		Usage:  "list the built-in bots, the weakest first, and those that were submitted",
		Flags:  join(whereFlags(), []cli.Flag{jsonFlag()}),
		Action: listBots,
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
		Schema    string        `json:"schema"`
		Bots      []listedBot   `json:"bots"` // of this program
		Submitted []catalog.Bot `json:"submitted"`
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
	if c.Bool("json") {
		return show.JSON(c.App.Writer, listed)
	}
	for _, b := range listed.Bots {
		fmt.Fprintf(c.App.Writer, "%s@%s\n", b.Name, b.Version)
	}
	if len(listed.Submitted) == 0 {
		return nil
	}
	fmt.Fprintln(c.App.Writer)
	var rows [][]string
	for _, b := range listed.Submitted {
		latest := b.Versions[len(b.Versions)-1]
		active := b.Active
		if active == "" {
			active = "- (retired)"
		}
		rows = append(rows, []string{b.Name, active, fmt.Sprint(len(b.Versions)), show.Printable(latest.Language), show.Printable(latest.Author)})
	}
	return show.Table(c.App.Writer, []string{"<SUBMITTED", "<ACTIVE", "VERSIONS", "<LANGUAGE", "<AUTHOR"}, rows)
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
