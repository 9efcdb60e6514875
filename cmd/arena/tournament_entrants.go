package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func addCommand() *cli.Command {
	return &cli.Command{
		Name: "add", Usage: "enter bots late, or again; they play from the next pairing on", ArgsUsage: "ID BOT [BOT...]",
		Flags:  join([]cli.Flag{elsewhereFlag()}, whereFlags(), []cli.Flag{jsonFlag()}),
		Action: onTournament(2, -1, "the name of a tournament and bots", addBots),
	}
}

func addBots(c *cli.Context, store *league.Store, state *league.State) error {
	entrants, err := resolve(shelfOf(c), "", c.Args().Tail())
	if err != nil {
		return err
	}
	if err = checkPrograms(c, entrants); err != nil {
		return err
	}
	if err = checkFit(entrants, state.Settings, state.TableSizes()...); err != nil {
		return err
	}
	entered, err := entries(entrants)
	if err != nil {
		return err
	}
	for _, entry := range entered {
		if err := store.Do(c.Context, state.ID, league.Command{Enter: &entry}); err != nil {
			return err
		}
	}
	return printEntrants(c, store, state.ID, "entered: "+strings.Join(labels(entrants), ", "))
}

func dropCommand() *cli.Command {
	return &cli.Command{
		Name: "drop", Usage: "withdraw bots; matches that are paired are played, and no others", ArgsUsage: "ID BOT [BOT...]",
		Flags:  join(whereFlags(), []cli.Flag{jsonFlag()}),
		Action: onTournament(2, -1, "the name of a tournament and bots", dropBots),
	}
}

func dropBots(c *cli.Context, store *league.Store, state *league.State) error {
	var dropped []string
	for _, word := range c.Args().Tail() {
		label, err := presentBot(shelfOf(c), state, word)
		if err != nil {
			return err
		}
		dropped = append(dropped, label)
	}
	for _, label := range dropped {
		if err := store.Do(c.Context, state.ID, league.Command{Withdraw: label}); err != nil {
			return err
		}
	}
	return printEntrants(c, store, state.ID, "withdrawn: "+strings.Join(dropped, ", "))
}

// presentBot finds a bot by its label, by its name or its label without the number if there is one of that, or by what it was
// entered with: its folder or command line.
func presentBot(s shelf, state *league.State, word string) (string, error) {
	present := state.Present()
	if slices.Contains(present, word) {
		return word, nil
	}
	if slices.Contains(state.Labels(), word) {
		return "", withdrawn(state, word)
	}
	if bots, err := resolve(s, "", []string{word}); err == nil {
		word = bots[0].label
	}
	named := labelled(present, word)
	if len(named) == 1 {
		return named[0], nil
	}
	text := fmt.Sprintf("%s in tournament %s", word, state.ID)
	if gone := labelled(state.Labels(), word); len(named) == 0 && len(gone) > 0 {
		return "", withdrawn(state, gone[0])
	}
	switch near := registry.Nearest(word, present); {
	case len(named) > 1:
		return "", usagef("there are several bots %s: %s", text, strings.Join(named, ", "))
	case near != "":
		return "", fmt.Errorf("bot %s: %w; did you mean %s?", text, errNotFound, near)
	default:
		return "", fmt.Errorf("bot %s: %w; there are %s", text, errNotFound, strings.Join(present, ", "))
	}
}

func withdrawn(state *league.State, label string) error {
	return fmt.Errorf("bot %s has withdrawn from tournament %s already; bring it back with: arena tournament add %s BOT", label, state.ID, state.ID)
}

// labelled are the labels that a label or a name stands for.
func labelled(labels []string, word string) (found []string) {
	for _, label := range labels {
		if name, _, _ := strings.Cut(label, "@"); name == word || label == word || kind(label) == word {
			found = append(found, label)
		}
	}
	return found
}

func printEntrants(c *cli.Context, store *league.Store, id, told string) error {
	state, err := store.Load(c.Context, id)
	if err != nil {
		return err
	}
	sum := summaryOf(state)
	if c.Bool("json") {
		return show.JSON(c.App.Writer, summaryReport{show.Schema, sum})
	}
	fmt.Fprintf(c.App.Writer, "%s: %s. There are now %s.\n", id, told, show.Count(len(sum.Bots), "bot", "bots"))
	return nil
}

func requeueCommand() *cli.Command {
	return &cli.Command{
		Name: "requeue", Usage: "try a match again that was given up", ArgsUsage: "ID MATCH",
		Flags: join([]cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "all matches that were given up"},
		}, whereFlags(), []cli.Flag{jsonFlag()}),
		Action: onTournament(1, 2, "the name of a tournament and the number of a match, or --all", requeue),
	}
}

func requeue(c *cli.Context, store *league.Store, state *league.State) error {
	dead := state.Dead()
	numbers := make([]string, len(dead))
	for i, d := range dead {
		numbers[i] = strconv.Itoa(d.Match)
	}
	given := c.Args().Get(1)
	command := league.Command{Requeue: -1}
	switch {
	case c.Bool("all") != (given == ""):
		return usagef("name one match, or say --all")
	case given != "":
		n, err := strconv.Atoi(given)
		if err != nil || n < 1 {
			return usagef("match %q: write its number, as arena tournament show prints it", given)
		}
		if !slices.Contains(numbers, given) {
			return notGivenUp(state.ID, n, numbers)
		}
		command.Requeue = n
		numbers = []string{given}
	}
	if err := store.Do(c.Context, state.ID, command); err != nil {
		return err
	}
	state, err := store.Load(c.Context, state.ID)
	if err != nil {
		return err
	}
	sum := summaryOf(state)
	if c.Bool("json") {
		return show.JSON(c.App.Writer, summaryReport{show.Schema, sum})
	}
	if len(numbers) == 0 {
		fmt.Fprintf(c.App.Writer, "No match of %s was given up.\n", sum.ID)
	} else {
		fmt.Fprintf(c.App.Writer, "Tried again: match %s.\n", strings.Join(numbers, ", "))
	}
	printNext(c, store, sum)
	return nil
}

func notGivenUp(id string, match int, dead []string) error {
	if len(dead) == 0 {
		return notFoundError(fmt.Sprintf("tournament %s has no match that was given up, so there is nothing to try again", id))
	}
	return notFoundError(fmt.Sprintf("match %d of tournament %s was not given up; those that were: %s", match, id, strings.Join(dead, ", ")))
}
