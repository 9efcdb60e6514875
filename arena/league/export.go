package league

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/files"
)

// ExportSuffix ends the names of exports.
const ExportSuffix = ".export.jsonl"

// exportLine is a line of an export: exactly one field is set, besides the number of a match. An export is a tournament in
// canonical order: who came and went and what was paired as in the log, and behind each pairing the results of its matches in
// their order. Attempts, pauses, and the order in which matches ended are not in it. Of a match whose result was lost, since
// the store was damaged, it has what the log knows, which is all that counts for standings and ratings.
type exportLine struct {
	Version    int           `json:"version,omitempty"` // of the format; the first line
	Tournament *Tournament   `json:"tournament,omitempty"`
	Entered    *Entrant      `json:"entered,omitempty"`
	Withdrawn  string        `json:"withdrawn,omitempty"`
	Paired     *Pairing      `json:"paired,omitempty"`
	Number     int           `json:"number,omitempty"` // of the match whose result follows in the line
	Result     *arena.Result `json:"result,omitempty"`
	ResultLost *Played       `json:"result_lost,omitempty"`
	Cancelled  *End          `json:"cancelled,omitempty"`
	Finished   *End          `json:"finished,omitempty"`
}

const exportVersion = 1

// Export writes a tournament that is over as lines of JSON, each with the digest of itself and all before it. Without
// times, two runs of the same matches between bots that answer the same give the same bytes.
func (s *Store) Export(ctx context.Context, id string, out io.Writer, times bool) error {
	buffered := bufio.NewWriter(out)
	x := exporter{store: s, out: buffered, times: times}
	if err := x.export(ctx, id); err != nil {
		return err
	}
	return buffered.Flush()
}

type exporter struct {
	store *Store
	state *State
	out   io.Writer
	times bool
	brief bool // of all matches no more than the log has
	sum   string
	log   map[int]Played // read when the first result is missing

	restored bool // what is missing was looked for in the export that is kept
}

func (x *exporter) export(ctx context.Context, id string) (err error) {
	var frame []Event
	x.state, _, err = x.store.foldSeeing(ctx, id, func(e Event) {
		if e.Played == nil {
			frame = append(frame, e)
		}
	})
	switch {
	case err != nil:
		return err
	case !x.state.Phase.Over():
		return fmt.Errorf("tournament %s is %s; it can be exported when it is finished or cancelled", id, x.state.Phase)
	}
	if err := x.write(exportLine{Version: exportVersion}); err != nil {
		return err
	}
	for _, event := range frame {
		if err := x.event(ctx, event); err != nil {
			return err
		}
	}
	return nil
}

func (x *exporter) event(ctx context.Context, e Event) error {
	switch {
	case e.Created != nil:
		t := e.Created.public()
		return x.write(exportLine{Tournament: &t})
	case e.Entered != nil:
		entered := e.Entered.public()
		return x.write(exportLine{Entered: &entered})
	case e.Withdrawn != "":
		return x.write(exportLine{Withdrawn: e.Withdrawn})
	case e.Cancelled != nil, e.Finished != nil:
		return x.write(exportLine{Cancelled: e.Cancelled, Finished: e.Finished})
	case e.Paired != nil:
		return x.stage(ctx, *e.Paired)
	default:
		return nil
	}
}

func (x *exporter) stage(ctx context.Context, p Pairing) error {
	if err := x.write(exportLine{Paired: &p}); err != nil {
		return err
	}
	for i := range p.Tables {
		number := x.state.firsts[p.Stage-1] + i
		if !x.state.Done(number) {
			continue // it was cancelled before
		}
		if err := x.match(ctx, number); err != nil {
			return err
		}
	}
	return nil
}

func (x *exporter) match(ctx context.Context, number int) error {
	if x.brief {
		return x.known(ctx, number)
	}
	result, err := x.result(ctx, number)
	switch {
	case err == nil:
		return x.write(exportLine{Number: number, Result: &result})
	case errors.Is(err, ErrNoResult), errors.Is(err, ErrDamaged):
		x.store.log.Error("the result of a match was lost: the store was damaged. Its points are in the log, and the export has what the log has",
			"tournament", x.state.ID, "match", number)
		x.store.bus.Doubt()
		return x.known(ctx, number)
	default:
		return err
	}
}

// result looks into the export that is kept where a result is missing.
func (x *exporter) result(ctx context.Context, number int) (arena.Result, error) {
	result, err := x.store.Result(ctx, x.state.ID, number)
	if !errors.Is(err, ErrNoResult) && !errors.Is(err, ErrDamaged) {
		return result, err
	}
	if !x.restored {
		x.restored = true
		if _, failed := x.store.restoreResults(ctx, x.state.ID); failed != nil {
			return arena.Result{}, failed
		}
		return x.result(ctx, number)
	}
	kept, failed := x.store.keptResult(ctx, x.state.ID, number)
	if kept == nil || failed != nil {
		return arena.Result{}, errors.Join(failed, err)
	}
	x.store.log.Warn("the result of a match is damaged; it is taken from the export in the folder, and mended when the folder is opened the next time",
		"tournament", x.state.ID, "match", number)
	x.store.bus.Doubt()
	return *kept, nil
}

// known writes what the log has of a match.
func (x *exporter) known(ctx context.Context, number int) error {
	if x.log == nil {
		x.log = map[int]Played{}
		_, err := x.store.Events(ctx, x.state.ID, func(e Event) error {
			if e.Played != nil {
				if _, known := x.log[e.Played.Match]; !known {
					x.log[e.Played.Match] = *e.Played
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	played := x.log[number]
	played.Seq = 0
	return x.write(exportLine{Number: number, ResultLost: &played})
}

func (x *exporter) write(line exportLine) error {
	if !x.times {
		line = line.withoutTimes()
	}
	body, err := json.Marshal(line)
	if err != nil {
		return err
	}
	x.sum = chain(x.sum, body)
	_, err = fmt.Fprintf(x.out, "%s%s%s\"}\n", body[:len(body)-1], sumField, x.sum)
	return err
}

const sumField = `,"sum":"`

// chain is the digest of a line and of all before it.
func chain(before string, body []byte) string {
	sum := sha256.Sum256(append([]byte(before), body...))
	return hex.EncodeToString(sum[:])
}

func (s *Store) exportPath(id string) string { return filepath.Join(s.dir, id+ExportSuffix) }

// keepExport writes the export of a tournament that is over to the folder, once.
func (s *Store) keepExport(ctx context.Context, id string) error {
	if s.dir == "" {
		return nil
	}
	if _, err := os.Stat(s.exportPath(id)); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return files.Write(s.exportPath(id), 0o600, func(out io.Writer) error { return s.Export(ctx, id, out, true) })
}
