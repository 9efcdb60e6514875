package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
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

// ground is where bots play: a bus for their seats, and a pen to run them in.
type ground struct {
	*pen

	bus      *bus.Bus
	referees *nats.Conn
	hosts    *nats.Conn
	away     away   // where remote bots are
	session  string // keeps subjects apart from those of other programs
}

// openGround has a server of its own for the seats, unless a URL is given.
func openGround(c *cli.Context, url string) (_ *ground, err error) {
	g := &ground{session: strings.ToLower(rand.Text()[:8]) + "-"}
	defer func() {
		if err != nil {
			err = errors.Join(err, g.Close())
		}
	}()
	if g.pen, err = openPen(c); err != nil {
		return nil, err
	}
	server := bus.Config{Log: g.log}
	if url != "" {
		server = natsConfig(c)
	}
	if g.bus, err = bus.Open(server); err != nil {
		return nil, err
	}
	if g.referees, err = g.bus.Connect("referee"); err != nil {
		return nil, err
	}
	g.hosts, err = g.bus.Connect("hosts")
	return g, err
}

func logger(c *cli.Context) *slog.Logger { return slog.New(slog.NewTextHandler(c.App.ErrWriter, nil)) }

// Close ends the connections, the embedded server and all bots.
func (g *ground) Close() error {
	if g.bus != nil {
		g.bus.Close()
	}
	g.away.close()
	return g.close()
}

// seats are those of a match: a bot has its own on this machine, or elsewhere.
type seats struct {
	local  *seat.Local
	remote *seat.Remote
}

// Open implements [arena.Opener].
func (s seats) Open(ctx context.Context, place arena.Place) (arena.Seat, error) {
	if _, ok := s.remote.Names[place.Bot]; ok {
		return s.remote.Open(ctx, place)
	}
	return s.local.Open(ctx, place)
}

// seats opens seats for some bots under the settings of a match. A session keeps those of one match apart from those of another.
func (g *ground) seats(session string, settings arena.Settings, entrants []entrant) seats {
	s := seats{
		&seat.Local{
			Referee: g.referees, Hosts: g.hosts, Launcher: g.launcher, Programs: map[string]sandbox.Spec{},
			Freeze: settings.Freeze && !g.trusting, Session: session,
		},
		&seat.Remote{
			Conn: g.away.connection(), Names: map[string]string{}, Session: session,
			Network: time.Duration(settings.NetworkMS) * time.Millisecond,
		},
	}
	for _, e := range entrants {
		if e.Remote {
			s.remote.Names[e.label] = e.Name
		} else {
			s.local.Programs[e.label] = g.spec(e, settings.Limits.MemoryMB)
		}
	}
	return s
}

// referee plays between those who have seats.
func (g *ground) referee(seats seats, replays league.Replays) arena.Referee {
	return arena.Referee{Confinement: g.confinement, Seats: seats, Version: version, Replays: replays}
}

// greet starts a bot once before anything counts, since a wrong path is no lost game. One that runs elsewhere has to be
// connected.
func (g *ground) greet(ctx context.Context, seats seats, e entrant, number int, limits protocol.Limits) (err error) {
	if e.Remote {
		return g.away.greet(ctx, e)
	}
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

	seats    seats
	settings arena.Settings
	entrants []entrant
}

// openSession has the seats of this machine on a server of its own, unless a URL is given and no bot runs elsewhere: with one
// that does, the URL is where that is.
func openSession(c *cli.Context, url string, settings arena.Settings, entrants []entrant) (*session, error) {
	if slices.ContainsFunc(entrants, func(e entrant) bool { return e.Remote }) {
		url = ""
	}
	if err := checkReads(c.StringSlice(allowRead), entrants); err != nil {
		return nil, err
	}
	g, err := openGround(c, url)
	if err != nil {
		return nil, err
	}
	if err := g.away.reach(busConfig(c), entrants); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return &session{ground: g, seats: g.seats(g.session, settings, entrants), settings: settings, entrants: entrants}, nil
}

// buildAll builds the bots that need it. They play from where they were built.
func (s *session) buildAll(ctx context.Context) error {
	for i := range s.entrants {
		if err := s.build(ctx, &s.entrants[i]); err != nil {
			return err
		}
	}
	s.seats = s.ground.seats(s.session, s.settings, s.entrants)
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
