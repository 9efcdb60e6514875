package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/registry/pack"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

// build runs the build command of a bot, if it has one, as that of a submitted bot is run: confined, and in a copy of its folder,
// from which it plays then. Where bots are not confined it is built in its own folder.
func (p *pen) build(ctx context.Context, e *entrant) error {
	switch {
	case len(e.Build) == 0:
		return nil
	case p.trusting:
		tellBuild(p.told, e.Bot, registry.BuildWithin)
		return e.Prepare(ctx, p.launcher)
	}
	limits := registry.DefaultBuildLimits()
	limits.Caches = true // it is a folder of this user's
	tellBuild(p.told, e.Bot, limits.Time)
	built := e.Bot
	var err error
	if built.Dir, err = p.copied(ctx, e.Dir); err != nil {
		return fmt.Errorf("build of %s: %w", e.Label(), err)
	}
	if err = built.BuildConfined(ctx, p.launcher, p.hiddenFrom(e.Bot), limits); err != nil {
		return err
	}
	built.Build = nil
	e.Bot = built
	return nil
}

func tellBuild(to io.Writer, bot registry.Bot, within time.Duration) {
	fmt.Fprintf(to, "Building %s, for at most %v: %s\n", bot.Label(), within, show.Printable(show.ShellLine(bot.Build)))
}

// copied is a copy of what would be packed of a folder, so that a bot that plays here also does once it is submitted. It is there
// until the launcher is closed.
func (p *pen) copied(ctx context.Context, dir string) (_ string, err error) {
	work, _, err := p.launcher.TempDir("", "arena-build-") // nobody else may look into it
	if err != nil {
		return "", err
	}
	file, err := os.Create(filepath.Join(work, "package"))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(file.Name())) }()
	if _, err = pack.Pack(ctx, dir, file); err != nil {
		return "", err
	}
	if _, err = file.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	to := filepath.Join(work, "bot")
	if err = os.Mkdir(to, 0o755); err != nil { //nolint:gosec // bots may run as other users; the folder around it is closed
		return "", err
	}
	_, err = pack.Unpack(ctx, file, to)
	return to, err
}
