package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func listCommand() *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "list all tournaments, the oldest first",
		Flags:  join(whereFlags(), []cli.Flag{jsonFlag()}),
		Action: onStore(listTournaments),
	}
}

func listTournaments(c *cli.Context, store *league.Store) error {
	ids, err := store.ByCreation(c.Context)
	if err != nil {
		return err
	}
	listed := struct {
		Schema      string    `json:"schema"`
		Tournaments []summary `json:"tournaments"`
	}{Schema: show.Schema, Tournaments: []summary{}}
	var rows [][]string
	var damaged []error
	for _, id := range ids {
		var state *league.State
		state, err = store.Load(c.Context, id)
		if errors.Is(err, league.ErrDamaged) || errors.Is(err, league.ErrNoTournament) {
			damaged = append(damaged, err) // and the others are listed
			continue
		}
		if err != nil {
			return err
		}
		sum := summaryOf(state)
		listed.Tournaments = append(listed.Tournaments, sum)
		rows = append(rows, []string{
			sum.ID, string(sum.Format), fmt.Sprint(sum.Settings.Rules.Players), fmt.Sprint(len(sum.Bots)), sum.phase(), sum.progress(),
			fmt.Sprint(len(sum.Dead)), created(sum.Created),
		})
	}
	for _, err := range damaged {
		fmt.Fprintf(c.App.ErrWriter, "warning: %v\n", err)
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, listed)
	}
	if len(rows) == 0 && damaged == nil {
		fmt.Fprintf(c.App.ErrWriter, "There are no tournaments %s; make one with: arena tournament new FILE.toml\n", whereWords(c))
		return nil
	}
	return show.Table(c.App.Writer, []string{"<TOURNAMENT", "<FORMAT", "SEATS", "BOTS", "<PHASE", "MATCHES", "GIVEN UP", "<CREATED"}, rows)
}

// created is the time for people. An export without times has none.
func created(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04")
}
