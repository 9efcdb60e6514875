package protocol_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// entry is a line of a replay with its JSON.
type entry struct {
	text string
	line protocol.Line
}

// entries are lines of each type, as the format prints them.
func entries(t *testing.T) []entry {
	t.Helper()
	rules, err := engine.NewRules(engine.Rulebook, 2)
	require.NoError(t, err)
	one, two := cards(t, 1, 2), cards(t, 15)
	lead := protocol.Play{Played: engine.Played{Seat: 1, Action: engine.NewAction(engine.Lead, one), Meld: one}}
	late := protocol.Play{Played: engine.Played{Action: engine.NewAction(engine.Pass, 0), Meld: one}, By: protocol.ByArena, Fault: protocol.Timeout}
	return []entry{
		{`{"type":"replay","version":1,"game":"G","match":"M","tournament":"T","arena":"0.1.0","rules":{"preset":"rulebook","players":2,"copies":4,"hand_size":12,"target":0,"permanent_pass":false,"greater_overwrite":false},"bots":["a@1","b@2"],"seed":"0000000000000000000000000000000000000000000000000000000000000000","clock":{"move_ms":1000,"bank_ms":0,"increment_ms":0},"ask_forced":false,"faults":{"strike_limit":3,"penalty":"last"},"started":"2024-02-29T12:00:00.5Z"}`, protocol.Header{
			Version: 1, Game: "G", Match: "M", Tournament: "T", Arena: "0.1.0", Rules: rules, Bots: []string{"a@1", "b@2"},
			Clock: protocol.Clock{MoveMS: 1000}, Faults: protocol.FaultPolicy{StrikeLimit: 3, Penalty: protocol.RankLast},
			Started: time.Date(2024, 2, 29, 12, 0, 0, 5e8, time.UTC),
		}},
		{`{"type":"deal","round":1,"half":1,"leader":1,"hands":[[15],[1,2]],"hands2":[[1,2],[15]],"undealt":[]}`, protocol.ReplayDeal{
			Round: 1, Half: 1, Leader: 1, Hands: []engine.Cards{two, one}, Hands2: []engine.Cards{one, two},
		}},
		{`{"type":"deal","round":1,"half":2,"leader":1,"hands":[[15],[1,2]],"undealt":[15]}`, protocol.ReplayDeal{
			Round: 1, Half: 2, Leader: 1, Hands: []engine.Cards{two, one}, Undealt: two,
		}},
		{`{"type":"play","seat":1,"action":{"type":"lead","cards":[1,2]},"meld":[1,2],"ms":0.8,"note":"\u003ca \"quote\"\u003e"}`, protocol.ReplayPlay{
			Play: lead, MS: 0.8, Note: `<a "quote">`,
		}},
		{`{"type":"play","seat":0,"action":{"type":"pass","cards":[]},"meld":[1,2],"by":"arena","fault":"timeout","ms":1000}`, protocol.ReplayPlay{Play: late, MS: 1000}},
		{`{"type":"clear","seat":1,"reason":"passes"}`, engine.Cleared{Seat: 1, Reason: "passes"}},
		{`{"type":"score","round":1,"half":1,"out":1,"hands":[[15],[]],"points":[3,0],"scores":[3,0]}`, engine.Scored{
			Round: 1, Half: 1, Out: 1, Hands: []engine.Cards{two, 0}, Points: []int{3, 0}, Scores: []int{3, 0},
		}},
		{`{"type":"result","reason":"finished","scores":[3,0],"ranks":[2,1],"winners":[1],"faults":[{"seat":0,"code":"timeout","count":1,"forfeit":false}]}`, protocol.GameResult{
			Reason: protocol.Finished, Scores: []int{3, 0}, Ranks: []int{2, 1}, Winners: []int{1},
			Faults: []protocol.SeatFault{{Code: protocol.Timeout, Count: 1}},
		}},
	}
}

// written is the replay of the entries with sums.
func written(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	w := protocol.NewReplayWriter(&out)
	for _, e := range entries(t) {
		require.NoError(t, w.Write(e.line))
	}
	return out.String()
}

// readReplay stops at the first error.
func readReplay(r io.Reader) (lines []protocol.Line, reader *protocol.ReplayReader, err error) {
	if reader, err = protocol.NewReplayReader(r); err != nil {
		return nil, nil, err
	}
	for {
		line, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return lines, reader, nil
		}
		if err != nil {
			return lines, reader, err
		}
		lines = append(lines, line)
	}
}

