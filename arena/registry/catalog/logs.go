package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

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

// SetRefused keeps what was found in the last submission of a name that was not fit to play. Nil is that the last one was.
func (c *Catalog) SetRefused(ctx context.Context, name string, report *check.Report) error {
	if report == nil {
		err := c.kv.Delete(ctx, refusedKey(name))
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return nil
		}
		return err
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
