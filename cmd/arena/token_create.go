package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus/access"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

const (
	expiresFlag = "expires"
	outFlag     = "out"
	keyFlag     = "key"
)

func tokenCreateCommand() *cli.Command {
	return &cli.Command{
		Name:  "create",
		Usage: "let somebody in: a bot, a worker, an author, an operator or a spectator",
		Description: "It writes the secret key to a file that only you can read, and prints its path: give that to whoever\n" +
			"connects. Better, have them make the file by arena token key, and register their public key by --key:\n" +
			"then no secret travels.",
		Flags: join([]cli.Flag{
			&cli.StringFlag{Name: string(access.Bot), Usage: "for the remote bot `NAME`, without a version: it plays, and no more"},
			&cli.BoolFlag{Name: string(access.Worker), Usage: "for a worker: it is told seeds, and its results are believed"},
			&cli.BoolFlag{Name: string(access.Author), Usage: "for who submits bots"},
			&cli.BoolFlag{Name: string(access.Operator), Usage: "for who may do everything"},
			&cli.BoolFlag{Name: string(access.Spectator), Usage: "for who watches"},
			&cli.StringFlag{Name: nameFlag, Usage: "list it under this `NAME` (default: the role)"},
			&cli.DurationFlag{Name: expiresFlag, Usage: "end it after that `TIME`, as in 720h (default: it is good until it is revoked)"},
			&cli.StringFlag{Name: keyFlag, Usage: "register this public `KEY`, and make none"},
			&cli.StringFlag{Name: outFlag, Aliases: []string{"o"}, Usage: "write the key to this `FILE`, which must not be there yet (default: NAME.nkey)"},
		}, whereFlags(), []cli.Flag{jsonFlag()}),
		Action: createToken,
	}
}

type createdToken struct {
	Schema string `json:"schema"`
	shownToken
	File string `json:"file,omitempty"` // with the secret key
}

func createToken(c *cli.Context) error {
	if err := wantArgs(c, 0, 0, "no arguments"); err != nil {
		return err
	}
	id, err := newIdentity(c, time.Now())
	if err != nil {
		return err
	}
	if err = onTokens(func(c *cli.Context, tokens *access.Tokens) (err error) {
		file := ""
		if id.Key == "" {
			if file = c.String(outFlag); file == "" {
				file = id.Name + ".nkey"
			}
			if id.Key, err = access.NewCredentials(file); err != nil {
				return err
			}
		}
		if err = tokens.Add(c.Context, id); err != nil {
			if file != "" {
				err = errors.Join(err, os.Remove(file))
			}
			return err
		}
		return printCreated(c, id, file)
	})(c); err != nil {
		return err
	}
	return tellNamesake(c, id)
}

// tellNamesake says that a remote bot has the name of one that is submitted or built in: results of both are then told apart by their
// versions alone.
func tellNamesake(c *cli.Context, id access.Identity) error {
	if id.Role != access.Bot {
		return nil
	}
	resolver, err := newResolver()
	if err != nil {
		return err
	}
	what := "a built-in bot"
	if _, builtin := resolver.Builtins[id.Name]; !builtin {
		all, end, err := shelfOf(c).open()
		if err != nil {
			return err
		}
		defer end()
		if _, err = all.Bot(c.Context, id.Name); errors.Is(err, catalog.ErrUnknown) {
			return nil
		}
		if err != nil {
			return err
		}
		what = "a submitted bot"
	}
	fmt.Fprintf(c.App.ErrWriter, "Note: %s has that name as well, and is not the same: %s means that one, remote:%s the one that connects, "+
		"which tables show as %s@%s.\n", what, id.Name, id.Name, id.Name, registry.RemoteVersion)
	return nil
}

func printCreated(c *cli.Context, id access.Identity, file string) error {
	if c.Bool("json") {
		return show.JSON(c.App.Writer, createdToken{show.Schema, tokenAt(id, time.Now()), file})
	}
	fmt.Fprintf(c.App.Writer, "%s %s may connect with the key %s.\n", id.Role, id.Name, id.Key)
	if file == "" {
		return nil
	}
	if path, err := filepath.Abs(file); err == nil {
		file = path
	}
	fmt.Fprintf(c.App.Writer, "The secret is in %s; give it by --creds, and to nobody else.\n", show.Printable(file))
	return nil
}

// newIdentity reads the flags.
func newIdentity(c *cli.Context, now time.Time) (access.Identity, error) {
	id := access.Identity{Name: c.String(nameFlag), Key: c.String(keyFlag), Created: now.UTC().Truncate(time.Second)}
	var flags []string
	for _, role := range access.Roles() {
		flags = append(flags, "--"+string(role))
		if !c.IsSet(string(role)) {
			continue
		}
		if id.Role != "" {
			return id, usagef("--%s and --%s: a token has one role", id.Role, role)
		}
		id.Role = role
	}
	switch {
	case id.Role == "":
		return id, usagef("whom is it for? give one of %s", strings.Join(flags, ", "))
	case id.Role == access.Bot && c.IsSet(nameFlag):
		return id, usagef("--%s: the token of a bot is listed under the name of the bot", nameFlag)
	case id.Role == access.Bot:
		id.Name = c.String(string(access.Bot))
	case id.Name == "":
		id.Name = string(id.Role)
	}
	if err := access.CheckName(id.Name); err != nil {
		return id, usageError{err}
	}
	if c.IsSet(keyFlag) && c.IsSet(outFlag) {
		return id, usagef("--%s and --%s: whoever has that key has its file already", keyFlag, outFlag)
	}
	if c.IsSet(keyFlag) {
		if err := access.CheckKey(id.Key); err != nil {
			return id, usagef("--%s: %w", keyFlag, err)
		}
	}
	if c.IsSet(expiresFlag) {
		if c.Duration(expiresFlag) <= 0 {
			return id, usagef("--%s %v: it would be over already", expiresFlag, c.Duration(expiresFlag))
		}
		id.Expires = id.Created.Add(c.Duration(expiresFlag))
	}
	return id, nil
}
