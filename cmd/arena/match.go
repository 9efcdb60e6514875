package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/schedule"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/engine"
)

func matchCommand() *cli.Command {
	return &cli.Command{
		Name:      "match",
		Usage:     "play one match between 2 to 6 bots and print the result",
		ArgsUsage: "BOT BOT [BOT...]",
		Flags: join(settingsFlags(""), rulesFlags(""), playFlags(), natsFlags("use the NATS server at this `URL` instead of the embedded one"), []cli.Flag{
			dataFlag(), jsonFlag(), noTimesFlag(),
		}),
		Action: func(c *cli.Context) error {
			if err := wantArgs(c, 2, 6, "2 to 6 bots"); err != nil {
				return err
			}
			return playMatch(c)
		},
	}
}

// matchReport is what the command prints.
type matchReport struct {
	Schema    string            `json:"schema"`
	Settings  arena.Settings    `json:"settings"`
	Standings []league.Standing `json:"standings"`
	Result    arena.Result      `json:"result"`
	Replays   string            `json:"replays,omitempty"` // folder
}

func playMatch(c *cli.Context) error {
	settings, err := settingsOf(c, c.NArg())
	if err != nil {
		return err
	}
	seed, err := seedOf(c)
	if err != nil {
		return err
	}
	entrants, err := resolve(shelfOf(c), "", c.Args().Slice())
	if err != nil {
		return err
	}
	if err = checkFit(entrants, settings, len(entrants)); err != nil {
		return err
	}
	match := arena.Match{Settings: settings, ID: "m-" + seed.Commitment()[:8], Bots: labels(entrants), Seed: seed}
	report := matchReport{Schema: show.Schema, Settings: settings, Replays: replayDir(c, match.ID)}
	if report.Result, err = refereeMatch(c, match, entrants, report.Replays); err != nil {
		return err
	}
	report.Standings = league.StandingsOf(match.Bots, report.Result)
	if c.Bool("no-times") {
		report = report.withoutTimes()
	}
	if err := printMatch(c, report); err != nil {
		return err
	}
	return strict(c, report.Result.Faults)
}

// refereeMatch starts the bots and plays. An interrupt gives the match up: it is one unit.
func refereeMatch(c *cli.Context, match arena.Match, entrants []entrant, replays string) (_ arena.Result, err error) {
	s, err := openSession(c, c.String(natsName), match.Settings, entrants)
	if err != nil {
		return arena.Result{}, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ctx, stop, release := onInterrupt(c.Context, c.App.ErrWriter, "Interrupted: the match is given up, its bots are ended.")
	defer release()
	ctx, cancel := cancelWhen(ctx, stop)
	defer cancel()
	if err = s.prepare(ctx); err != nil {
		return arena.Result{}, interrupted(ctx, err)
	}
	games := match.DealSets * len(schedule.SeatOrders(len(match.Bots)))
	if !c.Bool("json") {
		printMatchHead(c, match, games)
	}
	bar := progressOf(c, games)
	result, err := s.referee(replays, c.Int("jobs"), bar.Played).Play(ctx, match)
	bar.End()
	return result, interrupted(ctx, err)
}

func progressOf(c *cli.Context, games int) *show.Progress {
	if c.Bool("quiet") {
		return show.NewProgress(nil, games, "games")
	}
	return show.NewProgress(c.App.ErrWriter, games, "games")
}

// seedOf draws a seed unless one is given.
func seedOf(c *cli.Context) (seed engine.Seed, err error) {
	if !c.IsSet("seed") {
		return randomSeed(), nil
	}
	if seed, err = league.ParseSeed(c.String("seed")); err != nil {
		return seed, usagef("--%w", err)
	}
	return seed, nil
}

func randomSeed() (seed engine.Seed) {
	_, _ = rand.Read(seed[:]) // it never fails
	return seed
}

func printMatchHead(c *cli.Context, match arena.Match, games int) {
	out := c.App.Writer
	fmt.Fprintf(out, "%s, %d seats, %d games (%s under %d seat orders), %v a move\n", match.Rules.Preset, len(match.Bots),
		games, show.Count(match.DealSets, "deal set", "deal sets"), games/match.DealSets, time.Duration(match.Clock.MoveMS)*time.Millisecond)
	fmt.Fprintf(out, "SHA-256 of the seed: %s\n\n", match.Seed.Commitment())
}

func printMatch(c *cli.Context, report matchReport) error {
	out := c.App.Writer
	if c.Bool("json") {
		return show.JSON(out, report)
	}
	if err := show.Standings(out, report.Standings); err != nil {
		return err
	}
	show.Faults(out, report.Result.Faults)
	fmt.Fprintf(out, "\nSeed: %s\n", report.Result.Seed)
	show.Replays(out, report.Replays, report.Result.Match)
	return nil
}

func (r matchReport) withoutTimes() matchReport {
	r.Result = r.Result.WithoutTimes()
	r.Standings = standingsWithoutTimes(r.Standings)
	return r
}

func standingsWithoutTimes(rows []league.Standing) []league.Standing {
	out := make([]league.Standing, len(rows))
	for i, row := range rows {
		row.Think = nil
		out[i] = row
	}
	return out
}

func strict(c *cli.Context, faults []arena.Fault) error {
	if c.Bool("strict") && len(faults) > 0 {
		return errFaults
	}
	return nil
}
