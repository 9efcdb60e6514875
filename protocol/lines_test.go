package protocol_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/protocol"
)

func readAll(r io.Reader) (lines []string, last string, err error) {
	reader := protocol.NewLines(r)
	for {
		line, err := reader.Next()
		if err != nil {
			return lines, string(line), err
		}
		lines = append(lines, string(line))
	}
}

func TestLines(t *testing.T) {
	full := strings.Repeat("x", protocol.MaxLine)
	for _, c := range []struct {
		name, in string
		want     []string
		last     string
		err      error
	}{
		{"empty", "", nil, "", io.EOF},
		{"plain", "a\nb\n", []string{"a", "b"}, "", io.EOF},
		{"carriage returns", "a\r\nb\r\n", []string{"a", "b"}, "", io.EOF},
		{"byte order mark", "\xef\xbb\xbfa\nb\n", []string{"a", "b"}, "", io.EOF},
		{"blank lines", "\n \r\n\t\na\n\n", []string{"a"}, "", io.EOF},
		{"no newline at the end", "a\nb", []string{"a"}, "b", io.ErrUnexpectedEOF},
		{"blank at the end", "a\n  ", []string{"a"}, "  ", io.EOF},
		{"longest", full + "\na\n", []string{full, "a"}, "", io.EOF},
		{"longest with carriage return", full + "\r\na\n", []string{full, "a"}, "", io.EOF},
		{"too long", "a\n" + full + "x\nb\n", []string{"a"}, full, protocol.ErrLineTooLong},
		{"too long without a newline", full + "xx", nil, full, protocol.ErrLineTooLong},
		{"not UTF-8", "\xff\xfe\n", []string{"\xff\xfe"}, "", io.EOF},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range []io.Reader{
				strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in)), iotest.DataErrReader(strings.NewReader(c.in)),
			} {
				lines, last, err := readAll(r)
				require.Equal(t, c.want, lines)
				require.ErrorIs(t, err, c.err)
				require.Equal(t, c.last, last)
			}
		})
	}
}

func TestLinesPassesErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	lines, last, err := readAll(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)))
	require.Equal(t, []string{"a"}, lines)
	require.Equal(t, "b", last)
	require.ErrorIs(t, err, broken)
}

// endless writes without ever a newline.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	e.read += len(p)
	return len(p), nil
}

func TestLinesIsBounded(t *testing.T) {
	var source endless
	_, _, err := readAll(&source)
	require.ErrorIs(t, err, protocol.ErrLineTooLong)
	require.Less(t, source.read, 2*protocol.MaxLine)
}

// FuzzLines compares with a slow reading of the same bytes, whatever the sizes in which they arrive.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\r\n\n\xef\xbb\xbfb\nc"), byte(1))
	f.Fuzz(func(t *testing.T, data []byte, chunk byte) {
		var want []string
		rest := data
		for {
			i := bytes.IndexByte(rest, '\n')
			if i < 0 {
				break
			}
			line := strings.TrimPrefix(strings.TrimSuffix(string(rest[:i]), "\r"), "\xef\xbb\xbf")
			if strings.TrimSpace(line) != "" {
				want = append(want, line)
			}
			rest = rest[i+1:]
		}
		got, _, err := readAll(iotest.DataErrReader(&chunked{data: data, size: int(chunk) + 1}))
		if errors.Is(err, protocol.ErrLineTooLong) {
			require.Greater(t, len(data), protocol.MaxLine)
			return
		}
		require.Equal(t, want, got)
	})
}

type chunked struct {
	data []byte
	size int
}

func (c *chunked) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.data[:min(c.size, len(c.data))])
	c.data = c.data[n:]
	return n, nil
}
