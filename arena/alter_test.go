package arena_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// shorts are replays of a few lines each that together have every field.
func shorts(t *testing.T) map[string][]byte {
	t.Helper()
	two, four := short(t, 2), short(t, 4)
	two.HandSize, four.HandSize = 4, 5
	faulty := matchOf(four, 3)
	faulty.Orders = faulty.SeatOrders()[:1]
	out := map[string][]byte{}
	collect(t, out, "notes", matchOf(two, 3), map[string]maker{"a@1": noting})
	collect(t, out, "faults", faulty, map[string]maker{
		"a@1": failing(builtin("random"), now(1, gone(protocol.Crash))), "c@1": absent,
		"d@1": failing(builtin("random"), once(map[int64]arena.Reply{2: silent})),
	})
	return out
}

// token is one of a line: a name, a number, a text or true, false and null.
type token struct {
	path     string // as in hands.2.0
	name     bool   // a name of a field, not a value
	from, to int
}

// tokensOf finds every name and every value of a line, at any depth.
func tokensOf(t *testing.T, line []byte) (all []token) {
	t.Helper()
	type level struct {
		object bool
		n      int // tokens so far
		key    string
	}
	var levels []level
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	for {
		before := int(decoder.InputOffset())
		value, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		if delim, ok := value.(json.Delim); ok && (delim == '}' || delim == ']') {
			levels = levels[:len(levels)-1]
			continue
		}
		isName := false
		if len(levels) > 0 {
			top := &levels[len(levels)-1]
			isName = top.object && top.n%2 == 0
			if isName {
				top.key = value.(string)
			} else if !top.object {
				top.key = strconv.Itoa(top.n)
			}
			top.n++
		}
		if delim, ok := value.(json.Delim); ok {
			levels = append(levels, level{object: delim == '{'})
			continue
		}
		var path []string
		for _, l := range levels {
			path = append(path, l.key)
		}
		to := int(decoder.InputOffset())
		from := before + bytes.IndexFunc(line[before:to], func(r rune) bool { return !strings.ContainsRune(",: ", r) })
		all = append(all, token{strings.Join(path, "."), isName, from, to})
	}
}

// altered changes one token to another of its kind.
func altered(line []byte, tok token) []byte {
	const digits = "0123456789abcdef"
	old := string(line[tok.from:tok.to])
	var changed string
	switch {
	case old == "true":
		changed = "false"
	case old == "false":
		changed = "true"
	case tok.path == "started" && !tok.name:
		changed = strings.Replace(old, "20", "19", 1)
	case tok.path == "seed" && !tok.name, tok.path == "sum" && !tok.name:
		changed = `"` + string(digits[(strings.IndexByte(digits, old[1])+1)%16]) + old[2:]
	case old[0] == '"':
		changed = old[:len(old)-1] + `x"`
	default:
		n, _ := strconv.ParseFloat(old, 64)
		changed = strconv.FormatFloat(n+1, 'f', -1, 64)
	}
	return slices.Concat(line[:tok.from], []byte(changed), line[tok.to:])
}

func linesOf(text []byte) [][]byte {
	return bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
}

func joined(lines ...[]byte) io.Reader {
	return bytes.NewReader(append(bytes.Join(lines, []byte("\n")), '\n'))
}

// requireLine requires a refusal that names a line.
func requireLine(t *testing.T, number int, r io.Reader, what string, args ...any) {
	t.Helper()
	_, err := arena.VerifyReplay(r)
	require.Error(t, err, what, args)
	require.Regexp(t, fmt.Sprintf(`^line %d: `, number), err.Error(), what, args)
}

// TestEveryLineEnd inserts a carriage return and a blank before each newline, and at any other place of a line, and takes
// newlines away.
func TestEveryLineEnd(t *testing.T) {
	for name, text := range shorts(t) {
		number := 1
		for at, old := range text {
			if old == '\n' {
				requireLine(t, number, bytes.NewReader(slices.Concat(text[:at], []byte{' '}, text[at:])), "%s: blank", name)
				requireLine(t, number, bytes.NewReader(slices.Concat(text[:at], text[at+1:])), "%s: no newline", name)
				requireLine(t, number, bytes.NewReader(slices.Concat(text[:at], []byte{'\r'}, text[at+1:])), "%s: other newline", name)
			}
			if old == '\n' || at%23 == 0 {
				requireLine(t, number, bytes.NewReader(slices.Concat(text[:at], []byte{'\r'}, text[at:])), "%s: \\r at %d", name, at)
			}
			if old == '\n' {
				number++
			}
		}
	}
}

