package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/engine"
)

const runName = "run"

func runCommand() *cli.Command {
	return &cli.Command{
		Name:        runName,
		Usage:       "play a tournament in this process, or go on with one, and print its standings",
		Description: fileDescription + " Running it again goes on\nwhere it stopped.",
		ArgsUsage:   "FILE.toml",
		Flags: join([]cli.Flag{
			&cli.BoolFlag{Name: "demo", Usage: "play the built-in and the example bots at 4 and at 2 seats, without a file"},
		}, formatFlags(), settingsFlags(fromFile), rulesFlags(fromFile), playFlags(), []cli.Flag{anchorFlag()}, whereFlags(), []cli.Flag{jsonFlag(), noTimesFlag()}),
		Action: runTournaments,
	}
}

// tournamentReport is what the command prints.
type tournamentReport struct {
	Schema       string               `json:"schema"`
	Tournaments  []played             `json:"tournaments"`
	Leaderboards []league.Leaderboard `json:"leaderboards,omitempty"` // of the demo
}

type played struct {
	ID         string            `json:"id"`
	Format     league.Format     `json:"format"`
	Settings   arena.Settings    `json:"settings"`
	Commitment string            `json:"commitment"` // SHA-256 of the seed
	Seed       engine.Seed       `json:"seed"`
	Standings  []league.Standing `json:"standings"`
	Notes      []show.StageNotes `json:"notes,omitempty"` // which rules of the format were relaxed, and why
	Results    []*arena.Result   `json:"results"`
	Lost       []int             `json:"lost,omitempty"`    // matches whose results are not stored any more
	Replays    string            `json:"replays,omitempty"` // folder
}

func (p played) faults() (all []arena.Fault) {
	for _, result := range p.Results {
		all = append(all, result.Faults...)
	}
	return all
}

// ready is a tournament that was read from a file, with its bots.
type ready struct {
	file       string
	tournament league.Tournament
	entrants   []entrant
}

func runTournaments(c *cli.Context) (err error) {
	var all []ready
	if !c.Bool("demo") {
		if all, err = readFile(c); err != nil {
			return err
		}
	} else if err = wantArgs(c, 0, 0, "no file with --demo"); err != nil {
		return err
	}
	store, end, err := openStore(c)
	if err != nil {
		return err
	}
	defer end()
	if c.Bool("demo") {
		if all, err = readDemo(c, store); err != nil {
			return err
		}
	}
	report := tournamentReport{Schema: show.Schema}
	var faults []arena.Fault
	for _, r := range all {
		var p played
		if p, err = runOne(c, store, r); err != nil {
			return err
		}
		report.Tournaments = append(report.Tournaments, p)
		faults = append(faults, p.faults()...)
	}
	if c.Bool("demo") {
		if report.Leaderboards, err = rated(c, store, league.Leaderboards{}); err != nil {
			return err
		}
	}
	if err = printTournaments(c, report); err != nil {
		return err
	}
	return strict(c, faults)
}

// readFile reads the file of the command line before anything is made in the data folder.
func readFile(c *cli.Context) ([]ready, error) {
	if err := wantArgs(c, 1, 1, "one file, or --demo"); err != nil {
		return nil, err
	}
	r, err := readTournament(c, c.Args().First())
	return []ready{r}, err
}

