package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func pairingsCommand() *cli.Command {
	return &cli.Command{
		Name: "pairings", Usage: "print who meets whom, and what came of it", ArgsUsage: "ID",
		Flags: join([]cli.Flag{
			&cli.IntFlag{Name: "stage", Usage: "only stage `N`, counted from 1 (default: all that are paired)"},
		}, whereFlags(), []cli.Flag{jsonFlag()}),
		Action: onTournament(1, 1, "the name of a tournament", showPairings),
	}
}

func showPairings(c *cli.Context, _ *league.Store, state *league.State) error {
	first, last := 1, state.Stages()
	if c.IsSet("stage") {
		n := c.Int("stage")
		if n < 1 || n > last {
			return fmt.Errorf("stage %d of %s: %w; %s", n, state.ID, errNotFound, stagesOf(state))
		}
		first, last = n, n
	}
	stages := []league.Stage{}
	for n := first; n <= last; n++ {
		stages = append(stages, state.Stage(n))
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, struct {
			Schema string         `json:"schema"`
			ID     string         `json:"id"`
			Phase  league.Phase   `json:"phase"`
			Stages []league.Stage `json:"stages"`
		}{show.Schema, state.ID, state.Phase, stages})
	}
	if len(stages) == 0 {
		fmt.Fprintf(c.App.Writer, "Nothing of %s is paired yet; that begins when it is started.\n", state.ID)
	}
	for i, stage := range stages {
		if i > 0 {
			fmt.Fprintln(c.App.Writer)
		}
		if err := printStage(c, stage); err != nil {
			return err
		}
	}
	return nil
}

func stagesOf(state *league.State) string {
	if n := state.Stages(); n > 0 {
		return fmt.Sprintf("stages 1 to %d are paired", n)
	}
	return "no stage is paired yet"
}

func printStage(c *cli.Context, stage league.Stage) error {
	out := c.App.Writer
	fmt.Fprintf(out, "Stage %d\n", stage.Stage)
	for _, note := range stage.Notes {
		fmt.Fprintf(out, "  note: %s\n", show.Printable(note))
	}
	if len(stage.Byes) > 0 {
		fmt.Fprintf(out, "  no match: %s\n", strings.Join(stage.Byes, ", "))
	}
	var rows [][]string
	for _, table := range stage.Tables {
		rows = append(rows, []string{strconv.Itoa(table.Match), strings.Join(table.Bots, ", "), show.Printable(outcomeOf(table))})
	}
	return show.Table(out, []string{"MATCH", "<BOTS", "<POINTS"}, rows)
}

// outcomeOf is what came of a match, in the order of its bots.
func outcomeOf(t league.Table) string {
	switch {
	case t.Played:
		points := make([]string, len(t.Points))
		for i, p := range t.Points {
			points[i] = strconv.FormatFloat(p, 'g', 3, 64)
		}
		return strings.Join(points, " : ")
	case t.Dead != "":
		return "given up: " + t.Dead
	case len(t.Failed) > 0:
		return show.Count(len(t.Failed), "attempt", "attempts") + " failed"
	default:
		return "-"
	}
}
