package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/arena/seat"
	"github.com/fivethreefive/fivethreefive/bots"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// entrant is a bot with the label under which it plays.
type entrant struct {
	registry.Bot

	label string
}

// resolve finds the bots that the words name. Folders are relative to dir.
func resolve(dir string, words []string) ([]entrant, error) {
	resolver, err := newResolver()
	if err != nil {
		return nil, err
	}
	resolver.Dir = dir
	found := make([]registry.Bot, len(words))
	for i, word := range words {
		if found[i], err = resolver.Resolve(word); err != nil {
			return nil, usageError{err}
		}
	}
	entrants := make([]entrant, len(found))
	for i, label := range registry.Distinct(found) {
		entrants[i] = entrant{Bot: found[i], label: label}
	}
	return entrants, nil
}

func newResolver() (registry.Resolver, error) {
	exe, err := os.Executable()
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

func labels(entrants []entrant) []string {
	out := make([]string, len(entrants))
	for i, e := range entrants {
		out[i] = e.label
	}
	return out
}

// session is all that a run needs: the bus, the launcher, and seats for the bots.
type session struct {
	bus      *bus.Bus
	launcher *sandbox.Launcher
	seats    *seat.Local
	entrants []entrant
	log      *slog.Logger
}

func openSession(c *cli.Context, settings arena.Settings, entrants []entrant) (_ *session, err error) {
	log := slog.New(slog.NewTextHandler(c.App.ErrWriter, nil))
	s := &session{entrants: entrants, log: log}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.launcher, err = newLauncher(c, log); err != nil {
		return nil, err
	}
	if s.bus, err = bus.Open(bus.Config{URL: c.String("nats"), Log: log}); err != nil {
		return nil, err
	}
	referee, err := s.bus.Connect("referee")
	if err != nil {
		return nil, err
	}
	hosts, err := s.bus.Connect("hosts")
	if err != nil {
		return nil, err
	}
	s.seats = &seat.Local{
		Referee: referee, Hosts: hosts, Launcher: s.launcher, Programs: map[string]sandbox.Spec{},
		Freeze:  settings.Freeze && !c.Bool(unsafeFlag),
		Session: strings.ToLower(rand.Text()[:8]) + "-",
	}
	if err = checkReads(c.StringSlice(allowRead), entrants); err != nil {
		return nil, err
	}
	hidden, err := secrets(c)
	if err != nil {
		return nil, err
	}
	for _, e := range entrants {
		s.seats.Programs[e.label] = sandbox.Spec{
			Args: e.Args, Dir: e.Dir, Env: e.Environment(), ReadOnly: e.ReadOnly, Trusted: e.Trusted, Hide: hidden,
			Limits: sandbox.Limits{Memory: int64(settings.Limits.MemoryMB) << 20},
		}
	}
	return s, nil
}

// Close ends the connections, the embedded server and all bots.
func (s *session) Close() error {
	if s.bus != nil {
		s.bus.Close()
	}
	if s.launcher != nil {
		return s.launcher.Close()
	}
	return nil
}

// prepare builds the bots that need it, and then starts each once before anything counts, since a wrong path is no lost
// game. The error has the card of each bot that did not get ready.
func (s *session) prepare(ctx context.Context, limits protocol.Limits) error {
	if err := s.build(ctx); err != nil {
		return err
	}
	errs := make([]error, len(s.entrants))
	var group errgroup.Group
	group.SetLimit(4)
	for i, e := range s.entrants {
		group.Go(func() error {
			errs[i] = s.greet(ctx, e, i, limits)
			return nil
		})
	}
	_ = group.Wait() // the errors are in errs, in the order of the bots
	return errors.Join(errs...)
}

// build runs the build commands of the bots. They are not confined: they write to the bots' folders, which are the user's
// own.
func (s *session) build(ctx context.Context) (err error) {
	if !slices.ContainsFunc(s.entrants, func(e entrant) bool { return len(e.Build) > 0 }) {
		return nil
	}
	launcher, err := openLauncher(s.log, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, launcher.Close()) }()
	for _, e := range s.entrants {
		if err := e.Prepare(ctx, launcher); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) greet(ctx context.Context, e entrant, number int, limits protocol.Limits) (err error) {
	place, err := s.seats.Open(ctx, arena.Place{Bot: e.label, Game: "greeting", Seat: number})
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
		return fmt.Errorf("%s does not start, so nothing was played: %s%s", e.label, reply.Report.Detail, evidence(reply.Report.Line, reply.Report.Stderr))
	}
	return nil
}

// confinement is what the replays of this run say of it.
func (s *session) confinement() map[string]string {
	report := s.launcher.Probe()
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

// referee makes the referee of a run.
func (s *session) referee(replays string, parallel int, played func(arena.Game)) arena.Referee {
	r := arena.Referee{Confinement: s.confinement(), Seats: s.seats, Version: version, Parallel: parallel, Played: played}
	if replays != "" {
		r.Replays = arena.ReplayDir(replays).Create
	}
	return r
}
