package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/check"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/registry/desk"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/engine"
)

func botCheckCommand() *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "find out whether a bot is fit to play, and what to mend",
		ArgsUsage: "DIR",
		Description: "The bot is packed, unpacked, built and started as in ranked play, spoken to in all the ways that\n" +
			"the protocol allows, and played at all table sizes that it takes against the built-in bots. Each failure comes with\n" +
			"a hint that names the fix. Exit code 3 says that the bot is at fault.",
		Flags:  join(checkFlags(100), []cli.Flag{dataFlag(), jsonFlag()}),
		Action: checkBot,
	}
}

// checkFlags are what a check is made under.
func checkFlags(games int) []cli.Flag {
	return join(checkLimits("", games), []cli.Flag{
		&cli.IntFlag{
			Name: "jobs", Value: runtime.NumCPU(), Usage: "play `N` games at once",
			Action: func(_ *cli.Context, n int) error {
				if n < 1 {
					return usagef("--jobs %d: at least 1 is needed", n)
				}
				return nil
			},
		},
		&cli.StringFlag{Name: "seed", Usage: "play the games of seed `N`, a whole number or 64 hexadecimal digits"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "show no progress"},
		&cli.StringSliceFlag{Name: allowRead, Usage: "let the bot read this `PATH` of the host if its bot.toml asks for it; may be repeated"},
		&cli.BoolFlag{Name: unsafeFlag, Usage: "run the bot with all your rights; only for one that you trust"},
	})
}

// checkLimits are the flags that [checkConfig] reads, named behind a prefix.
func checkLimits(prefix string, games int) []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{
			Name: prefix + "games", Value: games, Usage: "check a bot by `N` games, spread over all table sizes and seats",
			Action: func(_ *cli.Context, n int) error {
				if n < 1 || n > 10_000 {
					return usagef("--%sgames %d: use 1 to 10000", prefix, n)
				}
				return nil
			},
		},
		&cli.DurationFlag{Name: prefix + "move-time", Value: time.Second, Usage: "limit of a move in a check, as in 500ms"},
		&cli.DurationFlag{Name: prefix + "start-time", Value: 10 * time.Second, Usage: "limit in a check from the start of a bot to its ready"},
		&cli.IntFlag{Name: prefix + "memory", Value: 512, Usage: "memory in a check of a bot with all its processes, in `MiB`"},
	}
}

func checkBot(c *cli.Context) (err error) {
	if err = wantArgs(c, 1, 1, "the folder of a bot"); err != nil {
		return err
	}
	dir := c.Args().First()
	if info, missing := os.Stat(dir); missing != nil || !info.IsDir() {
		return usagef("there is no folder %s; name the one that has the %s of the bot in it", dir, registry.ManifestName)
	}
	cfg, end, err := checkConfig(c, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	report, err := runCheck(c, cfg, dir)
	if err != nil {
		return err
	}
	if err = printCheck(c, report); err != nil {
		return err
	}
	if !report.Passed {
		return errUnfit
	}
	return nil
}

// errUnfit is wrapped by the outcome of a check that found something.
var errUnfit = errors.New("the bot is not fit to play; mend the steps that failed")

// checkConfig makes the ground for checks in this process. The prefix is that of the flags.
func checkConfig(c *cli.Context, prefix string) (cfg check.Config, end func() error, err error) {
	settings, err := checkSettings(c, prefix)
	if err != nil {
		return cfg, nil, err
	}
	seed, err := seedOf(c)
	if err != nil {
		return cfg, nil, err
	}
	resolver, err := newResolver()
	if err != nil {
		return cfg, nil, err
	}
	var house []registry.Bot
	for _, name := range []string{"greedy", "heuristic", "random"} {
		bot, unknown := resolver.Resolve(name)
		if unknown != nil {
			return cfg, nil, unknown
		}
		house = append(house, bot)
	}
	g, err := openGround(c, "")
	if err != nil {
		return cfg, nil, err
	}
	settings.Freeze = settings.Freeze && !g.trusting
	building := registry.DefaultBuildLimits()
	building.Caches = prefix == "" // the bot is the user's own
	return check.Config{
		Builds:   func(bot registry.Bot) { tellBuild(g.told, bot, building.Time) },
		Launcher: g.launcher, Referees: g.referees, Hosts: g.hosts, Hide: g.hidden, Resolver: resolver, House: house, Settings: settings,
		Building: building, Version: version, Games: c.Int(prefix + "games"), Jobs: c.Int("jobs"), Seed: seed,
		Allow: func(bot registry.Bot) error {
			err := checkReads(g.allowed, []entrant{{Bot: bot, label: bot.Label()}})
			if err != nil && prefix != "" { // it is not the author who may allow it
				what, _, _ := strings.Cut(err.Error(), "; ")
				err = fmt.Errorf("%s; %w", what, desk.ErrReads)
			}
			return err
		},
	}, g.Close, nil
}

// checkSettings are those of ranked play but for what the flags say.
func checkSettings(c *cli.Context, prefix string) (arena.Settings, error) {
	rules, err := engine.NewRules(engine.Rulebook, 2)
	if err != nil {
		return arena.Settings{}, err
	}
	s := arena.DefaultSettings(rules)
	if c.IsSet(prefix + "move-time") {
		s.Clock.MoveMS = c.Duration(prefix + "move-time").Milliseconds()
	}
	if c.IsSet(prefix + "start-time") {
		s.Limits.StartupMS = c.Duration(prefix + "start-time").Milliseconds()
	}
	if c.IsSet(prefix + "memory") {
		s.Limits.MemoryMB = c.Int(prefix + "memory")
	}
	if err := s.Validate(); err != nil {
		return s, usageError{err}
	}
	return s, nil
}

// runCheck shows how it goes. An interrupt gives it up.
func runCheck(c *cli.Context, cfg check.Config, dir string) (check.Report, error) {
	ctx, stop, release := onInterrupt(c.Context, c.App.ErrWriter, "Interrupted: the check is given up, its bots are ended.")
	defer release()
	ctx, cancel := cancelWhen(ctx, stop)
	defer cancel()
	bar := progressOf(c, cfg.Games)
	defer bar.End()
	cfg.Played = bar.Played
	if !c.Bool("json") {
		cfg.Told = func(step check.Step) {
			bar.Clear()
			show.Step(c.App.Writer, step)
		}
	}
	report, err := cfg.Run(ctx, dir)
	return report, interrupted(ctx, err)
}

type checkReport struct {
	Schema string `json:"schema"`
	check.Report
}

func printCheck(c *cli.Context, report check.Report) error {
	if c.Bool("json") {
		return show.JSON(c.App.Writer, checkReport{show.Schema, report})
	}
	show.Verdict(c.App.Writer, report)
	return nil
}
