package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

// Exit codes; arena --help lists them.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitFault       = 3 // a bot was at fault, and --strict asked to hear of it
	exitNotFound    = 4
	exitNo          = 6 // the answer is no: a new bot is not better, or a bot decides otherwise than recorded
	exitUndecided   = 8 // a comparison: not known yet
	exitInterrupted = 130
	exitUnread      = 141 // nobody reads the output any more: what a shell says of a program that this has ended
)

// usageError is a mistake on the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// notFoundError is the whole message about something that is not there.
type notFoundError string

func (e notFoundError) Error() string { return string(e) }

// Is makes it an errNotFound.
func (notFoundError) Is(target error) bool { return target == errNotFound }

var (
	errFaults      = errors.New("a bot was at fault; its cards are above")
	errInterrupted = errors.New("interrupted")
	errNotFound    = errors.New("not found")
	errRejected    = errors.New("the new bot is rejected")
	errUndecided   = errors.New("it is not known yet; play more with a larger --max-deal-sets")
)

// run is the program without the process: it returns the exit code. When nobody reads what it prints any more, it ends what it
// does, and closes its store in order.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	ctx, end := deniable(ctx)
	defer end(nil)
	unread := func() { end(nil) }
	checked := &output{Writer: out, unread: unread}
	if _, seen := isTerminal(errOut); !seen {
		errOut = &output{Writer: errOut, unread: unread}
	}
	app := newApp(in, checked, errOut)
	app.Metadata = map[string]any{argsKey: args}
	err := app.RunContext(ctx, append([]string{app.Name}, flagsFirst(app, args)...))
	if reason := denied(ctx); reason != nil {
		err = reason
	}
	failed := checked.failed()
	if err == nil && failed != nil {
		err = fmt.Errorf("write the output: %w", failed)
	}
	switch {
	case err == nil:
		return exitOK
	case errors.Is(failed, syscall.EPIPE):
		return exitUnread
	}
	return tell(errOut, err)
}

// tell prints an error, and gives its exit code.
func tell(errOut io.Writer, err error) int {
	if league.Away(err) {
		err = fmt.Errorf("%w; the arena that has the tournaments is very busy, lacks room, or was away for a moment: see what it says, and try again", err)
	}
	fmt.Fprintf(errOut, "arena: %s\n", show.Printable(err.Error())) // it may quote what a stranger wrote
	if usage := (usageError{}); errors.As(err, &usage) {
		return exitUsage
	}
	switch {
	case errors.Is(err, errFaults), errors.Is(err, errUnfit), errors.Is(err, errNotTaken):
		return exitFault
	case errors.Is(err, errNotFound), errors.Is(err, league.ErrNoTournament), errors.Is(err, catalog.ErrUnknown):
		return exitNotFound
	case errors.Is(err, errDiffers), errors.Is(err, errRejected):
		return exitNo
	case errors.Is(err, errUndecided):
		return exitUndecided
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	default:
		return exitError
	}
}

// argsKey is where the app keeps its command line.
const argsKey = "args"

func newApp(in io.Reader, out, errOut io.Writer) *cli.App {
	app := &cli.App{
		Name:                      "arena",
		Usage:                     "run bots against each other at the card game Five Three Five",
		Description:               description,
		Reader:                    in,
		Writer:                    out,
		ErrWriter:                 errOut,
		HideVersion:               true,
		DisableSliceFlagSeparator: true, // "cmd:python3 bot.py,--level 2" is one word
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              onUsageError,
		Commands: []*cli.Command{
			matchCommand(),
			playCommand(),
			compareCommand(),
			tournamentCommand(),
			serveCommand(),
			workerCommand(),
			connectCommand(),
			remoteCommand(),
			tokenCommand(),
			leaderboardCommand(),
			headToHeadCommand(),
			dataCommand(),
			replayCommand(),
			botCommand(),
			rulesCommand(),
			schemaCommand(),
			doctorCommand(),
			versionCommand(),
			wardenCommand(),
		},
	}
	app.Action = groupAction(app.Commands)
	prepare(app.Commands)
	return app
}

