package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/viewer"
	"github.com/fivethreefive/fivethreefive/protocol"
)

func replayShowCommand() *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "step through a game on a terminal, or print it move by move",
		ArgsUsage: "FILE",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "plain", Usage: "print text also on a terminal"},
			&cli.IntFlag{Name: "step", Value: -1, DefaultText: "the first", Usage: "begin at step `N`; as text, print that position alone"},
			&cli.StringFlag{Name: "view", Value: "all", Usage: "show what `WHO` sees: all, public, or a seat by its number"},
			colorFlag(), jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := wantArgs(c, 1, 1, "one file"); err != nil {
				return err
			}
			return showReplay(c, c.Args().First())
		},
	}
}

func colorFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "color", Value: "auto", Usage: "use colours on a terminal `WHEN`: auto, always or never; NO_COLOR=1 is never",
		Action: func(_ *cli.Context, when string) error {
			if when != "auto" && when != "always" && when != "never" {
				return usagef("--color %s: use auto, always or never", when)
			}
			return nil
		},
	}
}

// terminal gives the two ends of the terminal that the command runs on, or false if one of them is something else.
func terminal(c *cli.Context) (in, out *os.File, ok bool) {
	in, isIn := c.App.Reader.(*os.File)
	out, isOut := isTerminal(c.App.Writer)
	if !isIn || !isOut || os.Getenv("TERM") == "dumb" {
		return nil, nil, false
	}
	return in, out, term.IsTerminal(int(in.Fd()))
}

// terminalWidth is that of the terminal that is written to, or 0 where that is something else.
func terminalWidth(c *cli.Context) int {
	out, ok := isTerminal(c.App.Writer)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(out.Fd()))
	if err != nil {
		return 0 // it has no size
	}
	return width
}

func showReplay(c *cli.Context, path string) error {
	in, out, interactive := terminal(c)
	interactive = interactive && !c.Bool("plain") && !c.Bool("json")
	if !interactive && !c.IsSet("step") {
		return printReplay(c, path)
	}
	game, err := readSteps(path)
	if err != nil {
		return fmt.Errorf("%w; to print what is there, leave out --step and add --plain", err)
	}
	who, err := steps.ParseWho(c.String("view"), game.Header.Rules.Players)
	if err != nil {
		return usagef("--view: %w", err)
	}
	at := max(0, c.Int("step"))
	if at >= len(game.Steps) || c.IsSet("step") && c.Int("step") < 0 {
		return usagef("--step %d: the game has steps 0 to %d", c.Int("step"), len(game.Steps)-1)
	}
	scene := viewer.NewShow(game)
	if interactive {
		return viewer.Run(c.Context, viewer.New(scene, table.NewStyle(os.Getenv), at, who), in, out, c.String("color"))
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, struct {
			Schema string `json:"schema"`
			Step   any    `json:"step"`
		}{show.Schema, who.Of(game.Steps[at])})
	}
	fmt.Fprintln(c.App.Writer, strings.Join(scene.Text(at, who), "\n"))
	return nil
}

// printReplay prints the lines of a replay as they are, also of one that is wrong.
func printReplay(c *cli.Context, path string) error {
	lines, err := readLines(c, path)
	if err != nil {
		return err
	}
	header, ok := lines[0].(protocol.Header)
	if !ok {
		return fmt.Errorf("%s: this is no replay, its first line is no header", path)
	}
	who, err := steps.ParseWho(c.String("view"), len(header.Bots))
	if err != nil {
		return usagef("--view: %w", err)
	}
	if c.Bool("json") {
		if who != steps.All {
			return usagef("--json prints whole replays; with --step it takes --view")
		}
		return printReplayJSON(c.App.Writer, lines)
	}
	show.Replay(c.App.Writer, lines, who)
	return nil
}

// readLines warns of lines that were changed, and gives at least one.
func readLines(c *cli.Context, path string) (lines []protocol.Line, err error) {
	file, err := openReplay(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	reader, err := protocol.NewReplayReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for {
		line, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, protocol.ErrSum) {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if err != nil {
			fmt.Fprintf(c.App.ErrWriter, "%s: %v; see arena replay verify\n", path, err)
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s: this is no replay, it is empty", path)
	}
	return lines, nil
}
