package league

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/files"
)

// A log of which events were lost is put together again: from what can be read, from the stored results, and by pairing
// anew, since pairings follow from what was before them. What was lost and cannot be known are decisions of organisers and
// attempts that failed. What is after the hole stays as long as it can be folded; once a stage can be paired neither from the
// log nor anew, only decisions do. So a match is played again only if both its event and its result are lost.

// splicer makes of the events that can be read a log without holes.
type splicer struct {
	store *Store
	first *Event // as the mark has it, or nil
	state *State
	log   []Event
	seen  int  // number of the last event that was read
	holed bool // events before this were lost
	cut   bool // a stage was lost for good
	anew  int  // the first match of the stages that were paired anew, or 0
	added int  // events that were not in the log
}

func (p *splicer) take(ctx context.Context, e Event) error {
	if e.Created != nil && p.seen > 0 { // what was removed before has come back with the damage
		*p = splicer{store: p.store, first: p.first}
	}
	p.holed = p.holed || e.N != p.seen+1
	p.seen = e.N
	if p.state == nil && !p.begin(e) {
		return nil
	}
	if e.Played != nil && p.holed { // there may be earlier results that are not in the log
		played := *e.Played
		played.Seq = 0
		e.Played = &played
	}
	if p.holed {
		if err := p.prepare(ctx, e); err != nil {
			return err
		}
	}
	if p.cut && !decision(e) {
		return nil
	}
	if e.Played != nil && p.anew > 0 && e.Played.Match >= p.anew {
		return p.adopt(ctx, e.Played.Match) // which compares it with the table
	}
	if !p.add(e) && e.Paired != nil {
		p.cut = true
	}
	return nil
}

// begin begins the log, with what the mark knows where its first event was lost.
func (p *splicer) begin(e Event) bool {
	if e.Created == nil && p.first == nil {
		return false
	}
	p.state = &State{}
	if e.Created == nil && p.add(*p.first) {
		p.added++
	}
	return true
}

// decision reports whether an event is what somebody wanted, and not what followed.
func decision(e Event) bool {
	return e.Entered != nil || e.Withdrawn != "" || e.Paused != nil || e.Resumed != nil || e.Cancelled != nil
}

// add leaves out what cannot be folded.
func (p *splicer) add(e Event) bool {
	e.N = len(p.log) + 1
	if err := p.state.Apply(e); err == nil {
		p.log = append(p.log, e)
		return true
	}
	if e.Paired != nil { // the only one that may have changed the state before it failed
		if state, err := Fold(p.log...); err == nil {
			p.state = state
		}
	}
	return false
}

// prepare brings in what an event relies on.
func (p *splicer) prepare(ctx context.Context, e Event) error {
	match := 0
	switch {
	case p.cut:
		return nil
	case e.Paired != nil && e.Paired.Stage == len(p.state.stages)+1 && !p.state.Format.early(), e.Finished != nil:
		return p.adoptAll(ctx)
	case e.Played != nil:
		match = e.Played.Match
	case e.Failed != nil:
		match = e.Failed.Match
	case e.Dead != nil:
		match = e.Dead.Match
	case e.Requeued != 0:
		match = e.Requeued
	}
	for match > p.state.matches || e.Paired != nil && e.Paired.Stage > len(p.state.stages)+1 {
		if !p.state.Format.early() {
			if err := p.adoptAll(ctx); err != nil {
				return err
			}
		}
		next, ok, err := p.state.NextStage()
		if err != nil || !ok || !p.add(Event{Paired: &next}) {
			p.cut = true
			return nil //nolint:nilerr // the coordinator will pair, and say what is wrong
		}
		p.added++
		fill(&p.anew, p.state.firsts[next.Stage-1])
	}
	if e.Paired != nil && !p.state.Format.early() {
		return p.adoptAll(ctx)
	}
	return nil
}

// adoptAll takes over the results of all matches that are not in the log.
func (p *splicer) adoptAll(ctx context.Context) error {
	for _, number := range slices.Collect(p.state.Missing()) {
		if err := p.adopt(ctx, number); err != nil {
			return err
		}
	}
	return nil
}

// adopt takes over the result of a match if it is stored.
func (p *splicer) adopt(ctx context.Context, number int) error {
	match, err := p.state.Match(number)
	if err != nil || p.state.Done(number) {
		return nil //nolint:nilerr // there is no such match any more
	}
	raw, err := p.store.last(ctx, p.store.results, bus.ResultSubject(p.state.ID, number))
	if err != nil || raw == nil {
		return err
	}
	result, err := decodeResult(raw.Header, raw.Data)
	if err != nil || fits(result, match) != nil {
		return nil //nolint:nilerr // the match is played again
	}
	played := PlayedOf(number, result)
	if p.add(Event{Played: &played}) {
		p.added++
	}
	return nil
}

const spliceSuffix = ".mending"

func (s *Store) splicePath(id string) string { return filepath.Join(s.dir, id+spliceSuffix) }

// mendLog mends a log with holes: from the export if there is one, else from what can be read. The caller knows that nobody
// else writes it.
func (s *Store) mendLog(ctx context.Context, id string) error {
	if restored, err := s.restore(ctx, id, "the log of a tournament has a hole"); restored || err != nil {
		return err
	}
	p := splicer{store: s, first: s.firstOf(id)}
	var failed error
	last, err := s.Events(ctx, id, func(e Event) error {
		failed = p.take(ctx, e)
		return failed
	})
	switch {
	case err != nil:
		return err
	case p.state == nil && !s.marked(id): // it was removed, and has come back with the damage
		return s.purge(ctx, bus.Events, bus.EventSubject(id))
	case last == 0 || p.state == nil:
		return fmt.Errorf("log of %s: %w: its beginning is gone; remove the tournament, and begin it again or import its export", id, ErrDamaged)
	}
	s.log.Error("the log of a tournament has a hole: the store was damaged. It is put together again from what can be read and from the "+
		"stored results, and what is missing is played again. See that pauses, withdrawals and late entries are as you want them",
		"tournament", id, "events", p.seen, "kept", len(p.log)-p.added, "added", p.added)
	return s.rewrite(ctx, id, p.log)
}

// rewrite puts another log in the place of the one that is there. It is on the disk before that one goes.
func (s *Store) rewrite(ctx context.Context, id string, log []Event) error {
	var text bytes.Buffer
	for _, event := range log {
		line, err := json.Marshal(event)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	if err := files.Replace(s.splicePath(id), text.Bytes()); err != nil {
		return fmt.Errorf("mend the log of %s: %w", id, err)
	}
	return s.finishSplice(ctx, id)
}

// finishSplice writes a log that was put together in the place of that with holes. It can be repeated from the beginning.
func (s *Store) finishSplice(ctx context.Context, id string) error {
	if s.dir == "" {
		return nil
	}
	text, err := os.ReadFile(s.splicePath(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.purge(ctx, bus.Events, bus.EventSubject(id)); err != nil {
		return err
	}
	w := s.writer(id, 0)
	state := &State{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, bus.MaxPayload)
	for lines.Scan() {
		var event Event
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			return fmt.Errorf("%s: %w", s.splicePath(id), err)
		}
		if err := state.Apply(event); err != nil {
			return err
		}
		if err := w.append(ctx, event); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", s.splicePath(id), err)
	}
	s.newMark(id).write(state)
	return os.Remove(s.splicePath(id))
}
