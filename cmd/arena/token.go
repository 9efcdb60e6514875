package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

func tokenCommand() *cli.Command {
	return &cli.Command{
		Name:  "token",
		Usage: "say who may connect to an arena that listens, and what they may do there",
		Description: "A token is a pair of keys. The arena keeps the public one; the secret one is in a file of whoever\n" +
			"connects. Your own programs that name the data folder need none.",
		Subcommands: []*cli.Command{tokenCreateCommand(), tokenKeyCommand(), tokenListCommand(), tokenRevokeCommand(), tokenCalloutCommand()},
	}
}

// onTokens runs a command on the tokens of the data folder, or of an arena that listens.
func onTokens(do func(c *cli.Context, tokens *access.Tokens) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		b, err := bus.Open(busConfig(c))
		if err != nil {
			return err
		}
		defer b.Close()
		nc, err := b.Connect("tokens")
		if err != nil {
			return err
		}
		tokens, err := access.OpenTokens(c.Context, nc)
		if err != nil {
			return err
		}
		return do(c, tokens)
	}
}

func tokenKeyCommand() *cli.Command {
	return &cli.Command{
		Name: "key", Usage: "make a key for a token that somebody else creates, and print the public one", ArgsUsage: "FILE",
		Description: "The secret key is in the file, which must not be there yet. Give the public one to the operator, for\n" +
			"arena token create --key.",
		Action: func(c *cli.Context) error {
			if err := wantArgs(c, 1, 1, "the file that is to be made"); err != nil {
				return err
			}
			public, err := access.NewCredentials(c.Args().First())
			if err == nil {
				_, err = fmt.Fprintln(c.App.Writer, public)
			}
			return err
		},
	}
}
