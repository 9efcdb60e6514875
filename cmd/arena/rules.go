package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/engine"
)

func rulesCommand() *cli.Command {
	return &cli.Command{
		Name:  "rules",
		Usage: "the rules of the game, their presets and options",
		Subcommands: []*cli.Command{{
			Name:  "show",
			Usage: "print the rules of a preset with options, for each number of players",
			Flags: append(rulesFlags(""), &cli.IntFlag{Name: "players", Usage: "show `N` players only"}, jsonFlag()),
			Action: func(c *cli.Context) error {
				if err := wantArgs(c, 0, 0, "no arguments"); err != nil {
					return err
				}
				return showRules(c)
			},
		}},
	}
}

type shownRules struct {
	Schema string         `json:"schema"`
	Rules  []engine.Rules `json:"rules"`
	Points map[int]int    `json:"points"` // penalty points by rank
}

func showRules(c *cli.Context) error {
	shown := shownRules{Schema: show.Schema, Points: map[int]int{}}
	for _, rank := range engine.Ranks() {
		card, err := engine.NewCards(rank)
		if err != nil {
			return err
		}
		shown.Points[rank] = card.Points()
	}
	for players := 2; players <= 6; players++ {
		if c.IsSet("players") && players != c.Int("players") {
			continue
		}
		rules, err := rulesOf(c, players)
		if err != nil {
			return err
		}
		shown.Rules = append(shown.Rules, rules)
	}
	if len(shown.Rules) == 0 {
		return usagef("--players %d: the game is for 2 to 6", c.Int("players"))
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, shown)
	}
	return printRules(c, shown)
}

func printRules(c *cli.Context, shown shownRules) error {
	var rows [][]string
	for _, r := range shown.Rules {
		dealt := r.Players * r.HandSize * r.Halves()
		hand := fmt.Sprint(r.HandSize)
		if r.Halves() == 2 {
			hand = fmt.Sprintf("2 x %d", r.HandSize)
		}
		end := fmt.Sprintf("%d points", r.Target)
		if r.Target == 0 {
			end = "one round"
		}
		rows = append(rows, []string{
			fmt.Sprint(r.Players), fmt.Sprint(r.Copies), hand, fmt.Sprint(13*r.Copies - dealt), end,
			yesNo(r.PermanentPass), yesNo(r.GreaterOverwrite),
		})
	}
	out := c.App.Writer
	fmt.Fprintf(out, "Five Three Five, preset %s\n", shown.Rules[0].Preset)
	if err := show.Table(out, []string{"PLAYERS", "COPIES", "HAND", "UNDEALT", "ENDS AT", "PERMANENT PASS", "GREATER OVERWRITE"}, rows); err != nil {
		return err
	}
	fmt.Fprint(out, "\nPenalty points of the cards left in hand:")
	for _, rank := range engine.Ranks() {
		fmt.Fprintf(out, " %d=%d", rank, shown.Points[rank])
	}
	fmt.Fprintln(out)
	return nil
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
