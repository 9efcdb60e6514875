package main

import (
	"log/slog"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// tournamentDir is where tournaments are kept. No bot may look into it: seeds are there.
func tournamentDir(c *cli.Context) string { return filepath.Join(c.String("data"), "tournaments") }

// openStore opens the tournaments of the data folder, also while another arena uses it.
func openStore(c *cli.Context) (store *league.Store, end func(), err error) {
	log := slog.New(slog.NewTextHandler(c.App.ErrWriter, nil))
	b, err := bus.Open(bus.Config{Dir: tournamentDir(c), Log: log})
	if err != nil {
		return nil, nil, err
	}
	store, err = league.Open(c.Context, b, league.Options{Dir: tournamentDir(c), Log: log})
	if err != nil {
		b.Close()
		return nil, nil, err
	}
	return store, b.Close, nil
}
