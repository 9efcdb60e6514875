// Package bots names the bots that come with the arena. They speak the protocol like any other bot and see nothing that
// others do not.
package bots

import (
	"fmt"
	"strings"

	"github.com/fivethreefive/fivethreefive/bots/greedy"
	"github.com/fivethreefive/fivethreefive/bots/heuristic"
	"github.com/fivethreefive/fivethreefive/bots/random"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

type entry struct {
	name    string
	version string // a new one whenever the bot plays differently
	make    func() bot.Player
}

func entries() []entry {
	return []entry{
		{"random", "1", func() bot.Player { return random.New() }},
		{"greedy", "1", func() bot.Player { return greedy.New() }},
		{"heuristic", "1", func() bot.Player { return heuristic.New() }},
	}
}

// Names lists all bots, the weakest first.
func Names() []string {
	names := make([]string, 0, len(entries()))
	for _, e := range entries() {
		names = append(names, e.name)
	}
	return names
}

// New makes a player, which serves one seat, and what [bot.Run] wants to know of it. The error for an unknown name
// lists the known ones.
func New(name string) (bot.Player, bot.Info, error) {
	for _, e := range entries() {
		if e.name == name {
			return e.make(), bot.Info{Name: e.name, Version: e.version}, nil
		}
	}
	return nil, bot.Info{}, fmt.Errorf("bot %q is unknown; there are %s", name, strings.Join(Names(), ", "))
}
