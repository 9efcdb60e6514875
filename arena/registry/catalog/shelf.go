package catalog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/registry/pack"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

// Shelf is a folder of packages that are unpacked and built, ready to play. Several programs may use it at once.
type Shelf struct {
	Dir      string // each bot is in the folder of its digest
	Hide     []string
	Resolver registry.Resolver
	Limits   registry.BuildLimits

	// Launcher gives what builds are confined by. It is called when something is to be built.
	Launcher func() (*sandbox.Launcher, error)
}

// Get gives a bot by the digest of its package, from the shelf or, where it is not there, from the catalog.
func (s Shelf) Get(ctx context.Context, c *Catalog, digest string) (registry.Bot, error) {
	if len(digest) != 64 || filepath.Base(digest) != digest {
		return registry.Bot{}, fmt.Errorf("%q is no digest of a package", digest)
	}
	dir := filepath.Join(s.Dir, digest)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := s.fetch(ctx, c, digest, dir); err != nil {
			return registry.Bot{}, err
		}
	}
	bot, err := s.Resolver.Resolve(filepath.Join(dir, "bot"))
	if err != nil {
		return registry.Bot{}, fmt.Errorf("%w; if the folder was changed, remove it, and it is fetched again", err)
	}
	bot.Build, bot.Package = nil, digest
	return bot, nil
}

// fetch prepares the bot beside its place, so that it is whole there or not at all.
func (s Shelf) fetch(ctx context.Context, c *Catalog, digest, dir string) (err error) {
	if err = os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	work, err := os.MkdirTemp(s.Dir, ".fetching-") // nobody else may look into it
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	copied := filepath.Join(work, "bot")
	if err = os.Mkdir(copied, 0o755); err != nil { //nolint:gosec // bots may run as other users; the folder around it is closed
		return err
	}
	if err = c.unpack(ctx, digest, copied); err != nil {
		return err
	}
	if err = s.build(ctx, copied); err != nil {
		return err
	}
	if err = os.Rename(work, dir); err != nil && !exists(dir) { // another program may have been faster
		return err
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (s Shelf) build(ctx context.Context, dir string) error {
	bot, err := s.Resolver.Resolve(dir)
	if err != nil || len(bot.Build) == 0 {
		return err
	}
	launcher, err := s.Launcher()
	if err != nil {
		return err
	}
	return bot.BuildConfined(ctx, launcher, s.Hide, s.Limits)
}

// Download writes the files of a package to a folder, which must not be there yet.
func (c *Catalog) Download(ctx context.Context, digest, dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil { //nolint:gosec // bots may run as other users
		return err
	}
	if err := c.unpack(ctx, digest, dir); err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return nil
}

func (c *Catalog) unpack(ctx context.Context, digest, dir string) error {
	archive, err := c.Package(ctx, digest)
	if err != nil {
		return err
	}
	contents, err := pack.Unpack(ctx, archive, dir)
	if err == nil && contents.Digest != digest {
		err = fmt.Errorf("it holds what has the digest %.12s", contents.Digest)
	}
	if err != nil {
		return fmt.Errorf("package %.12s: %w", digest, err)
	}
	return nil
}
