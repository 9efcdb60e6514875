package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

const elsewhereName = "elsewhere"

func elsewhereFlag() cli.Flag {
	return &cli.BoolFlag{
		Name: elsewhereName, Usage: "enter bots whose programs are not on this machine, since workers on others have them",
	}
}

// checkPrograms refuses bots that cannot be started here, before a tournament is made of them.
func checkPrograms(c *cli.Context, entrants []entrant) error {
	if c.Bool(elsewhereName) {
		return nil
	}
	for _, e := range entrants {
		missing := e.Missing()
		if missing == "" {
			continue
		}
		advice := "check run and build in its bot.toml, or install it"
		if strings.HasPrefix(e.word, commandPrefix) {
			advice = "check the command line, or install it"
		}
		if c.Command.Name != runName {
			advice += fmt.Sprintf("; if workers on other machines have it, add --%s", elsewhereName)
		}
		return usagef("bot %q: its program %s is not on this machine; %s", e.word, missing, advice)
	}
	return nil
}

// tellTwins says by which labels bots of one name and version play. That is allowed: the same bot several times fills tables,
// and shows how much of a result is luck.
func tellTwins(c *cli.Context, entrants []entrant) {
	labels, words := map[string][]string{}, map[string][]string{}
	for _, e := range entrants {
		label := kind(e.label)
		labels[label] = append(labels[label], e.label)
		if !slices.Contains(words[label], e.word) {
			words[label] = append(words[label], e.word)
		}
	}
	for _, label := range slices.Sorted(maps.Keys(labels)) {
		twins, names := strings.Join(labels[label], ", "), words[label]
		switch {
		case len(labels[label]) == 1:
		case len(names) == 1:
			fmt.Fprintf(c.App.ErrWriter, "note: %s stands %d times among the bots, and plays as %s\n", names[0], len(labels[label]), twins)
		default:
			fmt.Fprintf(c.App.ErrWriter, "note: %s are all %s, and play as %s; give them other versions to tell them apart\n",
				strings.Join(names, ", "), label, twins)
		}
	}
}
