package protocol

import (
	"bufio"
	"bytes"
	"cmp"
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

// Write writes one line, and one that is [Unknown] as it was read.
func (w *ReplayWriter) Write(line Line) error {
	body, err := lineBody(line)
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
			return nil, fmt.Errorf("replay: %w", torn(err))
		}
	}
	lines := bufio.NewScanner(source)
	lines.Buffer(nil, maxReplayLine)
	lines.Split(splitLines)
	return &ReplayReader{lines: lines}, nil
}

// Next returns the next line, and io.EOF after the last. An error names the line by its number. With one that wraps
// [ErrSum] the line comes too, and reading can go on; it cannot after others.
func (r *ReplayReader) Next() (Line, error) {
	if !r.lines.Scan() {
		return nil, r.end()
	}
	r.number++
	raw, ended := bytes.CutSuffix(r.lines.Bytes(), []byte{'\n'})
	if err := r.lines.Err(); err != nil && !ended {
		return nil, r.fail(torn(err))
	}
	text := bytes.TrimRight(raw, " \t\r")
	body, sum := splitSum(text)
	if r.number == 1 {
		r.sealed = sum != ""
	}
	line, err := readLine(body)
	if err != nil {
		return nil, r.fail(err)
	}
	return line, r.check(body, sum, ended && len(text) == len(raw))
}

// splitLines leaves the newline at its line, so that a last line without one can be told.
func splitLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// check holds a line against its sum. Clean means that nothing but a newline stands behind it.
func (r *ReplayReader) check(body []byte, sum string, clean bool) error {
	switch {
	case !r.sealed && sum == "":
		return nil
	case !r.sealed: // all lines have one, or none has
		return fmt.Errorf("line 1: %w: its sum is missing", ErrSum)
	}
	want := sumOf(r.sum, body)
	r.sum = cmp.Or(sum, want)
	switch {
	case sum == "":
		return r.fail(fmt.Errorf("%w: its sum is missing", ErrSum))
	case sum != want:
		return r.fail(ErrSum)
	case !clean:
		return r.fail(fmt.Errorf("%w: it does not end in a newline alone", ErrSum))
	default:
		return nil
	}
}

// end tells why there is no line any more.
func (r *ReplayReader) end() error {
	err := r.lines.Err()
	if err == nil {
		return io.EOF
	}
	r.number++
	if errors.Is(err, bufio.ErrTooLong) {
		err = errors.New("it is longer than 1 MiB")
	}
	return r.fail(torn(err))
}

// torn says what the end of a compressed file that was cut means.
func torn(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the file is truncated: %w", err)
	}
	return err
}

func (r *ReplayReader) fail(err error) error { return fmt.Errorf("line %d: %w", r.number, err) }

// Number is the line that Next returned last, counted from 1.
func (r *ReplayReader) Number() int { return r.number }

// Sealed reports whether the lines carry sums. The replays of other programs may not.
func (r *ReplayReader) Sealed() bool { return r.sealed }
