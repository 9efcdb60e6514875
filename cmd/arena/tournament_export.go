package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/files"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func exportCommand() *cli.Command {
	return &cli.Command{
		Name: "export", Usage: "print a tournament that is over, with all results, as lines of JSON", ArgsUsage: "ID",
		Description: "Each line is sealed by a sum over itself and all before it. Two runs of the same tournament\n" +
			"between bots that answer the same give the same bytes with --no-times. Replays are files of\n" +
			"their own, in the data folder.",
		Flags: join([]cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE` instead of stdout"}, noTimesFlag(),
		}, whereFlags()),
		Action: onTournament(1, 1, "the name of a tournament", export),
	}
}

func export(c *cli.Context, store *league.Store, state *league.State) error {
	times := !c.Bool("no-times")
	path := c.String("output")
	if path == "" {
		return store.Export(c.Context, state.ID, c.App.Writer, times)
	}
	err := files.Output(path, 0o644, func(out io.Writer) error { return store.Export(c.Context, state.ID, out, times) })
	if err != nil {
		return err
	}
	fmt.Fprintf(c.App.ErrWriter, "%s is written to %s; elsewhere: arena tournament import %s\n", state.ID, path, show.ShellLine([]string{path}))
	return nil
}

func importCommand() *cli.Command {
	return &cli.Command{
		Name: "import", Usage: "bring in a tournament that was exported elsewhere", ArgsUsage: "FILE",
		Description: "FILE is - for stdin.",
		Flags:       join(whereFlags(), []cli.Flag{jsonFlag()}),
		Action:      importTournament,
	}
}

func importTournament(c *cli.Context) error {
	if err := wantArgs(c, 1, 1, "one file"); err != nil {
		return err
	}
	path := c.Args().First()
	in, err := openExport(c, path)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it was only read
	store, end, err := openStore(c)
	if err != nil {
		return err
	}
	defer end()
	id, err := store.Import(c.Context, in)
	told := "is imported"
	if errors.Is(err, league.ErrThere) {
		told, err = "is there already", nil
	}
	if err != nil {
		return fmt.Errorf("import %s: %w", path, err)
	}
	state, err := store.Load(c.Context, id)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, summaryReport{show.Schema, summaryOf(state)})
	}
	fmt.Fprintf(c.App.Writer, "%s %s: %s of %s.\n", id, told, show.Count(state.Played(), "match", "matches"), show.Count(len(state.Entrants), "bot", "bots"))
	printNext(c, store, summaryOf(state))
	return nil
}

func openExport(c *cli.Context, path string) (io.ReadCloser, error) {
	if path == "" {
		return nil, usagef("the name of the file is empty; name one that arena tournament export has written")
	}
	if path == "-" {
		return io.NopCloser(c.App.Reader), nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, usagef("%s is a folder; name a file that arena tournament export has written", path)
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w; give a file that arena tournament export has written", path, errNotFound)
	}
	return file, err
}
