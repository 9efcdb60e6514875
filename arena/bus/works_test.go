package bus_test

import (
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

// works has a worker and an author do with the streams of the arena what is theirs to do.
func (g guarded) works(t *testing.T) {
	ctx := t.Context()
	js := setup(t, g.bus)
	_, err := g.bus.IncomingStore(ctx, js)
	require.NoError(t, err)
	_, err = js.CreateOrUpdateConsumer(ctx, bus.Jobs, g.bus.WorkersConsumer("p"))
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

	for role, store := range map[access.Role]string{access.Worker: bus.Replays, access.Author: bus.Incoming} {
		own, err := jetstream.New(g.let(t, g.url, access.Identity{Role: role, Name: "o"}))
		require.NoError(t, err)
		objects, err := own.ObjectStore(ctx, store)
		require.NoError(t, err)
		_, err = objects.PutBytes(ctx, "mine", make([]byte, 300_000))
		require.NoError(t, err)
		arena, err := js.ObjectStore(ctx, store)
		require.NoError(t, err)
		data, err := arena.GetBytes(ctx, "mine")
		require.NoError(t, err)
		require.Len(t, data, 300_000)
	}
}
