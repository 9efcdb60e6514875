package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/arena/seat"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// ground is where bots play: a bus for their seats, and a launcher that confines them.
type ground struct {
	workshop    workshop
	bus         *bus.Bus
	referees    *nats.Conn
	hosts       *nats.Conn
	launcher    *sandbox.Launcher
	log         *slog.Logger
	hidden      []string // what no bot may see
	packages    string   // where submitted bots are, of which others may see none
	allowed     []string // what bots may ask to see
	trusting    bool     // bots are not confined
	confinement map[string]string
	session     string    // keeps subjects apart from those of other programs
	told        io.Writer // hears of what takes long
}

// openGround has a server of its own for the seats, unless a URL is given.
func openGround(c *cli.Context, url string) (_ *ground, err error) {
	log := logger(c)
	g := &ground{log: log, allowed: c.StringSlice(allowRead), trusting: c.Bool(unsafeFlag), session: strings.ToLower(rand.Text()[:8]) + "-", told: c.App.ErrWriter}
	if c.Bool("quiet") {
		g.told = io.Discard
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, g.Close())
		}
	}()
	if g.hidden, err = secrets(c); err != nil {
		return nil, err
	}
	if g.packages, err = packageDir(c); err != nil {
		return nil, err
	}
	if g.launcher, err = newLauncher(c, log); err != nil {
		return nil, err
	}
	g.confinement = confinement(g.launcher)
	if g.bus, err = bus.Open(bus.Config{URL: url, Log: log}); err != nil {
		return nil, err
	}
	if g.referees, err = g.bus.Connect("referee"); err != nil {
		return nil, err
	}
	g.hosts, err = g.bus.Connect("hosts")
	return g, err
}

func logger(c *cli.Context) *slog.Logger { return slog.New(slog.NewTextHandler(c.App.ErrWriter, nil)) }

// confinement is what the replays say of it.
func confinement(launcher *sandbox.Launcher) map[string]string {
	report := launcher.Probe()
	if !report.Confined {
		return nil
	}
	parts := map[string]string{}
	for _, part := range report.Parts {
		if part.Active {
			parts[part.Name] = part.State
		}
	}
	return parts
}

// Close ends the connections, the embedded server and all bots.
func (g *ground) Close() error {
	if g.bus != nil {
		g.bus.Close()
	}
	var err error
	if g.launcher != nil {
		err = g.launcher.Close()
	}
	return errors.Join(err, g.workshop.close())
}

// seats opens seats for some bots under the settings of a match.
func (g *ground) seats(settings arena.Settings, entrants []entrant) *seat.Local {
	seats := &seat.Local{
		Referee: g.referees, Hosts: g.hosts, Launcher: g.launcher, Programs: map[string]sandbox.Spec{},
		Freeze: settings.Freeze && !g.trusting, Session: g.session,
	}
	for _, e := range entrants {
		seats.Programs[e.label] = e.Spec(g.hiddenFrom(e.Bot), settings.Limits.MemoryMB)
	}
	return seats
}

// referee plays between those who have seats.
func (g *ground) referee(seats *seat.Local, replays league.Replays) arena.Referee {
	return arena.Referee{Confinement: g.confinement, Seats: seats, Version: version, Replays: replays}
}

// greet starts a bot once before anything counts, since a wrong path is no lost game.
func (g *ground) greet(ctx context.Context, seats *seat.Local, e entrant, number int, limits protocol.Limits) (err error) {
	place, err := seats.Open(ctx, arena.Place{Bot: e.label, Game: "greeting", Seat: number})
	if err != nil {
		return err
	}
	defer func() {
		_, closing := place.Close(context.WithoutCancel(ctx))
		err = errors.Join(err, closing)
	}()
	hello := protocol.Hello{
		Protocol: protocol.Version, Arena: "fivethreefive/" + version,
		Limits: limits,
	}
	reply, err := place.Ask(ctx, hello, time.Duration(limits.StartupMS)*time.Millisecond)
	if err != nil {
		return err
	}
	if reply.Fault != "" {
		return fmt.Errorf("%s does not start, so nothing was played: %s%s", e.label, reply.Report.Detail, show.Evidence(reply.Report.Line, reply.Report.Stderr))
	}
	return nil
}

// session is a ground with the bots of one run.
type session struct {
	*ground

	seats    *seat.Local
	settings arena.Settings
	entrants []entrant
}

func openSession(c *cli.Context, url string, settings arena.Settings, entrants []entrant) (*session, error) {
	if err := checkReads(c.StringSlice(allowRead), entrants); err != nil {
		return nil, err
	}
	g, err := openGround(c, url)
	if err != nil {
		return nil, err
	}
	return &session{ground: g, seats: g.seats(settings, entrants), settings: settings, entrants: entrants}, nil
}

// buildAll builds the bots that need it. They play from where they were built.
func (s *session) buildAll(ctx context.Context) error {
	for i := range s.entrants {
		if err := s.build(ctx, &s.entrants[i]); err != nil {
			return err
		}
	}
	s.seats = s.ground.seats(s.settings, s.entrants)
	return nil
}

// prepare builds the bots that need it, and then starts each once. The error has the card of each bot that did not get
// ready.
func (s *session) prepare(ctx context.Context) error {
	if err := s.buildAll(ctx); err != nil {
		return err
	}
	errs := make([]error, len(s.entrants))
	var group errgroup.Group
	group.SetLimit(4)
	for i, e := range s.entrants {
		group.Go(func() error {
			errs[i] = s.greet(ctx, s.seats, e, i, s.settings.Limits)
			return nil
		})
	}
	_ = group.Wait() // the errors are in errs, in the order of the bots
	return errors.Join(errs...)
}

// referee makes the referee of a run, which writes replays to a folder unless that is empty.
func (s *session) referee(replays string, parallel int, played func(arena.Game)) arena.Referee {
	var keep league.Replays
	if replays != "" {
		keep = arena.ReplayDir(replays).Create
	}
	r := s.ground.referee(s.seats, keep)
	r.Parallel, r.Played = parallel, played
	return r
}
