package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/fivethreefive/fivethreefive/arena/bus/access"
	"github.com/fivethreefive/fivethreefive/arena/files"
)

// Names within the folder.
const (
	closedName = "closed" // there while nobody uses the store and the last who did closed it in order
	doubtName  = "doubt"  // there after something could not be read
	damageName = "damage.json"
	keptPrefix = "damaged-" // followed by the time
)

// Damage says which streams had lost messages when the store was opened. Who knows what the messages mean mends what hangs
// together with them, and then calls [Bus.Settled].
type Damage struct {
	Streams []string `json:"streams"`
	Kept    string   `json:"kept"` // folder with the damaged files
}

// Damage is nil where nothing is to be mended, or another program runs the server.
func (b *Bus) Damage() *Damage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.damage
}

// Settled says that the damage has been dealt with.
func (b *Bus) Settled() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.damage = nil
	return os.Remove(filepath.Join(b.cfg.Dir, damageName))
}

// Doubt has all streams verified when the store is opened the next time: something could not be read.
func (b *Bus) Doubt() {
	if b.cfg.Dir != "" {
		_ = os.WriteFile(filepath.Join(b.cfg.Dir, doubtName), nil, 0o600) // else it is seen the next time
	}
}

// storeError is a store that cannot be opened. Another try does not help.
type storeError struct{ error }

func (e *storeError) Unwrap() error { return e.error }

// refusal gives an error that another try does not mend, and nil for all others.
func refusal(err error) error {
	if refused, ok := errors.AsType[*listenError](err); ok {
		return refused
	}
	if refused, ok := errors.AsType[*storeError](err); ok {
		return refused
	}
	return nil
}

