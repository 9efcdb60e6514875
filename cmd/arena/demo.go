package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/schedule"
	"github.com/fivethreefive/fivethreefive/bots"
	"github.com/fivethreefive/fivethreefive/bots/examples"
)

// writeDemo lays out the example bots and a tournament file for each number of seats, and names the files.
func writeDemo(c *cli.Context, store *league.Store) ([]string, error) {
	dir := filepath.Join(c.String("data"), "demo")
	words := bots.Names()
	for _, language := range examples.Tested() {
		folder := filepath.Join(dir, language)
		if err := layOut(folder, language); err != nil {
			return nil, err
		}
		bot, err := registry.Resolver{}.Resolve(folder)
		if err != nil {
			return nil, err
		}
		if missing := bot.Missing(); missing != "" {
			fmt.Fprintf(c.App.ErrWriter, "%s is left out: %s is not on this machine\n", bot.Label(), missing)
			continue
		}
		words = append(words, language)
	}
	number, err := nextDemo(c, store)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, players := range []int{4, 2} {
		deals, err := demoDeals(len(words), players)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(dir, fmt.Sprintf("demo-%d-%dseats.toml", number, players))
		quoted := make([]string, len(words))
		for i, word := range words {
			quoted[i] = fmt.Sprintf("%q", word)
		}
		text := fmt.Sprintf("bots = [%s]\nplayers = %d\ndeal_sets = %d\n", strings.Join(quoted, ", "), players, deals)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// demoDeals gives about 200 games, however many bots there are.
func demoDeals(bots, players int) (int, error) {
	stages, err := schedule.RoundRobin(bots, players, 1)
	if err != nil {
		return 0, err
	}
	games := 0
	for _, stage := range stages {
		games += len(stage.Tables) * len(schedule.SeatOrders(players))
	}
	return max(1, (200+games/2)/games), nil
}

// layOut writes an example bot to a folder, where it stays as a template.
func layOut(folder, language string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // bots may run as other users
		return err
	}
	source, err := fs.Sub(examples.FS(), language)
	if err != nil {
		return err
	}
	return fs.WalkDir(source, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(source, path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(folder, path), data, 0o644) //nolint:gosec // bots may run as other users
	})
}

// nextDemo is the first number that no demo has had.
func nextDemo(c *cli.Context, store *league.Store) (int, error) {
	ids, err := store.Tournaments(c.Context)
	if err != nil {
		return 0, err
	}
	for number := 1; ; number++ {
		prefix := fmt.Sprintf("demo-%d-", number)
		if !slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(id, prefix) }) {
			return number, nil
		}
	}
}
