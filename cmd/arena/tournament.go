package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/engine"
)

func tournamentCommand() *cli.Command {
	return &cli.Command{
		Name:  "tournament",
		Usage: "tournaments of many matches",
		Subcommands: []*cli.Command{{
			Name:  "run",
			Usage: "play a tournament, or go on with one, and print its standings",
			Description: "FILE is TOML, as in:\n\n" +
				"   bots = [\"greedy\", \"random\", \"./mybot\"]\n   players = 2\n   deal_sets = 20\n\n" +
				"Flags that are given count instead of what the file says. Running it again goes on\nwhere it stopped.",
			ArgsUsage: "FILE.toml",
			Flags: join([]cli.Flag{
				&cli.BoolFlag{Name: "demo", Usage: "play the built-in and the example bots at 4 and at 2 seats, without a file"},
			}, settingsFlags(fromFile), rulesFlags(fromFile), playFlags(), []cli.Flag{anchorFlag(), dataFlag(), jsonFlag(), noTimesFlag()}),
			Action: runTournaments,
		}},
	}
}

const fromFile = "what the file says"

// tournamentReport is what the command prints.
type tournamentReport struct {
	Schema       string               `json:"schema"`
	Tournaments  []played             `json:"tournaments"`
	Leaderboards []league.Leaderboard `json:"leaderboards"`
}

type played struct {
	ID         string            `json:"id"`
	Format     league.Format     `json:"format"`
	Settings   arena.Settings    `json:"settings"`
	Commitment string            `json:"commitment"` // SHA-256 of the seed
	Seed       engine.Seed       `json:"seed"`
	Standings  []league.Standing `json:"standings"`
	Results    []*arena.Result   `json:"results"`
	Replays    string            `json:"replays,omitempty"` // folder
}

func runTournaments(c *cli.Context) error {
	store := league.NewFiles(filepath.Join(c.String("data"), "tournaments"))
	files := c.Args().Slice()
	if c.Bool("demo") {
		if err := wantArgs(c, 0, 0, "no file with --demo"); err != nil {
			return err
		}
		var err error
		if files, err = writeDemo(c, store); err != nil {
			return err
		}
	} else if err := wantArgs(c, 1, 1, "one file, or --demo"); err != nil {
		return err
	}
	report := tournamentReport{Schema: schema}
	var faults []arena.Fault
	for _, file := range files {
		p, err := runFile(c, store, file)
		if err != nil {
			return err
		}
		report.Tournaments = append(report.Tournaments, p)
		for _, result := range p.Results {
			faults = append(faults, result.Faults...)
		}
	}
	var err error
	if report.Leaderboards, err = leaderboards(c, store); err != nil {
		return err
	}
	if c.Bool("json") {
		err = printJSON(c.App.Writer, report.trimmed(c.Bool("no-times")))
	} else {
		err = printLeaderboards(c, report.Leaderboards)
	}
	if err != nil {
		return err
	}
	return strict(c, faults)
}

// runFile plays one tournament and, without --json, prints it.
func runFile(c *cli.Context, store league.Store, file string) (played, error) {
	spec, err := league.ReadSpec(file)
	if err != nil {
		return played{}, usageError{err}
	}
	t, err := tournamentOf(c, spec)
	if err != nil {
		return played{}, err
	}
	entrants, err := resolve(filepath.Dir(file), spec.Bots)
	if err != nil {
		return played{}, err
	}
	for _, e := range entrants {
		t.Entrants = append(t.Entrants, league.Entrant{Label: e.label, Language: e.Language})
	}
	release, err := store.Acquire(c.Context, t.ID)
	if err != nil {
		return played{}, err
	}
	defer release()
	state, err := openTournament(c.Context, store, t)
	if err != nil {
		return played{}, err
	}
	replays := replayDir(c, state.ID)
	if err = play(c, store, state, entrants, replays, file); err != nil {
		return played{}, err
	}
	if state, err = league.Load(c.Context, store, state.ID); err != nil {
		return played{}, err
	}
	p := played{
		ID: state.ID, Format: state.Format, Settings: state.Settings, Commitment: state.Seed.Commitment(), Seed: state.Seed,
		Standings: league.Standings(state.Labels(), state.Results), Results: state.Results, Replays: replays,
	}
	if c.Bool("json") {
		return p, nil
	}
	return p, printPlayed(c, p)
}