// mend looks for damage in a store that nobody uses, and leaves one that the server can read: with what is whole, in its
// order and under its sequences. The server by itself would throw away what is behind the damage. Each step can be repeated
// when the program was killed at it: what is damaged stays so until its mended form takes its name.
func (b *Bus) mend() error {
	dir := b.cfg.Dir
	if _, err := os.Stat(streamsPath(dir)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	unclean, doubted := !isThere(filepath.Join(dir, closedName)), isThere(filepath.Join(dir, doubtName))
	if unclean {
		b.log.Warn("the store was not closed in order; its index is built again, and nothing that was stored is lost", "folder", dir)
	}
	found, err := (&verifier{dir: streamsPath(dir), unclean: unclean, long: unclean || doubted}).all()
	if err != nil {
		return &storeError{fmt.Errorf("store in %s: %w", dir, err)}
	}
	if b.damage, err = readDamage(dir); err != nil {
		return err
	}
	if len(found) > 0 {
		m := mender{dir: dir, log: b.log, sizes: b.cfg.Sizes, damage: b.damage, unclean: unclean}
		if err := m.mend(found); err != nil {
			return &storeError{fmt.Errorf("the store is damaged and cannot be mended: %w; see that there is room for a copy of its damaged files", err)}
		}
		b.damage = m.damage
	}
	for _, name := range []string{doubtName, closedName} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return files.SyncDir(dir)
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// markClosed saves the next program the trouble of verifying all. Where it cannot be written, nothing is lost.
func (b *Bus) markClosed() {
	_ = os.WriteFile(filepath.Join(b.cfg.Dir, closedName), nil, 0o600)
}

func readDamage(dir string) (*Damage, error) {
	text, err := os.ReadFile(filepath.Join(dir, damageName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	damage := &Damage{}
	if err := json.Unmarshal(text, damage); err != nil {
		damage.Streams = []string{Events, Results} // it was damaged as well
	}
	return damage, nil
}

// mender mends what was found.
type mender struct {
	dir     string
	log     *slog.Logger
	sizes   Sizes
	unclean bool
	damage  *Damage // nil as long as no messages are lost
	kept    string
}

func (m *mender) mend(found []finding) error {
	m.kept = keptPrefix + time.Now().UTC().Format("20060102T150405Z")
	if m.damage != nil && m.damage.Kept != "" {
		m.kept = m.damage.Kept
	}
	if err := m.note(found); err != nil {
		return err
	}
	told := map[string]bool{}
	for _, f := range found {
		if err := m.one(f); err != nil {
			return err
		}
		if text := f.text(); !told[text] && (f.block > 0 || !m.unclean) { // a stream that was just being made has not all yet
			told[text] = true
			m.log.Error("the store was damaged: "+text, "kept", filepath.Join(m.dir, m.kept))
		}
	}
	if m.anyKept() && len(told) == 0 {
		m.log.Warn("files of streams that were just being made are set aside; nothing that was stored is lost", "kept", filepath.Join(m.dir, m.kept))
	}
	return nil
}

// anyKept reports whether a file was kept. Folders without any are removed.
func (m *mender) anyKept() bool {
	var folders []string
	kept := false
	walked := filepath.WalkDir(filepath.Join(m.dir, m.kept), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			folders = append(folders, path)
		}
		kept = kept || err == nil && !entry.IsDir()
		return err
	})
	if walked != nil {
		return kept // it is not there, or cannot be looked at
	}
	for _, folder := range slices.Backward(folders) {
		_ = os.Remove(folder) // those with something in them stay
	}
	return kept
}

// note writes down which messages are lost before anything is changed.
func (m *mender) note(found []finding) error {
	damage := &Damage{Kept: m.kept}
	if m.damage != nil {
		damage.Streams = m.damage.Streams
	}
	for _, f := range found {
		if stream := f.place.stream(); f.block > 0 && f.place.noted && !slices.Contains(damage.Streams, stream) {
			damage.Streams = append(damage.Streams, stream)
		}
	}
	if len(damage.Streams) == 0 {
		return nil
	}
	text, err := json.Marshal(damage)
	if err != nil {
		return err
	}
	m.damage = damage
	return files.Replace(filepath.Join(m.dir, damageName), append(text, '\n'))
}

func (f finding) text() string {
	what := f.place.what
	switch {
	case f.place.queue:
		return "a part of " + what + " cannot be read; " + f.place.lost
	case f.consumer != "":
		return "a list of who has read " + what + " cannot be read; it is made again, and nothing is lost"
	case f.block == 0:
		return "the settings of the stream of " + what + " cannot be read; they are made again, and nothing is lost"
	default:
		return "a part of " + what + " cannot be read; " + f.place.lost
	}
}

func (m *mender) one(f finding) error {
	name := f.place.stream()
	stream := filepath.Join(streamsPath(m.dir), name)
	switch {
	case f.consumer != "":
		return m.putAway(filepath.Join(stream, obsDir, f.consumer), filepath.Join(name, obsDir, f.consumer))
	case f.block > 0:
		return m.block(f)
	case f.place.queue:
		return m.putAway(stream, name)
	default:
		return m.settings(stream, name)
	}
}

// putAway moves a folder to those that are kept.
func (m *mender) putAway(from, name string) error {
	to := filepath.Join(m.dir, m.kept, name)
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil // it went with its stream
	}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// block leaves what cannot be read out of a file, and keeps the file as it was.
func (m *mender) block(f finding) error {
	path := blockPath(streamsPath(m.dir), f.place.stream(), f.block)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it went with its stream
	}
	if err != nil {
		return err
	}
	copied := filepath.Join(m.dir, m.kept, f.place.stream(), filepath.Base(path))
	if err := files.Replace(copied, data); err != nil {
		return err
	}
	whole, at := make([]byte, 0, len(data)), 0
	for _, bad := range f.bad {
		whole, at = append(whole, data[at:bad.from]...), bad.to
	}
	// The index counts what is lost.
	if err := os.Remove(filepath.Join(filepath.Dir(path), indexFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if whole = append(whole, data[at:]...); len(whole) == 0 {
		return os.Remove(path)
	}
	return files.Replace(path, whole)
}

// settings takes the configuration of a stream from that of a new one.
func (m *mender) settings(stream, name string) error {
	for _, file := range []string{metaFile, metaSum} {
		data, err := os.ReadFile(filepath.Join(stream, file))
		if err == nil {
			err = files.Replace(filepath.Join(m.dir, m.kept, name, file), data)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	model := filepath.Join(m.dir, m.kept, "new")
	if err := makeStreams(context.Background(), model, m.sizes); err != nil {
		return err
	}
	for _, file := range []string{metaFile, metaSum} {
		data, err := os.ReadFile(filepath.Join(streamsPath(model), name, file))
		if err == nil {
			err = files.Replace(filepath.Join(stream, file), data)
		}
		if err != nil {
			return err
		}
	}
	return os.RemoveAll(model)
}

// makeStreams makes all streams in a new folder.
func makeStreams(ctx context.Context, dir string, sizes Sizes) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	b, err := Open(Config{Dir: dir, Sizes: sizes, Reserve: -1})
	if err != nil {
		return err
	}
	defer b.Close()
	nc, err := b.Connect("mend")
	if err != nil {
		return err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	if err = b.Setup(ctx, js); err == nil {
		_, err = access.OpenTokens(ctx, nc)
	}
	return err
}
