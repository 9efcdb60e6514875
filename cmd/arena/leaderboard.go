package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/dataset"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/engine"
)

func leaderboardCommand() *cli.Command {
	return &cli.Command{
		Name:  "leaderboard",
		Usage: "rate all bots of the tournaments in the data folder",
		Description: "RATING is the official one, with its 95 % interval: what makes all results most likely, in\n" +
			"whatever order they came. RANKS is the 95 % interval of the rank, >NEXT how likely the bot is\n" +
			"stronger than the next one. ELO and SKILL are live ratings, which depend on the order of play.\n" +
			"MARGIN is penalty points a round beyond the others at the table: negative is good.",
		Flags: join(filterFlags(), []cli.Flag{
			&cli.StringFlag{Name: "language", Usage: "only bots written in `LANGUAGE`; ratings and ranks are those among all"},
			anchorFlag(), formatFlag(), jsonFlag(), noTimesFlag(),
		}, whereFlags()),
		Action: onStore(showLeaderboards),
	}
}

// filterFlags choose the results that count. What is wrong with them is told also where there are no results.
func filterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "players", Usage: "only games of `N` players", Action: func(_ *cli.Context, players int) error {
			if players < 2 || players > 6 {
				return usagef("--players %d: games have 2 to 6 players", players)
			}
			return nil
		}},
		&cli.StringFlag{Name: "rules", Usage: "only games by this `PRESET` of the rules: rulebook, bga or classic2020", Action: func(_ *cli.Context, rules string) error {
			if _, err := engine.NewRules(engine.Preset(rules), 4); err != nil {
				return usagef("--rules: %w", err)
			}
			return nil
		}},
		&cli.StringSliceFlag{Name: "tournament", Usage: "only games of the tournament `ID`; may be repeated"},
		&cli.StringFlag{Name: "since", Usage: "only games of tournaments made at `DATE` or later, as in 2026-11-30 or 2026-11-30T12:00:00Z", Action: func(_ *cli.Context, since string) error {
			_, err := dateOf(since)
			return err
		}},
	}
}

func filterOf(c *cli.Context) (f league.Filter, err error) {
	f = league.Filter{Players: c.Int("players"), Rules: engine.Preset(c.String("rules")), Tournaments: c.StringSlice("tournament")}
	if c.IsSet("since") {
		f.Since, err = dateOf(c.String("since"))
	}
	return f, err
}

func dateOf(text string) (time.Time, error) {
	if date, err := time.ParseInLocation(time.DateOnly, text, time.Local); err == nil {
		return date, nil
	}
	date, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return date, usagef("--since %q is no date; write it as in 2026-11-30 or 2026-11-30T12:00:00Z", text)
	}
	return date, nil
}

// Formats in which tables are printed.
const (
	asTable    = "table"
	asCSV      = "csv"
	asMarkdown = "md"
	asJSON     = "json"
)

func formatFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "format", Value: asTable, Usage: "print a table, csv, md or json (which is --json)",
		Action: func(_ *cli.Context, format string) error {
			switch format {
			case asTable, asCSV, asMarkdown, asJSON:
				return nil
			default:
				return usagef("--format %q is unknown; choose table, csv, md or json", format)
			}
		},
	}
}

func formatOf(c *cli.Context) string {
	if c.Bool("json") {
		return asJSON
	}
	return c.String("format")
}

func showLeaderboards(c *cli.Context, store *league.Store) error {
	filter, err := filterOf(c)
	if err != nil {
		return err
	}
	boards, err := rated(c, store, league.Leaderboards{Filter: filter, Language: c.String("language")})
	if err != nil {
		return explainFilter(c, store, filter, err)
	}
	if len(boards) == 0 {
		return nobodyPlayed(c, store, filter)
	}
	if c.Bool("no-times") {
		boards = boardsWithoutTimes(boards)
	}
	switch formatOf(c) {
	case asJSON:
		return show.JSON(c.App.Writer, struct {
			Schema       string               `json:"schema"`
			Leaderboards []league.Leaderboard `json:"leaderboards"`
		}{show.Schema, boards})
	case asCSV:
		return exportBoards(boards, dataset.CSV, c.App.Writer)
	case asMarkdown:
		return show.Leaderboards(c.App.Writer, boards, show.Markdown)
	default:
		return printLeaderboards(c, boards)
	}
}

