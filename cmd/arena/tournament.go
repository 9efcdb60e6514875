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
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/engine"
)

func tournamentCommand() *cli.Command {
	return &cli.Command{
		Name:  "tournament",
		Usage: "tournaments of many matches",
		Subcommands: []*cli.Command{
			runCommand(), newCommand(), startCommand(), pauseCommand(), resumeCommand(), cancelCommand(),
			listCommand(), showCommand(), watchCommand(), standingsCommand(), pairingsCommand(),
			addCommand(), dropCommand(), requeueCommand(), exportCommand(), importCommand(), removeCommand(),
		},
	}
}

func runCommand() *cli.Command {
	return &cli.Command{
		Name:        "run",
		Usage:       "play a tournament in this process, or go on with one, and print its standings",
		Description: fileDescription + " Running it again goes on\nwhere it stopped.",
		ArgsUsage:   "FILE.toml",
		Flags: join([]cli.Flag{
			&cli.BoolFlag{Name: "demo", Usage: "play the built-in and the example bots at 4 and at 2 seats, without a file"},
		}, formatFlags(), settingsFlags(fromFile), rulesFlags(fromFile), playFlags(), []cli.Flag{anchorFlag()}, whereFlags(), []cli.Flag{jsonFlag(), noTimesFlag()}),
		Action: runTournaments,
	}
}

const fileDescription = "FILE is TOML, as in:\n\n" +
	"   bots = [\"greedy\", \"random\", \"./mybot\"]\n   players = 2\n   deal_sets = 20\n\n" +
	"Flags that are given count instead of what the file says."

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
	Notes      []show.StageNotes `json:"notes,omitempty"` // which rules of the format were relaxed, and why
	Results    []*arena.Result   `json:"results"`
	Replays    string            `json:"replays,omitempty"` // folder
}

func (p played) faults() (all []arena.Fault) {
	for _, result := range p.Results {
		all = append(all, result.Faults...)
	}
	return all
}

func runTournaments(c *cli.Context) (err error) {
	store, end, err := openStore(c)
	if err != nil {
		return err
	}
	defer end()
	files := c.Args().Slice()
	if c.Bool("demo") {
		if err = wantArgs(c, 0, 0, "no file with --demo"); err != nil {
			return err
		}
		if files, err = writeDemo(c, store); err != nil {
			return err
		}
	} else if err = wantArgs(c, 1, 1, "one file, or --demo"); err != nil {
		return err
	}
	report := tournamentReport{Schema: show.Schema}
	var faults []arena.Fault
	for _, file := range files {
		var p played
		if p, err = runFile(c, store, file); err != nil {
			return err
		}
		report.Tournaments = append(report.Tournaments, p)
		faults = append(faults, p.faults()...)
	}
	if report.Leaderboards, err = leaderboards(c, store); err != nil {
		return err
	}
	if c.Bool("json") {
		err = show.JSON(c.App.Writer, report.trimmed(c.Bool("no-times")))
	} else {
		err = printLeaderboards(c, report.Leaderboards)
	}
	if err != nil {
		return err
	}
	return strict(c, faults)
}

// runFile plays one tournament and, without --json, prints it.
func runFile(c *cli.Context, store *league.Store, file string) (played, error) {
	t, entrants, err := readTournament(c, file)
	if err != nil {
		return played{}, err
	}
	if err = drawSeed(c.Context, store, &t); err != nil {
		return played{}, err
	}
	replays := replayDir(c, t.ID)
	if err = play(c, store, t, entrants, replays, file); err != nil {
		return played{}, err
	}
	p, err := playedOf(c.Context, store, t.ID)
	if err != nil {
		return played{}, err
	}
	p.Replays = replays
	if c.Bool("json") {
		return p, nil
	}
	return p, printPlayed(c, p)
}

