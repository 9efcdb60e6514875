package bus_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

// forged is what would make an operator of whoever has the key, if it came to be among the tokens.
const forged = `{"role":"operator","name":"forged","created":"2024-01-02T03:04:05Z"}`

// levers has all who may ask for something choose a subject where the answer goes. The server looks at the right to the subject
// of a request, and not at that of its answer: so nothing of the arena may be in reach of an answer.
func (g guarded) levers(t *testing.T) {
	js := setup(t, g.bus)
	_, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "LEVER", Subjects: []string{"lever.>"}})
	require.NoError(t, err)
	desk, err := g.arena.Subscribe("bots.submit.>", func(m *nats.Msg) { _ = m.Respond([]byte(forged)) })
	require.NoError(t, err)
	defer func() { require.NoError(t, desk.Unsubscribe()) }()
	reached := func() map[string]uint64 {
		stream, err := js.Stream(t.Context(), "LEVER")
		require.NoError(t, err)
		info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter(">"))
		require.NoError(t, err)
		return info.State.Subjects
	}
	var free []string // what an operator reaches, who comes last: what others had reached was there before
	for _, role := range []access.Role{access.Worker, access.Author, access.Bot, access.Spectator, access.Operator} {
		key, show := g.key(t, access.Identity{Role: role, Name: "lever"})
		nc, err := g.connect(t, g.url, show...)
		require.NoError(t, err)
		for i, row := range access.Table() {
			subject := strings.NewReplacer("*", "x", ">", "x", "KEY", key).Replace(row.Subject)
			reply := fmt.Sprintf("lever.%s.%d", role, i)
			require.NoError(t, nc.PublishRequest(subject, reply, []byte(forged)))
			for _, answers := range []string{"$JS.API.DIRECT.", "$JS.API.STREAM.", "$O.", "res.", "rep.", "bots.submit."} {
				if role == access.Operator && strings.HasPrefix(subject, answers) {
					free = append(free, reply)
				}
			}
		}
		require.NoError(t, nc.Flush())
	}
	require.Eventually(t, func() bool {
		subjects := reached()
		for _, reply := range free {
			if subjects[reply] == 0 {
				return false
			}
		}
		return true
	}, within, time.Millisecond, "the test would see it")
	for subject := range reached() {
		require.True(t, strings.HasPrefix(subject, "lever.operator."), subject)
	}
}

// forges has a worker store a token of an operator where it may store, and ask for it with the place of the tokens as the one where the
// answer goes.
func (g guarded) forges(t *testing.T) {
	setup(t, g.bus)
	nc := g.let(t, g.url, access.Identity{Role: access.Worker, Name: "forger"})
	pair, err := nkeys.CreateUser()
	require.NoError(t, err)
	key, err := pair.PublicKey()
	require.NoError(t, err)
	result := bus.ResultSubject("forged", 1)
	get := "$JS.API.DIRECT.GET." + bus.Results + "." + result
	_, err = nc.Request(result, []byte(forged), within)
	require.NoError(t, err)
	require.NoError(t, nc.PublishRequest(get, "$KV.tokens."+key, nil))
	_, err = nc.Request(get, nil, within) // what was asked before is answered
	require.NoError(t, err)
	_, err = g.tokens.All(t.Context())
	require.NoError(t, err)
	_, err = g.connect(t, g.url, nats.Nkey(key, pair.Sign))
	require.Error(t, err, "a forger has become an operator")
}
