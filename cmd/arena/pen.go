package main

import (
	"io"
	"log/slog"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

// pen builds and runs bots on this machine, and confines them.
type pen struct {
	launcher    *sandbox.Launcher
	log         *slog.Logger
	told        io.Writer // hears of what takes long
	hidden      []string  // what no bot may see
	packages    string    // where submitted bots are, of which others may see none
	allowed     []string  // what bots may ask to see
	trusting    bool      // bots are not confined
	confinement map[string]string
}

func openPen(c *cli.Context) (p *pen, err error) {
	p = &pen{log: logger(c), told: c.App.ErrWriter, allowed: c.StringSlice(allowRead), trusting: c.Bool(unsafeFlag)}
	if c.Bool("quiet") {
		p.told = io.Discard
	}
	if p.hidden, err = secrets(c); err != nil {
		return nil, err
	}
	if p.packages, err = packageDir(c); err != nil {
		return nil, err
	}
	if p.launcher, err = newLauncher(c, p.log); err != nil {
		return nil, err
	}
	p.confinement = confinement(p.launcher)
	return p, nil
}

// close ends all bots. A pen that was not opened is closed.
func (p *pen) close() error {
	if p == nil {
		return nil
	}
	return p.launcher.Close()
}

// spec is how a bot is started.
func (p *pen) spec(e entrant, memoryMB int) sandbox.Spec {
	return e.Spec(p.hiddenFrom(e.Bot), memoryMB)
}

// hiddenFrom is what the bot may not see. Those that were submitted are packed, so that they see no other anyway.
func (p *pen) hiddenFrom(bot registry.Bot) []string {
	if bot.Package == "" && exists(p.packages) {
		return append(slices.Clip(p.hidden), p.packages)
	}
	return p.hidden
}

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
