package league

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
)

const (
	headerEncoding = "Content-Encoding"
	headerReplays  = "Arena-Replays" // name of the object with the replays of the match
	zipAbove       = 256 << 10
)

// ErrNoResult is wrapped by the error for a match without a stored result.
var ErrNoResult = errors.New("it is not stored; was it played?")

// Result is the whole result of a match.
func (s *Store) Result(ctx context.Context, id string, match int) (arena.Result, error) {
	raw, err := s.last(ctx, s.results, bus.ResultSubject(id, match))
	if err == nil && raw == nil {
		err = ErrNoResult
	}
	if err != nil {
		return arena.Result{}, fmt.Errorf("result of match %d of %s: %w", match, id, err)
	}
	result, err := decodeResult(raw.Header, raw.Data)
	if err != nil {
		return arena.Result{}, fmt.Errorf("result of match %d of %s: %w: %w", match, id, ErrDamaged, err)
	}
	return result, nil
}

// putResult records what a match came to, unless somebody has done so before: the first counts.
func (s *Store) putResult(ctx context.Context, id string, match int, result arena.Result, replays string) (first bool, err error) {
	m, err := encodeResult(result)
	if err != nil {
		return false, err
	}
	m.Subject = bus.ResultSubject(id, match)
	if replays != "" {
		m.Header.Set(headerReplays, replays)
	}
	_, err = s.publish(ctx, m, jetstream.WithExpectLastSequencePerSubject(0))
	if err != nil && !refused(err) {
		return false, fmt.Errorf("result of match %d of %s: %w", match, id, err)
	}
	return err == nil, nil
}

// encodeResult keeps what is long within the size of a message.
func encodeResult(result arena.Result) (*nats.Msg, error) {
	m := &nats.Msg{Header: nats.Header{}}
	var err error
	if m.Data, err = json.Marshal(result); err != nil || len(m.Data) < zipAbove {
		return m, err
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, err = w.Write(m.Data)
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	m.Header.Set(headerEncoding, "gzip")
	m.Data = zipped.Bytes()
	return m, nil
}

// maxResult bounds what a message can unfold to.
const maxResult = 256 << 20

func decodeResult(header nats.Header, data []byte) (result arena.Result, err error) {
	if header.Get(headerEncoding) == "gzip" {
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return result, err
		}
		if data, err = io.ReadAll(io.LimitReader(r, maxResult)); err != nil {
			return result, err
		}
	}
	return result, json.Unmarshal(data, &result)
}