// TestEveryField alters each token of each line: the sums show it, and where. Without sums, all is refused that the game
// decides.
func TestEveryField(t *testing.T) {
	trusted := regexp.MustCompile(`^(ms|note)$`)
	ofHeader := regexp.MustCompile(`^(game|match|tournament|arena|started|bots\.\d|clock\.\w+|faults\.\w+|` +
		`limits\.\w+|confinement\..*|rules\.(target|permanent_pass|greater_overwrite))$`) // it may be that the game was the same without
	seen := map[string]bool{}
	for name, text := range shorts(t) {
		sealed, open := linesOf(text), linesOf(unsealed(text))
		for i, line := range sealed {
			for _, tok := range tokensOf(t, line) {
				changed := slices.Clone(sealed)
				changed[i] = altered(line, tok)
				require.NotEqual(t, string(line), string(changed[i]))
				requireLine(t, i+1, joined(changed...), "%s %v", name, tok)
			}
			for _, tok := range tokensOf(t, open[i]) {
				if tok.name || trusted.MatchString(tok.path) || i == 0 && ofHeader.MatchString(tok.path) {
					continue
				}
				seen[regexp.MustCompile(`\.\d+`).ReplaceAllString(tok.path, ".N")] = true
				changed := slices.Clone(open)
				changed[i] = altered(open[i], tok)
				_, err := arena.VerifyReplay(joined(changed...))
				require.ErrorContains(t, err, "line ", "%s line %d, %s: %s", name, i+1, tok.path, changed[i])
			}
		}
	}
	require.Equal(t, []string{
		"action.cards.N", "action.type", "ask_forced", "by", "fault", "faults.N.code", "faults.N.count", "faults.N.forfeit",
		"faults.N.seat", "half", "hands.N.N", "hands2.N.N", "leader", "meld.N", "out", "points.N", "ranks.N", "reason", "round",
		"rules.copies", "rules.hand_size", "rules.players", "rules.preset", "scores.N", "seat", "seed", "type", "undealt.N", "version", "winners.N",
	}, slices.Sorted(maps.Keys(seen)))
}

// TestWholeLines deletes, repeats, swaps, inserts and cuts off lines.
func TestWholeLines(t *testing.T) {
	stranger := []byte(`{"type":"chat","text":"hi"}`)
	for name, text := range shorts(t) {
		for _, open := range []bool{false, true} {
			lines := linesOf(text)
			if open {
				lines = linesOf(unsealed(text))
			}
			for i := range lines {
				at := func(number int, changed ...[]byte) {
					t.Helper()
					if open {
						_, err := arena.VerifyReplay(joined(changed...))
						require.Error(t, err, "%s, line %d", name, i+1)
						return
					}
					requireLine(t, number, joined(changed...), "%s, line %d", name, i+1)
				}
				at(i+1, slices.Delete(slices.Clone(lines), i, i+1)...)
				at(i+2, slices.Insert(slices.Clone(lines), i, lines[i])...)
				if i > 0 {
					at(i+1, slices.Concat(lines[:i], [][]byte{lines[i][:len(lines[i])-5]})...)
					at(i+1, lines[:i]...)
					swapped := slices.Clone(lines)
					swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
					at(i, swapped...)
				}
				if !open {
					at(i+1+map[bool]int{true: -i, false: 0}[i == 0], slices.Insert(slices.Clone(lines), i, stranger)...)
				}
			}
			v, err := arena.VerifyReplay(joined(lines...))
			require.NoError(t, err)
			require.Equal(t, !open, v.Sealed)
		}
	}
}

