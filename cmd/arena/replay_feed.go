package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/feed"
	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
	"github.com/fivethreefive/fivethreefive/engine"
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
	entrants, err := resolve("", []string{word})
	if err != nil {
		return err
	}
	report := feedReport{
		Schema: schema, Game: game.Header.Game, Seat: c.Int("seat"), Recorded: game.Header.Bots[c.Int("seat")],
		Bot: entrants[0].label, Steps: []feed.Decision{},
	}
	teller := feedTeller{out: c.App.Writer, names: game.Header.Bots, stderr: c.Bool("stderr"), game: game}
	if !c.Bool("json") {
		fmt.Fprintf(c.App.Writer, "Game %s: seat %d was %s, now %s is asked\n", report.Game, report.Seat, printable(report.Recorded), report.Bot)
	}
	see := func(d feed.Decision) {
		switch {
		case d.Step < c.Int("from") || d.Same && !c.Bool("all"):
		case c.Bool("json"):
			report.Steps = append(report.Steps, d)
		default:
			teller.decision(d)
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
		names[seat] = fmt.Sprintf("%d %s", seat, printable(bot))
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
	if err = s.build(ctx, bot); err != nil {
		return feed.Report{}, interrupted(ctx, err)
	}
	report, err := feed.Feed{Game: game, Seat: c.Int("seat"), Bot: s.seats, Label: bot.label, Version: version, See: see}.Run(ctx)
	return report, interrupted(ctx, err)
}

func printFeed(c *cli.Context, report feedReport) error {
	out := c.App.Writer
	if c.Bool("json") {
		return printJSON(out, report)
	}
	if report.Start != nil {
		printFaults(out, []arena.Fault{*report.Start})
	}
	fmt.Fprintf(out, "\n%s, %s, %s\n", count(report.Decisions, "decision", "decisions"),
		count(report.Differences, "difference", "differences"), count(report.Faults, "fault", "faults"))
	switch {
	case report.Decisions == 0 && report.Unasked == 0:
		fmt.Fprintln(out, "In this game the seat was never asked: the arena played for it.")
	case report.Unasked > 0:
		fmt.Fprintf(out, "%s not asked, since the bot had ended.\n", count(report.Unasked, "turn was", "turns were"))
	}
	return nil
}

// feedTeller prints decisions for a person.
type feedTeller struct {
	out    io.Writer
	names  []string // by seat
	stderr bool
	game   *steps.Game
}

func (f feedTeller) decision(d feed.Decision) {
	step := f.game.Steps[d.Step]
	fmt.Fprintf(f.out, "\nStep %d: %s, trick %d, turn %d\n", d.Step, roundWords(step.Round, step.Half), step.Trick, d.Turn)
	fmt.Fprintf(f.out, "  hand      %s\n", table.Ranks(d.Hand))
	if d.Meld == 0 {
		fmt.Fprintf(f.out, "  meld      none, a lead is due\n")
	} else {
		fmt.Fprintf(f.out, "  meld      %s, a %s by %s\n", table.Ranks(d.Meld), table.Meld(d.Meld), f.name(d.MeldSeat))
	}
	fmt.Fprintf(f.out, "  others    %s\n", f.others(d.Observation))
	fmt.Fprintf(f.out, "  recorded  %s\n", answerWords(d.Recorded, d.LimitMS))
	fmt.Fprintf(f.out, "  now       %s\n", answerWords(d.Given, d.LimitMS))
	if d.Card != nil {
		fmt.Fprintf(f.out, "  %s%s\n", printable(d.Card.Detail), evidence(d.Card.Line, ""))
	}
	if text := strings.TrimRight(d.Stderr, "\n"); f.stderr && text != "" {
		fmt.Fprintf(f.out, "  stderr    %s\n", strings.ReplaceAll(printable(text), "\n", "\n            "))
	} else if d.Card != nil && d.Card.Stderr != "" {
		fmt.Fprintf(f.out, "%s\n", strings.TrimPrefix(evidence("", d.Card.Stderr), "\n"))
	}
}

func (f feedTeller) name(seat int) string {
	return fmt.Sprintf("%d %s", seat, printable(f.names[seat]))
}

func (f feedTeller) others(o engine.Observation) string {
	var words []string
	for seat, n := range o.Counts {
		if seat == o.Seat {
			continue
		}
		word := fmt.Sprintf("%s has %s", f.name(seat), count(n, "card", "cards"))
		for _, passed := range o.Passed {
			if passed == seat {
				word += " and has passed"
			}
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

func roundWords(round, half int) string {
	if half > 0 {
		return fmt.Sprintf("round %d, half %d", round, half)
	}
	return fmt.Sprintf("round %d", round)
}

func answerWords(a feed.Answer, limit float64) string {
	words := "none"
	if a.Action != 0 {
		words = a.Action.String()
	}
	if a.Fault != "" {
		words = fmt.Sprintf("%s: %s", a.Fault, words)
	}
	words = fmt.Sprintf("%-24s %.1f ms of %.0f", words, a.MS, limit)
	if a.Note != "" {
		words += fmt.Sprintf("  %q", a.Note)
	}
	return words
}

// openReplay opens the file of a replay.
func openReplay(path string) (*os.File, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w; give the file of a replay", path, errNotFound)
	}
	if err != nil {
		return nil, err
	}
	if info, statErr := file.Stat(); statErr == nil && info.IsDir() {
		return nil, errors.Join(usagef("%s is a folder; name one of the replays in it", path), file.Close())
	}
	return file, nil
}
