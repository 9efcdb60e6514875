package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func leaderboardCommand() *cli.Command {
	return &cli.Command{
		Name:  "leaderboard",
		Usage: "rate all bots of the tournaments in the data folder",
		Flags: join([]cli.Flag{
			&cli.IntFlag{Name: "players", Usage: "only games of `N` players"}, anchorFlag(), jsonFlag(), noTimesFlag(),
		}, whereFlags()),
		Action: onStore(showLeaderboards),
	}
}

func showLeaderboards(c *cli.Context, store *league.Store) error {
	boards, err := leaderboards(c, store)
	if err != nil {
		return err
	}
	if len(boards) == 0 {
		return fmt.Errorf("%w: no games %s; play some with: arena tournament run --demo", errNotFound, whereWords(c))
	}
	if !c.Bool("json") {
		return printLeaderboards(c, boards)
	}
	if c.Bool("no-times") {
		boards = boardsWithoutTimes(boards)
	}
	return show.JSON(c.App.Writer, struct {
		Schema       string               `json:"schema"`
		Leaderboards []league.Leaderboard `json:"leaderboards"`
	}{show.Schema, boards})
}

func anchorFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "anchor", Value: "greedy@1", Usage: fmt.Sprintf("`BOT` whose rating is %d, wherever it has played", league.AnchorRating),
	}
}

// leaderboards of the numbers of players that were asked for.
func leaderboards(c *cli.Context, store *league.Store) ([]league.Leaderboard, error) {
	boards, err := store.Leaderboards(c.Context, c.String("anchor"))
	if err != nil || !c.IsSet("players") {
		return boards, err
	}
	for _, board := range boards {
		if board.Players == c.Int("players") {
			return []league.Leaderboard{board}, nil
		}
	}
	return nil, nil
}

func printLeaderboards(c *cli.Context, boards []league.Leaderboard) error {
	out := c.App.Writer
	for i, board := range boards {
		if i > 0 {
			fmt.Fprintln(out)
		}
		anchor := fmt.Sprintf("%s = %d", board.Anchor, league.AnchorRating)
		if !board.Anchored {
			anchor = fmt.Sprintf("without its anchor, %s has not played", board.Anchor)
		}
		fmt.Fprintf(out, "Leaderboard at %d seats (Elo, %s)\n", board.Players, anchor)
		var rows [][]string
		for _, row := range board.Rows {
			cells := []string{fmt.Sprint(row.Rank), row.Bot, show.Printable(row.Language), fmt.Sprintf("%.0f", row.Rating)}
			rows = append(rows, append(cells, show.TallyCells(row.Tally)...))
		}
		header := append([]string{"#", "<BOT", "<LANGUAGE", "RATING"}, show.TallyHeader()...)
		if err := show.Table(out, header, rows); err != nil {
			return err
		}
	}
	return nil
}

func boardsWithoutTimes(boards []league.Leaderboard) []league.Leaderboard {
	out := make([]league.Leaderboard, len(boards))
	for i, board := range boards {
		rows := make([]league.Ranked, len(board.Rows))
		for j, row := range board.Rows {
			row.Think = nil
			rows[j] = row
		}
		board.Rows = rows
		out[i] = board
	}
	return out
}
