package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/bots"
)

// entrant is a bot with the label under which it plays.
type entrant struct {
	registry.Bot

	label string
	word  string // by which it was named
}

// resolve finds the bots that the words name. Folders are relative to dir. The shelf finds those that were submitted.
func resolve(s shelf, dir string, words []string) ([]entrant, error) {
	resolver, err := newResolver()
	if err != nil {
		return nil, err
	}
	resolver.Dir, resolver.Submitted = dir, s.submitted
	found := make([]registry.Bot, len(words))
	for i, word := range words {
		if found[i], err = resolver.Resolve(word); errors.Is(err, errStore) {
			return nil, err
		} else if err != nil {
			return nil, usageError{err}
		}
	}
	entrants := make([]entrant, len(found))
	for i, label := range registry.Distinct(found) {
		entrants[i] = entrant{Bot: found[i], label: label, word: words[i]} //nolint:gosec // the slices are of one length
	}
	return entrants, nil
}

func newResolver() (registry.Resolver, error) {
	exe, err := executable()
	if err != nil {
		return registry.Resolver{}, err
	}
	resolver := registry.Resolver{Self: []string{exe, "bot", "exec"}, Builtins: map[string]string{}}
	for _, name := range bots.Names() {
		_, info, err := bots.New(name)
		if err != nil {
			return registry.Resolver{}, err
		}
		resolver.Builtins[name] = info.Version
	}
	return resolver, nil
}

// checkFit holds what bots say of themselves against what is to be played, where tables have one of the numbers of seats.
func checkFit(entrants []entrant, settings arena.Settings, seats ...int) error {
	given := registry.Limits{MemoryMB: settings.Limits.MemoryMB, MoveMS: settings.Clock.MoveMS, StartupMS: settings.Limits.StartupMS}
	for _, e := range entrants {
		if err := e.Fits(seats, given); err != nil {
			return usageError{err}
		}
	}
	return nil
}

func labels(entrants []entrant) []string {
	out := make([]string, len(entrants))
	for i, e := range entrants {
		out[i] = e.label
	}
	return out
}

const commandPrefix = "cmd:"

// entry is how the bot stands in a tournament: with what other machines need to find it, and to know it again.
func (e entrant) entry() (league.Entrant, error) {
	entry := league.Entrant{Label: e.label, Language: e.Language, Author: e.Author, Source: e.word}
	if e.Dir == "" {
		return entry, nil // a bot of the program
	}
	switch {
	case e.Package != "":
		entry.Source = e.Label()
	case strings.HasPrefix(e.word, commandPrefix):
		entry.Dir = e.Dir
	default:
		entry.Source = e.Dir
	}
	var err error
	entry.Digest, err = e.Digest()
	return entry, err
}

// entries are those of all bots.
func entries(entrants []entrant) ([]league.Entrant, error) {
	all := make([]league.Entrant, len(entrants))
	for i, e := range entrants {
		var err error
		if all[i], err = e.entry(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// kind is the label without the number that keeps equal bots apart.
func kind(label string) string {
	before, _, _ := strings.Cut(label, "#")
	return before
}

// botsIn finds the folders of bots in a folder, by label.
func botsIn(dir string) (map[string]string, error) {
	found := map[string]string{}
	if dir == "" {
		return found, nil
	}
	folders, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		path := filepath.Join(dir, folder.Name())
		if !exists(filepath.Join(path, registry.ManifestName)) {
			continue
		}
		manifest, err := registry.ReadManifest(path)
		if err != nil {
			return nil, err
		}
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		found[manifest.Name+"@"+manifest.Version] = path
	}
	return found, nil
}
