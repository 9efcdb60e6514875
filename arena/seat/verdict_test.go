//go:build linux

package seat_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/protocol"
)

func TestStart(t *testing.T) {
	hasty := func(s *arena.Settings) { s.Limits.StartupMS = 3000 }
	for _, tt := range []trial{
		{
			name: "another answer than ready", role: "unready", detail: "not ready within 3s", line: "hello to you", settings: hasty,
			told: []string{`"type":"hello"`, `"code":"start"`, "and flush", `"type":"end"`, `"type":"quit"`},
		},
		{
			name: "another version", role: "future", detail: "it speaks protocol 2, the arena speaks 1", line: `{"type":"ready","protocol":2}`,
			told: []string{`"code":"start"`, "protocol 2", `"type":"end"`, `"type":"quit"`},
		},
	} {
		tt.code, tt.count, tt.forfeit = protocol.StartFault, 1, true
		t.Run(tt.name, tt.run)
	}
}

func TestTimeouts(t *testing.T) {
	once := []string{`"code":"timeout"`, `"applied"`, `"strikes":1`}
	twice := slices.Concat(once, []string{`"code":"timeout"`, `"strikes":2`, `"type":"end"`, `"ranks":[`, `"type":"quit"`})
	info := `{"type":"info","depth":3}`
	for _, tt := range []trial{
		{name: "never answers", role: "silent", count: 2, turn: 2, detail: "no answer within 2.5s", told: twice},
		{name: "never stops talking", role: "chatter", count: 2, turn: 2, detail: "no answer within 2.5s", line: info, told: twice},
		{name: "never reads", role: "deaf", count: 2, turn: 2, detail: "no answer within 2.5s"},
		{name: "cannot be written to", role: "clogged", count: 2, turn: 2, detail: "since it does not read its standard input"},
		{
			name: "answers after the limit", role: "late", count: 1, turn: 1, detail: "no answer within 2.5s",
			told: slices.Concat(once, []string{`"turn":1,"code":"stale"`, `"type":"turn"`, `"type":"end"`, `"type":"quit"`}),
		},
		{
			name: "answers another turn", role: "old", count: 1, turn: 1, detail: "no answer within 2.5s", line: move(0),
			told: slices.Concat([]string{`"turn":0,"code":"stale"`, "repeat the number"}, once),
		},
		{
			name: "answers no turn", role: "unnamed", count: 1, turn: 1, detail: "no answer within 2.5s", line: `{"type":"move","action":0}`,
			told: slices.Concat([]string{`"turn":0,"code":"stale"`, "repeat the number"}, once),
		},
	} {
		tt.code, tt.forfeit, tt.settings = protocol.Timeout, tt.count == 2, hurried
		t.Run(tt.name, tt.run)
	}
}

func TestWrongAnswers(t *testing.T) {
	head := `{"type":"move","turn":`
	for _, tt := range []trial{
		{name: "malformed", role: "malformed", code: protocol.Malformed, detail: "not a JSON object", line: `{"type":"move",oops`},
		{name: "index outside the list", role: "index", code: protocol.Illegal, line: head, detail: "index 9999 is outside the legal list"},
		{name: "action outside the list", role: "object", code: protocol.Illegal, line: head, detail: "is not in the legal list"},
		{name: "deep nesting", role: "deep", code: protocol.Malformed, line: head, detail: "exceeded max depth"},
	} {
		tt.count, tt.turn, tt.forfeit, tt.settings = 2, 2, true, twoStrikes
		code := `"code":"` + string(tt.code) + `"`
		tt.told = []string{code, tt.detail, `"applied"`, `"strikes":1`, code, `"strikes":2`, `"type":"end"`, `"type":"quit"`}
		t.Run(tt.name, tt.run)
	}
}

func TestFloods(t *testing.T) {
	for _, tt := range []trial{
		{name: "a line of 64 KiB and a byte", role: "long", detail: "a line of more than 64 KiB", line: moveOf(protocol.MaxLine, 1)[:protocol.MaxOffence]},
		{name: "a megabyte without a newline", role: "endless", detail: "a line of more than 64 KiB", line: strings.Repeat("x", protocol.MaxOffence)},
		{name: "too many prints", role: "strays", detail: "more than 1000 lines on standard output", line: "debug", stderr: "stdout: debug\nstdout: debug"},
		{name: "messages without end", role: "stream", detail: "more than 10000 messages that nobody asked for", line: `{"type":"info"}`},
	} {
		tt.code, tt.count, tt.turn, tt.forfeit = protocol.Flood, 1, 1, true
		t.Run(tt.name, tt.run)
	}
}

func TestGone(t *testing.T) {
	for _, tt := range []trial{
		{name: "exits", role: "exit", turn: 1, detail: "exit status 4", stderr: "out of ideas"},
		{name: "is killed", role: "signal", turn: 1, detail: "signal: killed"},
		{name: "exits within a line", role: "partial", turn: 1, detail: "exit status 0", line: `{"type":"mo`},
		{name: "answers and exits", role: "answers", turn: 2, detail: "exit status 5"},
		{name: "exits before its child", role: "fork", turn: 1, detail: "exit status 6"},
		{name: "exits before its child in another session", role: "setsid", turn: 1, detail: "exit status 7"},
		{name: "floods stderr and exits", role: "wordy", turn: 1, detail: "exit status 8", stderr: "eee\nthe last line"},
		{name: "closes stdin", role: "stdin", code: protocol.Disconnect, turn: 2, detail: "it closed its standard input"},
		{name: "closes stdout", role: "stdout", code: protocol.Disconnect, turn: 1, detail: "it closed its standard output, and was still running"},
	} {
		if tt.code == "" {
			tt.code = protocol.Crash
		}
		tt.count, tt.forfeit = 1, true
		t.Run(tt.name, tt.run)
	}
}
