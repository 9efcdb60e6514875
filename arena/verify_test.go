package arena_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

func verified(t *testing.T, text []byte) arena.Verified {
	t.Helper()
	v, err := arena.VerifyReplay(bytes.NewReader(text))
	require.NoError(t, err)
	return v
}

func hashOf(t *testing.T, text []byte) string {
	t.Helper()
	return verified(t, text).Hash
}

func zipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

// unsealed takes the sums away, as in a replay of another program.
func unsealed(text []byte) []byte {
	return regexp.MustCompile(`(?m),"sum":"[0-9a-f]{16}"}$`).ReplaceAll(text, []byte("}"))
}

// noting adds a note to each move.
func noting(place arena.Place) mind {
	think := builtin("random")(place)
	return func(m protocol.Message) (arena.Reply, error) {
		reply, err := think(m)
		if turn, ok := m.(protocol.Turn); ok {
			message, _ := protocol.ReadBot(reply.Line)
			move := message.(protocol.Move)
			move.Note = strings.Repeat("<&> \"ü\u2028", int(turn.Turn)%4)
			return say(move, 1234567*time.Nanosecond), err
		}
		return reply, err
	}
}

// kind is a kind of game.
type kind struct {
	rules  engine.Rules
	bots   map[string]maker
	change func(m *arena.Match)
}

// special are the games in which something happens besides the moves.
func special(t testing.TB) map[string]kind {
	t.Helper()
	return map[string]kind{
		"plain":  {rulesOf(t, engine.Rulebook, 4), nil, nil},
		"notes":  {rulesOf(t, engine.Rulebook, 3), map[string]maker{"a@1": noting, "c@1": noting}, nil},
		"forced": {rulesOf(t, engine.Classic2020, 5), nil, func(m *arena.Match) { m.AskForced = true }},
		"faults": {rulesOf(t, engine.BGA, 4), map[string]maker{
			"a@1": failing(builtin("greedy"), once(map[int64]arena.Reply{1: silent, 5: illegal})),
			"b@1": failing(builtin("greedy"), now(4, malformed)),
			"c@1": failing(builtin("greedy"), now(4, gone(protocol.Crash))),
		}, nil},
		"first": {rulesOf(t, engine.Rulebook, 4), map[string]maker{
			"a@1": failing(builtin("greedy"), now(1, gone(protocol.Memory))),
			"b@1": failing(builtin("greedy"), now(1, malformed)),
		}, func(m *arena.Match) { m.AskForced = true }},
		"absent": {rulesOf(t, engine.Rulebook, 3), map[string]maker{"b@1": absent}, nil},
		"nobody": {rulesOf(t, engine.Rulebook, 2), map[string]maker{"a@1": absent, "b@1": absent}, nil},
		"points": {rulesOf(t, engine.Rulebook, 4), map[string]maker{
			"a@1": absent, "d@1": failing(builtin("greedy"), now(2, gone(protocol.Flood))),
		}, func(m *arena.Match) { m.Faults.Penalty = protocol.RankByPoints }},
		"no-limit": {rulesOf(t, engine.BGA, 2), map[string]maker{
			"b@1": failing(builtin("greedy"), now(1, illegal)),
		}, func(m *arena.Match) { m.Faults.StrikeLimit = 0 }},
	}
}

// one is the replay of a special game.
func one(t testing.TB, name string) []byte {
	t.Helper()
	k, ok := special(t)[name]
	require.True(t, ok)
	m := matchOf(k.rules, 7)
	m.Orders = m.SeatOrders()[:1]
	if k.change != nil {
		k.change(&m)
	}
	out := map[string][]byte{}
	collect(t, out, name, m, k.bots)
	for _, text := range out {
		return text
	}
	return nil
}

// kinds are replays of every kind of game, by name.
func kinds(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for name := range special(t) {
		out[name] = one(t, name)
	}
	for players := 2; players <= 6; players++ {
		for _, preset := range engine.Presets() {
			rules := rulesOf(t, preset, players)
			rules.GreaterOverwrite = players%2 == 0
			m := matchOf(rules, uint64(players))
			m.Orders = m.SeatOrders()[:1]
			collect(t, out, string(preset), m, map[string]maker{"a@1": builtin("random")})
		}
	}
	return out
}

func collect(t testing.TB, out map[string][]byte, name string, m arena.Match, bots map[string]maker) {
	t.Helper()
	m.ID = name + string(rune('0'+m.Rules.Players))
	_, replays := play(t, m, &desk{bots: bots})
	for id, book := range replays.books {
		out[id] = book.Bytes()
	}
}

