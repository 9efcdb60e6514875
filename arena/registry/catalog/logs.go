package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/fivethreefive/fivethreefive/arena/check"
)

// SetLog keeps what the last check of a version has found.
func (c *Catalog) SetLog(ctx context.Context, report check.Report) error {
	text, err := json.Marshal(report)
	if err != nil {
		return err
	}
	_, err = c.kv.Put(ctx, logKey(report.Name, report.Version), text)
	return err
}

// Log gives what the last check of a version has found.
func (c *Catalog) Log(ctx context.Context, name, version string) (report check.Report, err error) {
	entry, err := c.kv.Get(ctx, logKey(name, version))
	if err != nil {
		return report, fmt.Errorf("log of %s@%s: %w", name, version, err)
	}
	return report, json.Unmarshal(entry.Value(), &report)
}

// mostRefused bounds what is kept of names that nobody has: there is no end of them.
const mostRefused = 500

// SetRefused keeps what was found in the last submission of a name that was not fit to play. Nil is that the last one was. It is not
// kept where nobody has the name, and much is kept already.
func (c *Catalog) SetRefused(ctx context.Context, name string, report *check.Report) error {
	if report == nil {
		if _, err := c.kv.Get(ctx, refusedKey(name)); errors.Is(err, jetstream.ErrKeyNotFound) {
			return nil
		}
		return c.kv.Purge(ctx, refusedKey(name))
	}
	if _, err := c.Bot(ctx, name); errors.Is(err, ErrUnknown) {
		keys, err := c.keys(ctx, refusedKey("*"))
		if err != nil || len(keys) >= mostRefused && !slices.Contains(keys, refusedKey(name)) {
			return err
		}
	}
	text, err := json.Marshal(report)
	if err != nil {
		return err
	}
	_, err = c.kv.Put(ctx, refusedKey(name), text)
	return err
}

// Refused gives what was found in the last submission of a name, or nil if that was taken in, or nothing was submitted.
func (c *Catalog) Refused(ctx context.Context, name string) (*check.Report, error) {
	entry, err := c.kv.Get(ctx, refusedKey(name))
	if errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrInvalidKey) {
		return nil, nil //nolint:nilnil // that is the answer
	}
	if err != nil {
		return nil, fmt.Errorf("the refused submission of %s: %w", name, err)
	}
	report := &check.Report{}
	return report, json.Unmarshal(entry.Value(), report)
}

func refusedKey(name string) string { return "refused." + spell(name) }

func logKey(name, version string) string { return "log." + spell(name) + "." + spell(version) }

// Kept lists the digests of all packages.
func (c *Catalog) Kept(ctx context.Context) (names []string, err error) {
	packages, err := c.bus.PackageStore(ctx, c.js)
	if err != nil {
		return nil, err
	}
	infos, err := packages.List(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoObjectsFound) {
		return nil, err
	}
	for _, info := range infos {
		names = append(names, info.Name)
	}
	return names, nil
}