func readDemo(c *cli.Context, store *league.Store) (all []ready, err error) {
	files, err := writeDemo(c, store)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		r, err := readTournament(c, file)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

func printTournaments(c *cli.Context, report tournamentReport) error {
	switch {
	case c.Bool("json"):
		return show.JSON(c.App.Writer, report.trimmed(c.Bool("no-times")))
	case c.Bool("demo"):
		return printLeaderboards(c, report.Leaderboards)
	default:
		fmt.Fprintf(c.App.Writer, "Ratings over all tournaments: arena leaderboard%s\n", where(c))
		return nil
	}
}

// runOne plays one tournament and, without --json, prints it.
func runOne(c *cli.Context, store *league.Store, r ready) (played, error) {
	if err := drawSeed(c.Context, store, &r.tournament); err != nil {
		return played{}, err
	}
	replays := replayDir(c, r.tournament.ID)
	if err := play(c, store, r, replays); err != nil {
		return played{}, err
	}
	p, err := playedOf(c.Context, store, r.tournament.ID)
	if err != nil {
		return played{}, err
	}
	p.Replays = replays
	for _, number := range p.Lost {
		fmt.Fprintf(c.App.ErrWriter, "warning: the result of match %d of %s was lost: the store was damaged; its points are in the standings\n", number, p.ID)
	}
	if c.Bool("json") {
		return p, nil
	}
	return p, printPlayed(c, p)
}

// playedOf reads what a tournament came to.
func playedOf(ctx context.Context, store *league.Store, id string) (played, error) {
	state, err := store.Load(ctx, id)
	if err != nil {
		return played{}, err
	}
	p := played{
		ID: state.ID, Format: state.Format, Settings: state.Settings, Commitment: state.Seed.Commitment(), Seed: state.Seed,
		Standings: state.Standings(), Notes: show.NotesOf(state),
	}
	for number := 1; number <= state.Paired(); number++ {
		if !state.Done(number) {
			continue // it was cancelled
		}
		result, err := store.Result(ctx, id, number)
		if errors.Is(err, league.ErrNoResult) { // its points are in the log
			p.Lost = append(p.Lost, number)
			continue
		}
		if err != nil {
			return played{}, err
		}
		p.Results = append(p.Results, &result)
	}
	return p, nil
}

// play plays what is missing.
func play(c *cli.Context, store *league.Store, r ready, replays string) (err error) {
	id := r.tournament.ID
	coordinator, err := store.Coordinate(c.Context, id, league.Coordinating{Begin: &r.tournament, Ahead: 4 * c.Int("jobs"), Strict: true})
	if errors.Is(err, league.ErrInUse) {
		return fmt.Errorf("%w; follow it with: arena tournament watch %s%s", err, id, where(c))
	}
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, coordinator.Close())
		if errors.Is(err, errInterrupted) && store.Shared() && conductedSoon(c.Context, store, id) {
			err = fmt.Errorf("%w\nThe arena that serves these tournaments goes on with it; hold it by: arena tournament pause %s%s", err, id, where(c))
		}
	}()
	var state league.State // a copy: it is read while nothing runs
	coordinator.View(func(s *league.State) { state = *s })
	whole, err := sizeOf(&state)
	if err != nil {
		return err
	}
	if !c.Bool("json") {
		printTournamentHead(c, &state, whole)
	}
	if state.Phase.Over() {
		return nil
	}
	for _, again := range []league.Command{{Resume: true}, {Requeue: -1}} {
		if err = coordinator.Do(c.Context, again); err != nil {
			return err
		}
	}
	warnOfChanges(c, &state, r.tournament.Entrants)
	left := 0
	if whole.known {
		left = max(1, whole.games-state.Games())
	}
	err = playWith(c, store, coordinator, &state, r.entrants, replays, left)
	if errors.Is(err, league.ErrStopped) {
		return stoppedError(c, coordinator, whole, r.file)
	}
	return err
}

// playWith starts the bots and plays. Left is how many games there are to play, or 0 where that is not known.
func playWith(
	c *cli.Context, store *league.Store, coordinator *league.Coordinator, state *league.State, entrants []entrant, replays string, left int,
) (err error) {
	s, err := openSession(c, "", state.Settings, entrants)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ctx, stop, release := onInterrupt(c.Context, c.App.ErrWriter,
		"Stopping: running matches are finished. Ctrl-C again gives them up; they are then played again later.")
	defer release()
	if err = s.prepare(ctx); err != nil {
		return interrupted(ctx, err)
	}
	bar := progressOf(c, left)
	defer bar.End()
	p := playerOn(c, s.ground)
	p.know(state.ID, entrants)
	p.played = bar.Played
	return runWith(ctx, stop, coordinator, p.ownWorker(store, state.ID, c.Int("jobs"), replays))
}

// runWith announces the worker, since a match that no worker is ready for is given up.
func runWith(ctx context.Context, stop <-chan struct{}, coordinator *league.Coordinator, worker *league.Worker) error {
	quit, err := worker.Announce()
	if err != nil {
		return err
	}
	return errors.Join(league.RunLocal(ctx, stop, coordinator, worker), quit())
}

// warnOfChanges tells when a bot is not any more what it was when the tournament began.
func warnOfChanges(c *cli.Context, state *league.State, entries []league.Entrant) {
	for i, was := range state.Entrants {
		if i < len(entries) && was.Digest != entries[i].Digest {
			fmt.Fprintf(c.App.ErrWriter, "warning: the files of %s are not those with which the tournament began; give a bot that has changed another version\n",
				was.Label)
		}
	}
}

// stoppedError says what is kept and how to go on.
func stoppedError(c *cli.Context, coordinator *league.Coordinator, whole size, file string) (err error) {
	again, _ := c.App.Metadata[argsKey].([]string)
	if c.Bool("demo") {
		again = []string{"tournament", "run", file, "--data", c.String("data")}
	}
	coordinator.View(func(s *league.State) {
		err = fmt.Errorf("%w; kept: %s; go on with: arena %s", errInterrupted, whole.part(s.Played()), show.ShellLine(again))
	})
	return err
}

func printPlayed(c *cli.Context, p played) error {
	out := c.App.Writer
	if err := show.Standings(out, p.Standings); err != nil {
		return err
	}
	show.Notes(out, p.Notes)
	show.Faults(out, p.faults())
	fmt.Fprintf(out, "\nSeed: %s\n", p.Seed)
	if len(p.Results) > 0 {
		show.Replays(out, p.Replays, p.Results[0].Match)
	}
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