func TestVerify(t *testing.T) {
	for name, text := range kinds(t) {
		t.Run(name, func(t *testing.T) {
			v := verified(t, text)
			require.Contains(t, v.Header.Game, name)
			require.Equal(t, "0.1.0", v.Header.Arena)
			require.Equal(t, bytes.Count(text, []byte("\n")), v.Lines)
			require.True(t, v.Sealed)
			require.Len(t, v.Result.Ranks, v.Header.Rules.Players)
			require.Equal(t, v, verified(t, zipped(t, text)))

			free := verified(t, unsealed(text))
			require.False(t, free.Sealed)
			free.Sealed = true
			require.Equal(t, v, free, "a replay without sums")
			crlf := bytes.ReplaceAll(unsealed(text), []byte("\n"), []byte("\r\n"))
			free = verified(t, crlf[:len(crlf)-2])
			free.Sealed = true
			require.Equal(t, v, free, "other programs may end lines in other ways")
		})
	}
}

// TestVerifiedHash: the hash depends on what was played, and not on times and notes.
func TestVerifiedHash(t *testing.T) {
	all := kinds(t)
	hashes := map[string]string{}
	for name, text := range all {
		hash := hashOf(t, text)
		require.Empty(t, hashes[hash], name)
		hashes[hash] = name
	}
	text := unsealed(all["notes"])
	require.Contains(t, string(text), `"note":"\u003c\u0026\u003e \"ü\u2028"`)
	for _, pattern := range []string{`"ms":[0-9.]+`, `,"note":"([^"\\]|\\.)*"`, `"started":"[^"]*"`} {
		replacement := map[bool]string{true: "", false: strings.SplitAfter(pattern, ":")[0] + "0"}[pattern[0] == ',']
		if strings.HasPrefix(pattern, `"started`) {
			replacement = `"started":"1999-01-01T00:00:00Z"`
		}
		changed := regexp.MustCompile(pattern).ReplaceAll(text, []byte(replacement))
		require.NotEqual(t, string(text), string(changed))
		require.Equal(t, hashOf(t, text), hashOf(t, changed), pattern)
	}
}

func TestVerifyRefusesGarbage(t *testing.T) {
	whole := one(t, "nobody")
	head, _, _ := bytes.Cut(whole, []byte("\n"))
	huge := append(bytes.Repeat([]byte("x"), 2<<20), '\n')
	for name, test := range map[string]struct {
		text []byte
		want string
	}{
		"empty":             {nil, "line 1: the replay ends before its result"},
		"blank":             {[]byte("\n"), "line 1: unexpected end of JSON input"},
		"text":              {[]byte("hello\n"), "line 1: invalid character 'h'"},
		"an empty object":   {[]byte("{}\n"), `line 1: it has no "type"`},
		"an array":          {[]byte("[]\n"), "line 1: json: cannot unmarshal array"},
		"unknown lines":     {[]byte(`{"type":"chat"}` + "\n"), `line 1: type: "chat" is unknown`},
		"binary":            {[]byte{0, 1, 2, 255, 10}, "line 1: invalid character"},
		"a huge line":       {huge, "line 1: it is longer than 1 MiB"},
		"a huge later line": {append(append(bytes.Clone(head), '\n'), huge...), "line 2: it is longer than 1 MiB"},
		"no gzip":           {[]byte{0x1f, 0x8b, 7, 7, 7, 7, 7, 7, 7, 7}, "replay: gzip: invalid header"},
		"half a gzip":       {zipped(t, whole)[:400], ": the file is truncated: unexpected EOF"},
		"header only":       {append(bytes.Clone(head), '\n'), "line 2: the replay ends before its result"},
		"two headers":       {unsealed(slices.Concat(head, []byte("\n"), head)), "line 2: a replay has one header, its first line"},
		"no header":         {unsealed(bytes.TrimPrefix(whole, head))[1:], "line 1: a replay has one header, its first line"},
		"a result too much": {unsealed(append(bytes.Clone(whole), whole[bytes.LastIndex(whole, []byte(`{"type":"result"`)):]...)), "nothing stands after the result"},
		"a blank last line": {append(bytes.Clone(whole), '\n'), "unexpected end of JSON input"},
		"a message":         {[]byte(`{"type":"play","seat":"x"}` + "\n"), "line 1: json: cannot unmarshal string"},
	} {
		_, err := arena.VerifyReplay(bytes.NewReader(test.text))
		require.ErrorContains(t, err, test.want, name)
	}
}

