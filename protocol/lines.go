package protocol

import (
	"bytes"
	"errors"
	"io"
)

// ErrLineTooLong is returned for a line of more than MaxLine bytes. The beginning of the line comes with it.
var ErrLineTooLong = errors.New("line is longer than 64 KiB")

// Lines reads lines of at most MaxLine bytes. It takes \n and \r\n as line ends, drops a byte order mark at the start of
// a line, and skips blank lines. Its memory is bounded whatever the other side writes.
type Lines struct {
	r     io.Reader
	buf   []byte
	start int // of what has not been returned yet
	err   error
}

// NewLines reads from r, which it may read ahead.
func NewLines(r io.Reader) *Lines { return &Lines{r: r, buf: make([]byte, 0, 4<<10)} }

// Next returns the next line without its line end; it is valid until the next call. At the end of the input it returns
// what stood after the last newline with io.ErrUnexpectedEOF, or nothing with io.EOF. After ErrLineTooLong, and after
// any other error, reading cannot go on.
func (l *Lines) Next() ([]byte, error) {
	searched := 0
	for {
		rest := l.buf[l.start:]
		if i := bytes.IndexByte(rest[searched:], '\n'); i >= 0 {
			line := rest[:searched+i]
			l.start += len(line) + 1
			line = bytes.TrimSuffix(line, []byte{'\r'})
			if len(line) > MaxLine {
				return line[:MaxLine], ErrLineTooLong
			}
			searched = 0
			if line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")); len(bytes.TrimSpace(line)) > 0 {
				return line, nil
			}
			continue
		}
		searched = len(rest)
		if searched > MaxLine+1 { // one for a carriage return
			return rest[:MaxLine], ErrLineTooLong
		}
		if l.err != nil {
			return l.tail(rest)
		}
		l.fill()
	}
}

func (l *Lines) tail(rest []byte) ([]byte, error) {
	if errors.Is(l.err, io.EOF) && len(bytes.TrimSpace(rest)) > 0 {
		return rest, io.ErrUnexpectedEOF
	}
	return rest, l.err
}

// fill reads once, into a buffer that grows only as lines need it.
func (l *Lines) fill() {
	if l.start > 0 {
		l.buf = l.buf[:copy(l.buf, l.buf[l.start:])]
		l.start = 0
	}
	if len(l.buf) == cap(l.buf) {
		l.buf = append(make([]byte, 0, min(2*cap(l.buf), MaxLine+4<<10)), l.buf...)
	}
	n, err := l.r.Read(l.buf[len(l.buf):cap(l.buf)])
	l.buf = l.buf[:len(l.buf)+n]
	l.err = err
}
