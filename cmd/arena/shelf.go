package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

// packageDir is where submitted bots are kept that were fetched.
func packageDir(c *cli.Context) (string, error) {
	return filepath.Abs(filepath.Join(c.String("data"), "packages"))
}

// shelf finds submitted bots in the store of a command. It opens that only when one is named.
type shelf struct {
	c   *cli.Context
	cfg bus.Config
}

func shelfOf(c *cli.Context) shelf { return shelf{c: c, cfg: busConfig(c)} }

// errStore is wrapped by what is no mistake on the command line.
var errStore = errors.New("the submitted bots cannot be read")

// open gives the catalog, or nil where there is no data folder that could have one.
func (s shelf) open() (all *catalog.Catalog, end func(), err error) {
	if s.cfg.URL == "" && !exists(s.cfg.Dir) {
		return nil, func() {}, nil
	}
	b, err := bus.Open(s.cfg)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errStore, err)
	}
	if all, err = catalog.Open(s.c.Context, b); err != nil {
		b.Close()
		return nil, nil, fmt.Errorf("%w: %w", errStore, err)
	}
	return all, b.Close, nil
}

// submitted is that of a [registry.Resolver].
func (s shelf) submitted(name, version string) (registry.Bot, error) {
	all, end, err := s.open()
	if err != nil {
		return registry.Bot{}, err
	}
	defer end()
	if all == nil {
		return registry.Bot{}, registry.ErrNotSubmitted
	}
	bot, err := all.Bot(s.c.Context, name)
	if errors.Is(err, catalog.ErrUnknown) {
		return registry.Bot{}, registry.ErrNotSubmitted
	}
	if err != nil {
		return registry.Bot{}, fmt.Errorf("%w: %w", errStore, err)
	}
	found, err := bot.Find(version)
	if err != nil {
		return registry.Bot{}, err
	}
	if found.Retired {
		return registry.Bot{}, fmt.Errorf("bot %s@%s: %w; bring it back by: arena bot activate %s@%s%s", name, found.Version, catalog.ErrRetired, name, found.Version, where(s.c))
	}
	return s.take(all, found.Digest)
}

// get gives a bot by the digest of its package.
func (s shelf) get(digest string) (registry.Bot, error) {
	all, end, err := s.open()
	if err != nil {
		return registry.Bot{}, err
	}
	defer end()
	if all == nil {
		return registry.Bot{}, registry.ErrNotSubmitted
	}
	return s.take(all, digest)
}

func (s shelf) take(all *catalog.Catalog, digest string) (bot registry.Bot, err error) {
	place := catalog.Shelf{Limits: registry.DefaultBuildLimits()}
	if place.Dir, err = packageDir(s.c); err != nil {
		return bot, err
	}
	if place.Resolver, err = newResolver(); err != nil {
		return bot, err
	}
	if place.Hide, err = secrets(s.c); err != nil {
		return bot, err
	}
	var launcher *sandbox.Launcher
	defer func() {
		if launcher != nil {
			err = errors.Join(err, launcher.Close())
		}
	}()
	place.Launcher = func() (_ *sandbox.Launcher, err error) {
		launcher, err = newLauncher(s.c, logger(s.c))
		return launcher, err
	}
	return place.Get(s.c.Context, all, digest)
}
