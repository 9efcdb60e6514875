//go:build linux

package seat_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/seat"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// stranger answers by itself, without any host: a request as it likes, and its presence as it should.
func stranger(t *testing.T, nc *nats.Conn, name string, answer func(msg, reply *nats.Msg)) {
	t.Helper()
	_, err := nc.Subscribe(protocol.BotSubject(name), func(msg *nats.Msg) {
		switch {
		case strings.HasSuffix(msg.Subject, ".presence"):
			_ = msg.Respond([]byte(`{"instance":"i"}`))
		case msg.Reply != "":
			reply := nats.NewMsg(msg.Reply)
			reply.Header.Set(protocol.HeaderTurn, msg.Header.Get(protocol.HeaderTurn))
			reply.Header.Set(protocol.HeaderAttempt, msg.Header.Get(protocol.HeaderAttempt))
			reply.Data = []byte(`{"type":"ready"}`)
			if msg.Header.Get(protocol.HeaderTurn) != "" {
				answer(msg, reply)
			}
			_ = msg.RespondMsg(reply)
		}
	})
	require.NoError(t, err)
	require.NoError(t, nc.Flush())
}

// TestStrangers holds that no answer of a remote side is more than a fault of its bot.
func TestStrangers(t *testing.T) {
	head := func(header, value string) func(msg, reply *nats.Msg) {
		return func(_, reply *nats.Msg) {
			reply.Header.Set(header, value)
			reply.Data = []byte(`{"detail":"` + strings.Repeat("d", 1000) + `","line":"` + strings.Repeat("l", 1000) + `"}`)
		}
	}
	data := func(text string) func(msg, reply *nats.Msg) {
		return func(_, reply *nats.Msg) { reply.Data = []byte(text) }
	}
	url := standalone(t)
	for name, tt := range map[string]struct {
		answer func(msg, reply *nats.Msg)
		code   protocol.Code
		detail string
	}{
		"a failure of the arena's own": {head(protocol.HeaderFault, "arena"), protocol.Disconnect, "its host has failed: ddd"},
		"a fault that nobody knows":    {head(protocol.HeaderFault, "meteor"), protocol.Disconnect, "its host has failed: ddd"},
		"a fault of the start":         {head(protocol.HeaderFault, "start"), protocol.Disconnect, "ddd"},
		"a fault without a report": {func(_, reply *nats.Msg) {
			reply.Header.Set(protocol.HeaderFault, "crash")
			reply.Data = []byte("oops")
		}, protocol.Crash, ""},
		"another turn":      {head(protocol.HeaderTurn, "7"), protocol.Malformed, `its reply has Arena-Turn "7", the request has "1"`},
		"another attempt":   {head(protocol.HeaderAttempt, "two"), protocol.Malformed, `its reply has Arena-Attempt "two"`},
		"no JSON":           {data("\x00\xff"), protocol.Malformed, "not a JSON object"},
		"no move":           {data(`{"type":"ready"}`), protocol.Malformed, "the line is no move"},
		"too much":          {data(strings.Repeat("x", protocol.MaxLine+1)), protocol.Flood, "a line of more than 64 KiB"},
		"lost, and lost":    {head(protocol.HeaderFault, "lost"), protocol.Disconnect, "no new process of it was ready in time"},
		"busy, and busy":    {head(protocol.HeaderFault, "busy"), protocol.Disconnect, "for longer than the grace"},
		"a time of its own": {head(protocol.HeaderElapsed, "-5"), protocol.Malformed, "it has no \"type\""},
		"a report of 64 KiB": {func(_, reply *nats.Msg) {
			reply.Header.Set(protocol.HeaderFault, "memory")
			reply.Data = []byte(`{"stderr":"` + strings.Repeat("e", 60<<10) + `"}`)
		}, protocol.Memory, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nc := dialTo(t, url)
			stranger(t, nc, name, tt.answer)
			opened := openRemote(t, &seat.Remote{Conn: nc, Names: map[string]string{"m@remote": name}, Grace: 1500 * time.Millisecond})
			reply, err := opened.Ask(t.Context(), protocol.Hello{}, time.Minute)
			require.NoError(t, err)
			require.Empty(t, reply.Fault)
			turn := firstTurn(t)
			turn.Turn = 1
			reply, err = opened.Ask(t.Context(), turn, time.Minute)
			require.NoError(t, err)
			_, card := arena.Judge(reply, turn, time.Minute)
			require.NotNil(t, card)
			require.Equal(t, tt.code, card.Code, card.Detail)
			require.Contains(t, card.Detail, tt.detail)
			require.LessOrEqual(t, len(card.Detail)+len(card.Line)+len(card.Stderr), 5<<10)
		})
	}
}

