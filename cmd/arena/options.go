package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/engine"
)

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print one JSON object instead of text"}
}

func noTimesFlag() cli.Flag {
	return &cli.BoolFlag{Name: "no-times", Usage: "leave out all times, so that equal runs print equal bytes"}
}

const defaultData = ".arena"

func dataFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "data", Value: defaultData, EnvVars: []string{"ARENA_DATA"}, Usage: "keep tournaments and replays in this `DIR`",
		Action: func(_ *cli.Context, dir string) error {
			if info, err := os.Stat(dir); err == nil && !info.IsDir() {
				return usagef("--data: %s is no folder but a file; name a folder, which is made if it is not there", dir)
			}
			return nil
		},
	}
}

func rulesFlags(defaults string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "rules", Value: string(engine.Rulebook), DefaultText: defaults, Usage: "`PRESET` of the rules: rulebook, bga or classic2020"},
		&cli.StringSliceFlag{
			Name:  "option",
			Usage: "change one rule by `KEY=VALUE`: permanent_pass=true, greater_overwrite=true, target=10, hand_size=13 or copies=5; may be repeated",
		},
	}
}

// playFlags are those of all commands that start bots.
func playFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "replays", Usage: "write the replays to this `DIR` (default: replays in the data folder)"},
		&cli.BoolFlag{Name: "no-replays", Usage: "write no replays"},
		&cli.IntFlag{
			Name: "jobs", Value: runtime.NumCPU(), Usage: "play `N` matches or deal sets at once; the result does not depend on it",
			Action: func(_ *cli.Context, n int) error {
				if n < 1 {
					return usagef("--jobs %d: at least 1 is needed", n)
				}
				return nil
			},
		},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "show no progress"},
		&cli.StringSliceFlag{Name: allowRead, Usage: "let bots read this `PATH` of the host if their bot.toml asks for it; may be repeated"},
		&cli.BoolFlag{Name: unsafeFlag, Usage: "run bots with all your rights; only for bots that you trust"},
		&cli.BoolFlag{Name: "strict", Usage: "exit with 3 if any bot was at fault"},
	}
}

// settingsFlags are what one match is played under. The text of the defaults is given where they come from elsewhere.
func settingsFlags(defaults string) []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "deals", Value: 10, DefaultText: defaults, Usage: "play `N` deal sets, each under all its seat orders"},
		&cli.StringFlag{Name: "seed", Usage: "repeat the run of seed `N`, a whole number (which others can guess) or the 64 hexadecimal digits of an earlier seed"},
		&cli.DurationFlag{Name: "move-time", Value: time.Second, DefaultText: defaults, Usage: "limit of a move, as in 500ms"},
		&cli.DurationFlag{Name: "bank", DefaultText: defaults, Usage: "time in addition to all move limits of a game"},
		&cli.DurationFlag{Name: "increment", DefaultText: defaults, Usage: "added to the bank after each move"},
		&cli.DurationFlag{Name: "start-time", Value: 10 * time.Second, DefaultText: defaults, Usage: "limit from the start of a bot to its ready"},
		&cli.DurationFlag{Name: "network-time", DefaultText: defaults, Usage: "of the time of a remote bot's answer, do not count this much, for the way"},
		&cli.IntFlag{Name: "strikes", Value: 3, DefaultText: defaults, Usage: "faults in a game that forfeit the seat; 0 for no limit"},
		&cli.IntFlag{Name: "memory", Value: 512, DefaultText: defaults, Usage: "memory of a bot with all its processes, in `MiB`"},
		&cli.BoolFlag{Name: "freeze", Value: true, DefaultText: defaults, Usage: "give bots no processor time but for their turns (--freeze=false to let them think on)"},
		&cli.BoolFlag{Name: "ask-forced", DefaultText: defaults, Usage: "ask a bot also where only one action is legal"},
	}
}

// formatFlags are the choices that one most often tries out.
func formatFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name: "format", DefaultText: fromFile,
			Usage: "make tables by `NAME`: round-robin, swiss, gauntlet, knockout, double-elimination or ladder",
		},
		&cli.IntFlag{Name: "cycles", DefaultText: fromFile, Usage: "play a round robin or a gauntlet `N` times over"},
		&cli.IntFlag{Name: "stages", DefaultText: fromFile, Usage: "play `N` stages of a swiss or a ladder"},
	}
}

func join(groups ...[]cli.Flag) (all []cli.Flag) {
	for _, group := range groups {
		all = append(all, group...)
	}
	return all
}

type ruleOption struct{ key, value string }

