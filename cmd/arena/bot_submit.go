package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/check"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
	"github.com/fivethreefive/fivethreefive/arena/registry/desk"
	"github.com/fivethreefive/fivethreefive/arena/registry/pack"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

// submitGames are enough to find most faults in seconds.
const submitGames = 20

func botSubmitCommand() *cli.Command {
	return &cli.Command{
		Name:      "submit",
		Usage:     "check a bot and take it in, so that name@version means it everywhere",
		ArgsUsage: "DIR",
		Description: "The folder is packed without what " + pack.IgnoreName + " names, and checked as by arena bot check: by the arena\n" +
			"that serves the store, or here where none does. A version never changes: for another bot, raise the\n" +
			"version in its " + registry.ManifestName + ". The version becomes the active one, which the name alone means.",
		Flags:  join(whereFlags(), checkFlags(submitGames), []cli.Flag{jsonFlag()}),
		Action: submitBot,
	}
}

type submitReport struct {
	Schema string `json:"schema"`
	Where  string `json:"where"` // who checked it: server, or here
	desk.Receipt
}

func submitBot(c *cli.Context) (err error) {
	if err = wantArgs(c, 1, 1, "the folder of a bot"); err != nil {
		return err
	}
	archive, err := packed(c)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, archive.Close())
		_ = os.Remove(archive.Name()) // it may be gone
	}()
	b, err := bus.Open(busConfig(c))
	if err != nil {
		return err
	}
	defer b.Close()
	report, err := submit(c, b, archive)
	if err != nil {
		return err
	}
	return printSubmitted(c, report)
}

// packed packs the folder into a temporary file.
func packed(c *cli.Context) (file *os.File, err error) {
	dir := c.Args().First()
	if _, err = registry.ReadSubmission(dir); err != nil {
		return nil, usageError{err}
	}
	if file, err = os.CreateTemp("", "arena-package-"); err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // so that nothing stays of it, whatever ends this; not every system can
	if _, err = pack.Pack(c.Context, dir, file); err == nil {
		_, err = file.Seek(0, 0)
	}
	if err != nil {
		err = errors.Join(err, file.Close())
		_ = os.Remove(file.Name())
	}
	if errors.Is(err, pack.ErrRefused) {
		return nil, refusedError{fmt.Errorf("%s cannot be packed: %w", dir, err)}
	}
	return file, err
}

// refusedError is about a folder that is no bot which could be submitted.
type refusedError struct{ error }

// Is makes it an errNotTaken.
func (refusedError) Is(target error) bool { return target == errNotTaken }

// submit leaves the check to the arena that serves the store. Where none does, and the store is this machine's, it is made here.
func submit(c *cli.Context, b *bus.Bus, archive *os.File) (submitReport, error) {
	nc, err := b.Connect("submit")
	if err != nil {
		return submitReport{}, err
	}
	info, err := archive.Stat()
	if err != nil {
		return submitReport{}, err
	}
	ctx, stop, release := onInterrupt(c.Context, c.App.ErrWriter, "Interrupted: the submission is given up.")
	defer release()
	ctx, cancel := cancelWhen(ctx, stop)
	defer cancel()
	sending := &sending{c: c}
	receipt, err := desk.Sender{Conn: nc, Told: sending.told}.Send(ctx, archive, info.Size())
	sending.end()
	if !errors.Is(err, desk.ErrNobody) {
		return submitReport{show.Schema, "server", receipt}, interrupted(ctx, err)
	}
	if c.String(natsName) != "" {
		return submitReport{}, fmt.Errorf("%w: start arena serve for the store %s, and submit again", desk.ErrNobody, whereWords(c))
	}
	if _, err = archive.Seek(0, 0); err != nil {
		return submitReport{}, err
	}
	receipt, err = submitHere(ctx, c, b, archive)
	return submitReport{show.Schema, "here", receipt}, interrupted(ctx, err)
}

func submitHere(ctx context.Context, c *cli.Context, b *bus.Bus, archive *os.File) (_ desk.Receipt, err error) {
	all, err := catalog.Open(ctx, b)
	if err != nil {
		return desk.Receipt{}, err
	}
	cfg, end, err := checkConfig(c, "")
	if err != nil {
		return desk.Receipt{}, err
	}
	defer func() { err = errors.Join(err, end()) }()
	bar := progressOf(c, cfg.Games)
	defer bar.End()
	cfg.Played = bar.Played
	told := func(step check.Step) {
		bar.Clear()
		show.Step(c.App.Writer, step)
	}
	if c.Bool("json") {
		told = nil
	}
	return desk.Desk{Catalog: all, Check: cfg, Now: time.Now}.Submit(ctx, desk.Owner, archive, told)
}

func printSubmitted(c *cli.Context, report submitReport) error {
	out := c.App.Writer
	label := report.Report.Label()
	if c.Bool("json") {
		if err := show.JSON(out, report); err != nil {
			return err
		}
	} else {
		switch {
		case report.Refusal != "":
			fmt.Fprintf(out, "Refused: %s.\n", show.Printable(report.Refusal))
		case report.Known:
			fmt.Fprintf(out, "%s is already there, with the same files.\n", label)
		default:
			printReceipt(c, report)
		}
	}
	if report.Refusal != "" || !report.Report.Passed {
		return errNotTaken
	}
	return nil
}

// errNotTaken is the outcome of a submission that the registry has not taken in.
var errNotTaken = errors.New("the bot was not taken in; mend it, and submit it again")

func printReceipt(c *cli.Context, report submitReport) {
	out := c.App.Writer
	if report.Where == "server" {
		for _, step := range report.Report.Steps {
			show.Step(out, step)
		}
	}
	show.Verdict(out, report.Report)
	if report.Report.Passed {
		label := report.Report.Label()
		fmt.Fprintf(out, "Submitted: %s, sha256 %.12s. ", label, report.Report.Package.Digest)
		if c.String(natsName) == "" {
			fmt.Fprintf(out, "Play it: arena match %s greedy%s\n", label, where(c))
		} else { // an author may not
			fmt.Fprintf(out, "That is its name in matches and tournaments there.\n")
		}
	}
}
