//go:build linux

package seat_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// trial is a game of a bad bot between two good ones, and what is to come of it.
type trial struct {
	name     string
	role     string
	code     protocol.Code // of its only kind of fault
	count    int
	forfeit  bool
	turn     int64    // of the last card
	detail   string   // part of each card
	line     string   // the beginning of each card's
	stderr   string   // the end of each card's
	told     []string // parts of what it is told, in their order
	settings func(*arena.Settings)
}

const badSeat = 1

func (tt trial) run(t *testing.T) {
	t.Parallel()
	h := openHall(t)
	log := h.enter(t, "bad", tt.role)
	tt.play(t, h)
	assert.Empty(t, marked(t, h.mark), "left behind")
	told, _ := os.ReadFile(log)
	rest := string(told)
	for _, part := range tt.told {
		_, after, found := strings.Cut(rest, part)
		assert.True(t, found, "%s is not in\n%s", part, rest)
		rest = after
	}
}

// play has the bad bot in the hall play, and checks the verdict.
func (tt trial) play(t *testing.T, h *hall) {
	t.Helper()
	h.enterShell("good", good)
	h.enterShell("well", good)
	m := match("good", "bad", "well")
	if tt.settings != nil {
		tt.settings(&m.Settings)
	}
	result, err := h.play(t.Context(), m)
	require.NoError(t, err)
	game := result.Sets[0].Games[0]
	for seat, think := range game.Think {
		assert.True(t, seat == badSeat || think.Moves > 3, "seat %d is unharmed", seat)
	}
	if tt.code == "" {
		assert.Empty(t, result.Faults)
		assert.Greater(t, game.Think[badSeat].Moves, 3)
		return
	}
	assert.Equal(t, []protocol.SeatFault{{Seat: badSeat, Code: tt.code, Count: tt.count, Forfeit: tt.forfeit}}, game.Faults)
	assert.Equal(t, tt.forfeit, game.Ranks[badSeat] == 3 && game.Ranks[0] < 3 && game.Ranks[2] < 3, "ranks %v", game.Ranks)
	require.Len(t, result.Faults, tt.count)
	assert.Equal(t, tt.turn, result.Faults[tt.count-1].Turn)
	for i, card := range result.Faults {
		tt.check(t, m, i+1, card)
	}
}

// check checks the card of the fault with the number.
func (tt trial) check(t *testing.T, m arena.Match, number int, card arena.Fault) {
	t.Helper()
	assert.Equal(t, tt.code, card.Code)
	assert.Equal(t, badSeat, card.Seat)
	assert.Equal(t, "bad", card.Bot)
	assert.Equal(t, tt.forfeit && number == tt.count, card.Forfeit)
	assert.Contains(t, card.Detail, tt.detail)
	assert.True(t, strings.HasPrefix(card.Line, tt.line) && (tt.line == "") == (card.Line == ""), card.Line)
	assert.True(t, strings.HasSuffix(card.Stderr, tt.stderr), card.Stderr)
	assert.LessOrEqual(t, len(card.Stderr), 4<<10)
	limit, strikes := m.Clock.MoveMS, number
	if tt.code == protocol.StartFault {
		limit = m.Limits.StartupMS
	}
	if tt.code.Fatal() {
		strikes = 0
	}
	assert.EqualValues(t, limit, card.LimitMS)
	assert.Equal(t, strikes, card.Strikes)
	if tt.code == protocol.Timeout || strings.Contains(tt.detail, "not ready within") {
		assert.GreaterOrEqual(t, card.UsedMS, card.LimitMS)
		assert.Less(t, card.UsedMS, 2*card.LimitMS)
	} else {
		assert.Less(t, card.UsedMS, card.LimitMS, "the verdict did not wait for the limit")
	}
}

// hurried has a limit short enough to wait for, and long enough for the good bots.
func hurried(s *arena.Settings) {
	s.Clock.MoveMS = 2500
	s.Faults.StrikeLimit = 2
}

func twoStrikes(s *arena.Settings) { s.Faults.StrikeLimit = 2 }

func TestHarmless(t *testing.T) {
	stale := []string{`"code":"stale"`, `"code":"stale"`, `"type":"end"`, `"type":"quit"`}
	end := []string{`"type":"start"`, `"type":"turn"`, `"type":"end"`, `"type":"quit"`}
	for _, tt := range []trial{
		{name: "good", role: "good", told: end},
		{name: "prints that are no messages", role: "prints", told: end},
		{name: "messages of unknown types", role: "unknown", told: end},
		{name: "CRLF and byte order marks", role: "crlf", told: end},
		{name: "blank lines", role: "blank", told: end},
		{name: "a line of exactly 64 KiB", role: "full", told: end},
		{name: "an answer in two pieces", role: "slowly", told: end},
		{name: "two answers to each turn", role: "twice", told: stale},
		{name: "an old answer before each answer", role: "both", told: stale},
		{name: "a flood on stderr", role: "logs", told: end},
		{name: "SIGTERM ignored", role: "stubborn", told: end},
		{name: "quit and the end of stdin ignored", role: "immortal"},
		{name: "children in other sessions", role: "parent", told: end},
	} {
		t.Run(tt.name, tt.run)
	}
}

func TestNoStart(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "plain"), []byte("#!/bin/sh\n"), 0o600))
	hasty := func(s *arena.Settings) { s.Limits.StartupMS = 3000 }
	for _, tt := range []struct {
		spec sandbox.Spec
		want trial
	}{
		{sandbox.Spec{Args: []string{"/no/such/bot"}}, trial{name: "not found", detail: "check the run line, and whether the bot is built"}},
		{sandbox.Spec{Args: []string{"./plain"}, Dir: dir}, trial{name: "not executable", detail: "chmod +x"}},
		{sandbox.Spec{Args: []string{"/bin/cat"}, Dir: dir + "/gone"}, trial{name: "no directory", detail: "working directory"}},
		{
			sandbox.Spec{Args: []string{"/bin/sh", "-c", "echo no such module >&2; exit 3"}},
			trial{name: "exits at once", detail: "before ready: exit status 3", stderr: "no such module"},
		},
		{
			sandbox.Spec{Args: []string{"/bin/sh", "-c", "kill -TERM $$"}},
			trial{name: "killed at once", detail: "before ready: signal: terminated"},
		},
		{
			sandbox.Spec{Args: []string{"/bin/sh", "-c", "exec >&-; exec sleep 3600"}},
			trial{name: "closes stdout at once", detail: "before ready: it closed its standard output, and was still running"},
		},
		{
			sandbox.Spec{Args: []string{"/bin/sh", "-c", "yes"}},
			trial{name: "floods at once", detail: "before ready: more than 1000 lines", line: "y"},
		},
		{
			sandbox.Spec{Args: []string{"/bin/sleep", "3600"}},
			trial{name: "never ready", detail: `not ready within 3s; answer hello with {"type":"ready"} and flush`, settings: hasty},
		},
	} {
		tt.want.code, tt.want.count, tt.want.forfeit = protocol.StartFault, 1, true
		t.Run(tt.want.name, func(t *testing.T) {
			t.Parallel()
			h := openHall(t)
			tt.spec.Env = h.env()
			h.seats.Programs["bad"] = tt.spec
			tt.want.play(t, h)
			assert.Empty(t, marked(t, h.mark), "left behind")
		})
	}
}