// openRemote opens a seat for the only bot.
func openRemote(t *testing.T, remote *seat.Remote) arena.Seat {
	t.Helper()
	for label := range remote.Names {
		opened, err := remote.Open(t.Context(), arena.Place{Bot: label, Game: "g"})
		require.NoError(t, err)
		t.Cleanup(func() {
			_, err := opened.Close(context.Background())
			require.NoError(t, err)
		})
		return opened
	}
	return nil
}

// A bot that seems to be another one with each look has its grace, and no more.
func TestRestless(t *testing.T) {
	nc := dialTo(t, standalone(t))
	var looks atomic.Uint64
	silent, err := nc.Subscribe("arena.seat.silent.>", func(msg *nats.Msg) {
		if strings.HasSuffix(msg.Subject, ".presence") {
			_ = msg.Respond(fmt.Appendf(nil, `{"connection":%d}`, looks.Add(1)))
		}
	})
	require.NoError(t, err)
	require.NoError(t, nc.Flush())
	remote := &seat.Remote{Conn: nc, Names: map[string]string{"silent@remote": "silent"}, Grace: time.Second}
	reply, err := openRemote(t, remote).Ask(t.Context(), protocol.Turn{Turn: 1}, time.Minute)
	require.NoError(t, err)
	require.Equal(t, protocol.Disconnect, reply.Fault)
	require.NoError(t, silent.Unsubscribe())
}

// The time of a bot is what passes here, less the allowance for the way.
func TestNetworkAllowance(t *testing.T) {
	nc := dialTo(t, standalone(t))
	stranger(t, nc, "mallory", func(_, reply *nats.Msg) {
		reply.Header.Set(protocol.HeaderElapsed, "1")
		reply.Data = []byte(`{"type":"move","turn":1,"action":0}`)
	})
	for _, tt := range []struct {
		network time.Duration
		none    bool
	}{{0, false}, {time.Minute, true}} {
		remote := &seat.Remote{Conn: nc, Names: map[string]string{"mallory@remote": "mallory"}, Network: tt.network}
		reply, err := openRemote(t, remote).Ask(t.Context(), protocol.Turn{Turn: 1}, time.Minute)
		require.NoError(t, err)
		require.Empty(t, reply.Fault)
		require.Equal(t, tt.none, reply.Elapsed == 0)
		require.NotEqual(t, time.Duration(1), reply.Elapsed, "nobody takes its word for it")
	}
}

// A bot that thinks, and then says that it has lost its game, gets no new time for it but what its grace pays.
func TestThinksInVain(t *testing.T) {
	nc := dialTo(t, standalone(t))
	var turns atomic.Int32
	stranger(t, nc, "forgetful", func(_, reply *nats.Msg) {
		turns.Add(1)
		time.Sleep(1200 * time.Millisecond)
		reply.Header.Set(protocol.HeaderFault, string(protocol.Lost))
	})
	opened := openRemote(t, &seat.Remote{Conn: nc, Names: map[string]string{"forgetful@remote": "forgetful"}, Grace: 4 * time.Second})
	reply, err := opened.Ask(t.Context(), protocol.Hello{}, time.Minute)
	require.NoError(t, err)
	require.Empty(t, reply.Fault)
	turn := firstTurn(t)
	turn.Turn = 1
	reply, err = opened.Ask(t.Context(), turn, 2*time.Second)
	require.NoError(t, err)
	require.Equal(t, protocol.Disconnect, reply.Fault)
	require.LessOrEqual(t, turns.Load(), int32(2))
}
