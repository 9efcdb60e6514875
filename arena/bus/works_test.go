package bus_test

import (
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

	objects, err := theirs.ObjectStore(ctx, bus.Replays)
	require.NoError(t, err)
	_, err = objects.PutBytes(ctx, "mine", make([]byte, 300_000))
	require.NoError(t, err)
	arena, err := js.ObjectStore(ctx, bus.Replays)
	require.NoError(t, err)
	data, err := arena.GetBytes(ctx, "mine")
	require.NoError(t, err)
	require.Len(t, data, 300_000)
	g.submits(t)
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
