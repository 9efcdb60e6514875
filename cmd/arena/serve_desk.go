package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/bus/access"
	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
	"github.com/fivethreefive/fivethreefive/arena/registry/desk"
)

// deskPrefix begins the names of the flags about submitted bots.
const deskPrefix = "check-"

// deskFlags say under what submitted bots are checked.
func deskFlags() []cli.Flag { return checkLimits(deskPrefix, submitGames) }

// openDesk lets authors submit bots to an arena that serves. They are checked one at a time.
func openDesk(ctx context.Context, c *cli.Context, b *bus.Bus) (end func() error, err error) {
	all, err := catalog.Open(ctx, b)
	if err != nil {
		return nil, err
	}
	nc, err := b.Connect("desk")
	if err != nil {
		return nil, err
	}
	cfg, endGround, err := checkConfig(c, deskPrefix)
	if err != nil {
		return nil, err
	}
	cfg.Jobs = 1 // the matches of tournaments need their processors
	author := func(ctx context.Context, key string) (string, error) { return authorOf(ctx, nc, key) }
	stop, err := desk.Desk{Catalog: all, Check: cfg, Now: time.Now, Author: author}.Serve(ctx, nc, logger(c))
	if err != nil {
		return nil, errors.Join(err, endGround())
	}
	return func() error { return errors.Join(stop(), endGround()) }, nil
}

// authorOf is by name, so that an author who gets another token keeps the bots of the first.
func authorOf(ctx context.Context, nc *nats.Conn, key string) (name string, err error) {
	tokens, err := access.OpenTokens(ctx, nc)
	if err != nil {
		return "", err
	}
	id, err := tokens.Live(ctx, key, time.Now())
	switch {
	case errors.Is(err, access.ErrNoToken), errors.Is(err, access.ErrRevoked), errors.Is(err, access.ErrExpired):
		return "", fmt.Errorf("%w: %w", desk.ErrAuthor, err)
	case err != nil:
		return "", err
	case id.Role == access.Operator:
		return "", nil
	default:
		return id.Name, nil
	}
}
