package seat_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/seat"
	"github.com/fivethreefive/fivethreefive/protocol"
)

func openConn(t *testing.T) *nats.Conn {
	t.Helper()
	b, err := bus.Open(bus.Config{})
	require.NoError(t, err)
	t.Cleanup(b.Close)
	nc, err := b.Connect("test")
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	return nc
}

func TestReply(t *testing.T) {
	nc := openConn(t)
	tests := []struct {
		name   string
		data   string
		header map[string]string
		want   arena.Reply
		err    string
	}{
		{"line", "{}", map[string]string{protocol.HeaderElapsed: "5"}, arena.Reply{Line: []byte("{}"), Elapsed: 5}, ""},
		{
			"fault",
			`{"detail":"d","line":"l","stderr":"s"}`,
			map[string]string{protocol.HeaderElapsed: "5", protocol.HeaderFault: "crash"},
			arena.Reply{Elapsed: 5, Fault: protocol.Crash, Report: protocol.FaultReport{Detail: "d", Line: "l", Stderr: "s"}},
			"",
		},
		{"no time", "{}", nil, arena.Reply{}, "without a time"},
		{"no report", "oops", map[string]string{protocol.HeaderElapsed: "5", protocol.HeaderFault: "crash"}, arena.Reply{}, "fault report"},
		{
			"the arena's own failure",
			`{"detail":"too many open files"}`,
			map[string]string{protocol.HeaderElapsed: "5", protocol.HeaderFault: "arena"},
			arena.Reply{},
			"too many open files",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sub, err := nc.Subscribe("seat", func(msg *nats.Msg) {
				assert.Equal(t, "7", msg.Header.Get(protocol.HeaderTurn))
				assert.Equal(t, "1000000000", msg.Header.Get(protocol.HeaderLimit))
				reply := nats.NewMsg(msg.Reply)
				reply.Data = []byte(tt.data)
				for name, value := range tt.header {
					reply.Header.Set(name, value)
				}
				assert.NoError(t, msg.RespondMsg(reply))
			})
			require.NoError(t, err)
			defer func() { require.NoError(t, sub.Unsubscribe()) }()
			got, err := seat.NewClient(nc, "seat").Ask(t.Context(), protocol.Turn{Turn: 7}, time.Second)
			assert.Equal(t, tt.want, got)
			if tt.err == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, tt.err)
			}
		})
	}
}

func TestNobodyThere(t *testing.T) {
	client := seat.NewClient(openConn(t), "empty")
	_, err := client.Ask(t.Context(), protocol.Hello{}, time.Second)
	assert.ErrorContains(t, err, "nobody serves empty")
	assert.ErrorContains(t, client.Tell(t.Context(), protocol.Error{Message: strings.Repeat("m", protocol.MaxLine)}), "a line has at most 65536")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = client.Ask(ctx, protocol.Hello{}, time.Second)
	assert.ErrorIs(t, err, context.Canceled)
}
