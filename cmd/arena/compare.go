package main

import (
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/compare"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/ratings"
)

func compareCommand() *cli.Command {
	return &cli.Command{
		Name: "compare", Aliases: []string{"sprt"},
		Usage:     "find out whether a bot is better than another, and play no more than it takes",
		ArgsUsage: "NEW OLD",
		Description: "NEW plays against OLD with the same cards in each seat, at larger tables against copies of it,\n" +
			"or both in turn against a field. A sequential test stops as soon as it is known whether NEW is\n" +
			"stronger by --elo1 or only by --elo0. These are normalised Elo: the mean score beyond 1/2 in\n" +
			"standard deviations of a game, times 347. The sentence at the end is in common Elo.\n\n" +
			"To see that nothing has got worse, take --elo0 -5 --elo1 0.\n\n" +
			"Exit codes: 0 accepted, 6 rejected, 8 undecided after --max-deal-sets, 130 interrupted.",
		Flags: join([]cli.Flag{
			&cli.IntFlag{Name: "players", Usage: "play at tables of `N` (default: 2, or as many as --field needs)"},
			&cli.StringSliceFlag{Name: "field", Usage: "compare how both do against these `BOTS`, separated by commas; may be repeated"},
			&cli.Float64Flag{Name: "elo0", Usage: "NEW is rejected when it is known to be stronger by no more than that"},
			&cli.Float64Flag{Name: "elo1", Value: 5, Usage: "NEW is accepted when it is known to be stronger by at least that"},
			&cli.Float64Flag{Name: "alpha", Value: 0.05, Usage: "how often a bot that is stronger by --elo0 may be accepted"},
			&cli.Float64Flag{Name: "beta", Value: 0.05, Usage: "how often one that is stronger by --elo1 may be rejected"},
			&cli.IntFlag{Name: maxDealSets, Aliases: []string{"deals"}, Value: 10_000, Usage: "stop after `N` deal sets"},
			&cli.StringFlag{Name: "replays", Usage: "write the replays to this `DIR` (default: none are kept)"},
		}, without(settingsFlags(""), "deals"), rulesFlags(""), without(playFlags(), "replays", "no-replays"),
			natsFlags("use the NATS server at this `URL` instead of the embedded one"), []cli.Flag{dataFlag(), jsonFlag()}),
		Action: func(c *cli.Context) error {
			if err := wantArgs(c, 2, 2, "two bots, NEW and OLD"); err != nil {
				return err
			}
			return compareBots(c)
		},
	}
}

const maxDealSets = "max-deal-sets"

// without leaves out flags by name.
func without(flags []cli.Flag, names ...string) []cli.Flag {
	return slices.DeleteFunc(flags, func(f cli.Flag) bool { return slices.Contains(names, f.Names()[0]) })
}

func compareBots(c *cli.Context) error {
	comparison, entrants, err := comparisonOf(c)
	if err != nil {
		return err
	}
	told := show.Comparison{
		New: c.Args().Get(0), Old: c.Args().Get(1), NewBot: comparison.New, OldBot: comparison.Old, Field: comparison.Field,
		Settings: comparison.Settings, Test: comparison.Test, Seed: comparison.Seed, Most: comparison.Most,
	}
	if !c.Bool("json") {
		show.ComparisonHead(c.App.Writer, told)
	}
	told.Report, err = runComparison(c, comparison, entrants)
	stopped := errors.Is(err, compare.ErrStopped)
	if err != nil && !stopped && told.Report.DealSets == 0 {
		return err
	}
	told.Stopped = err != nil
	if c.Bool("json") {
		err = errors.Join(err, show.ComparisonJSON(c.App.Writer, told))
	} else {
		show.ComparisonEnd(c.App.Writer, told)
	}
	switch {
	case stopped:
		return errInterrupted
	case err != nil:
		return err
	case told.Report.Decision == ratings.AcceptH0:
		return errRejected
	case told.Report.Decision == ratings.PlayOn:
		return errUndecided
	case c.Bool("strict") && told.Report.New.Faults+told.Report.Old.Faults > 0:
		return errFaults
	default:
		return nil
	}
}

// runComparison starts the bots and plays. An interrupt ends it with what is known so far.
func runComparison(c *cli.Context, comparison compare.Comparison, entrants []entrant) (_ compare.Report, err error) {
	s, err := openSession(c, c.String(natsName), comparison.Settings, entrants)
	if err != nil {
		return compare.Report{}, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ctx, stop, release := onInterrupt(c.Context, c.App.ErrWriter,
		"Interrupted: the deal sets in play are finished and count; again to give them up.")
	defer release()
	if err = s.prepare(ctx); err != nil {
		return compare.Report{}, interrupted(ctx, err)
	}
	referee := s.referee(c.String("replays"), 1, nil)
	comparison.Play = referee.Play
	progress := show.NewComparing(nil, comparison.Most)
	if !c.Bool("quiet") {
		progress = show.NewComparing(c.App.ErrWriter, comparison.Most)
	}
	comparison.Seen = progress.Seen
	report, err := comparison.Run(ctx, stop)
	progress.End()
	return report, err
}