const description = `A bot is the name of a built-in or submitted bot (arena bot list), name@version, a
folder with a bot.toml, "cmd:" and a command line, as in "cmd:python3 bot.py", or
remote:NAME for one that runs elsewhere (arena connect).

Results go to stdout, progress and messages to stderr. Every command has --json.

Exit codes: 0 done, 1 error, 2 wrong usage, 3 a bot was at fault (bot check, or --strict),
4 a replay, a tournament, or any result, was not found, 6 compare: rejected;
replay feed: the bot decides otherwise, 8 compare: undecided, 130 interrupted,
141 nobody reads the output.`

// prepare gives all commands the same manners.
func prepare(commands []*cli.Command) {
	for _, command := range commands {
		command.OnUsageError = onUsageError
		for _, flag := range command.Flags {
			refuseEmpty(flag)
		}
		command.HideHelpCommand = true
		if len(command.Subcommands) == 0 {
			continue
		}
		prepare(command.Subcommands)
		group, alone := groupAction(command.Subcommands), command.Action
		command.Action = func(c *cli.Context) error {
			if alone == nil {
				return group(c)
			}
			if c.Args().Present() {
				return withoutArgs(c)
			}
			return alone(c)
		}
	}
}

// onUsageError puts the library's messages about flags into the words of the rest.
func onUsageError(c *cli.Context, err error, _ bool) error {
	if wrong := wrongValue(c.Command.Flags, err.Error()); wrong != "" {
		return usagef("%s", wrong)
	}
	text := strings.NewReplacer("for flag -", "for --", "argument: -", "argument: --").Replace(err.Error())
	name, unknown := strings.CutPrefix(text, "flag provided but not defined: -")
	if !unknown {
		return usagef("%s", text)
	}
	var names []string
	for _, flag := range c.Command.Flags {
		names = append(names, flag.Names()[0])
	}
	if near := registry.Nearest(strings.TrimLeft(name, "-"), names); near != "" {
		return usagef("there is no flag --%s; did you mean --%s?", name, near)
	}
	if len(c.Command.Subcommands) > 0 {
		return usagef("there is no flag --%s here; write flags behind the whole command (see %s --help)", name, c.Command.HelpName)
	}
	return usagef("there is no flag --%s; see %s --help", name, c.Command.HelpName)
}

// wrongValue says what a flag takes when it was given something else, or is empty.
func wrongValue(flags []cli.Flag, text string) string {
	parts := regexp.MustCompile(`^invalid value "(.*)" for flag -([a-z-]+): `).FindStringSubmatch(text)
	if parts == nil {
		return ""
	}
	value, name := parts[1], parts[2]
	for _, flag := range flags {
		if !slices.Contains(flag.Names(), name) {
			continue
		}
		switch flag.(type) {
		case *cli.DurationFlag:
			return fmt.Sprintf("--%s %q: write a time with its unit, as in --%s 5s or --%s 500ms", name, value, name, name)
		case *cli.IntFlag:
			return fmt.Sprintf("--%s %q: write a whole number, as in --%s 10", name, value, name)
		}
	}
	return ""
}

// groupAction is what a word does that is followed by no known command.
func groupAction(commands []*cli.Command) cli.ActionFunc {
	return func(c *cli.Context) error {
		if !c.Args().Present() {
			return cli.ShowSubcommandHelp(c)
		}
		word := c.Args().First()
		names := commandNames(commands)
		if near := registry.Nearest(word, names); near != "" {
			return usagef("there is no command %q; did you mean %s?", word, near)
		}
		return usagef("there is no command %q; there are %s", word, strings.Join(names, ", "))
	}
}

// withoutArgs explains a word after a command that takes none but has commands of its own.
func withoutArgs(c *cli.Context) error {
	names := commandNames(c.Command.Subcommands)
	word := c.Args().First()
	if near := registry.Nearest(word, names); near != "" {
		return usagef("%s takes no arguments; got %q; did you mean %s %s?", c.Command.HelpName, word, c.Command.HelpName, near)
	}
	return usagef("%s takes no arguments; got %q (see %s --help)", c.Command.HelpName, word, c.Command.HelpName)
}

func commandNames(commands []*cli.Command) (names []string) {
	for _, command := range commands {
		if !command.Hidden {
			names = append(names, command.Name)
		}
	}
	return names
}

// wantArgs checks the number of arguments; most below 0 is no bound.
func wantArgs(c *cli.Context, least, most int, what string) error {
	if n := c.NArg(); n < least || most >= 0 && n > most {
		return usagef("%s takes %s; got %d (see %s --help)",
			c.Command.HelpName, what, n, c.Command.HelpName)
	}
	return nil
}
