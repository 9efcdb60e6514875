package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/protocol"
)

func replayCommand() *cli.Command {
	return &cli.Command{
		Name:  "replay",
		Usage: "the records of games",
		Subcommands: []*cli.Command{
			replayShowCommand(),
			{
				Name:      "verify",
				Usage:     "play games again from their seeds and compare every line",
				ArgsUsage: "FILE|DIR...",
				Flags:     []cli.Flag{jsonFlag()},
				Action: func(c *cli.Context) error {
					if err := wantArgs(c, 1, -1, "files or folders"); err != nil {
						return err
					}
					return verifyReplays(c)
				},
			},
			replayFeedCommand(),
		},
	}
}

// verdict is the outcome for one file.
type verdict struct {
	File   string `json:"file"`
	OK     bool   `json:"ok"`
	Lines  int    `json:"lines,omitempty"`
	Sealed bool   `json:"sealed"` // whether the lines have sums
	Hash   string `json:"hash,omitempty"`
	Error  string `json:"error,omitempty"`
}

var errReplay = errors.New("a replay is wrong")

func verifyReplays(c *cli.Context) error {
	files, err := replayFiles(c.Args().Slice())
	if err != nil {
		return err
	}
	verdicts := make([]verdict, len(files))
	wrong := 0
	for i, file := range files {
		verdicts[i] = verifyFile(file)
		if !verdicts[i].OK {
			wrong++
		}
		if !c.Bool("json") {
			printVerdict(c.App.Writer, verdicts[i])
		}
	}
	if c.Bool("json") {
		if err := show.JSON(c.App.Writer, struct {
			Schema  string    `json:"schema"`
			Replays []verdict `json:"replays"`
		}{show.Schema, verdicts}); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%w: %d of %d", errReplay, wrong, len(files))
	}
	return nil
}

// replayFiles finds the replays in folders.
func replayFiles(args []string) (files []string, err error) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w; give the file or the folder of a replay", arg, errNotFound)
		}
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, arg)
			continue
		}
		inside, err := replaysBelow(arg)
		if err != nil {
			return nil, err
		}
		if len(inside) == 0 {
			return nil, fmt.Errorf("%s: %w: no replays in this folder", arg, errNotFound)
		}
		files = append(files, inside...)
	}
	return files, nil
}

// replaysBelow looks into all folders below, too, but not for the exports of tournaments.
func replaysBelow(dir string) (files []string, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		name := strings.TrimSuffix(entry.Name(), ".gz")
		if err == nil && entry.Type().IsRegular() && strings.HasSuffix(name, ".jsonl") && !strings.HasSuffix(name, league.ExportSuffix) {
			files = append(files, path)
		}
		return err
	})
	return files, err
}

func verifyFile(path string) verdict {
	v := verdict{File: path}
	file, err := openReplay(path)
	if err != nil {
		v.Error = err.Error()
		return v
	}
	defer func() { _ = file.Close() }()
	verified, err := arena.VerifyReplay(file)
	if err != nil {
		v.Error = err.Error()
		return v
	}
	v.OK, v.Lines, v.Sealed, v.Hash = true, verified.Lines, verified.Sealed, verified.Hash
	return v
}

func printVerdict(out io.Writer, v verdict) {
	switch {
	case !v.OK:
		fmt.Fprintf(out, "WRONG %s: %s\n", v.File, v.Error)
	case !v.Sealed:
		fmt.Fprintf(out, "ok    %s: %s; without sums, so times, notes and names are taken on trust\n", v.File, show.Count(v.Lines, "line", "lines"))
	default:
		fmt.Fprintf(out, "ok    %s: %s, hash %.16s\n", v.File, show.Count(v.Lines, "line", "lines"), v.Hash)
	}
}

func printReplayJSON(out io.Writer, lines []protocol.Line) error {
	var text strings.Builder
	writer := protocol.NewReplayWriter(&text)
	for _, line := range lines {
		if err := writer.Write(line); err != nil {
			return err
		}
	}
	raw := make([]json.RawMessage, 0, len(lines))
	for line := range strings.Lines(text.String()) {
		raw = append(raw, json.RawMessage(strings.TrimSpace(line)))
	}
	return show.JSON(out, struct {
		Schema string            `json:"schema"`
		Lines  []json.RawMessage `json:"lines"`
	}{show.Schema, raw})
}
