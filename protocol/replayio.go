package protocol

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// ReplayWriter writes a replay line by line. Each line ends with its sum, the first 16 hexadecimal digits of the SHA-256
// of the sum before it and the line without its sum, so that a later change of any byte shows in which line it was made.
type ReplayWriter struct {
	w   io.Writer
	sum string
}

// NewReplayWriter writes to w, once for each line.
func NewReplayWriter(w io.Writer) *ReplayWriter { return &ReplayWriter{w: w} }

// Write writes one line.
func (w *ReplayWriter) Write(line Line) error {
	tag, err := lineType(line)
	if err != nil {
		return err
	}
	body, err := tagged(tag, line)
	if err != nil {
		return err
	}
	w.sum = sumOf(w.sum, body)
	_, err = fmt.Fprintf(w.w, "%s%s%s\"}\n", body[:len(body)-1], sumField, w.sum)
	return err
}

const (
	sumField  = `,"sum":"`
	sumDigits = 16
)

func sumOf(before string, body []byte) string {
	hash := sha256.New()
	_, _ = io.WriteString(hash, before) // a hash never fails
	_, _ = hash.Write(body)
	return hex.EncodeToString(hash.Sum(nil))[:sumDigits]
}

// splitSum takes the sum off the end of a line. A line without one comes back as it is, with an empty sum.
func splitSum(raw []byte) (body []byte, sum string) {
	tail := len(sumField) + sumDigits + len(`"}`)
	at := len(raw) - tail
	if at <= 0 || !bytes.HasPrefix(raw[at:], []byte(sumField)) || !bytes.HasSuffix(raw, []byte(`"}`)) {
		return raw, ""
	}
	return append(bytes.Clone(raw[:at]), '}'), string(raw[at+len(sumField) : len(raw)-2])
}

// ErrSum is wrapped by the error for a line whose sum does not fit.
var ErrSum = errors.New("line was changed after it was written")

// maxReplayLine is far above any line that a game can give.
const maxReplayLine = 1 << 20

// ReplayReader reads a replay line by line, plain or compressed with gzip.
type ReplayReader struct {
	lines  *bufio.Scanner
	number int
	sum    string
	sealed bool
}

// NewReplayReader looks at the first bytes to see whether the replay is compressed.
func NewReplayReader(r io.Reader) (*ReplayReader, error) {
	buffered := bufio.NewReader(r)
	var source io.Reader = buffered
	if magic, err := buffered.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		if source, err = gzip.NewReader(buffered); err != nil {
			return nil, fmt.Errorf("replay: %w", err)
		}
	}
	lines := bufio.NewScanner(source)
	lines.Buffer(nil, maxReplayLine)
	return &ReplayReader{lines: lines}, nil
}

// Next returns the next line, and io.EOF after the last. Lines of unknown type are passed over, but their sums count. An
// error names the line by its number; reading can go on after one that wraps [ErrSum], and not after others.
func (r *ReplayReader) Next() (Line, error) {
	for r.lines.Scan() {
		r.number++
		body, sum := splitSum(r.lines.Bytes())
		if r.number == 1 {
			r.sealed = sum != ""
		}
		if r.sealed != (sum != "") {
			return nil, r.unsealed()
		}
		line, err := readLine(body)
		if torn := r.lines.Err(); err != nil && torn != nil {
			return nil, r.fail(torn)
		}
		if err != nil {
			return nil, r.fail(err)
		}
		if r.sealed {
			want := sumOf(r.sum, body)
			if r.sum = sum; sum != want {
				return line, r.fail(ErrSum)
			}
		}
		if line != nil {
			return line, nil
		}
	}
	switch err := r.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		r.number++
		return nil, r.fail(errors.New("it is longer than 1 MiB"))
	case err != nil:
		r.number++
		return nil, r.fail(err)
	default:
		return nil, io.EOF
	}
}

// unsealed blames the line whose sum is missing: all lines have one, or none has.
func (r *ReplayReader) unsealed() error {
	number := r.number
	if !r.sealed {
		number = 1
	}
	return fmt.Errorf("line %d: %w: its sum is missing", number, ErrSum)
}

func (r *ReplayReader) fail(err error) error { return fmt.Errorf("line %d: %w", r.number, err) }

// Number is the line that Next returned last, counted from 1.
func (r *ReplayReader) Number() int { return r.number }

// Sealed reports whether the lines carry sums. The replays of other programs may not.
func (r *ReplayReader) Sealed() bool { return r.sealed }
