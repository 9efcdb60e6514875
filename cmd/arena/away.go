package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/seat"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// away is the server that remote bots are connected to: that of the tournaments. Its zero value reaches none.
type away struct {
	mu   sync.Mutex
	bus  *bus.Bus
	conn *nats.Conn
}

// reach connects if one of the bots runs elsewhere.
func (a *away) reach(cfg bus.Config, entrants []entrant) error {
	remote := slices.IndexFunc(entrants, func(e entrant) bool { return e.Remote })
	if remote < 0 {
		return nil
	}
	err := a.open(cfg)
	if errors.Is(err, bus.ErrNoOwner) {
		return fmt.Errorf("%s runs elsewhere, and %w %s; start one with: arena serve --listen HOST:PORT, or name one by --%s",
			entrants[remote].label, bus.ErrNoOwner, cfg.Dir, natsName)
	}
	return err
}

// open connects unless that was done.
func (a *away) open(cfg bus.Config) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.conn != nil {
		return nil
	}
	cfg.Guest = true
	b, err := bus.Open(cfg)
	if err != nil {
		return err
	}
	if a.conn, err = b.Connect("seats"); err != nil {
		b.Close()
		return err
	}
	a.bus = b
	return nil
}

// watch publishes the games of tournaments. Nobody need listen, and what cannot be sent is lost.
func (a *away) watch(cfg bus.Config) arena.Watch {
	if a.open(cfg) != nil {
		return nil
	}
	nc := a.connection()
	return func(match *arena.Match, game string, line []byte) {
		_ = nc.Publish(protocol.WatchSubject(match.Tournament, match.ID, game), line)
	}
}

// comesWithin is how long a bot is waited for before anything is played.
const comesWithin = 2 * time.Second

// greet requires that a bot is connected.
func (a *away) greet(ctx context.Context, e entrant) error {
	for deadline := time.Now().Add(comesWithin); ; {
		_, _, err := seat.Look(ctx, a.connection(), e.Name)
		switch {
		case err == nil, !errors.Is(err, seat.ErrAbsent):
			return err
		case time.Now().After(deadline):
			return fmt.Errorf("%w, so nothing was played; its owner connects it with: arena connect --name %s", err, e.Name)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(comesWithin / 20):
		}
	}
}

// connection is nil where no bot runs elsewhere.
func (a *away) connection() *nats.Conn {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.conn
}

func (a *away) close() {
	if a.bus != nil {
		a.bus.Close()
	}
}
