package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus/access"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func tokenListCommand() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "show who may connect, and who may no more",
		Flags: join(whereFlags(), []cli.Flag{jsonFlag()}),
		Action: func(c *cli.Context) error {
			if err := wantArgs(c, 0, 0, "no arguments"); err != nil {
				return err
			}
			return onTokens(listTokens)(c)
		},
	}
}

// shownToken is a token as it is at a time.
type shownToken struct {
	Key string `json:"key"`
	access.Identity
	State string `json:"state"` // valid, expired or revoked
}

func tokenAt(id access.Identity, now time.Time) shownToken {
	state := "valid"
	switch err := id.Valid(now); {
	case errors.Is(err, access.ErrRevoked):
		state = "revoked"
	case errors.Is(err, access.ErrExpired):
		state = "expired"
	}
	return shownToken{id.Key, id, state}
}

func listTokens(c *cli.Context, tokens *access.Tokens) error {
	all, err := tokens.All(c.Context)
	if err != nil {
		return err
	}
	list := []shownToken{}
	for _, id := range all {
		list = append(list, tokenAt(id, time.Now()))
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, struct {
			Schema string       `json:"schema"`
			Tokens []shownToken `json:"tokens"`
		}{show.Schema, list})
	}
	if len(list) == 0 {
		fmt.Fprintf(c.App.ErrWriter, "Nobody has a token %s; make one with: arena token create --bot NAME%s\n", whereWords(c), where(c))
		return nil
	}
	var rows [][]string
	for _, token := range list {
		expires := "never"
		if !token.Expires.IsZero() {
			expires = token.Expires.UTC().Format(time.DateTime)
		}
		rows = append(rows, []string{string(token.Role), token.Name, token.State, token.Created.UTC().Format(time.DateTime), expires, token.Key})
	}
	return show.Table(c.App.Writer, []string{"<ROLE", "<NAME", "<STATE", "<CREATED", "<EXPIRES", "<KEY"}, rows)
}

func tokenRevokeCommand() *cli.Command {
	return &cli.Command{
		Name: "revoke", Usage: "end a token for ever, and the connections with it at once", ArgsUsage: "NAME|KEY",
		Description: "A name stands for all tokens of that name, a key, or its beginning, for one. The list shows both.",
		Flags:       join(whereFlags(), []cli.Flag{jsonFlag()}),
		Action: func(c *cli.Context) error {
			if err := wantArgs(c, 1, 1, "the name or the key of a token"); err != nil {
				return err
			}
			return onTokens(revokeTokens)(c)
		},
	}
}

func revokeTokens(c *cli.Context, tokens *access.Tokens) error {
	all, err := tokens.All(c.Context)
	if err != nil {
		return err
	}
	const shortest = 8 // of the beginning of a key
	word := c.Args().First()
	var revoked []shownToken
	for _, id := range all {
		if id.Name != word && (len(word) < shortest || !strings.HasPrefix(id.Key, word)) || !id.Revoked.IsZero() {
			continue
		}
		id.Revoked = time.Now().UTC().Truncate(time.Second)
		if err := tokens.Revoke(c.Context, id.Key, id.Revoked); err != nil {
			return err
		}
		revoked = append(revoked, tokenAt(id, id.Revoked))
	}
	if len(revoked) == 0 {
		return notFoundError(fmt.Sprintf("no token %q is left to be revoked %s; see arena token list%s", word, whereWords(c), where(c)))
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, struct {
			Schema  string       `json:"schema"`
			Revoked []shownToken `json:"revoked"`
		}{show.Schema, revoked})
	}
	for _, id := range revoked {
		fmt.Fprintf(c.App.Writer, "%s %s may connect no more with the key %s.\n", id.Role, id.Name, id.Key)
	}
	return nil
}