// readTournament reads a file and finds its bots.
func readTournament(c *cli.Context, file string) (t league.Tournament, entrants []entrant, err error) {
	spec, err := league.ReadSpec(file)
	if err != nil {
		return t, nil, usageError{err}
	}
	if t, err = tournamentOf(c, spec); err != nil {
		return t, nil, err
	}
	if entrants, err = resolve(shelfOf(c), filepath.Dir(file), spec.Bots); err != nil {
		return t, nil, err
	}
	if t.Entrants, err = entries(entrants); err != nil {
		return t, nil, err
	}
	t.Created = time.Now().UTC().Truncate(time.Millisecond)
	if err = t.Validate(); err != nil {
		return t, nil, usageError{err}
	}
	return t, entrants, nil
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
		if err != nil {
			return played{}, err
		}
		p.Results = append(p.Results, &result)
	}
	return p, nil
}

// drawSeed draws one for a new tournament unless it has one.
func drawSeed(ctx context.Context, store *league.Store, t *league.Tournament) error {
	if t.Seed != (engine.Seed{}) {
		return nil
	}
	_, err := store.Load(ctx, t.ID)
	if errors.Is(err, league.ErrNoTournament) {
		t.Seed = randomSeed()
		return nil
	}
	return err
}

// play plays what is missing.
func play(c *cli.Context, store *league.Store, t league.Tournament, entrants []entrant, replays, file string) (err error) {
	id := t.ID
	coordinator, err := store.Coordinate(c.Context, id, league.Coordinating{Begin: &t, Ahead: 4 * c.Int("jobs"), Strict: true})
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
	_, games, known, err := state.Plan()
	if err != nil {
		return err
	}
	if !c.Bool("json") {
		printTournamentHead(c, &state)
	}
	if state.Phase.Over() {
		return nil
	}
	for _, again := range []league.Command{{Resume: true}, {Requeue: -1}} {
		if err = coordinator.Do(c.Context, again); err != nil {
			return err
		}
	}
	warnOfChanges(c, &state, t.Entrants)
	left := 0
	if known {
		left = max(1, games-state.Games())
	}
	err = playWith(c, store, coordinator, &state, entrants, replays, left)
	if errors.Is(err, league.ErrStopped) {
		return stoppedError(c, coordinator, file)
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
func stoppedError(c *cli.Context, coordinator *league.Coordinator, file string) (err error) {
	again, _ := c.App.Metadata[argsKey].([]string)
	if c.Bool("demo") {
		again = []string{"tournament", "run", file, "--data", c.String("data")}
	}
	coordinator.View(func(s *league.State) {
		err = fmt.Errorf("%w: %s are kept; go on with: arena %s", errInterrupted, matchesOf(s), show.ShellLine(again))
	})
	return err
}

// matchesOf says how far a tournament has come.
func matchesOf(s *league.State) string {
	if all, _, known, err := s.Plan(); err == nil && known {
		return fmt.Sprintf("%d of %d matches", s.Played(), all)
	}
	return show.Count(s.Played(), "match", "matches")
}

func printTournamentHead(c *cli.Context, state *league.State) {
	out := c.App.Writer
	rules := state.Settings.Rules
	size := ""
	if matches, games, known, err := state.Plan(); err == nil && known {
		size = fmt.Sprintf(", %s, %s", show.Count(matches, "match", "matches"), show.Count(games, "game", "games"))
	}
	fmt.Fprintf(out, "Tournament %s: %s of %d bots at %d seats, %s%s\n", state.ID, state.Format,
		len(state.Entrants), rules.Players, rules.Preset, size)
	fmt.Fprintf(out, "SHA-256 of the seed: %s\n", state.Seed.Commitment())
	switch {
	case state.Phase.Over():
		fmt.Fprintf(out, "It is %s; give another name in the file to play it again.\n", state.Phase)
	case state.Played() > 0:
		fmt.Fprintf(out, "Going on: %s have been played.\n", matchesOf(state))
	}
	fmt.Fprintln(out)
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
