package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/dataset"
	"github.com/fivethreefive/fivethreefive/arena/files"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func dataCommand() *cli.Command {
	return &cli.Command{
		Name: "export", Usage: "write what was played as tables for other programs",
		Description: "matches, games and ratings come from the tournaments, decisions from the replays beside them.\n" +
			"--dictionary says what each column means. Two exports of the same are the same bytes.\n\n" +
			"To take a tournament elsewhere, with all that belongs to it, use arena tournament export.",
		Flags: join([]cli.Flag{
			&cli.StringFlag{Name: "what", Usage: "`TABLE`: matches, games, decisions or ratings"},
			&cli.StringFlag{Name: "format", Value: string(dataset.CSV), Usage: "csv or jsonl"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE` instead of stdout"},
			&cli.BoolFlag{Name: "dictionary", Usage: "say what the columns mean, and export nothing"},
			&cli.StringFlag{Name: "replays", Usage: "take the replays from this `DIR` (default: replays in the data folder)"},
		}, filterFlags(), []cli.Flag{anchorFlag(), jsonFlag(), noTimesFlag()}, whereFlags()),
		Action: func(c *cli.Context) error {
			if err := wantArgs(c, 0, 0, "no arguments"); err != nil {
				return err
			}
			if c.Bool("dictionary") {
				return showDictionary(c)
			}
			return exportTable(c)
		},
	}
}

func showDictionary(c *cli.Context) error {
	tables := dataset.Dictionary()
	if c.Bool("json") {
		return show.JSON(c.App.Writer, struct {
			Schema string          `json:"schema"`
			Tables []dataset.Table `json:"tables"`
		}{show.Schema, tables})
	}
	return show.Dictionary(c.App.Writer, tables)
}

func exportTable(c *cli.Context) error {
	what, format := c.String("what"), dataset.Format(c.String("format"))
	if c.Bool("json") {
		return usagef("--json is for --dictionary; tables are written with --format jsonl")
	}
	if format != dataset.CSV && format != dataset.JSONL {
		return usagef("--format %q is unknown; choose csv or jsonl", string(format))
	}
	filter, err := filterOf(c)
	if err != nil {
		return err
	}
	write, known := map[string]func(*cli.Context, dataset.Source, dataset.Format, io.Writer) error{
		"matches": exportMatches, "games": exportGames, "decisions": exportDecisions, "ratings": exportRatings,
	}[what]
	if what == "" {
		return usagef("say which table by --what: matches, games, decisions or ratings; --dictionary tells what is in them")
	}
	if !known {
		return usagef("--what %q: choose matches, games, decisions or ratings", what)
	}
	store, end, err := openThere(c)
	if err != nil {
		return err
	}
	defer end()
	if _, err = store.Filtered(c.Context, filter); err != nil {
		return explainFilter(c, store, filter, err)
	}
	source := dataset.Source{Store: store, Filter: filter, NoTimes: c.Bool("no-times"), Replays: func(id string) string {
		if c.IsSet("replays") {
			return c.String("replays")
		}
		return filepath.Join(allReplays(c), id)
	}}
	if path := c.String("output"); path != "" {
		return files.Output(path, 0o644, func(out io.Writer) error { return write(c, source, format, out) })
	}
	return write(c, source, format, c.App.Writer)
}

// rows writes all that is visited.
func rows[Row any](format dataset.Format, out io.Writer, visit func(func(Row) error) error) error {
	w, err := dataset.NewWriter[Row](out, format)
	if err != nil {
		return err
	}
	err = visit(w.Write)
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	return err
}

func exportMatches(c *cli.Context, s dataset.Source, format dataset.Format, out io.Writer) error {
	return rows(format, out, func(visit func(dataset.MatchRow) error) error { return s.Matches(c.Context, visit) })
}

func exportGames(c *cli.Context, s dataset.Source, format dataset.Format, out io.Writer) error {
	return rows(format, out, func(visit func(dataset.GameRow) error) error { return s.Games(c.Context, visit) })
}

func exportDecisions(c *cli.Context, s dataset.Source, format dataset.Format, out io.Writer) error {
	return rows(format, out, func(visit func(dataset.DecisionRow) error) error {
		replays, err := s.Decisions(c.Context, visit)
		for _, damaged := range replays.Damaged {
			fmt.Fprintf(c.App.ErrWriter, "left out: %s\n", show.Printable(damaged.Error()))
		}
		if replays.Missing > 0 {
			fmt.Fprintf(c.App.ErrWriter, "%s of %d left out, whose replays are not there or cannot be read\n",
				show.Count(replays.Missing, "game", "games"), replays.Games)
		}
		return err
	})
}

func exportRatings(c *cli.Context, s dataset.Source, format dataset.Format, out io.Writer) error {
	boards, err := rated(c, s.Store, league.Leaderboards{Filter: s.Filter})
	if err != nil {
		return err
	}
	if len(boards) == 0 {
		fmt.Fprintf(c.App.ErrWriter, "The table is empty: %v\n", nothingPlayed(c, s.Store, s.Filter))
	}
	if s.NoTimes {
		boards = boardsWithoutTimes(boards)
	}
	return exportBoards(boards, format, out)
}

func exportBoards(boards []league.Leaderboard, format dataset.Format, out io.Writer) error {
	return rows(format, out, func(visit func(dataset.RatingRow) error) error { return dataset.Ratings(boards, visit) })
}