// ruleOptions takes the --option flags apart, in their order.
func ruleOptions(c *cli.Context) (options []ruleOption, err error) {
	for _, option := range c.StringSlice("option") {
		key, value, ok := strings.Cut(option, "=")
		if !ok {
			return nil, usagef("--option %s: write KEY=VALUE, as in --option target=10", option)
		}
		options = append(options, ruleOption{key, value})
	}
	return options, nil
}

func rulesOf(c *cli.Context, players int) (engine.Rules, error) {
	rules, err := engine.NewRules(engine.Preset(c.String("rules")), players)
	if err != nil {
		return engine.Rules{}, usageError{err}
	}
	options, err := ruleOptions(c)
	if err != nil {
		return engine.Rules{}, err
	}
	for _, option := range options {
		if rules, err = rules.With(option.key, option.value); err != nil {
			return engine.Rules{}, usagef("--option %s=%s: %w", option.key, option.value, err)
		}
	}
	if err := rules.Validate(); err != nil {
		return engine.Rules{}, usageError{err}
	}
	return rules, nil
}

func settingsOf(c *cli.Context, players int) (arena.Settings, error) {
	rules, err := rulesOf(c, players)
	if err != nil {
		return arena.Settings{}, err
	}
	s := arena.DefaultSettings(rules)
	s.DealSets = c.Int("deals")
	s.Clock.MoveMS = c.Duration("move-time").Milliseconds()
	s.Clock.BankMS = c.Duration("bank").Milliseconds()
	s.Clock.IncrementMS = c.Duration("increment").Milliseconds()
	s.Limits.StartupMS = c.Duration("start-time").Milliseconds()
	s.NetworkMS = c.Duration("network-time").Milliseconds()
	s.Limits.MemoryMB = c.Int("memory")
	s.Faults.StrikeLimit = c.Int("strikes")
	s.AskForced = c.Bool("ask-forced")
	s.Freeze = c.Bool("freeze")
	if err := s.Validate(); err != nil {
		return arena.Settings{}, usageError{err}
	}
	return s, nil
}

// replayDir is where the replays of a run go, or empty for nowhere.
func replayDir(c *cli.Context, id string) string {
	switch {
	case c.Bool("no-replays"):
		return ""
	case c.String("replays") != "":
		return c.String("replays")
	default:
		return filepath.Join(c.String("data"), "replays", id)
	}
}

// tournamentOf applies the flags that are given to what the file says.
func tournamentOf(c *cli.Context, spec league.Spec) (league.Tournament, error) {
	if err := overrideSpec(c, &spec); err != nil {
		return league.Tournament{}, err
	}
	options, err := ruleOptions(c)
	if err != nil {
		return league.Tournament{}, err
	}
	for _, option := range options {
		if spec.Options == nil {
			spec.Options = map[string]any{}
		}
		spec.Options[option.key] = option.value
	}
	t, err := spec.Tournament()
	if err != nil {
		return t, usageError{err}
	}
	if c.IsSet("freeze") {
		t.Settings.Freeze = c.Bool("freeze")
	}
	if c.IsSet("strikes") {
		t.Settings.Faults.StrikeLimit = c.Int("strikes")
	}
	if err := t.Settings.Validate(); err != nil {
		return t, usageError{err}
	}
	return t, nil
}

func overrideSpec(c *cli.Context, spec *league.Spec) error {
	for name, to := range map[string]*int64{
		"move-time": &spec.MoveMS, "bank": &spec.BankMS, "increment": &spec.Increment, "start-time": &spec.StartupMS, "network-time": &spec.NetworkMS,
	} {
		if !c.IsSet(name) {
			continue
		}
		if *to = c.Duration(name).Milliseconds(); *to < 1 && (name == "move-time" || name == "start-time") {
			return usagef("--%s %v: at least 1ms is needed", name, c.Duration(name))
		}
	}
	for name, to := range map[string]*int{
		"cycles": &spec.Cycles, "stages": &spec.Stages, "deals": &spec.DealSets, "memory": &spec.MemoryMB,
	} {
		if !c.IsSet(name) {
			continue
		}
		if *to = c.Int(name); *to < 1 {
			return usagef("--%s %d: at least 1 is needed", name, *to)
		}
	}
	if c.IsSet("format") {
		spec.Format = league.Format(c.String("format"))
	}
	if c.IsSet("rules") {
		spec.Preset = engine.Preset(c.String("rules"))
	}
	if c.IsSet("seed") {
		spec.Seed = c.String("seed")
	}
	if c.IsSet("ask-forced") {
		spec.AskForced = c.Bool("ask-forced")
	}
	return nil
}
