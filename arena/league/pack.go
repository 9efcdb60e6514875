package league

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Replays travel together, those of a match: the replays of its games one after the other, each compressed. The store
// holds them only on the way. Where a coordinator keeps files it writes them out and deletes them there, so that nothing is
// stored twice; a worker in the same process writes the files itself, and sends nothing.

// pack collects replays in a temporary file. Games of a match may be played at the same time.
type pack struct {
	mu    sync.Mutex
	named bool // the file has a name still
	file  *os.File
	sum   hash.Hash
}

func newPack() (*pack, error) {
	file, err := os.CreateTemp("", "arena-replays-")
	if err != nil {
		return nil, err
	}
	named := os.Remove(file.Name()) != nil // where the system removes what is open, a crash leaves nothing
	return &pack{file: file, named: named, sum: sha256.New()}, nil
}

func (p *pack) close() {
	_ = p.file.Close() // it has been read
	if p.named {
		_ = os.Remove(p.file.Name())
	}
}

// create is a [Replays].
func (p *pack) create(protocol.Header) (arena.ReplayFile, error) {
	member := &packed{pack: p}
	member.zip = gzip.NewWriter(&member.buffer)
	return member, nil
}

// packed is the replay of one game.
type packed struct {
	pack    *pack
	buffer  bytes.Buffer
	zip     *gzip.Writer
	aborted bool
}

func (m *packed) Write(data []byte) (int, error) { return m.zip.Write(data) }
func (m *packed) Abort()                         { m.aborted = true }

func (m *packed) Close() error {
	if err := m.zip.Close(); err != nil || m.aborted {
		return err
	}
	m.pack.mu.Lock()
	defer m.pack.mu.Unlock()
	_, err := io.MultiWriter(m.pack.file, m.pack.sum).Write(m.buffer.Bytes())
	return err
}

// sendWithin is for objects of any size.
const sendWithin = time.Minute

// sendReplays gives the name under which they are sent. Nil is nothing to send.
func (s *Store) sendReplays(ctx context.Context, j job, p *pack) (name string, err error) {
	if p == nil {
		return "", nil
	}
	name = bus.ReplayName(j.Tournament, j.Number, p.sum.Sum(nil))
	err = s.insistFor(ctx, sendWithin, func(ctx context.Context) error {
		return s.putReplays(ctx, name, p.file)
	})
	if err != nil {
		return "", fmt.Errorf("replays of match %s: %w", j.ID, err)
	}
	return name, nil
}

func (s *Store) putReplays(ctx context.Context, name string, file *os.File) error {
	store, err := s.bus.ReplayStore(ctx, s.js)
	if err != nil {
		return err
	}
	if _, err = file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return store.Put(ctx, name, file)
}

// takeReplays writes the replays of a match to a folder and then deletes them in the store. It does nothing without a folder, or
// a name. Replays that are lost or damaged are no reason to lose the match; where the folder takes no files, it waits.
func (s *Store) takeReplays(ctx context.Context, dir, name string, result arena.Result) error {
	if dir == "" || name == "" {
		return nil
	}
	log := s.log.With("match", result.Match, "folder", dir)
	for told := false; ; told = true {
		err := s.insistFor(ctx, sendWithin, func(ctx context.Context) error { return s.fetchReplays(ctx, dir, name, result) })
		path := (*fs.PathError)(nil)
		slow := errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded)
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case errors.Is(err, bus.ErrNoReplays) && haveReplays(dir, result):
			return nil // they were written before a crash
		case !slow && !errors.As(err, &path):
			log.Error("the replays of a match are lost", "error", err)
			return nil
		case slow && !told:
			log.Warn("the replays of a match come slowly; trying again", "error", err)
		case !told:
			log.Error("replays cannot be written; make room, and play goes on by itself", "error", err)
		}
		if err := sleep(ctx, time.Second); err != nil {
			return err
		}
	}
}

func (s *Store) fetchReplays(ctx context.Context, dir, name string, result arena.Result) error {
	store, err := s.bus.ReplayStore(ctx, s.js)
	if err != nil {
		return err
	}
	replays, err := store.Get(ctx, name)
	if err != nil {
		return err
	}
	if err = unpack(replays, dir, result); err != nil {
		return err
	}
	return store.Delete(ctx, name)
}

func haveReplays(dir string, result arena.Result) bool {
	for _, set := range result.Sets {
		for _, game := range set.Games {
			if _, err := os.Stat(filepath.Join(dir, game.ID+".jsonl")); errors.Is(err, fs.ErrNotExist) {
				return false
			}
		}
	}
	return true
}

// unpack writes the games of the result, and refuses others: the name of a game is that of a file.
func unpack(r io.Reader, dir string, result arena.Result) error {
	expected := map[string]bool{}
	for _, set := range result.Sets {
		for _, game := range set.Games {
			expected[game.ID] = true
		}
	}
	buffered := bufio.NewReader(r)
	zip, err := gzip.NewReader(buffered)
	for ; err == nil; err = zip.Reset(buffered) {
		zip.Multistream(false)
		if err = unpackGame(zip, dir, expected); err != nil {
			return err
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func unpackGame(zip io.Reader, dir string, expected map[string]bool) error {
	text, err := io.ReadAll(io.LimitReader(zip, maxResult))
	if err != nil {
		return err
	}
	lines, err := protocol.NewReplayReader(bytes.NewReader(text))
	if err != nil {
		return err
	}
	first, err := lines.Next()
	if err != nil {
		return err
	}
	header, ok := first.(protocol.Header)
	if !ok || !expected[header.Game] {
		return errors.New("they are not those of the match")
	}
	file, err := arena.ReplayDir(dir).Create(header)
	if err != nil {
		return err
	}
	if _, err := file.Write(text); err != nil {
		file.Abort()
		return errors.Join(err, file.Close())
	}
	return file.Close()
}

// dropReplays deletes what is left of a tournament: also replays of attempts that did not count.
func (s *Store) dropReplays(ctx context.Context, id string) error {
	return s.insistFor(ctx, sendWithin, func(ctx context.Context) error {
		store, err := s.bus.ReplayStore(ctx, s.js)
		if err != nil {
			return err
		}
		return store.DeleteAll(ctx, id)
	})
}
