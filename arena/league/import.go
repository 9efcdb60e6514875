package league

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// ErrExport is wrapped by the error for an export that is not as it was written.
var ErrExport = errors.New("the export was changed, or is not whole")

// ErrAnother is wrapped by the error for an id that is taken.
var ErrAnother = errors.New("exists already and is another one; import it into another data folder")

// Import brings an export into the store, after all of it was read and found sound: else nothing is imported. One that was
// interrupted can be repeated; for one that is there already, line by line, the error is [ErrThere]. A tournament that is there
// and is not this one is left alone, with an error that wraps [ErrAnother] and its id.
func (s *Store) Import(ctx context.Context, in io.Reader) (id string, err error) {
	in, closing, err := checked(ctx, in)
	if err != nil {
		return "", fmt.Errorf("%w; nothing was imported", err)
	}
	defer closing()
	return s.bring(ctx, in)
}

// bring is Import of an export that was checked.
func (s *Store) bring(ctx context.Context, in io.Reader) (id string, err error) {
	x := importer{store: s}
	err = x.read(ctx, in)
	if errors.Is(err, ErrAnother) {
		return x.state.ID, err
	}
	if err != nil {
		return "", err
	}
	m := s.newMark(x.state.ID)
	m.lose(x.lost)
	m.write(x.state)
	if err = s.keepExport(ctx, x.state.ID); err == nil && !x.brought {
		err = ErrThere
	}
	return x.state.ID, err
}

