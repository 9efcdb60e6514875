// Package catalog keeps submitted bots: for each name its versions, which never change, and one of them that is meant where
// only the name is given; and the packages, by their digests.
//
// It believes what it is told. Whoever adds a version has checked it.
package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// Catalog is the submitted bots of one store. It ends with the bus.
type Catalog struct {
	bus *bus.Bus
	js  jetstream.JetStream
	kv  jetstream.KeyValue
}

// Bot is a name with its versions.
type Bot struct {
	Name     string    `json:"name"`
	Active   string    `json:"active,omitempty"` // the version that the name alone means; empty if all are retired
	Versions []Version `json:"versions"`         // in the order in which they came
}

// Version is what was submitted once.
type Version struct {
	Version   string    `json:"version"`
	Digest    string    `json:"digest"` // of the package
	Language  string    `json:"language,omitempty"`
	Author    string    `json:"author,omitempty"`    // as its bot.toml says
	Submitter string    `json:"submitter,omitempty"` // the name of the token; empty for who may do everything
	Files     int       `json:"files"`
	Bytes     int64     `json:"bytes"`  // of its files
	Packed    int64     `json:"packed"` // bytes of the package
	Submitted time.Time `json:"submitted"`
	Retired   bool      `json:"retired,omitempty"`
}

// What a caller may ask errors about.
var (
	ErrUnknown = errors.New("there is no such bot")
	ErrTaken   = errors.New("that version is another bot; raise version in its bot.toml")
	ErrForeign = errors.New("that name belongs to another author here; take another name")
	ErrRetired = errors.New("that version is retired")
)

// Open makes the list of bots if need be. Nothing else is needed to read it, so that authors may.
func Open(ctx context.Context, b *bus.Bus) (*Catalog, error) {
	nc, err := b.Connect("registry")
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	kv, err := b.BotStore(ctx, js)
	return &Catalog{bus: b, js: js, kv: kv}, err
}

// Find gives a version by its name: no version is the active one.
func (b Bot) Find(version string) (Version, error) {
	if version == "" {
		if version = b.Active; version == "" {
			return Version{}, fmt.Errorf("bot %s: all versions are retired", b.Name)
		}
	}
	for _, v := range b.Versions {
		if v.Version == version {
			return v, nil
		}
	}
	var known []string
	for _, v := range b.Versions {
		known = append(known, v.Version)
	}
	return Version{}, fmt.Errorf("bot %s@%s: %w; versions of %s are %s", b.Name, version, ErrUnknown, b.Name, strings.Join(known, ", "))
}

// maxVersions keeps the record of a name within a message.
const maxVersions = 1000

// Admits says whether a submitter may add versions: a name belongs to the first who submitted it, and those who may do everything
// may add to it.
func (b *Bot) Admits(submitter string) error {
	if submitter != "" && len(b.Versions) > 0 && b.Versions[0].Submitter != submitter {
		return fmt.Errorf("bot %s: %w", b.Name, ErrForeign)
	}
	return nil
}

// add takes a new version in, which becomes the active one.
func (b *Bot) add(v Version) error {
	if err := b.Admits(v.Submitter); err != nil {
		return err
	}
	if len(b.Versions) == maxVersions {
		return fmt.Errorf("bot %s has %d versions, which is the most; give the next one another name", b.Name, maxVersions)
	}
	for _, known := range b.Versions {
		if known.Version == v.Version {
			return fmt.Errorf("bot %s@%s: %w", b.Name, v.Version, ErrTaken)
		}
	}
	b.Versions = append(b.Versions, v)
	b.Active = v.Version
	return nil
}

// retire takes a version out of use, or puts it into use again. The active version is then the latest in use.
func (b *Bot) retire(version string, retired bool) error {
	at := slices.IndexFunc(b.Versions, func(v Version) bool { return v.Version == version })
	if at < 0 {
		_, err := b.Find(version)
		return err
	}
	b.Versions[at].Retired = retired
	if !retired {
		b.Active = version
		return nil
	}
	if b.Active != version {
		return nil
	}
	b.Active = ""
	for _, v := range b.Versions {
		if !v.Retired {
			b.Active = v.Version
		}
	}
	return nil
}