// openTournament draws a seed for a new tournament unless it has one.
func openTournament(ctx context.Context, store league.Store, t league.Tournament) (league.State, error) {
	t.Created = time.Now().UTC().Truncate(time.Millisecond)
	if _, err := t.Matches(); err != nil {
		return league.State{}, usageError{err}
	}
	if t.Seed != (engine.Seed{}) {
		return league.Open(ctx, store, t)
	}
	events, err := store.Events(ctx, t.ID)
	if err != nil {
		return league.State{}, err
	}
	if len(events) == 0 {
		t.Seed = randomSeed()
	}
	return league.Open(ctx, store, t)
}

// play plays what is missing.
func play(c *cli.Context, store league.Store, state league.State, entrants []entrant, replays, file string) (err error) {
	games := state.Games(state.Matches)
	left := games - games/len(state.Matches)*state.Played()
	if !c.Bool("json") {
		printTournamentHead(c, state, games)
	}
	if state.Finished {
		return nil
	}
	s, err := openSession(c, state.Settings, entrants)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ctx, stop, release := onInterrupt(c.Context, c.App.ErrWriter,
		"Stopping: running matches are finished. Ctrl-C again gives them up; they are then played again later.")
	defer release()
	if err = s.prepare(ctx, state.Settings.Limits); err != nil {
		return interrupted(ctx, err)
	}
	bar := progressOf(c, max(1, left))
	runner := league.Runner{Store: store, Referee: s.referee(replays, 1, bar.played), Jobs: c.Int("jobs")}
	err = runner.Run(ctx, stop, state)
	bar.end()
	if err != nil && (ctx.Err() != nil || errors.Is(err, league.ErrStopped)) {
		return stoppedError(c, store, state.ID, file)
	}
	return err
}

// stoppedError says what is kept and how to go on.
func stoppedError(c *cli.Context, store league.Store, id, file string) error {
	state, err := league.Load(context.WithoutCancel(c.Context), store, id)
	if err != nil {
		return err
	}
	again, _ := c.App.Metadata[argsKey].([]string)
	if c.Bool("demo") {
		again = []string{"tournament", "run", file, "--data", c.String("data")}
	}
	return fmt.Errorf("%w: %d of %d matches are kept; go on with: arena %s",
		errInterrupted, state.Played(), len(state.Matches), shellLine(again))
}

func printTournamentHead(c *cli.Context, state league.State, games int) {
	out := c.App.Writer
	rules := state.Settings.Rules
	fmt.Fprintf(out, "Tournament %s: %s of %d bots at %d seats, %s, %s, %s\n", state.ID, state.Format,
		len(state.Entrants), rules.Players, rules.Preset, count(len(state.Matches), "match", "matches"), count(games, "game", "games"))
	fmt.Fprintf(out, "SHA-256 of the seed: %s\n", state.Seed.Commitment())
	switch n := state.Played(); {
	case state.Finished:
		fmt.Fprintln(out, "It is finished; give another name in the file to play it again.")
	case n > 0:
		fmt.Fprintf(out, "Going on: %d of %d matches have been played.\n", n, len(state.Matches))
	}
	fmt.Fprintln(out)
}

func printPlayed(c *cli.Context, p played) error {
	out := c.App.Writer
	if err := printStandings(out, p.Standings); err != nil {
		return err
	}
	var faults []arena.Fault
	for _, result := range p.Results {
		faults = append(faults, result.Faults...)
	}
	printFaults(out, faults)
	fmt.Fprintf(out, "\nSeed: %s\n", p.Seed)
	printReplays(out, p.Replays, p.Results[0].Match)
	fmt.Fprintln(out)
	return nil
}

func (r tournamentReport) trimmed(noTimes bool) tournamentReport {
	if !noTimes {
		return r
	}
	for i, p := range r.Tournaments {
		results := make([]*arena.Result, len(p.Results))
		for j, result := range p.Results {
			trimmed := result.WithoutTimes()
			results[j] = &trimmed
		}
		r.Tournaments[i].Results = results
		r.Tournaments[i].Standings = standingsWithoutTimes(p.Standings)
	}
	r.Leaderboards = boardsWithoutTimes(r.Leaderboards)
	return r
}
