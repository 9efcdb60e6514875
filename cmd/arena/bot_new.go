package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/kit"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func newBotCommand() *cli.Command {
	return &cli.Command{
		Name:        "new",
		Usage:       "make a folder with a bot that plays, to begin from",
		ArgsUsage:   "NAME",
		Description: newBotDescription(),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "lang", Aliases: []string{"l"}, Usage: "the `LANGUAGE` of the bot"},
			jsonFlag(),
		},
		Action: newBot,
	}
}

func newBotDescription() string {
	var out strings.Builder
	out.WriteString("The folder gets the name of the bot, and everything that the bot needs; nothing is downloaded. Languages:\n\n")
	for _, l := range kit.Languages() {
		fmt.Fprintf(&out, "  %-10s  %s\n", l.Name, l.About)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// madeBot is what the command prints.
type madeBot struct {
	Schema   string `json:"schema"`
	Bot      string `json:"bot"` // name@version
	Folder   string `json:"folder"`
	Language string `json:"language"`
	Missing  string `json:"missing,omitempty"` // the program that is needed and is not on this machine
}

func newBot(c *cli.Context) error {
	if err := wantArgs(c, 1, 1, "the name of the bot"); err != nil {
		return err
	}
	if !c.IsSet("lang") {
		return usagef("choose a language by --lang, as in arena bot new %s --lang python; arena bot new --help lists them", show.ShellLine(c.Args().Slice()))
	}
	language, err := kit.Find(c.String("lang"))
	if err != nil {
		return usageError{err}
	}
	dir := filepath.Clean(c.Args().First())
	resolver, err := newResolver()
	if err != nil {
		return err
	}
	if _, taken := resolver.Builtins[filepath.Base(dir)]; taken {
		return usagef("%s is the name of a built-in bot; choose another", filepath.Base(dir))
	}
	if err = kit.Check(dir); err != nil {
		return usageError{err}
	}
	if err = language.Write(dir); err != nil {
		return err
	}
	bot, err := resolver.Resolve(folderWord(dir))
	if err != nil {
		return err
	}
	return printMade(c, language, bot, dir)
}

// folderWord is the folder as a word that no bot can be named.
func folderWord(dir string) string {
	if filepath.IsAbs(dir) || strings.HasPrefix(dir, "..") {
		return dir
	}
	return "." + string(filepath.Separator) + dir
}

func printMade(c *cli.Context, language kit.Language, bot registry.Bot, dir string) error {
	out := c.App.Writer
	missing := bot.Missing()
	if c.Bool("json") {
		return show.JSON(out, madeBot{Schema: show.Schema, Bot: bot.Label(), Folder: dir, Language: language.Name, Missing: missing})
	}
	fmt.Fprintf(out, "Made %s in %s. Edit %s, then:\n\n", bot.Label(), folderWord(dir), language.Source(dir))
	if language.Test != "" {
		fmt.Fprintf(out, "  (cd %s && %s)\n", show.ShellLine([]string{dir}), language.Test)
	}
	fmt.Fprintf(out, "  arena match %s greedy\n", show.ShellLine([]string{folderWord(dir)}))
	if missing != "" {
		fmt.Fprintf(c.App.ErrWriter, "\n%s is not on this machine: install it before the bot can play.\n", missing)
	}
	return nil
}
