package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

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
	exitInterrupted = 130
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
)

// run is the program without the process: it returns the exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	checked := &checkedWriter{Writer: out}
	app := newApp(in, checked, errOut)
	app.Metadata = map[string]any{argsKey: args}
	err := app.RunContext(ctx, append([]string{app.Name}, flagsFirst(app, args)...))
	if err == nil && checked.err != nil {
		err = fmt.Errorf("write the output: %w", checked.err)
	}
	if err == nil {
		return exitOK
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
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	default:
		return exitError
	}
}

// argsKey is where the app keeps its command line.
const argsKey = "args"

// checkedWriter remembers that something could not be written, since no caller of Fprintf looks.
type checkedWriter struct {
	io.Writer

	err error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.err = cmp.Or(w.err, err)
	return n, err
}

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
			tournamentCommand(),
			serveCommand(),
			workerCommand(),
			leaderboardCommand(),
			replayCommand(),
			botCommand(),
			rulesCommand(),
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
folder with a bot.toml, or "cmd:" and a command line, as in "cmd:python3 bot.py".

Results go to stdout, progress and messages to stderr. Every command has --json.

Exit codes: 0 done, 1 error, 2 wrong usage, 3 a bot was at fault (bot check, or --strict),
4 a replay, a tournament, or any result, was not found, 130 interrupted.`

// prepare gives all commands the same manners.
func prepare(commands []*cli.Command) {
	for _, command := range commands {
		command.OnUsageError = onUsageError
		command.HideHelpCommand = true
		if len(command.Subcommands) == 0 {
			continue
		}
		prepare(command.Subcommands)
		group, alone := groupAction(command.Subcommands), command.Action
		command.Action = func(c *cli.Context) error {
			if alone != nil && !c.Args().Present() {
				return alone(c)
			}
			return group(c)
		}
	}
}

// onUsageError puts the library's messages about flags into the words of the rest.
func onUsageError(c *cli.Context, err error, _ bool) error {
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
	return usagef("there is no flag --%s; see %s --help", name, c.Command.HelpName)
}

// groupAction is what a word does that is followed by no known command.
func groupAction(commands []*cli.Command) cli.ActionFunc {
	return func(c *cli.Context) error {
		if !c.Args().Present() {
			return cli.ShowSubcommandHelp(c)
		}
		word := c.Args().First()
		var names []string
		for _, command := range commands {
			if !command.Hidden {
				names = append(names, command.Name)
			}
		}
		if near := registry.Nearest(word, names); near != "" {
			return usagef("there is no command %q; did you mean %s?", word, near)
		}
		return usagef("there is no command %q; there are %s", word, strings.Join(names, ", "))
	}
}

// wantArgs checks the number of arguments; most below 0 is no bound.
func wantArgs(c *cli.Context, least, most int, what string) error {
	if n := c.NArg(); n < least || most >= 0 && n > most {
		return usagef("%s takes %s; got %d (see %s --help)",
			c.Command.HelpName, what, n, c.Command.HelpName)
	}
	return nil
}
