package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

// tournamentDir is where tournaments are kept. No bot may look into it: seeds are there.
func tournamentDir(c *cli.Context) string { return filepath.Join(c.String("data"), "tournaments") }

// allReplays is the folder of the replays of all tournaments.
func allReplays(c *cli.Context) string { return filepath.Join(c.String("data"), "replays") }

const (
	natsName  = "nats"
	credsName = "creds"
	caName    = "ca"
)

// whereFlags say which tournaments a command is about.
func whereFlags() []cli.Flag {
	return join([]cli.Flag{dataFlag()}, natsFlags("the tournaments of the arena that listens at this `URL`, instead of a data folder"))
}

func natsFlags(usage string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: natsName, EnvVars: []string{"ARENA_NATS"}, Usage: usage},
		&cli.StringFlag{Name: credsName, EnvVars: []string{"ARENA_CREDS"}, Usage: "show the token of this `FILE` there; arena token create makes one"},
		&cli.StringFlag{Name: caName, EnvVars: []string{"ARENA_CA"}, Usage: "know the server by the certificate in this `FILE`, if it is one of its own"},
	}
}

// where repeats the flags that say which tournaments a command was about, for the next command.
func where(c *cli.Context) string {
	switch {
	case c.String(natsName) != "":
		var words []string
		for _, name := range []string{natsName, credsName, caName} {
			if value := c.String(name); value != "" {
				words = append(words, " --"+name+" "+show.ShellLine([]string{value}))
			}
		}
		return strings.Join(words, "")
	case c.String("data") != defaultData:
		return " --data " + show.ShellLine([]string{c.String("data")})
	default:
		return ""
	}
}

// whereWords says the same in a sentence.
func whereWords(c *cli.Context) string {
	if address := c.String(natsName); address != "" {
		return "at " + bus.Redacted(address)
	}
	return "in " + c.String("data")
}

// busConfig is that of the tournaments.
func busConfig(c *cli.Context) bus.Config {
	if c.String(natsName) != "" {
		return natsConfig(c)
	}
	return bus.Config{Dir: tournamentDir(c), Log: logger(c)}
}

// natsConfig is that of the server of --nats, or of one inside this process that keeps nothing.
func natsConfig(c *cli.Context) bus.Config {
	return bus.Config{
		URL: c.String(natsName), Credentials: c.String(credsName), CA: c.String(caName), Log: logger(c),
		Denied: func(err error) { deny(c.Context, &deniedError{credentials: c.String(credsName), err: err}) },
	}
}

// openStore opens the tournaments, also while another arena uses their folder.
func openStore(c *cli.Context) (store *league.Store, end func(), err error) {
	b, err := bus.Open(busConfig(c))
	if err != nil {
		return nil, nil, err
	}
	store, err = storeOn(c, b)
	if err != nil {
		b.Close()
		return nil, nil, err
	}
	return store, b.Close, nil
}

func storeOn(c *cli.Context, b *bus.Bus) (*league.Store, error) {
	options := league.Options{Log: logger(c)}
	if c.String(natsName) == "" {
		options.Dir = tournamentDir(c)
	}
	return league.Open(c.Context, b, options)
}

// openThere makes no data folder where there is none.
func openThere(c *cli.Context) (store *league.Store, end func(), err error) {
	if c.String(natsName) == "" && !exists(tournamentDir(c)) {
		return nil, nil, notFoundError(fmt.Sprintf("there are no tournaments %s; make one with: arena tournament new FILE.toml, or play some with: arena tournament run --demo", whereWords(c)))
	}
	return openStore(c)
}

// explainUnknown says which tournaments there are when the one that was asked for is not there.
func explainUnknown(ctx context.Context, c *cli.Context, store *league.Store, id string, err error) error {
	if !errors.Is(err, league.ErrNoTournament) && (err == nil || league.CheckID(id) == nil) {
		return err
	}
	ids, listing := store.Tournaments(ctx)
	if listing != nil {
		return errors.Join(err, listing)
	}
	text := fmt.Sprintf("there is no tournament %q %s", id, whereWords(c))
	const most = 5
	switch near := registry.Nearest(id, ids); {
	case near != "":
		text += fmt.Sprintf("; did you mean %s?", near)
	case len(ids) == 0:
		text += "; make one with: arena tournament new FILE.toml"
	case len(ids) <= most:
		text += "; known: " + strings.Join(ids, ", ")
	default:
		text += "; see arena tournament list" + where(c)
	}
	return notFoundError(text)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
