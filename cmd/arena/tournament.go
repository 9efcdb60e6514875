package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

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

const fileDescription = "FILE is TOML, as in:\n\n" +
	"   bots = [\"greedy\", \"random\", \"./mybot\"]\n   players = 2\n   deal_sets = 20\n\n" +
	"Flags that are given count instead of what the file says."

const fromFile = "what the file says"

// readTournament reads a file and finds its bots.
func readTournament(c *cli.Context, file string) (r ready, err error) {
	r.file = file
	spec, err := league.ReadSpec(file)
	if err != nil {
		return r, usageError{err}
	}
	if r.tournament, err = tournamentOf(c, spec); err != nil {
		return r, err
	}
	if r.entrants, err = resolve(shelfOf(c), filepath.Dir(file), spec.Bots); err != nil {
		return r, err
	}
	if err = checkPrograms(c, r.entrants); err != nil {
		return r, err
	}
	if err = checkFit(r.entrants, r.tournament.Settings, r.tournament.TableSizes()...); err != nil {
		return r, err
	}
	if r.tournament.Entrants, err = entries(r.entrants); err != nil {
		return r, err
	}
	r.tournament.Created = time.Now().UTC().Truncate(time.Millisecond)
	if err = r.tournament.Validate(); err != nil {
		return r, usagef("%s: %w", file, err)
	}
	tellTwins(c, r.entrants)
	return r, nil
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

// size is how much there is to play in all, where that is known. To find it out takes a moment for many bots.
type size struct {
	matches, games int
	known          bool
}

func sizeOf(state *league.State) (s size, err error) {
	s.matches, s.games, s.known, err = state.Plan()
	return s, err
}

// part says how far a tournament has come.
func (s size) part(played int) string {
	if s.known {
		return show.CountOf(played, s.matches, "match", "matches")
	}
	return show.Count(played, "match", "matches")
}

func printTournamentHead(c *cli.Context, state *league.State, whole size) {
	out := c.App.Writer
	rules := state.Settings.Rules
	words := ""
	if whole.known {
		words = fmt.Sprintf(", %s, %s", show.Count(whole.matches, "match", "matches"), show.Count(whole.games, "game", "games"))
	}
	fmt.Fprintf(out, "Tournament %s: %s of %s at %d seats, %s%s\n", state.ID, state.Format,
		show.Count(len(state.Entrants), "bot", "bots"), rules.Players, rules.Preset, words)
	fmt.Fprintf(out, "SHA-256 of the seed: %s\n", state.Seed.Commitment())
	switch {
	case state.Phase.Over():
		fmt.Fprintf(out, "It is %s; give another name in the file to play it again.\n", state.Phase)
	case state.Played() > 0:
		fmt.Fprintf(out, "Going on; played so far: %s.\n", whole.part(state.Played()))
	}
	fmt.Fprintln(out)
}