// TestReplayWriter computes the sums by what the documentation says of them.
func TestReplayWriter(t *testing.T) {
	sum := ""
	var want strings.Builder
	for _, e := range entries(t) {
		digest := sha256.Sum256([]byte(sum + e.text))
		sum = hex.EncodeToString(digest[:])[:16]
		want.WriteString(strings.TrimSuffix(e.text, "}") + `,"sum":"` + sum + "\"}\n")
	}
	require.Equal(t, want.String(), written(t))
}

func TestReplayReader(t *testing.T) {
	var want []protocol.Line
	var open strings.Builder
	for _, e := range entries(t) {
		want = append(want, e.line)
		open.WriteString(e.text + "\n")
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, err := io.WriteString(z, written(t))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	for name, test := range map[string]struct {
		r      io.Reader
		sealed bool
	}{
		"sealed":          {strings.NewReader(written(t)), true},
		"byte by byte":    {iotest.OneByteReader(strings.NewReader(written(t))), true},
		"gzip":            {&zipped, true},
		"without sums":    {strings.NewReader(open.String()), false},
		"no last newline": {strings.NewReader(strings.TrimSuffix(open.String(), "\n")), false},
		"crlf":            {strings.NewReader(strings.ReplaceAll(open.String(), "\n", "\r\n")), false},
	} {
		lines, reader, err := readReplay(test.r)
		require.NoError(t, err, name)
		require.Equal(t, want, lines, name)
		require.Equal(t, len(want), reader.Number(), name)
		require.Equal(t, test.sealed, reader.Sealed(), name)
	}
}

// TestReplayReaderAnyByte changes, deletes or inserts any byte: the reader fails at that line, or at the blank line that
// a second newline gives.
func TestReplayReaderAnyByte(t *testing.T) {
	text := written(t)
	rapid.Check(t, func(rt *rapid.T) {
		at := rapid.IntRange(0, len(text)-1).Draw(rt, "at")
		with := rapid.SliceOfN(rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte("\r\n \t"))), 0, 1).Draw(rt, "with")
		rest := at + rapid.IntRange(0, 1).Draw(rt, "deleted")
		changed := text[:at] + string(with) + text[rest:]
		if changed == text {
			rt.Skip("no change")
		}
		_, reader, err := readReplay(strings.NewReader(changed))
		require.Error(rt, err)
		number := strings.Count(text[:at], "\n") + 1
		if text[at] == '\n' && string(with) == "\n" {
			number++
		}
		require.LessOrEqual(rt, reader.Number()-number, 1)
		require.Contains(rt, err.Error(), "line "+string(rune('0'+number))+": ")
	})
}

// TestReplayReaderLineEnds: a sealed line ends in a newline alone, and what is wrong with its end is said of that line.
func TestReplayReaderLineEnds(t *testing.T) {
	text := written(t)
	lines := strings.SplitAfter(text, "\n")
	for i := range entries(t) {
		for _, end := range []string{"\r\n", " \n", "\t\r\n"} {
			changed := slices.Clone(lines)
			changed[i] = strings.TrimSuffix(lines[i], "\n") + end
			_, _, err := readReplay(strings.NewReader(strings.Join(changed, "")))
			require.ErrorIs(t, err, protocol.ErrSum)
			require.EqualError(t, err, fmt.Sprintf("line %d: line was changed after it was written: it does not end in a newline alone", i+1))
		}
	}
	for _, end := range []string{"", "\r", " "} {
		read, _, err := readReplay(strings.NewReader(strings.TrimSuffix(text, "\n") + end))
		require.EqualError(t, err, "line 8: line was changed after it was written: it does not end in a newline alone", "%q", end)
		require.Len(t, read, 7)
	}
}

// TestReplayReaderTruncated cuts a compressed replay at any byte: that is said, and of which line.
func TestReplayReaderTruncated(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	for line := range strings.Lines(written(t)) {
		_, err := io.WriteString(z, line)
		require.NoError(t, err)
		require.NoError(t, z.Flush())
	}
	require.NoError(t, z.Close())
	for length := 2; length < zipped.Len(); length++ {
		read, _, err := readReplay(bytes.NewReader(zipped.Bytes()[:length]))
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		if length < 10 {
			require.EqualError(t, err, "replay: the file is truncated: unexpected EOF")
			continue
		}
		require.EqualError(t, err, fmt.Sprintf("line %d: the file is truncated: unexpected EOF", len(read)+1))
	}
}

