package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst moves the flags of the command before its arguments, since the library stops looking for flags at the first
// argument. After "--" everything is an argument. Of a command that is not known nothing else is left, so that it is what is
// told, and not that the flags behind it are unknown. Where help is asked for, nothing else is.
func flagsFirst(app *cli.App, args []string) []string {
	commands, known := app.Commands, app.Flags
	path := 0
	for path < len(args) {
		command := find(commands, args[path])
		if command == nil && len(commands) > 0 && !strings.HasPrefix(args[path], "-") {
			return args[:path+1]
		}
		if command == nil {
			break
		}
		commands, known = command.Subcommands, command.Flags
		path++
	}
	flags, rest := splitFlags(known, args[path:])
	out := append([]string{}, args[:path]...)
	out = append(out, flags...)
	if len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		out = append(out, "--")
	}
	return append(out, rest...)
}

func find(commands []*cli.Command, name string) *cli.Command {
	for _, command := range commands {
		if command.HasName(name) {
			return command
		}
	}
	return nil
}

func splitFlags(known []cli.Flag, args []string) (flags, rest []string) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return flags, append(rest, args[i+1:]...)
		case len(arg) < 2 || arg[0] != '-':
			rest = append(rest, arg)
		case arg == "-h", arg == "--help":
			return []string{arg}, nil
		default:
			flags = append(flags, arg)
			if !takesValue(known, arg) {
				continue
			}
			if i++; i == len(args) {
				return flags, nil // so that no argument is taken for the value that is missing
			}
			flags = append(flags, args[i])
		}
	}
	return flags, rest
}

// takesValue reports whether the word after the flag belongs to it.
func takesValue(known []cli.Flag, arg string) bool {
	name := strings.TrimLeft(arg, "-")
	if strings.Contains(name, "=") {
		return false
	}
	for _, flag := range known {
		if slices.Contains(flag.Names(), name) {
			_, isBool := flag.(*cli.BoolFlag)
			return !isBool
		}
	}
	return false
}

// refuseEmpty lets nobody give a text that is empty: it is mostly a variable of a script that is not set.
func refuseEmpty(flag cli.Flag) {
	switch f := flag.(type) {
	case *cli.StringFlag:
		f.Action = filled(f.Name, f.EnvVars, f.Action, func(text string) bool { return text == "" })
	case *cli.StringSliceFlag:
		f.Action = filled(f.Name, f.EnvVars, f.Action, func(texts []string) bool { return slices.Contains(texts, "") })
	}
}

func filled[T any](name string, variables []string, action func(*cli.Context, T) error, empty func(T) bool) func(*cli.Context, T) error {
	return func(c *cli.Context, value T) error {
		if empty(value) {
			or := ""
			if len(variables) > 0 {
				or = fmt.Sprintf(" (or %s)", strings.Join(variables, ", "))
			}
			return usagef("--%s%s is empty; give it a value, or leave it out", name, or)
		}
		if action == nil {
			return nil
		}
		return action(c, value)
	}
}
