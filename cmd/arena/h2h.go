package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func headToHeadCommand() *cli.Command {
	return &cli.Command{
		Name: "h2h", Usage: "what two bots did against each other in the tournaments", ArgsUsage: "BOT BOT",
		Description: "BOT is name@version, or the name alone where one version has played. SCORE counts who finished\n" +
			"before whom, a shared place half. OFFICIAL is how many Elo the first is stronger by all results,\n" +
			"also those with others, as on the leaderboard, and STRONGER how likely it is stronger at all.\n\n" +
			"It plays nothing: arena compare does.",
		Flags: join(filterFlags(), []cli.Flag{anchorFlag(), jsonFlag()}, whereFlags()),
		Action: func(c *cli.Context) error {
			if err := wantArgs(c, 2, 2, "two bots"); err != nil {
				return err
			}
			filter, err := filterOf(c)
			if err != nil {
				return err
			}
			store, end, err := openThere(c)
			if err != nil {
				return err
			}
			defer end()
			return showHeadToHead(c, store, filter)
		},
	}
}

func showHeadToHead(c *cli.Context, store *league.Store, filter league.Filter) error {
	labels := append(c.Args().Slice(), c.String("anchor"))
	all, known, err := store.HeadToHeads(c.Context, filter, labels[2], labels[0], labels[1])
	if err != nil {
		return explainFilter(c, store, filter, err)
	}
	if len(known) == 0 {
		return nothingPlayed(c, store, filter)
	}
	meant := slices.Clone(labels)
	for i := range 2 {
		if meant[i], err = labelOf(labels[i], known); err != nil {
			return err
		}
	}
	if c.IsSet("anchor") {
		if meant[2], err = labelOf(labels[2], known); err != nil {
			return fmt.Errorf("--anchor: %w", err)
		}
	}
	if meant[0] == meant[1] {
		return usagef("%s is one bot; name two", meant[0])
	}
	if !slices.Equal(meant, labels) {
		if all, _, err = store.HeadToHeads(c.Context, filter, meant[2], meant[0], meant[1]); err != nil {
			return err
		}
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, struct {
			Schema string              `json:"schema"`
			First  string              `json:"first"`
			Second string              `json:"second"`
			Played []league.HeadToHead `json:"played"`
		}{show.Schema, meant[0], meant[1], append([]league.HeadToHead{}, all...)})
	}
	narrow := show.Narrow{Width: terminalWidth(c), Spare: show.SpareOfHeadToHead()}
	err = show.HeadToHead(c.App.Writer, meant[0], meant[1], all, narrow.Table)
	if narrow.LeftOut {
		fmt.Fprintln(c.App.ErrWriter, "\nSome columns have no room here; a wider window or --json has them.")
	}
	return err
}

// labelOf finds the bot that is meant among those that have played.
func labelOf(word string, known []string) (string, error) {
	if slices.Contains(known, word) {
		return word, nil
	}
	var versions, candidates []string
	for _, label := range known {
		name, _, _ := strings.Cut(label, "@")
		if name == word {
			versions = append(versions, label)
		}
		candidates = append(candidates, name)
	}
	if strings.Contains(word, "@") {
		candidates = known
	}
	switch near := registry.Nearest(word, candidates); {
	case len(versions) == 1:
		return versions[0], nil
	case len(versions) > 1:
		return "", usagef("%s has played in %d versions: %s; name one", word, len(versions), strings.Join(versions, ", "))
	case near != "":
		return "", notFoundError(fmt.Sprintf("%s has not played; did you mean %s?", word, near))
	default:
		return "", notFoundError(fmt.Sprintf("bot %q has not played; arena leaderboard shows who has", word))
	}
}
