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
// suggests a known one.
func New(name string) (bot.Player, bot.Info, error) {
	for _, e := range entries() {
		if e.name == name {
			return e.make(), bot.Info{Name: e.name, Version: e.version}, nil
		}
	}
	hint := ""
	if near := nearest(name); near != "" {
		hint = fmt.Sprintf("; did you mean %s?", near)
	}
	return nil, bot.Info{}, fmt.Errorf("bot %q is unknown; there are %s%s", name, strings.Join(Names(), ", "), hint)
}

// nearest is the known name that a typing error may have turned into this one, or empty.
func nearest(name string) string {
	const tolerated = 2
	best, least := "", tolerated+1
	name = strings.ToLower(name)
	for _, known := range Names() {
		if len(name) >= 3 && strings.HasPrefix(known, name) {
			return known
		}
		if d := distance(name, known); d < least {
			best, least = known, d
		}
	}
	return best
}

// distance is that of Levenshtein, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