// explainFilter names what there is when a tournament that was asked for is not there.
func explainFilter(c *cli.Context, store *league.Store, f league.Filter, err error) error {
	ids, listing := store.Tournaments(c.Context)
	if listing != nil {
		return err
	}
	known := strings.Join(ids, " ")
	for _, id := range f.Tournaments {
		if !strings.Contains(" "+known+" ", " "+id+" ") {
			return explainUnknown(c.Context, c, store, id, err)
		}
	}
	return err
}

// nobodyPlayed tells whether it is the language by which nothing is left.
func nobodyPlayed(c *cli.Context, store *league.Store, f league.Filter) error {
	if c.IsSet("language") {
		others, err := playedAt(c.Context, store, f)
		if err != nil {
			return err
		}
		if len(others) > 0 {
			return notFoundError(fmt.Sprintf("no bot written in %q has played %s; leave --language out to see what there is", c.String("language"), whereWords(c)))
		}
	}
	return nothingPlayed(c, store, f)
}

// nothingPlayed says what would have been found otherwise.
func nothingPlayed(c *cli.Context, store *league.Store, f league.Filter) error {
	wanted := []string{"no games"}
	if f.Players != 0 {
		wanted = append(wanted, fmt.Sprintf("of %d players", f.Players))
	}
	if f.Rules != "" {
		wanted = append(wanted, fmt.Sprintf("by the rules %s", f.Rules))
	}
	if f.Tournaments != nil {
		wanted = append(wanted, "of "+strings.Join(f.Tournaments, " and "))
	}
	if !f.Since.IsZero() {
		wanted = append(wanted, fmt.Sprintf("since %s", c.String("since")))
	}
	text := strings.Join(append(wanted, whereWords(c)), " ")
	others, err := playedAt(c.Context, store, league.Filter{})
	switch {
	case err != nil:
		return err
	case len(others) == 0:
		return notFoundError(text + "; play some with: arena tournament run --demo")
	default:
		return notFoundError(fmt.Sprintf("%s; there are some of %s players", text, strings.Join(others, " and ")))
	}
}

// playedAt lists the numbers of players that were played.
func playedAt(ctx context.Context, store *league.Store, f league.Filter) ([]string, error) {
	boards, err := store.Leaderboards(ctx, league.Leaderboards{Filter: f, Replicates: 1})
	var at []string
	for _, board := range boards {
		at = append(at, fmt.Sprint(board.Players))
	}
	return at, err
}

func anchorFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "anchor", Value: "greedy@1", Usage: fmt.Sprintf("`BOT` whose rating is %d, wherever it has played", league.AnchorRating),
	}
}

// rated gives the leaderboards around the anchor that was asked for, which may be named without its version.
func rated(c *cli.Context, store *league.Store, l league.Leaderboards) ([]league.Leaderboard, error) {
	l.Anchor = c.String("anchor")
	boards, err := store.Leaderboards(c.Context, l)
	anchored := func(b league.Leaderboard) bool { return b.Anchored }
	if err != nil || !c.IsSet("anchor") || len(boards) == 0 || slices.ContainsFunc(boards, anchored) {
		return boards, err
	}
	all := boards
	if l.Language != "" {
		if all, err = store.Leaderboards(c.Context, league.Leaderboards{Filter: l.Filter, Anchor: l.Anchor}); err != nil {
			return nil, err
		}
	}
	var known []string
	for _, board := range all {
		for _, row := range board.Rows {
			known = append(known, row.Bot)
		}
	}
	slices.Sort(known)
	if l.Anchor, err = labelOf(l.Anchor, slices.Compact(known)); err != nil {
		return nil, fmt.Errorf("--anchor: %w", err)
	}
	return store.Leaderboards(c.Context, l)
}

// printLeaderboards leaves out on a terminal what it has no room for.
func printLeaderboards(c *cli.Context, boards []league.Leaderboard) error {
	narrow := show.Narrow{
		Width: terminalWidth(c),
		Spare: []string{"P50/P99 MS", "SKILL", "ELO", "PLACE", "PEN/ROUND", "FIRST", "LANGUAGE", "FAULTS", ">NEXT"},
	}
	err := show.Leaderboards(c.App.Writer, boards, narrow.Table)
	if narrow.LeftOut {
		fmt.Fprintln(c.App.ErrWriter, "\nSome columns have no room here; a wider window or --format csv has them.")
	}
	return err
}

func boardsWithoutTimes(boards []league.Leaderboard) []league.Leaderboard {
	out := make([]league.Leaderboard, len(boards))
	for i, board := range boards {
		rows := make([]league.Rated, len(board.Rows))
		for j, row := range board.Rows {
			row.Think = nil
			rows[j] = row
		}
		board.Rows = rows
		out[i] = board
	}
	return out
}
