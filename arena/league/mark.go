package league

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/files"
)

// mark remembers outside of the store how long the log of a tournament is, since a store that was damaged loses its end
// without a word. It may lag behind by a moment. Its nil value remembers nothing.
type mark struct {
	path    string
	log     *slog.Logger
	written time.Time
}

// extent is what a mark says.
type extent struct {
	Events  int    `json:"events"`
	Results uint64 `json:"results"` // the sequence of a result in its stream
}

const (
	markSuffix = ".mark"
	markEvery  = time.Second
)

func (s *Store) newMark(id string) *mark {
	if s.dir == "" {
		return nil
	}
	return &mark{path: filepath.Join(s.dir, id+markSuffix), log: s.log}
}

// advance writes now and then.
func (m *mark) advance(s *State) {
	if m != nil && time.Since(m.written) >= markEvery {
		m.write(s)
	}
}

// write does without the mark where it cannot be written: it is only a second look.
func (m *mark) write(s *State) {
	if m == nil {
		return
	}
	m.written = time.Now()
	text, err := json.Marshal(extent{Events: s.events, Results: s.lastSeq})
	if err == nil {
		err = writeFile(m.path, func(out io.Writer) error {
			_, err = fmt.Fprintf(out, "%s\n", text)
			return err
		})
	}
	if err != nil {
		m.log.Warn("the mark of a tournament cannot be written", "error", err)
	}
}

// checkMarks compares what is stored with what was, and brings tournaments back that have an export.
func (s *Store) checkMarks(ctx context.Context) error {
	if s.dir == "" {
		return nil
	}
	marks, err := filepath.Glob(filepath.Join(s.dir, "*"+markSuffix))
	if err != nil || len(marks) == 0 {
		return err
	}
	info, err := s.events.Info(ctx, jetstream.WithSubjectFilter(bus.EventSubject("*")))
	if err != nil {
		return err
	}
	results, err := s.lastSeq(ctx, s.results)
	if err != nil {
		return err
	}
	for _, path := range marks {
		id := strings.TrimSuffix(filepath.Base(path), markSuffix)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var were extent
		if err := json.Unmarshal(text, &were); err != nil || CheckID(id) != nil {
			s.log.Warn("a mark of a tournament was damaged; it is left out, so a log that has lost its end would not be noticed", "file", path)
			continue
		}
		are := extent{Events: int(info.State.Subjects[bus.EventSubject(id)]), Results: results}
		if are.Events < were.Events || are.Results < were.Results {
			if err := s.lost(ctx, id, are, were); err != nil {
				return err
			}
		}
	}
	return nil
}

// lost deals with a log that has lost its end, or with results that did.
func (s *Store) lost(ctx context.Context, id string, are, were extent) error {
	log := s.log.With("tournament", id, "events", are.Events, "were", were.Events)
	file, err := os.Open(s.exportPath(id))
	if errors.Is(err, fs.ErrNotExist) {
		switch {
		case are.Events == 0:
			log.Error("the log of a tournament is gone: the store was damaged. Restore the folder from a copy, or begin it again")
		case are.Events < were.Events:
			log.Error("the log of a tournament has lost its end: the store was damaged. Matches are taken from the stored results, " +
				"or played again; withdrawals and late entries since then have to be made again")
		default:
			log.Error("results of a tournament were lost: the store was damaged. Standings and ratings are in its log, and do not change")
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	if are.Events == were.Events {
		log.Error("results of a tournament were lost: the store was damaged. They are restored from its export")
		err = s.importResults(ctx, id, file)
	} else {
		log.Error("the log of a tournament has lost its end: the store was damaged. It is restored from its export")
		if err = s.purge(ctx, bus.Events, bus.EventSubject(id)); err == nil {
			_, err = s.Import(ctx, file)
		}
	}
	if err != nil {
		return fmt.Errorf("restore %s from %s: %w", id, file.Name(), err)
	}
	state, err := s.Load(ctx, id)
	if err == nil {
		s.newMark(id).write(state)
	}
	return err
}

// writeFile writes a file of the folder of tournaments, whole or not at all. Only the user may read it.
func writeFile(path string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return files.Write(path, 0o600, write)
}
