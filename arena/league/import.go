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

// ErrThere says that an import brought nothing new.
var ErrThere = errors.New("is there already")

// Import brings an export into the store, after all of it was read and found sound: else nothing is imported. Nobody sees it
// before it is whole, and nothing is left of one that was interrupted. For a tournament that is there already and came to the
// same the error is [ErrThere]. One that is there and is not this one is left alone, with an error that wraps [ErrAnother].
func (s *Store) Import(ctx context.Context, in io.Reader) (id string, err error) {
	e, err := checked(ctx, in)
	if err != nil {
		return "", fmt.Errorf("%w; nothing was imported", err)
	}
	defer e.close()
	if full := s.bus.Room(); full != nil {
		return e.id, noRoomError(full)
	}
	if err = s.dropImport(ctx, e.id); err != nil {
		return e.id, err
	}
	state, err := s.Load(ctx, e.id)
	switch {
	case errors.Is(err, ErrNoTournament):
		return e.id, s.bring(ctx, e)
	case err != nil:
		return e.id, err
	case state.Phase.Over():
		return e.id, s.compare(ctx, e)
	default:
		return e.id, fmt.Errorf("tournament %q %w", e.id, ErrAnother)
	}
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
	if err := foreign(raw); err != nil {
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

// foreign says what an editor or a copy has made of a line that is sealed as it was.
func foreign(line []byte) error {
	switch {
	case bytes.HasPrefix(line, []byte("\xef\xbb\xbf")):
		return fmt.Errorf("it begins with a byte order mark; save the file without: %w", ErrExport)
	case bytes.HasSuffix(line, []byte("\r\n")):
		return fmt.Errorf("it ends in CR LF; save the file with LF alone at the ends of lines: %w", ErrExport)
	default:
		return nil
	}
}

// importer follows an export line by line.
type importer struct {
	store *Store                             // takes the results; nil only checks
	to    func(context.Context, Event) error // takes the events, each after the result that it relies on; nil only checks
	state *State                             // of what was read
	lost  int                                // matches of which the export has no result
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
		if err := line.Tournament.Validate(); err != nil {
			return err
		}
		x.state = &State{}
		return x.event(ctx, Event{Created: line.Tournament})
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

// errOtherResult is wrapped by the error for a match of which another result is stored.
var errOtherResult = errors.New("another result of it is stored")

func (x *importer) result(ctx context.Context, line exportLine) error {
	match, err := x.state.Match(line.Number)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrExport, err)
	}
	if err = fits(*line.Result, match); err != nil {
		return fmt.Errorf("match %d: %w: %w", line.Number, ErrExport, err)
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
		return fmt.Errorf("match %d: %w; remove tournament %q first", line.Number, errOtherResult, x.state.ID)
	}
	played.Seq = stored.Sequence
	return x.event(ctx, Event{Played: &played})
}

func (x *importer) event(ctx context.Context, e Event) error {
	e.N = x.state.events + 1
	if err := x.state.follow(e); err != nil {
		return fmt.Errorf("%w: %w", ErrExport, err)
	}
	if x.to == nil {
		return nil
	}
	return x.to(ctx, e)
}