// readExport checks the digests, and counts lines from 1.
func readExport(in io.Reader, visit func(number int, line exportLine) error) error {
	lines := bufio.NewReaderSize(in, 1<<16)
	sum := ""
	for number := 1; ; number++ {
		line, err := readExportLine(lines, &sum, number == 1)
		if errors.Is(err, io.EOF) {
			if number == 1 {
				return fmt.Errorf("there is nothing in it: %w", ErrExport)
			}
			return nil
		}
		if err == nil {
			err = visit(number, line)
		}
		if errors.Is(err, ErrAnother) { // no matter of the line
			return err
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
}

// importResults brings back only those results that are not stored, and counts them.
func (s *Store) importResults(ctx context.Context, id string, in io.Reader) (brought int, err error) {
	err = readExport(in, func(_ int, line exportLine) error {
		if line.Result == nil {
			return nil
		}
		first, failed := s.putResult(ctx, id, line.Number, *line.Result, "")
		if first {
			brought++
		}
		return failed
	})
	return brought, err
}

// Bounds of a line of an export, in bytes: the first has only the version.
const (
	maxFirstLine = 4 << 10
	maxLine      = maxResult
)

// readLine reads a line with its end.
func readLine(lines *bufio.Reader, most int) (line []byte, err error) {
	for {
		part, err := lines.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > most:
			return nil, fmt.Errorf("it is longer than a line of an export can be: %w", ErrExport)
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return nil, ErrExport
		default:
			return line, err
		}
	}
}

func readExportLine(lines *bufio.Reader, sum *string, first bool) (exportLine, error) {
	most := maxLine
	if first {
		most = maxFirstLine
	}
	raw, err := readLine(lines, most)
	if err != nil {
		return exportLine{}, err
	}
	at := bytes.LastIndex(raw, []byte(sumField))
	if at < 0 {
		return exportLine{}, ErrExport
	}
	body := append(bytes.Clone(raw[:at]), '}')
	*sum = chain(*sum, body)
	if string(raw[at+len(sumField):]) != *sum+"\"}\n" {
		return exportLine{}, ErrExport
	}
	var line exportLine
	if err := json.Unmarshal(body, &line); err != nil {
		return exportLine{}, fmt.Errorf("%w: %w", ErrExport, err)
	}
	return line, nil
}

// importer follows an export line by line. Without a store it only checks.
type importer struct {
	store  *Store
	state  *State // of what was imported
	there  []Event
	writer *writer

	brought bool // whether there was anything new
	lost    int  // matches of which the export has no result
}

func (x *importer) read(ctx context.Context, in io.Reader) error {
	err := readExport(in, func(number int, line exportLine) error { return x.take(ctx, number, line) })
	if err == nil && (x.state == nil || !x.state.Phase.Over()) {
		err = fmt.Errorf("its end is missing: %w", ErrExport)
	}
	return err
}

func (x *importer) take(ctx context.Context, number int, line exportLine) error {
	if (number == 1) != (line.Version != 0) || (number == 2) != (line.Tournament != nil) {
		return ErrExport
	}
	switch {
	case line.Version != 0:
		if line.Version != exportVersion {
			return fmt.Errorf("this version of the arena reads version %d of exports, not %d", exportVersion, line.Version)
		}
		return nil
	case line.Tournament != nil:
		return x.begin(ctx, *line.Tournament)
	case line.Result != nil:
		return x.result(ctx, line)
	case line.ResultLost != nil:
		x.lost++
		played := *line.ResultLost
		played.Seq = 0
		return x.event(ctx, Event{Played: &played})
	}
	return x.event(ctx, Event{
		Entered: line.Entered, Withdrawn: line.Withdrawn, Paired: line.Paired, Cancelled: line.Cancelled, Finished: line.Finished,
	})
}

func (x *importer) begin(ctx context.Context, t Tournament) error {
	if err := t.Validate(); err != nil {
		return err
	}
	x.state = &State{}
	if x.store == nil {
		return x.event(ctx, Event{Created: &t})
	}
	last, err := x.store.Events(ctx, t.ID, func(e Event) error {
		x.there = append(x.there, e)
		return nil
	})
	if err != nil {
		return err
	}
	x.writer = x.store.writer(t.ID, last)
	return x.event(ctx, Event{Created: &t})
}

// result stores the result before the event that relies on it.
func (x *importer) result(ctx context.Context, line exportLine) error {
	match, err := x.state.Match(line.Number)
	if err != nil {
		return err
	}
	if err = fits(*line.Result, match); err != nil {
		return fmt.Errorf("match %d: %w", line.Number, err)
	}
	played := PlayedOf(line.Number, *line.Result)
	if x.store == nil {
		return x.event(ctx, Event{Played: &played})
	}
	if _, err = x.store.putResult(ctx, x.state.ID, line.Number, *line.Result, ""); err != nil {
		return err
	}
	stored, err := x.store.last(ctx, x.store.results, bus.ResultSubject(x.state.ID, line.Number))
	if err != nil {
		return err
	}
	if stored == nil {
		return fmt.Errorf("match %d: the stored results were damaged, and take no new one in its place; import the file into another data folder", line.Number)
	}
	if result, notReadable := decodeResult(stored.Header, stored.Data); notReadable != nil || !reflect.DeepEqual(result, *line.Result) {
		return fmt.Errorf("match %d: another result of it is stored; remove tournament %q first", line.Number, x.state.ID)
	}
	played.Seq = stored.Sequence
	return x.event(ctx, Event{Played: &played})
}

// event appends what is not in the log yet.
func (x *importer) event(ctx context.Context, e Event) error {
	e.N = x.state.events + 1
	if err := x.state.Apply(e); err != nil {
		return err
	}
	if x.store == nil {
		return nil
	}
	if e.N > len(x.there) {
		x.brought = true
		return x.writer.append(ctx, e)
	}
	if !sameEvent(x.there[e.N-1], e) {
		return fmt.Errorf("tournament %q %w", x.state.ID, ErrAnother)
	}
	return nil
}

// sameEvent compares as JSON, in which both were or will be.
func sameEvent(a, b Event) bool {
	var trees [2]any
	for i, event := range []Event{a, b} {
		if event.Played != nil {
			played := *event.Played
			played.Seq = 0
			event.Played = &played
		}
		text, err := json.Marshal(event)
		if err != nil || json.Unmarshal(text, &trees[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(trees[0], trees[1])
}
