package bus_test

import (
	"bytes"
	"crypto/sha256"
	"io"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

// works has a worker do with the streams of the arena what is its to do, and an author submit.
func (g guarded) works(t *testing.T) {
	ctx := t.Context()
	js := setup(t, g.bus)
	_, err := js.CreateOrUpdateConsumer(ctx, bus.Jobs, g.bus.WorkersConsumer("p"))
	require.NoError(t, err)
	_, err = js.Publish(ctx, bus.JobSubject("p", "cup", 7), []byte("job"))
	require.NoError(t, err)

	theirs, err := jetstream.New(g.let(t, g.url, access.Identity{Role: access.Worker, Name: "w"}))
	require.NoError(t, err)
	consumer, err := theirs.Consumer(ctx, bus.Jobs, g.bus.WorkersConsumer("p").Durable)
	require.NoError(t, err)
	job, err := consumer.Next(jetstream.FetchMaxWait(within))
	require.NoError(t, err)
	require.Equal(t, bus.JobSubject("p", "cup", 7), job.Subject())
	require.NoError(t, job.InProgress())
	require.NoError(t, job.DoubleAck(ctx))
	jobs, err := theirs.Stream(ctx, bus.Jobs)
	require.NoError(t, err)
	require.Zero(t, jobs.CachedInfo().State.Msgs, "it is out of the queue")
	_, err = theirs.Publish(ctx, bus.ResultSubject("cup", 7), []byte("result"))
	require.NoError(t, err)
	results, err := js.Stream(ctx, bus.Results)
	require.NoError(t, err)
	stored, err := results.GetLastMsgForSubject(ctx, bus.ResultSubject("cup", 7))
	require.NoError(t, err)
	require.Equal(t, "result", string(stored.Data))
	require.NotContains(t, stored.Header, "Nats-Request-Info", "it is stored as it was sent")

	replays := make([]byte, 600_000)
	sum := sha256.Sum256(replays)
	name := bus.ReplayName("cup", 7, sum[:])
	sends, err := g.bus.ReplayStore(ctx, theirs)
	require.NoError(t, err)
	require.NoError(t, sends.Put(ctx, name, bytes.NewReader(replays)))
	takes, err := g.bus.ReplayStore(ctx, js)
	require.NoError(t, err)
	come, err := takes.Get(ctx, name)
	require.NoError(t, err)
	data, err := io.ReadAll(come)
	require.NoError(t, err)
	require.True(t, bytes.Equal(replays, data))
	g.submits(t)
}

// spoils has a worker try to change or to take away what is stored, by all that it may publish.
func (g guarded) spoils(t *testing.T) {
	ctx := t.Context()
	js := setup(t, g.bus)
	theirs, err := jetstream.New(g.let(t, g.url, access.Identity{Role: access.Worker, Name: "spoiler"}))
	require.NoError(t, err)
	for stream, subject := range map[string]string{bus.Results: "res.cup.1000", bus.Replays: "rpl.cup.1000.digest.0", bus.Reports: "rep.cup.1000"} {
		_, err = theirs.Publish(ctx, subject, []byte("first"))
		require.NoError(t, err, "that it may")
		have, err := js.Stream(ctx, stream)
		require.NoError(t, err)
		before := have.CachedInfo().State
		for header, value := range map[string]string{
			"Nats-Rollup": "all", "nats-rollup": "sub", "Nats-TTL": "1s", "Nats-Expected-Last-Subject-Sequence": "0", "Nats-Incr": "1",
			"Nats-Schedule": "@every 1s", "Nats-Batch-Id": "x",
		} {
			m := nats.NewMsg(subject)
			m.Header[header] = []string{value}
			_, err = theirs.PublishMsg(ctx, m)
			if stream != bus.Reports || header == "Nats-Rollup" {
				require.Error(t, err, "%s %s", subject, header)
			}
		}
		_, err = theirs.Publish(ctx, subject, []byte("second"))
		require.Equal(t, stream == bus.Reports, err == nil, subject)
		require.False(t, speaks(t, theirs.Conn(), "$JS.API.STREAM.PURGE."+stream))
		require.False(t, speaks(t, theirs.Conn(), "$JS.API.STREAM.MSG.DELETE."+stream))
		info, err := have.Info(ctx)
		require.NoError(t, err)
		require.Equal(t, before.FirstSeq, info.State.FirstSeq)
		require.GreaterOrEqual(t, info.State.Msgs, before.Msgs)
		if stream != bus.Reports {
			require.Equal(t, before.Msgs, info.State.Msgs)
		}
		stored, err := have.GetMsg(ctx, before.LastSeq)
		require.NoError(t, err)
		require.Equal(t, "first", string(stored.Data))
	}
}

// submits has an author ask a desk, as nobody else.
func (g guarded) submits(t *testing.T) {
	key, show := g.key(t, access.Identity{Role: access.Author, Name: "ann"})
	other, _ := g.key(t, access.Identity{Role: access.Author, Name: "bob"})
	author, err := g.connect(t, g.url, show...)
	require.NoError(t, err)
	_, err = author.Request(bus.SubmitSubject(key, bus.Begin, ""), nil, within)
	require.ErrorIs(t, err, nats.ErrNoResponders)
	desk, err := g.arena.Subscribe(bus.SubmitSubject("*", bus.Part, "desk"), func(m *nats.Msg) { _ = m.Respond([]byte(bus.SubmitAuthor(m.Subject))) })
	require.NoError(t, err)
	defer func() { require.NoError(t, desk.Unsubscribe()) }()
	require.NoError(t, g.arena.Flush())
	answer, err := author.Request(bus.SubmitSubject(key, bus.Part, "desk"), make([]byte, 600_000), within)
	require.NoError(t, err)
	require.Equal(t, key, string(answer.Data))
	for _, subject := range []string{bus.SubmitSubject(other, bus.Begin, ""), bus.SubmitSubject(other, bus.Part, "desk"), "bots.submit", "bots.submit." + key} {
		require.False(t, speaks(t, author, subject), subject)
	}
	require.False(t, hears(t, author, bus.SubmitSubject(other, bus.Part, ">")))
}
