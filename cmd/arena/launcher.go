package main

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

// wardenName is the hidden command by which the program starts its warden.
const wardenName = "warden"

const unsafeFlag = "unsafe-no-sandbox"

// standIn is the file of a program that is started in the place of this one, as cages, wardens and built-in bots; empty is none.
var standIn string //nolint:gochecknoglobals // tests set it

func executable() (string, error) {
	if standIn != "" {
		return standIn, nil
	}
	return os.Executable()
}

// newLauncher confines bots unless the user says otherwise.
func newLauncher(c *cli.Context, log *slog.Logger) (*sandbox.Launcher, error) {
	launcher, err := openLauncher(log, !c.Bool(unsafeFlag))
	if err != nil {
		return nil, fmt.Errorf("%w; see arena doctor, or run bots that you trust with --%s", err, unsafeFlag)
	}
	return launcher, nil
}

func openLauncher(log *slog.Logger, confine bool) (*sandbox.Launcher, error) {
	exe, err := executable()
	if err != nil {
		return nil, err
	}
	return sandbox.New(sandbox.Config{Program: standIn, Warden: []string{exe, wardenName}, Confine: confine, Log: log})
}

// wardenCommand is the helper process that clears up behind a killed arena.
func wardenCommand() *cli.Command {
	return &cli.Command{
		Name: wardenName, Hidden: true, Usage: "watch over the bots of an arena; started by the arena itself",
		Action: func(c *cli.Context) error { return sandbox.Warden(c.App.Reader, c.App.Writer) },
	}
}
