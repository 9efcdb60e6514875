package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/feed"
	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func replayFeedCommand() *cli.Command {
	return &cli.Command{
		Name:      "feed",
		Usage:     "give a recorded game to a bot, and print where it decides otherwise",
		ArgsUsage: "FILE BOT",
		Description: "The bot is sent what the seat was sent, under the recorded clock, and the game goes on as recorded whatever it\n" +
			"answers. Exit codes: 0 no difference, 3 the bot was at fault, 6 it decides otherwise.",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "seat", Value: -1, DefaultText: "none", Usage: "the seat `N` that the bot takes, from 0"},
			&cli.BoolFlag{Name: "all", Usage: "print every decision, also where it is the same"},
			&cli.IntFlag{Name: "from", Usage: "print nothing before step `N`; the bot is sent the whole game"},
			&cli.BoolFlag{Name: "stderr", Usage: "print what the bot wrote to stderr at each step that is printed"},
			&cli.StringSliceFlag{Name: allowRead, Usage: "let the bot read this `PATH` of the host if its bot.toml asks for it; may be repeated"},
			&cli.BoolFlag{Name: unsafeFlag, Usage: "run the bot with all your rights; only for bots that you trust"},
			dataFlag(), jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := wantArgs(c, 2, 2, "a replay and a bot"); err != nil {
				return err
			}
			return feedReplay(c, c.Args().Get(0), c.Args().Get(1))
		},
	}
}

// errDiffers ends a feed with differences.
var errDiffers = errors.New("the bot decides otherwise")

// feedReport is what the command prints as JSON.
type feedReport struct {
	Schema   string `json:"schema"`
	Game     string `json:"game"`
	Seat     int    `json:"seat"`
	Recorded string `json:"recorded"` // the bot that played
	Bot      string `json:"bot"`      // the bot that was fed
	feed.Report
	Steps []feed.Decision `json:"steps"` // those that differ, or all
}

func feedReplay(c *cli.Context, path, word string) error {
	game, err := readSteps(path)
	if err != nil {
		return err
	}
	players := game.Header.Rules.Players
	if seat := c.Int("seat"); seat < 0 || seat >= players {
		return usagef("--seat: choose one of 0 to %d: %s", players-1, strings.Join(seatNames(game.Header.Bots), ", "))
	}
	if from := c.Int("from"); from < 0 || from >= len(game.Steps) {
		return usagef("--from %d: the game has steps 0 to %d", from, len(game.Steps)-1)
	}
	entrants, err := resolve(shelfOf(c), "", []string{word})
	if err != nil {
		return err
	}
	report := feedReport{
		Schema: show.Schema, Game: game.Header.Game, Seat: c.Int("seat"), Recorded: game.Header.Bots[c.Int("seat")],
		Bot: entrants[0].label, Steps: []feed.Decision{},
	}
	teller := show.NewFeed(c.App.Writer, game, c.Bool("stderr"))
	if !c.Bool("json") {
		fmt.Fprintf(c.App.Writer, "Game %s: seat %d was %s, now %s is asked\n", report.Game, report.Seat, show.Printable(report.Recorded), report.Bot)
	}
	see := func(d feed.Decision) {
		switch {
		case d.Step < c.Int("from") || d.Same && !c.Bool("all"):
		case c.Bool("json"):
			report.Steps = append(report.Steps, d)
		default:
			teller.Decision(d)
		}
	}
	if report.Report, err = runFeed(c, game, entrants[0], see); err != nil {
		return err
	}
	if err := printFeed(c, report); err != nil {
		return err
	}
	switch {
	case report.Faults > 0:
		return errFaults
	case report.Differences > 0:
		return errDiffers
	default:
		return nil
	}
}

func seatNames(bots []string) []string {
	names := make([]string, len(bots))
	for seat, bot := range bots {
		names[seat] = fmt.Sprintf("%d %s", seat, show.Printable(bot))
	}
	return names
}

// readSteps reads a replay, which must be right in every line.
func readSteps(path string) (*steps.Game, error) {
	file, err := openReplay(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	game, err := steps.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return game, nil
}

// runFeed has the bot play under the settings of the recorded game.
func runFeed(c *cli.Context, game *steps.Game, bot entrant, see func(feed.Decision)) (_ feed.Report, err error) {
	settings := arena.DefaultSettings(game.Header.Rules)
	if game.Header.Limits.MemoryMB > 0 {
		settings.Limits = game.Header.Limits
	}
	s, err := openSession(c, "", settings, []entrant{bot})
	if err != nil {
		return feed.Report{}, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ctx, stop, release := onInterrupt(c.Context, c.App.ErrWriter, "Interrupted: the bot is ended.")
	defer release()
	ctx, cancel := cancelWhen(ctx, stop)
	defer cancel()
	if err = s.buildAll(ctx); err != nil {
		return feed.Report{}, interrupted(ctx, err)
	}
	report, err := feed.Feed{Game: game, Seat: c.Int("seat"), Bot: s.seats, Label: bot.label, Version: version, See: see}.Run(ctx)
	return report, interrupted(ctx, err)
}

func printFeed(c *cli.Context, report feedReport) error {
	out := c.App.Writer
	if c.Bool("json") {
		return show.JSON(out, report)
	}
	if report.Start != nil {
		fmt.Fprintf(out, "\n%s does not start: %s%s\n", report.Bot, show.Printable(report.Start.Detail), show.Evidence(report.Start.Line, report.Start.Stderr))
	}
	fmt.Fprintf(out, "\n%s, %s, %s\n", show.Count(report.Decisions, "decision", "decisions"),
		show.Count(report.Differences, "difference", "differences"), show.Count(report.Faults, "fault", "faults"))
	switch {
	case report.Decisions == 0 && report.Unasked == 0:
		fmt.Fprintln(out, "In this game the seat was never asked: the arena played for it.")
	case report.Unasked > 0:
		fmt.Fprintf(out, "%s not asked, since the bot had ended.\n", show.Count(report.Unasked, "turn was", "turns were"))
	}
	return nil
}
