package league

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/files"
)

// mark remembers outside of the store how long the log of a tournament is, since a store that was damaged loses its end
// without a word. It may lag behind by a moment. Its nil value remembers nothing.
type mark struct {
	path    string
	log     *slog.Logger
	written time.Time
	gone    int // results that were lost, which has been told
}

// extent is what a mark says.
type extent struct {
	Events  int    `json:"events"`
	Results uint64 `json:"results"`          // the sequence of a result in its stream
	Played  int    `json:"played,omitempty"` // matches in the log; marks of older programs have none
	Lost    int    `json:"lost,omitempty"`   // matches of those that have no result any more

	First *Event `json:"first,omitempty"` // of the log, which is of no use without it; marks of older programs have none
}

// stored is how many results there were.
func (e extent) stored() int { return e.Played - e.Lost }

const (
	markSuffix = ".mark"
	markEvery  = time.Second
)

func (s *Store) newMark(id string) *mark {
	if s.dir == "" {
		return nil
	}
	m := &mark{path: s.markPath(id), log: s.log}
	if were, err := readMark(m.path); err == nil {
		m.gone = were.Lost
	}
	return m
}

func (s *Store) markPath(id string) string { return filepath.Join(s.dir, id+markSuffix) }

func readMark(path string) (e extent, err error) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	return e, err
}

// marked reports whether a tournament was ever made here, and not removed since.
func (s *Store) marked(id string) bool {
	_, err := os.Stat(s.markPath(id))
	return s.dir != "" && err == nil
}

// lost is how many results are known to be lost.
func (m *mark) lost() int {
	if m == nil {
		return 0
	}
	return m.gone
}

// lose notes how many results are lost, for the next write.
func (m *mark) lose(n int) {
	if m != nil {
		m.gone = n
	}
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
	first := s.first()
	text, err := json.Marshal(extent{Events: s.events, Results: s.lastSeq, Played: s.played, Lost: min(m.gone, s.played), First: &first})
	if err == nil {
		err = files.Replace(m.path, append(text, '\n'))
	}
	if err != nil && !errors.Is(err, syscall.ENOSPC) { // of which [bus.Bus.Health] tells
		m.log.Warn("the mark of a tournament cannot be written", "error", err)
	}
}

// checkMarks compares what is stored with what was, and brings tournaments back that have an export. The marks are read before
// the store is asked, since another program may be going on meanwhile.
func (s *Store) checkMarks(ctx context.Context) error {
	if s.dir == "" {
		return nil
	}
	marks, err := s.marks()
	if err != nil || len(marks) == 0 {
		return err
	}
	logs, _, err := s.logs(ctx)
	if err != nil {
		return err
	}
	last, counts, err := s.storedResults(ctx, marks, logs)
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(marks)) {
		were := marks[id]
		lostEnd := int(logs[id]) < were.Events
		lostSome := counts != nil && counts[id] < were.stored() || were.Played == 0 && last < were.Results
		if !lostEnd && !lostSome || !s.marked(id) { // it was removed meanwhile
			continue
		}
		conducted, err := s.Conducted(ctx, id)
		if err == nil && !conducted { // who conducts it knows better
			err = s.spare(ctx, id, s.lost(ctx, id, int(logs[id]), were.Events))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// marks reads all marks, by the ids of their tournaments.
func (s *Store) marks() (map[string]extent, error) {
	paths, err := filepath.Glob(filepath.Join(s.dir, "*"+markSuffix))
	if err != nil {
		return nil, err
	}
	marks := map[string]extent{}
	for _, path := range paths {
		id := strings.TrimSuffix(filepath.Base(path), markSuffix)
		were, err := readMark(path)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it was removed meanwhile
		case err != nil || CheckID(id) != nil:
			s.log.Warn("a mark of a tournament was damaged; it is left out, so a log that has lost its end would not be noticed", "file", path)
		default:
			marks[id] = were
		}
	}
	return marks, nil
}

// countUpTo is how many results are counted whenever the store is opened. Beyond it that takes noticeable time, and is done only
// when there are not as many as the marks say: also when there are more, since those of one tournament would stand for what
// another has lost.
const countUpTo = 10_000

// storedResults gives the last sequence of all results, and how many each tournament has: nil if none can be missing.
func (s *Store) storedResults(
	ctx context.Context, marks map[string]extent, logs map[string]uint64,
) (last uint64, counts map[string]int, err error) {
	var all uint64
	err = s.insist(ctx, func(ctx context.Context) error {
		info, failed := s.results.Info(ctx)
		if failed == nil {
			last, all = info.State.LastSeq, info.State.Msgs
		}
		return failed
	})
	if err != nil {
		return 0, nil, err
	}
	if all > countUpTo && accounted(marks, logs, all, last) {
		return last, nil, nil
	}
	subjects, err := s.subjects(ctx, s.results, bus.ResultSubjects("*"))
	counts = map[string]int{}
	for _, subject := range subjects {
		counts[strings.Split(subject, ".")[1]]++
	}
	return last, counts, err
}

// accounted reports whether marks say of so many results, up to a last sequence, whose they are.
func accounted(marks map[string]extent, logs map[string]uint64, all, last uint64) bool {
	were := 0
	for _, mark := range marks {
		if were += mark.stored(); last < mark.Results {
			return false
		}
	}
	for id := range logs {
		if _, marked := marks[id]; !marked {
			return false
		}
	}
	return int(all) == were
}

// firstOf is the first event of a log as the mark has it, and nil if it has none.
func (s *Store) firstOf(id string) *Event {
	were, err := readMark(s.markPath(id))
	if err != nil || were.First == nil || were.First.Created == nil || were.First.Created.ID != id {
		return nil
	}
	return were.First
}

// beginAgain begins a log of which nothing is left, if the mark knows how. It is paused: nobody can tell whether it was over.
func (s *Store) beginAgain(ctx context.Context, id string) (bool, error) {
	first := s.firstOf(id)
	if first == nil {
		return false, nil
	}
	first.Paused = &first.Created.Created
	s.log.Error("the log of a tournament is gone: the store was damaged. It is begun again, paused; matches are taken from the stored results, "+
		"or played again, after arena tournament start "+id+". Withdrawals and late entries have to be made again", "tournament", id)
	return true, s.rewrite(ctx, id, []Event{*first})
}

// lost deals with a log that has lost its end, or with results that did.
func (s *Store) lost(ctx context.Context, id string, events, were int) error {
	if events >= were {
		return s.lostResults(ctx, id)
	}
	restored, err := s.restore(ctx, id, "the log of a tournament has lost its end")
	if restored || err != nil {
		return err
	}
	log := s.log.With("tournament", id, "events", events, "were", were)
	if _, err = s.Load(ctx, id); errors.Is(err, ErrDamaged) { // of which is told elsewhere
		return nil
	}
	if events == 0 {
		if begun, err := s.beginAgain(ctx, id); begun || err != nil {
			return err
		}
		log.Error("the log of a tournament is gone: the store was damaged. Restore the folder from a copy, or give the tournament up by " +
			"arena tournament remove " + id)
		return nil
	}
	log.Error("the log of a tournament has lost its end: the store was damaged. Matches are taken from the stored results, " +
		"or played again; withdrawals and late entries since then have to be made again")
	return nil
}