// TestSums: taking away a sum, or all but one, is no way round them.
func TestSums(t *testing.T) {
	text := shorts(t)["notes2-1-1"]
	sealed, open := linesOf(text), linesOf(unsealed(text))
	for i := range sealed {
		changed := slices.Clone(sealed)
		changed[i] = open[i]
		requireLine(t, i+1, joined(changed...), "without the sum of line %d", i+1)
		_, err := arena.VerifyReplay(joined(changed...))
		require.ErrorIs(t, err, protocol.ErrSum)
	}
	for i := 1; i < len(sealed); i++ {
		changed := slices.Clone(open)
		changed[i] = sealed[i]
		requireLine(t, 1, joined(changed...), "with the sum of line %d only", i+1)
	}
	other := linesOf(shorts(t)["notes2-1-2"])
	requireLine(t, len(sealed), joined(append(sealed[:len(sealed)-1:len(sealed)-1], other[len(other)-1])...), "with the result of another game")
}

// TestOtherMeaning changes what a replay without sums tells to something that could be.
func TestOtherMeaning(t *testing.T) {
	text := string(unsealed(one(t, "faults")))
	verified(t, []byte(text))
	for _, test := range []struct{ old, changed, want string }{
		{`,"by":"arena","fault":"timeout"`, `,"by":"arena"`, "line "},
		{`,"by":"arena","fault":"timeout"`, ``, "line "},
		{`"fault":"timeout"`, `"fault":"illegal"`, "the game gives"},
		{`"fault":"timeout"`, `"fault":"crash"`, "was not asked"},
		{`"fault":"timeout"`, `"fault":"stale"`, `"stale" is no fault of a turn`},
		{`"fault":"timeout"`, `"fault":"start"`, `"start" is no fault of a turn`},
		{`"by":"arena","fault":"timeout"`, `"fault":"timeout"`, "was not asked, so timeout cannot have happened"},
		{`,"by":"arena","ms":0}`, `,"ms":0}`, "line "},
		{`,"by":"arena","ms":0}`, `,"by":"arena","fault":"timeout","ms":0}`, "was not asked, so timeout cannot have happened"},
		{`"by":"arena"`, `"by":"me"`, `by is "me", it can only be "arena"`},
		{`"code":"crash","count":1,"forfeit":true`, `"code":"memory","count":1,"forfeit":true`, "the game gives"},
		{`"reason":"passes"`, `"reason":"eight"`, "the game gives"},
		{`"reason":"finished"`, `"reason":"abandoned"`, "the game gives"},
		{`"strike_limit":3`, `"strike_limit":2`, "line "},
		{`"penalty":"last"`, `"penalty":"points"`, "the game gives"},
		{`"faults":[{"seat":0,`, `"faults":[{"seat":3,"code":"start","count":1,"forfeit":true},{"seat":0,`, "seat 3 played, so it had started"},
		{`"faults":[{"seat":0,`, `"faults":[{"seat":-1,"code":"start","count":1,"forfeit":true},{"seat":0,`, "seat -1 played"},
	} {
		require.Contains(t, text, test.old)
		_, err := arena.VerifyReplay(strings.NewReader(strings.Replace(text, test.old, test.changed, 1)))
		require.ErrorContains(t, err, test.want, "%s to %s", test.old, test.changed)
	}
}

// TestAbsentSeats: the start fault of the result must fit who played.
func TestAbsentSeats(t *testing.T) {
	const fault = `{"seat":1,"code":"start","count":1,"forfeit":true}`
	text := string(unsealed(one(t, "absent")))
	require.Contains(t, text, `"faults":[`+fault+`]}`)
	for changed, want := range map[string]string{
		``:                                  "seat 1 was played by the arena, its start fault is missing",
		fault + "," + fault:                 "seat 1 played, so it had started",
		strings.Replace(fault, "1", "2", 1): "seat 2 played, so it had started",
		strings.Replace(fault, "true", "false", 1):           "the game gives",
		strings.Replace(fault, `count":1`, `count":2`, 1):    "the game gives",
		strings.Replace(fault, `"start"`, `"disconnect"`, 1): "its start fault is missing",
	} {
		_, err := arena.VerifyReplay(strings.NewReader(strings.Replace(text, `"faults":[`+fault, `"faults":[`+changed, 1)))
		require.ErrorContains(t, err, want, changed)
	}
}
