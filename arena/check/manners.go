package check

import (
	"bytes"
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// manner is a way in which the arena's lines may come to a bot.
type manner func(in io.Writer) io.Writer

// pieces writes every line in pieces, as a pipe that is full hands them over.
func pieces(in io.Writer) io.Writer { return pieced{in} }

type pieced struct{ io.Writer }

// pause lets a bot see a piece before the next one comes. Nothing depends on that it does.
const pause = 3 * time.Millisecond

func (p pieced) Write(b []byte) (n int, err error) {
	for cut := max(1, len(b)/3); n < len(b) && err == nil; {
		var wrote int
		wrote, err = p.Writer.Write(b[n:min(n+cut, len(b))])
		if n += wrote; n < len(b) {
			time.Sleep(pause)
		}
	}
	return n, err
}

// carriageReturns ends each line as Windows does.
func carriageReturns(in io.Writer) io.Writer {
	return &rewriter{Writer: in, line: func(line []byte) []byte { return append(bytes.Clone(line), '\r', '\n') }}
}

// later adds what a later version of the protocol may: a field to each message, and messages of its own.
func later(in io.Writer) io.Writer {
	told := false
	return &rewriter{Writer: in, line: func(line []byte) []byte {
		isTurn := bytes.HasPrefix(line, []byte(`{"type":"turn"`))
		var out []byte
		if isTurn {
			out = append(out, `{"type":"weather","sky":"clear","forecast":[{"round":1,"wind":null}]}`+"\n"...)
		}
		if isTurn && !told { // as after a move that came too late
			told = true
			out = append(out, `{"type":"error","turn":0,"code":"stale","message":"turn 0 is not the one that is open","strikes":0,"strike_limit":3}`+"\n"...)
		}
		if bytes.HasSuffix(line, []byte(`"}`)) && len(line) < len(`{"type":"quit"}`)+1 {
			return append(append(out, line...), '\n')
		}
		out = append(out, line[:len(line)-1]...)
		return append(out, `,"season":{"name":"winter","days":[1,2]}}`+"\n"...)
	}}
}

// rewriter changes whole lines. What a bot does not take at once goes first the next time.
type rewriter struct {
	io.Writer

	line func([]byte) []byte
	rest []byte
}

func (r *rewriter) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		r.rest = append(r.rest, r.line(bytes.TrimSuffix(line, []byte("\n")))...)
	}
	n, err := r.Writer.Write(r.rest)
	r.rest = r.rest[n:]
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return 0, err
	}
	return len(b), nil
}

// strays counts the lines of all processes of a bot that are no messages.
type strays struct {
	mu    sync.Mutex
	count int
	first string
}

func (s *strays) listen(out io.Reader) io.Reader { return &listener{Reader: out, to: s} }

func (s *strays) add(line []byte) {
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '{' {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count++; s.count == 1 {
		s.first = string(line)
	}
}

type listener struct {
	io.Reader

	to   *strays
	line []byte // the beginning of the one that is being read
}

func (l *listener) Read(b []byte) (int, error) {
	const enough = 120
	n, err := l.Reader.Read(b)
	for _, c := range b[:n] {
		if c == '\n' {
			l.to.add(l.line)
			l.line = l.line[:0]
		} else if len(l.line) < enough {
			l.line = append(l.line, c)
		}
	}
	return n, err
}