// TestReplayReaderUnknownLines: they come as they are, and can be written back.
func TestReplayReaderUnknownLines(t *testing.T) {
	text := `{"type":"chat"}` + "\n" + entries(t)[5].text + "\n" + `{"type":"view", "new":[1]}` + "\n"
	lines, reader, err := readReplay(strings.NewReader(text))
	require.NoError(t, err)
	require.Equal(t, []protocol.Line{
		protocol.Unknown{Type: "chat", JSON: `{"type":"chat"}`},
		engine.Cleared{Seat: 1, Reason: "passes"},
		protocol.Unknown{Type: "view", JSON: `{"type":"view", "new":[1]}`},
	}, lines)
	require.Equal(t, 3, reader.Number())

	var sealed bytes.Buffer
	w := protocol.NewReplayWriter(&sealed)
	for _, line := range lines {
		require.NoError(t, w.Write(line))
	}
	again, reader, err := readReplay(&sealed)
	require.NoError(t, err)
	require.True(t, reader.Sealed())
	require.Equal(t, lines, again)
}

// TestReplayReaderGoesOn: after a wrong sum the lines that follow are still read and checked.
func TestReplayReaderGoesOn(t *testing.T) {
	reader, err := protocol.NewReplayReader(strings.NewReader(strings.Replace(written(t), `"ms":0.8`, `"ms":0.9`, 1)))
	require.NoError(t, err)
	wrong := 0
	for i := range entries(t) {
		line, lineErr := reader.Next()
		require.NotNil(t, line)
		if lineErr != nil {
			require.ErrorIs(t, lineErr, protocol.ErrSum)
			require.EqualError(t, lineErr, "line 4: line was changed after it was written")
			require.Equal(t, 3, i)
			wrong++
		}
	}
	require.Equal(t, 1, wrong)
	_, err = reader.Next()
	require.ErrorIs(t, err, io.EOF)
}

func TestReplayReaderErrors(t *testing.T) {
	broken := errors.New("the disk is out")
	for name, test := range map[string]struct {
		r    io.Reader
		want string
	}{
		"not JSON":        {strings.NewReader("x\n"), "line 1: invalid character"},
		"no type":         {strings.NewReader("{}\n"), `line 1: it has no "type"`},
		"another shape":   {strings.NewReader(entries(t)[5].text + "\n" + `{"type":"deal","hands":3}` + "\n"), "line 2: json: cannot unmarshal"},
		"no card":         {strings.NewReader(`{"type":"deal","undealt":[6]}`), "line 1: 6 is not a rank"},
		"too long":        {strings.NewReader(strings.Repeat("x", 1<<20+1) + "\n"), "line 1: it is longer than 1 MiB"},
		"no gzip":         {strings.NewReader("\x1f\x8b\x00"), "replay: "},
		"a broken source": {io.MultiReader(strings.NewReader(entries(t)[5].text+"\n"), iotest.ErrReader(broken)), "line 2: the disk is out"},
		"torn by it":      {io.MultiReader(strings.NewReader(`{"type":"cl`), iotest.ErrReader(broken)), "line 1: the disk is out"},
		"mixed sums":      {strings.NewReader(entries(t)[5].text + "\n" + written(t)), "line 1: line was changed after it was written: its sum is missing"},
	} {
		_, _, err := readReplay(test.r)
		require.ErrorContains(t, err, test.want, name)
	}
}

func TestReplayWriterErrors(t *testing.T) {
	w := protocol.NewReplayWriter(io.Discard)
	require.EqualError(t, w.Write(7), "int is not a line of a replay")
	require.EqualError(t, w.Write(protocol.Play{}), "protocol.Play is not a line of a replay")
	require.ErrorContains(t, w.Write(protocol.ReplayPlay{}), "write play: ")
	require.EqualError(t, w.Write(protocol.Unknown{}), `"" is not the JSON of a line of type ""`)
	require.EqualError(t, w.Write(protocol.Unknown{Type: "a", JSON: `{"type":"b"}`}), `"{\"type\":\"b\"}" is not the JSON of a line of type "a"`)
	r, closed := io.Pipe()
	require.NoError(t, r.Close())
	require.ErrorIs(t, protocol.NewReplayWriter(closed).Write(engine.Cleared{}), io.ErrClosedPipe)
}

// FuzzReplayReader: no input makes it panic or go on for ever, and what it reads can be written.
func FuzzReplayReader(f *testing.F) {
	f.Add([]byte(`{"type":"clear","seat":1,"reason":"set","sum":"0123456789abcdef"}` + "\n"))
	f.Add([]byte(`{"type":"play","seat":1,"action":{"type":"lead","cards":[1]},"meld":[1],"ms":1}` + "\n{}\n"))
	f.Add([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		lines, _, _ := readReplay(bytes.NewReader(text))
		for _, line := range lines {
			if play, ok := line.(protocol.ReplayPlay); ok && play.Action.Kind() == 0 {
				continue // a play without an action can be read, and the check refuses it
			}
			require.NoError(t, protocol.NewReplayWriter(io.Discard).Write(line))
		}
	})
}
