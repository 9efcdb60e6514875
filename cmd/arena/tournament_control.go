package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

// control is a command that puts a tournament into another phase.
type control struct {
	name, usage string
	command     league.Command

	// refuse says why it cannot be done now, with ID for the tournament, or that nothing has to be done. Both empty is to do it.
	refuse func(p league.Phase, started bool) (wrong, done string)
	told   func(summary) string // what is said afterwards
}

func (k control) cli() *cli.Command {
	return &cli.Command{
		Name: k.name, Usage: k.usage, ArgsUsage: "ID",
		Flags:  join(whereFlags(), []cli.Flag{jsonFlag()}),
		Action: onTournament(1, 1, "the name of a tournament", k.run),
	}
}

func (k control) run(c *cli.Context, store *league.Store, state *league.State) error {
	id := state.ID
	wrong, done := k.refuse(state.Phase, state.Started())
	switch {
	case wrong != "":
		wrong = strings.ReplaceAll(wrong, "ID", id+where(c))
		return fmt.Errorf("tournament %s is %s", id, wrong)
	case done == "":
		if err := store.Do(c.Context, id, k.command); err != nil {
			return err
		}
		var err error
		if state, err = store.Load(c.Context, id); err != nil {
			return err
		}
	}
	sum := summaryOf(state)
	if c.Bool("json") {
		return show.JSON(c.App.Writer, summaryReport{show.Schema, sum})
	}
	if done != "" {
		fmt.Fprintf(c.App.Writer, "%s is %s already.\n", id, done)
	} else {
		fmt.Fprintln(c.App.Writer, k.told(sum))
	}
	printNext(c, store, sum)
	return nil
}

// over is what keeps a tournament from being changed.
func over(p league.Phase) string {
	if p.Over() {
		return string(p) + " already"
	}
	return ""
}

func startCommand() *cli.Command {
	return control{
		name: "start", usage: "start a tournament that was made by: arena tournament new", command: league.Command{Resume: true},
		refuse: func(p league.Phase, started bool) (wrong, done string) {
			switch {
			case p == league.Paused && started:
				return "paused; go on with: arena tournament resume ID", ""
			case p == league.Running:
				return "", "running"
			default:
				return over(p), ""
			}
		},
		told: func(s summary) string { return s.ID + " is started." },
	}.cli()
}

func pauseCommand() *cli.Command {
	return control{
		name: "pause", usage: "begin no further match of a tournament", command: league.Command{Pause: true},
		refuse: func(p league.Phase, started bool) (wrong, done string) {
			switch {
			case p == league.Paused && !started:
				return "not started, so there is nothing to pause", ""
			case p == league.Paused:
				return "", "paused"
			default:
				return over(p), ""
			}
		},
		told: func(s summary) string {
			return fmt.Sprintf("%s is paused: matches in play are finished, no other is begun.", s.ID)
		},
	}.cli()
}

func resumeCommand() *cli.Command {
	return control{
		name: "resume", usage: "go on with a tournament that was paused", command: league.Command{Resume: true},
		refuse: func(p league.Phase, started bool) (wrong, done string) {
			switch {
			case p == league.Paused && !started:
				return "not started; start it with: arena tournament start ID", ""
			case p == league.Running:
				return "", "running"
			default:
				return over(p), ""
			}
		},
		told: func(s summary) string { return s.ID + " goes on." },
	}.cli()
}

func cancelCommand() *cli.Command {
	return control{
		name: "cancel", usage: "end a tournament as it is, for good", command: league.Command{Cancel: true},
		refuse: func(p league.Phase, _ bool) (wrong, done string) {
			if p == league.Cancelled {
				return "", "cancelled"
			}
			return over(p), ""
		},
		told: func(s summary) string {
			return fmt.Sprintf("%s is cancelled after %s.", s.ID, show.Count(s.Played, "match", "matches"))
		},
	}.cli()
}
