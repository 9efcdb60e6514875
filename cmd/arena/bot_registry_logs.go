package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/check"
	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func botLogsCommand() *cli.Command {
	return &cli.Command{
		Name: "logs", Usage: "show what the last check of a submitted bot has found, its faults in tournaments, and what it wrote to stderr", ArgsUsage: "BOT[@VERSION]",
		Description: "Of the faults in tournaments the latest come first. What the last submission of that name was refused for is\n" +
			"shown as well, until one is taken in.",
		Flags: join(whereFlags(), []cli.Flag{
			&cli.IntFlag{
				Name: "faults", Value: 10, Usage: "show up to `N` faults in tournaments",
				Action: func(_ *cli.Context, n int) error {
					if n < 0 {
						return usagef("--faults %d: 0 shows none", n)
					}
					return nil
				},
			},
			jsonFlag(),
		}),
		Action: showLog,
	}
}

// botLog is what the command prints.
type botLog struct {
	Schema  string        `json:"schema"`
	Bot     string        `json:"bot"`               // name@version, or the name where no version was taken in
	Check   *check.Report `json:"check,omitempty"`   // of that version
	Refused *check.Report `json:"refused,omitempty"` // of the last submission of the name, unless it was taken in
	Faults  []rankedFault `json:"faults"`
}

func showLog(c *cli.Context) error {
	if err := wantArgs(c, 1, 1, "the name of a submitted bot, as foxy or foxy@1"); err != nil {
		return err
	}
	name, version, _ := strings.Cut(c.Args().First(), "@")
	shown := botLog{Schema: show.Schema, Bot: name, Faults: []rankedFault{}}
	var err error
	if shown.Refused, err = lastRefused(c, name); err != nil {
		return err
	}
	err = onVersion(shown.fill)(c)
	if err != nil && (!errors.Is(err, errNotFound) || shown.Refused == nil || version != "") {
		return err
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, shown)
	}
	printLog(c, shown)
	return nil
}

// fill adds what is known of a version that was taken in.
func (l *botLog) fill(c *cli.Context, all *catalog.Catalog, bot catalog.Bot, v catalog.Version) error {
	l.Bot = bot.Name + "@" + v.Version
	report, err := all.Log(c.Context, bot.Name, v.Version)
	if err != nil {
		return err
	}
	l.Check = &report
	return l.lookIntoTournaments(c)
}

// lookIntoTournaments adds the faults there, which authors may not see from elsewhere: seeds are in the logs.
func (l *botLog) lookIntoTournaments(c *cli.Context) error {
	inner := cli.NewContext(c.App, nil, c)
	ctx, cancel := deniable(c.Context)
	defer cancel(nil)
	inner.Context = ctx
	store, end, err := openThere(inner)
	if err == nil {
		defer end()
		l.Faults, err = rankedFaults(inner, store, l.Bot, c.Int("faults"))
	}
	if denied(ctx) != nil {
		fmt.Fprintln(c.App.ErrWriter, "Faults in tournaments are left out: the token is that of an author, and logs of tournaments have seeds in them.")
		l.Faults = []rankedFault{}
		return nil
	}
	return err
}

// lastRefused is nil where the last submission of a name was taken in, or there was none.
func lastRefused(c *cli.Context, name string) (*check.Report, error) {
	all, end, err := shelfOf(c).open()
	if err != nil || all == nil {
		return nil, err
	}
	defer end()
	return all.Refused(c.Context, name)
}

func printLog(c *cli.Context, shown botLog) {
	out := c.App.Writer
	if shown.Check != nil {
		fmt.Fprintf(out, "The check of %s:\n", shown.Bot)
		printFindings(c, *shown.Check)
	}
	if shown.Refused != nil {
		fmt.Fprintf(out, "The last submission, of version %s, was refused:\n", show.Printable(shown.Refused.Version))
		printFindings(c, *shown.Refused)
	}
	if len(shown.Faults) > 0 {
		fmt.Fprintf(out, "\nFaults in tournaments, the latest first:\n")
	}
	for _, card := range shown.Faults {
		show.Fault(out, card.Fault, fmt.Sprintf("tournament %s, match %d, ", card.Tournament, card.Number))
	}
}

// printFindings prints what is worth a look, and the last lines that the bot wrote to stderr.
func printFindings(c *cli.Context, report check.Report) {
	out := c.App.Writer
	for _, step := range report.Steps {
		if step.State != check.OK || slices.Contains([]string{"games", "timing"}, step.Name) {
			show.Step(out, step)
		}
	}
	if report.Stderr == "" {
		fmt.Fprintln(out, "It wrote nothing to stderr.")
		return
	}
	fmt.Fprintf(out, "The last lines that it wrote to stderr:\n%s\n", show.Printable(report.Stderr))
}