// TestVerifyHeader: a header that no game can have is refused before a card is dealt.
func TestVerifyHeader(t *testing.T) {
	text := unsealed(one(t, "plain"))
	for old, test := range map[string]struct{ changed, want string }{
		`"version":1,`:        {`"version":2,`, "line 1: replay version 2, this program reads version 1"},
		`"players":4,`:        {`"players":9,`, "line 1: players: 9 is outside 2 to 6"},
		`"copies":4,`:         {`"copies":-1,`, "line 1: copies: -1 is outside 1 to 7"},
		`"hand_size":12,`:     {`"hand_size":999999999999,`, "line 1: hand_size: 999999999999 is outside 1 to 13"},
		`"bots":["a@1",`:      {`"bots":[`, "line 1: 3 bots for 4 seats"},
		`"strike_limit":3,`:   {`"strike_limit":-3,`, "line 1: strike_limit: -3; use 0 for no limit"},
		`"penalty":"last"`:    {`"penalty":"lost"`, `line 1: penalty: "lost" is unknown`},
		`"seed":"`:            {`"seed":"0`, "line 1: seed: "},
		`"preset":"rulebook"`: {`"preset":"house"`, `line 1: preset: "house" is unknown`},
		`"move_ms":1000`:      {`"move_ms":-1`, "line 1: move_ms: -1, a move needs at least 1 ms"},
		`"bank_ms":0`:         {`"bank_ms":-1`, "line 1: bank_ms: -1, it cannot be negative"},
		`"increment_ms":0`:    {`"increment_ms":-1`, "line 1: increment_ms: -1, it cannot be negative"},
		`"ask_forced":false,`: {`"ask_forced":true,`, "was asked, and no fault explains why the arena played for it"},
	} {
		changed := bytes.Replace(text, []byte(old), []byte(test.changed), 1)
		require.NotEqual(t, string(text), string(changed), old)
		_, err := arena.VerifyReplay(bytes.NewReader(changed))
		require.ErrorContains(t, err, test.want)
	}
}

// TestVerifySealedAgain computes the sums anew after a change. Other programs may leave out what an arena never does.
func TestVerifySealedAgain(t *testing.T) {
	text := unsealed(one(t, "faults"))
	require.Equal(t, hashOf(t, one(t, "faults")), hashOf(t, sealedAgain(t, text)))
	for _, test := range []struct {
		old, changed, want string
		open               bool // whether it is wrong without sums too
	}{
		{`"preset":"bga"`, `"preset":""`, `preset: "" is unknown`, false},
		{`"move_ms":1000`, `"move_ms":0`, "move_ms: 0, a move needs at least 1 ms", false},
		{`,"by":"arena","ms":0}`, `,"by":"arena","ms":0.5}`, "ms: 0.5, it is 0 where the bot was not asked", false},
		{`],"ms":0.3}`, `],"ms":-0.3}`, "ms: -0.3, it cannot be negative", true},
		{`{"type":"play"`, `{"type":"plan"`, `type: "plan" is unknown`, true},
		{`{"type":"deal"`, `{"type":"deals"`, `type: "deals" is unknown`, true},
	} {
		require.Contains(t, string(text), test.old)
		before, _, _ := bytes.Cut(text, []byte(test.old))
		number := bytes.Count(before, []byte("\n")) + 1
		want := fmt.Sprintf("line %d: %s", number, test.want)
		changed := bytes.Replace(text, []byte(test.old), []byte(test.changed), 1)
		_, err := arena.VerifyReplay(bytes.NewReader(sealedAgain(t, changed)))
		require.EqualError(t, err, want)
		_, err = arena.VerifyReplay(bytes.NewReader(changed))
		if test.open {
			require.EqualError(t, err, want)
		} else {
			require.NoError(t, err, want)
		}
	}
}

// sealedAgain writes a replay back with sums.
func sealedAgain(t *testing.T, text []byte) []byte {
	t.Helper()
	reader, err := protocol.NewReplayReader(bytes.NewReader(text))
	require.NoError(t, err)
	var out bytes.Buffer
	w := protocol.NewReplayWriter(&out)
	for {
		line, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return out.Bytes()
		}
		require.NoError(t, err)
		require.NoError(t, w.Write(line))
	}
}

// FuzzVerifyReplay: no input makes the check panic, and what it accepts is a game to the end.
func FuzzVerifyReplay(f *testing.F) {
	for _, name := range slices.Sorted(maps.Keys(special(f))) {
		text := one(f, name)
		f.Add(text)
		f.Add(unsealed(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := arena.VerifyReplay(bytes.NewReader(text))
		if err == nil {
			require.Equal(t, protocol.Finished, v.Result.Reason)
			require.Len(t, v.Result.Scores, v.Header.Rules.Players)
		}
	})
}
