package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/seat"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/protocol"
	"github.com/fivethreefive/fivethreefive/sdk/go/remote"
)

const (
	serverFlag = "server"
	botFlag    = "bot"
)

func connectCommand() *cli.Command {
	return &cli.Command{
		Name:  "connect",
		Usage: "let a bot that runs on this machine play for an arena elsewhere",
		Description: "The arena enters it as remote:NAME. Each of its games gets a process of its own, here, and the clock\n" +
			"runs there. When the connection is lost it is made again, and games go on if that does not take\n" +
			"too long.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: botFlag, Usage: "the `BOT` to run: a folder with a bot.toml, \"cmd:\" and a command line, or a built-in bot"},
			&cli.StringFlag{Name: serverFlag, Usage: "connect to the arena at this `URL`, as in nats://127.0.0.1:4222"},
			&cli.StringFlag{Name: credsName, Usage: "show the arena the key in this `FILE`"},
			&cli.StringFlag{Name: caName, Usage: "know the arena by the certificate in this `FILE`, instead of those of the system"},
			&cli.StringFlag{Name: nameFlag, Usage: "be known to the arena as `NAME`, for which the key was made (default: the name of the bot)"},
			&cli.IntFlag{Name: slotsFlag, Value: 8, Usage: "play `N` games at once, each by a process of its own"},
			&cli.IntFlag{Name: "memory", Value: 512, Usage: "memory of each process with all that it starts, in `MiB`"},
			&cli.StringSliceFlag{Name: allowRead, Usage: "let the bot read this `PATH` of the host if its bot.toml asks for it; may be repeated"},
			&cli.BoolFlag{Name: unsafeFlag, Usage: "run the bot with all your rights; only for one that you trust"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "do not tell of each game"},
			dataFlag(),
		},
		Action: connect,
	}
}

func connect(c *cli.Context) (err error) {
	if err = wantArgs(c, 0, 0, "no arguments; name the bot by --bot"); err != nil {
		return err
	}
	e, err := botToConnect(c)
	if err != nil {
		return err
	}
	ctx, stop, release := onInterrupt(c.Context, c.App.ErrWriter,
		"Leaving: running games are finished. Ctrl-C again gives them up.")
	defer release() // when nothing is left that a signal could leave behind
	p, err := openPen(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	if err = p.build(ctx, &e); err != nil {
		return interrupted(ctx, err)
	}
	program := &seat.Program{Launcher: p.launcher, Spec: p.spec(e, c.Int("memory"))}
	if err = greet(program, e, c.Int("memory")); err != nil {
		return err
	}
	host := &remote.Host{
		Open: program.Open, Bot: e.label, Slots: c.Int(slotsFlag),
		Told: (&gameTeller{out: c.App.ErrWriter, quiet: c.Bool("quiet")}).told,
	}
	return serveGames(ctx, c, stop, host, cmp.Or(c.String(nameFlag), e.Name))
}

func botToConnect(c *cli.Context) (entrant, error) {
	for _, flag := range []string{botFlag, serverFlag} {
		if c.String(flag) == "" {
			return entrant{}, usagef("--%s is missing; see arena connect --help", flag)
		}
	}
	if err := remote.CheckURL(c.String(serverFlag)); err != nil {
		return entrant{}, usagef("--%s: %w", serverFlag, err)
	}
	if c.Int(slotsFlag) < 1 {
		return entrant{}, usagef("--%s %d: at least 1 is needed", slotsFlag, c.Int(slotsFlag))
	}
	if name := c.String(nameFlag); name != "" {
		if err := registry.CheckName(name); err != nil {
			return entrant{}, usagef("--%s: %w", nameFlag, err)
		}
	}
	for _, flag := range []string{credsName, caName} {
		if _, err := os.Stat(c.String(flag)); c.String(flag) != "" && err != nil {
			return entrant{}, usagef("--%s: %w", flag, err)
		}
	}
	entrants, err := resolve(shelfOf(c), "", []string{c.String(botFlag)})
	if err != nil {
		return entrant{}, err
	}
	e := entrants[0]
	if e.Remote {
		return e, usagef("--%s %s: it runs elsewhere; name a bot of this machine", botFlag, e.word)
	}
	if err = checkPrograms(c, entrants); err != nil {
		return e, err
	}
	return e, checkReads(c.StringSlice(allowRead), entrants)
}

// greet starts the bot once, since one that does not start would lose games.
func greet(program *seat.Program, e entrant, memory int) error {
	const startup = 30 * time.Second // whatever the arena will allow
	err := program.Greet(protocol.Hello{
		Protocol: protocol.Version, Arena: "fivethreefive/" + version,
		Limits: protocol.Limits{StartupMS: startup.Milliseconds(), LineBytes: protocol.MaxLine, MemoryMB: memory},
	})
	if failed, ok := errors.AsType[*seat.NotReadyError](err); ok {
		return fmt.Errorf("%s does not start, so it was not connected: %s%s", e.label, failed.Report.Detail, show.Evidence(failed.Report.Line, failed.Report.Stderr))
	}
	return err
}

// serveGames plays until the user wants no more, or the arena does not.
func serveGames(ctx context.Context, c *cli.Context, stop <-chan struct{}, host *remote.Host, name string) error {
	key, err := bus.Identity(c.String(credsName), c.String(caName))
	if err != nil {
		return usagef("--%s: %w", credsName, err)
	}
	err = host.Play(ctx, stop, remote.Server{URL: c.String(serverFlag), Name: name, Log: c.App.ErrWriter, Options: key})
	switch {
	case errors.Is(err, remote.ErrRefused):
		return fmt.Errorf("%w, and name its file by --%s", err, credsName)
	case errors.Is(err, remote.ErrName):
		return fmt.Errorf("%w; name another token by --%s, or another bot by --%s", err, credsName, nameFlag)
	case err != nil:
		return err
	default:
		return fmt.Errorf("%w: %s has left", errInterrupted, name)
	}
}
