package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/seat"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func remoteCommand() *cli.Command {
	return &cli.Command{
		Name:  "remote",
		Usage: "look at the bots that run elsewhere",
		Subcommands: []*cli.Command{{
			Name:      "list",
			Usage:     "show whether remote bots are connected, how far away they are, and how busy",
			ArgsUsage: "[NAME...]",
			Description: "Without names it shows those of all tournaments that are not over. All but the round trip is what\n" +
				"they say of themselves.",
			Flags: join(whereFlags(), []cli.Flag{jsonFlag()}),
			Action: func(c *cli.Context) error {
				store, end, err := openThere(c)
				if err != nil {
					return err
				}
				defer end()
				return listRemotes(c, store)
			},
		}},
	}
}

// remoteStatus is what is seen of a remote bot.
type remoteStatus struct {
	Name      string  `json:"name"`
	Connected bool    `json:"connected"`
	Bot       string  `json:"bot,omitempty"`
	TripMS    float64 `json:"round_trip_ms,omitempty"`
	Slots     int     `json:"slots,omitempty"`
	Playing   int     `json:"playing"`
}

func listRemotes(c *cli.Context, store *league.Store) error {
	names := c.Args().Slice()
	for i, name := range names {
		names[i] = strings.TrimPrefix(name, registry.RemotePrefix)
		if err := registry.CheckName(names[i]); err != nil {
			return usageError{err}
		}
	}
	if len(names) == 0 {
		var err error
		if names, err = enteredRemotes(c, store); err != nil {
			return err
		}
	}
	all, err := lookAt(c, names)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, struct {
			Schema  string         `json:"schema"`
			Remotes []remoteStatus `json:"remotes"`
		}{show.Schema, all})
	}
	if len(all) == 0 {
		fmt.Fprintf(c.App.ErrWriter, "No tournament %s waits for a remote bot; enter one as remote:NAME.\n", whereWords(c))
		return nil
	}
	var rows [][]string
	for _, r := range all {
		row := []string{r.Name, "not connected", "", "", ""}
		if r.Connected {
			row = []string{r.Name, "connected", show.Printable(r.Bot), fmt.Sprintf("%.2f", r.TripMS), fmt.Sprintf("%d of %d", r.Playing, r.Slots)}
		}
		rows = append(rows, row)
	}
	return show.Table(c.App.Writer, []string{"<NAME", "<STATE", "<BOT", "ROUND TRIP MS", "PLAYING"}, rows)
}

// enteredRemotes are those in tournaments that are not over.
func enteredRemotes(c *cli.Context, store *league.Store) (names []string, err error) {
	ids, err := store.Tournaments(c.Context)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		state, err := store.Load(c.Context, id)
		if err != nil {
			return nil, err
		}
		if state.Phase.Over() {
			continue
		}
		for _, label := range state.Present() {
			name, version, _ := strings.Cut(kind(label), "@")
			if version == registry.RemoteVersion && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names, nil
}

// lookAt asks all at once.
func lookAt(c *cli.Context, names []string) ([]remoteStatus, error) {
	b, err := bus.Open(busConfig(c))
	if err != nil {
		return nil, err
	}
	defer b.Close()
	nc, err := b.Connect("seats")
	if err != nil {
		return nil, err
	}
	all, errs := make([]remoteStatus, len(names)), make([]error, len(names))
	var looking sync.WaitGroup
	for i, name := range names {
		looking.Go(func() {
			p, trip, err := seat.Look(c.Context, nc, name)
			all[i] = remoteStatus{Name: name}
			if err == nil {
				all[i] = remoteStatus{name, true, fmt.Sprintf("%.64s", p.Bot), float64(trip.Round(10*time.Microsecond)) / float64(time.Millisecond), p.Slots, p.Playing}
			} else if !errors.Is(err, seat.ErrAbsent) {
				errs[i] = err
			}
		})
	}
	looking.Wait()
	return all, errors.Join(errs...)
}
