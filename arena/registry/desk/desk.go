// Package desk takes bots in: it unpacks a package of which nothing is known, checks the bot, and enters it into the catalog
// if it is fit to play. It does so in the process that it is in, or for others over the bus.
package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fivethreefive/fivethreefive/arena/check"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
	"github.com/fivethreefive/fivethreefive/arena/registry/pack"
)

// Desk checks bots by itself, and believes nothing that a submitter says about them.
type Desk struct {
	Catalog *catalog.Catalog
	Check   check.Config
	Now     func() time.Time
	// Author gives the name of the author with that key, which is empty for who may do everything. An error that wraps [ErrAuthor]
	// is about the author.
	Author func(ctx context.Context, key string) (name string, err error)
}

// ErrReads is wrapped by the error about a bot that asks to read what is not allowed here.
var ErrReads = errors.New("ask the organiser of this arena to allow that, or put the files into the folder of the bot")

// ErrAuthor is wrapped by the error of an author who may not submit any more.
var ErrAuthor = errors.New("you may not submit any more")

// Owner is the key of who owns the data folder, and is no author.
const Owner = "local"

// Receipt is the answer to a submission.
type Receipt struct {
	Known   bool         `json:"known"`   // the same bot was there already, and was not checked again
	Refusal string       `json:"refusal"` // why it was not even checked; empty otherwise
	Report  check.Report `json:"report"`
}

// Submit reads a package to its end, which the author with that key, or the [Owner], has sent. Told hears of each step of the check;
// nil is allowed. An error is the arena's own.
func (d Desk) Submit(ctx context.Context, author string, archive io.Reader, told func(check.Step)) (_ Receipt, err error) {
	work, remove, err := d.Check.Launcher.TempDir(d.Check.Scratch, "arena-submit-") // nobody else may look into it
	if err != nil {
		return Receipt{}, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	dir := filepath.Join(work, "bot")
	if err = os.Mkdir(dir, 0o755); err != nil { //nolint:gosec // the folder around it is closed
		return Receipt{}, err
	}
	name, err := d.nameOf(ctx, author)
	if err != nil {
		return refused(err)
	}
	receipt, err := d.look(ctx, name, archive, dir)
	if err != nil || receipt.Refusal != "" || receipt.Known {
		return receipt, err
	}
	cfg := d.Check
	cfg.Told = told
	cfg.Keep = func(ctx context.Context, archive string, report check.Report) error {
		name, revoked := d.nameOf(ctx, author) // which may have happened meanwhile
		if revoked != nil {
			return revoked
		}
		return d.enter(ctx, name, archive, report)
	}
	report, err := cfg.Run(ctx, dir)
	if err != nil {
		return refused(err) // what was free may be another's meanwhile
	}
	receipt.Report = report
	if !report.Passed && report.Name != "" {
		if _, revoked := d.nameOf(ctx, author); revoked != nil {
			return refused(revoked)
		}
		err = d.Catalog.SetRefused(ctx, report.Name, &report)
	}
	return receipt, err
}

// look unpacks, and finds out whether the version is known.
func (d Desk) look(ctx context.Context, submitter string, archive io.Reader, dir string) (Receipt, error) {
	if _, err := pack.Unpack(ctx, archive, dir); err != nil {
		return refused(err)
	}
	m, err := registry.ReadManifest(dir)
	if err == nil {
		err = d.Check.Resolver.CheckName(m.Name)
	}
	if err != nil {
		text := strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "") // where it lies here says nothing to the submitter
		return Receipt{Refusal: strings.ReplaceAll(text, dir, "the package")}, nil
	}
	contents, err := pack.Pack(ctx, dir, io.Discard) // what it is called by does not depend on who packed it
	if err != nil {
		return refused(err)
	}
	bot, err := d.Catalog.Bot(ctx, m.Name)
	if errors.Is(err, catalog.ErrUnknown) {
		return Receipt{}, nil
	}
	if err != nil {
		return Receipt{}, err
	}
	known, err := bot.Find(m.Version)
	switch {
	case err != nil: // the version is new
		return refused(bot.Admits(submitter))
	case known.Digest != contents.Digest:
		return Receipt{Refusal: fmt.Sprintf("bot %s@%s: %v", m.Name, m.Version, catalog.ErrTaken)}, nil
	default:
		return Receipt{Known: true, Report: check.Report{Name: m.Name, Version: m.Version, Package: contents, Passed: true}}, nil
	}
}

// refused is for errors of which some are the submitter's.
func refused(err error) (Receipt, error) {
	for _, theirs := range []error{pack.ErrRefused, catalog.ErrTaken, catalog.ErrForeign, ErrAuthor, ErrReads} {
		if errors.Is(err, theirs) {
			return Receipt{Refusal: err.Error()}, nil
		}
	}
	return Receipt{}, err
}

func (d Desk) nameOf(ctx context.Context, author string) (string, error) {
	if author == Owner {
		return "", nil
	}
	return d.Author(ctx, author)
}

// enter keeps a bot that has passed.
func (d Desk) enter(ctx context.Context, submitter, archive string, report check.Report) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	version := catalog.Version{
		Version: report.Version, Digest: report.Package.Digest, Language: report.Language, Author: report.Author, Submitter: submitter,
		Files: report.Package.Files, Bytes: report.Package.Bytes, Packed: report.Package.Packed, Submitted: d.Now().UTC().Truncate(time.Second),
	}
	if err := d.Catalog.SetLog(ctx, report); err != nil { // before the bot is there, so that a full store takes in neither
		return err
	}
	if err := d.Catalog.Add(ctx, report.Name, version, file); err != nil {
		return err
	}
	return d.Catalog.SetRefused(ctx, report.Name, nil)
}