// Bots lists all, by name.
func (c *Catalog) Bots(ctx context.Context) ([]Bot, error) {
	keys, err := c.keys(ctx, botKey("")+"*")
	if err != nil {
		return nil, fmt.Errorf("list the bots: %w", err)
	}
	all := []Bot{}
	for _, key := range keys {
		bot, _, err := c.read(ctx, key)
		if err != nil {
			return nil, err
		}
		all = append(all, bot)
	}
	slices.SortFunc(all, func(x, y Bot) int { return strings.Compare(x.Name, y.Name) })
	return all, nil
}

// keys does without a consumer: who may make one could have the server send what is kept to any subject.
func (c *Catalog) keys(ctx context.Context, pattern string) (keys []string, err error) {
	stream, err := c.js.Stream(ctx, "KV_"+bus.Bots)
	if err != nil {
		return nil, err
	}
	prefix := "$KV." + bus.Bots + "."
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(prefix+pattern))
	if err != nil {
		return nil, err
	}
	for subject := range info.State.Subjects {
		keys = append(keys, strings.TrimPrefix(subject, prefix))
	}
	return keys, nil
}

// Bot gives one bot; ErrUnknown is wrapped where nothing has that name.
func (c *Catalog) Bot(ctx context.Context, name string) (Bot, error) {
	bot, _, err := c.read(ctx, botKey(name))
	if errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrInvalidKey) {
		return Bot{}, fmt.Errorf("bot %s: %w", name, ErrUnknown)
	}
	return bot, err
}

func (c *Catalog) read(ctx context.Context, key string) (bot Bot, revision uint64, err error) {
	entry, err := c.kv.Get(ctx, key)
	if err != nil {
		return Bot{}, 0, err
	}
	if err := json.Unmarshal(entry.Value(), &bot); err != nil {
		return Bot{}, 0, fmt.Errorf("the record %s of the bots is damaged: %w", key, err)
	}
	return bot, entry.Revision(), nil
}

// Activate makes a version the one that the name alone means, also one that was retired.
func (c *Catalog) Activate(ctx context.Context, name, version string) error {
	return c.change(ctx, name, func(b *Bot) error { return b.retire(version, false) })
}

// Retire takes a version out of use for what is begun later. It is never deleted.
func (c *Catalog) Retire(ctx context.Context, name, version string) error {
	return c.change(ctx, name, func(b *Bot) error { return b.retire(version, true) })
}

// change applies a change to the latest record. Where another program was faster, it does so again.
func (c *Catalog) change(ctx context.Context, name string, do func(*Bot) error) error {
	for {
		bot, revision, err := c.read(ctx, botKey(name))
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			bot, revision, err = Bot{Name: name}, 0, nil
		}
		if err == nil {
			err = do(&bot)
		}
		if err != nil {
			return err
		}
		text, err := json.Marshal(bot)
		if err != nil {
			return err
		}
		if revision == 0 {
			_, err = c.kv.Create(ctx, botKey(name), text)
		} else {
			_, err = c.kv.Update(ctx, botKey(name), text, revision)
		}
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return err
		}
	}
}

// Add keeps a package and enters its version. Of two programs that add different bots as one version, the second gets
// ErrTaken.
func (c *Catalog) Add(ctx context.Context, name string, v Version, archive io.Reader) error {
	packages, err := c.bus.PackageStore(ctx, c.js)
	if err != nil {
		return err
	}
	if _, err := packages.GetInfo(ctx, v.Digest); err != nil {
		if _, err := packages.Put(ctx, jetstream.ObjectMeta{Name: v.Digest, Description: name + "@" + v.Version}, archive); err != nil {
			return fmt.Errorf("keep the package of %s@%s: %w", name, v.Version, err)
		}
	}
	return c.change(ctx, name, func(b *Bot) error {
		if known, err := b.Find(v.Version); err == nil && known.Digest == v.Digest {
			return nil
		}
		return b.add(v)
	})
}

// Package gives the package of a digest. What it reads is to be checked against the digest.
func (c *Catalog) Package(ctx context.Context, digest string) (io.Reader, error) {
	packages, err := c.bus.PackageStore(ctx, c.js)
	if err != nil {
		return nil, err
	}
	info, err := packages.GetInfo(ctx, digest)
	if err != nil {
		return nil, fmt.Errorf("package %.12s: %w", digest, err)
	}
	return c.open(ctx, info)
}

// botKey spells a name in what keys may have. The characters that stand in for others are in no name.
func botKey(name string) string { return "bot." + spell(name) }

func spell(text string) string { return strings.NewReplacer(".", "/", "+", "=").Replace(text) }
