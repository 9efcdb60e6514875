package bus_test

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/internal/natstest"
)

// TestStreams: what exists is updated and keeps its messages.
func TestStreams(t *testing.T) {
	dir := t.TempDir()
	b := open(t, bus.Config{Dir: dir, Sizes: bus.Sizes{bus.Events: 1 << 20}})
	js := setup(t, b)
	store(t, js, 1)
	b.Close()

	js = setup(t, open(t, bus.Config{Dir: dir, Sizes: bus.Sizes{bus.Events: 2 << 20}}))
	requireStored(t, js, 1)
	stream, err := js.Stream(t.Context(), bus.Events)
	require.NoError(t, err)
	require.Equal(t, int64(2<<20), stream.CachedInfo().Config.MaxBytes)
}

// TestOnce: a match has one result and is queued once, whoever sends it.
func TestOnce(t *testing.T) {
	b := open(t, bus.Config{Dir: t.TempDir(), AckWait: time.Minute})
	js := setup(t, b)
	job, result := bus.JobSubject("pool", "cup", 7), bus.ResultSubject("cup", 7)
	for _, subject := range []string{job, result} {
		_, err := js.Publish(t.Context(), subject, nil)
		require.NoError(t, err)
		_, err = js.Publish(t.Context(), subject, nil)
		require.ErrorContains(t, err, "maximum messages per subject exceeded")
	}
	consumer, err := js.CreateOrUpdateConsumer(t.Context(), bus.Jobs, b.WorkersConsumer("pool"))
	require.NoError(t, err)
	require.Equal(t, time.Minute, consumer.CachedInfo().Config.AckWait)
	message, err := consumer.Next()
	require.NoError(t, err)
	require.Equal(t, job, message.Subject())
	require.Equal(t, "7", bus.LastToken(job))
	_, err = js.Publish(t.Context(), job, nil)
	require.Error(t, err, "a worker has it")
	require.NoError(t, message.DoubleAck(t.Context()))
	_, err = js.Publish(t.Context(), job, nil)
	require.NoError(t, err)
	_, err = js.CreateOrUpdateConsumer(t.Context(), bus.Jobs, b.WorkersConsumer("pool-2"))
	require.NoError(t, err, "pools do not overlap")
}

// TestNoStreams: a server without streams is told from one that is away.
func TestNoStreams(t *testing.T) {
	b := open(t, bus.Config{URL: listening(t).ClientURL()})
	js, err := jetstream.New(connect(t, b, "test"))
	require.NoError(t, err)
	require.ErrorContains(t, b.Setup(t.Context(), js), "start the NATS server with --jetstream")
}

// TestNoRoom: streams that do not fit into what a server allows say so.
func TestNoRoom(t *testing.T) {
	small := natstest.Start(t, &server.Options{JetStream: true, StoreDir: t.TempDir(), JetStreamMaxStore: 1 << 30})
	b := open(t, bus.Config{URL: small.ClientURL()})
	js, err := jetstream.New(connect(t, b, "test"))
	require.NoError(t, err)
	require.ErrorContains(t, b.Setup(t.Context(), js), "allow the server more storage, or choose smaller sizes")
}

// TestSizes: the sizes of a store can be chosen at any time, stay until others are chosen, and never cost what is stored.
func TestSizes(t *testing.T) {
	_, err := bus.SizesOf(1 << 20)
	require.ErrorContains(t, err, "from 1 GiB to 1024 TiB")
	sizes, err := bus.SizesOf(4 << 30)
	require.NoError(t, err)
	dir := t.TempDir()
	bounds := func(js jetstream.JetStream) (sum int64) {
		for info := range js.ListStreams(t.Context()).Info() {
			sum += info.Config.MaxBytes
		}
		return sum
	}
	b := open(t, bus.Config{Dir: dir, Sizes: sizes})
	js := setup(t, b)
	require.InDelta(t, 4<<30, bounds(js), 10)
	for number := range 20 {
		store(t, js, number+1)
	}
	b.Close()
	b = open(t, bus.Config{Dir: dir})
	js = setup(t, b)
	require.InDelta(t, 4<<30, bounds(js), 10, "who chooses nothing changes nothing")
	b.Close()
	b = open(t, bus.Config{Dir: dir, Sizes: bus.Sizes{bus.Events: 100}})
	js, err = jetstream.New(connect(t, b, "test"))
	require.NoError(t, err)
	require.ErrorContains(t, b.Setup(t.Context(), js), "and cannot be bounded to 100 bytes; choose a larger size, or remove tournaments")
	requireStored(t, js, 20)
	require.Equal(t, []string{"133.3 GiB", "1.5 MiB", "12 bytes"}, []string{bus.Bytes(143_076_134_912), bus.Bytes(3 << 19), bus.Bytes(12)})
}
