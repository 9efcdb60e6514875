package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func showCommand() *cli.Command {
	return &cli.Command{
		Name: "show", Usage: "say how a tournament stands, what is wrong with it, and how to go on", ArgsUsage: "ID",
		Flags:  join(whereFlags(), []cli.Flag{jsonFlag()}),
		Action: onTournament(1, 1, "the name of a tournament", showTournament),
	}
}

// shown is what the command prints.
type shown struct {
	Schema     string                `json:"schema"`
	Tournament summary               `json:"tournament"`
	Conducted  bool                  `json:"conducted"` // by an arena that runs
	Failing    []league.Table        `json:"failing"`   // matches that failed, and are tried again
	Workers    []league.WorkerStatus `json:"workers"`   // of all tournaments
}

func showTournament(c *cli.Context, store *league.Store, state *league.State) error {
	view := shown{Schema: show.Schema, Tournament: summaryOf(state), Failing: []league.Table{}}
	var err error
	if view.Conducted, err = store.Conducted(c.Context, state.ID); err != nil {
		return err
	}
	if view.Workers, err = store.Workers(c.Context); err != nil {
		return err
	}
	for number := range state.Missing() {
		if len(state.Failures(number)) > 0 {
			view.Failing = append(view.Failing, state.Table(number))
		}
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, view)
	}
	printShown(c.App.Writer, state, view)
	printNext(c, store, view.Tournament)
	return nil
}

func printShown(out io.Writer, state *league.State, view shown) {
	sum := view.Tournament
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%-11s%s\n", name, show.Printable(fmt.Sprintf(format, args...)))
	}
	line("Tournament", "%s: %s at %d seats, %s", sum.ID, sum.Format, sum.Settings.Rules.Players, sum.Settings.Rules.Preset)
	line("Phase", "%s", sum.phase())
	if sum.Stage > 0 {
		line("Stage", "%d", sum.Stage)
	}
	line("Matches", "%s played, %s", sum.progress(), show.Count(sum.Games, "game", "games"))
	line("Bots", "%s", strings.Join(sum.Bots, ", "))
	if len(sum.Withdrawn) > 0 {
		line("Withdrawn", "%s", strings.Join(sum.Withdrawn, ", "))
	}
	if !sum.Phase.Over() {
		line("Workers", "%s", workersLine(sum.ID, view.Workers))
	}
	if sum.Seed == nil {
		line("Seed", "secret; its SHA-256 is %s", sum.Commitment)
	} else {
		line("Seed", "%s", sum.Seed)
	}
	for _, dead := range sum.Dead {
		table := state.Table(dead.Match)
		line("Given up", "match %d (%s): %s", dead.Match, strings.Join(table.Bots, ", "), dead.Cause)
	}
	for _, table := range view.Failing {
		last := table.Failed[len(table.Failed)-1]
		line("Failing", "match %d (%s), %s, the last: %s", table.Match, strings.Join(table.Bots, ", "),
			show.Count(len(table.Failed), "attempt", "attempts"), failure(last))
	}
	fmt.Fprintln(out)
}

func failure(f league.Failed) string {
	if f.Unable {
		return "worker " + f.Worker + " " + f.Cause
	}
	return f.Cause
}

func workersLine(id string, workers []league.WorkerStatus) string {
	slots, playing := 0, 0
	for _, w := range workers {
		slots += w.Slots
		for _, match := range w.Playing {
			if match.Tournament == id {
				playing++
			}
		}
	}
	if len(workers) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d with %s, %s of this tournament in play", len(workers), show.Count(slots, "slot", "slots"), show.Count(playing, "match", "matches"))
}

// printNext says how to go on.
func printNext(c *cli.Context, store *league.Store, sum summary) {
	out, id := c.App.Writer, sum.ID+where(c)
	if len(sum.Dead) > 0 && !sum.Phase.Over() {
		fmt.Fprintf(out, "Try what was given up again: arena tournament requeue %s --all%s\n", sum.ID, where(c))
	}
	switch {
	case sum.Phase.Over():
		fmt.Fprintf(out, "Standings: arena tournament standings %s\nKeep it:   arena tournament export %s -o %s%s\n", id, id, sum.ID, league.ExportSuffix)
		return
	case sum.Phase == league.Paused && !sum.Started:
		fmt.Fprintf(out, "Start it: arena tournament start %s\n", id)
		return
	case sum.Phase == league.Paused:
		fmt.Fprintf(out, "Go on: arena tournament resume %s\n", id)
		return
	}
	switch {
	case conductedSoon(c.Context, store, sum.ID):
		fmt.Fprintf(out, "Follow it: arena tournament watch %s\n", id)
	case c.String(natsName) != "":
		fmt.Fprintf(out, "Nobody conducts it at the moment; that is done by arena serve on the machine of the data folder.\n")
	default:
		fmt.Fprintf(out, "Nobody conducts it at the moment. Go on with: arena serve%s\n", where(c))
	}
}

// conductedSoon reports whether an arena conducts the tournament. One that serves all needs a moment to notice a new one.
func conductedSoon(ctx context.Context, store *league.Store, id string) bool {
	const wait = 3 * time.Second
	for deadline := time.Now().Add(wait); ; time.Sleep(100 * time.Millisecond) {
		conducted, err := store.Conducted(ctx, id)
		if conducted || err != nil || !store.Shared() || time.Now().After(deadline) {
			return conducted
		}
	}
}
