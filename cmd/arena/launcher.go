package main

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

// The hidden commands by which the program starts itself.
const (
	wardenName = "warden"
	cageName   = "cage"
)

const unsafeFlag = "unsafe-no-sandbox"

// newLauncher confines bots unless the user says otherwise.
func newLauncher(c *cli.Context, log *slog.Logger) (*sandbox.Launcher, error) {
	launcher, err := openLauncher(log, !c.Bool(unsafeFlag))
	if err != nil {
		return nil, fmt.Errorf("%w; see arena doctor, or run bots that you trust with --%s", err, unsafeFlag)
	}
	return launcher, nil
}

func openLauncher(log *slog.Logger, confine bool) (*sandbox.Launcher, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cfg := sandbox.Config{Warden: []string{exe, wardenName}, Log: log}
	if confine {
		cfg.Init = []string{exe, cageName}
	}
	return sandbox.New(cfg)
}

// wardenCommand is the helper process that clears up behind a killed arena.
func wardenCommand() *cli.Command {
	return &cli.Command{
		Name: wardenName, Hidden: true, Usage: "watch over the bots of an arena; started by the arena itself",
		Action: func(c *cli.Context) error { return sandbox.Warden(c.App.Reader, c.App.Writer) },
	}
}

// cageCommand is what a process does before it becomes a bot.
func cageCommand() *cli.Command {
	return &cli.Command{
		Name: cageName, Hidden: true, Usage: "confine itself and become a bot; started by the arena itself",
		Action: func(*cli.Context) error { return sandbox.Init() },
	}
}

func doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "say how well bots can be confined on this machine, and what is missing",
		Flags: []cli.Flag{jsonFlag(), &cli.BoolFlag{Name: unsafeFlag, Hidden: true}},
		Action: func(c *cli.Context) error {
			if err := wantArgs(c, 0, 0, "no arguments"); err != nil {
				return err
			}
			report, err := probe(c)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return printJSON(c.App.Writer, struct {
					Schema string         `json:"schema"`
					Report sandbox.Report `json:"sandbox"`
				}{schema, report})
			}
			for _, part := range report.Parts {
				mark := "ok     "
				if !part.Active {
					mark = "MISSING"
				}
				fmt.Fprintf(c.App.Writer, "%s  %-13s %s\n", mark, part.Name, part.State)
				if part.Remedy != "" {
					fmt.Fprintf(c.App.Writer, "         to mend it:   %s\n", part.Remedy)
				}
			}
			return nil
		},
	}
}

// probe starts a launcher just to ask it.
func probe(c *cli.Context) (sandbox.Report, error) {
	launcher, err := newLauncher(c, slog.New(slog.DiscardHandler))
	if err != nil {
		return sandbox.Report{}, err
	}
	return launcher.Probe(), launcher.Close()
}
