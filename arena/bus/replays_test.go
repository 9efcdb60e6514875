package bus_test

import (
	"bytes"
	"crypto/sha256"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// TestReplays: what is on its way comes as it was sent, however long it is and however often it is sent, or not at all.
func TestReplays(t *testing.T) {
	b := open(t, bus.Config{Dir: t.TempDir()})
	js := setup(t, b)
	store, err := b.ReplayStore(t.Context(), js)
	require.NoError(t, err)
	name := func(match int, data []byte) string {
		sum := sha256.Sum256(data)
		return bus.ReplayName("cup", match, sum[:])
	}
	read := func(name string) ([]byte, error) {
		replays, failed := store.Get(t.Context(), name)
		if failed != nil {
			return nil, failed
		}
		return io.ReadAll(replays)
	}
	const part = 512 << 10
	for match, size := range []int{0, 1, part - 1, part, part + 1, 3 * part} {
		data := bytes.Repeat([]byte{byte(match)}, size)
		for range 2 {
			require.NoError(t, store.Put(t.Context(), name(match, data), bytes.NewReader(data)))
		}
		got, failed := read(name(match, data))
		require.NoError(t, failed)
		require.True(t, bytes.Equal(data, got), size)
	}
	long := bytes.Repeat([]byte{5}, 3*part)
	stream, err := js.Stream(t.Context(), bus.Replays)
	require.NoError(t, err)
	require.NoError(t, stream.DeleteMsg(t.Context(), 1+1+1+2+2+3))
	_, err = read(name(5, long))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)

	spoilt := name(6, []byte("what it says"))
	require.NoError(t, store.Put(t.Context(), spoilt, bytes.NewReader([]byte("what it is"))))
	_, err = read(spoilt)
	require.ErrorContains(t, err, "they are not as they were sent")
	require.NoError(t, store.Put(t.Context(), bus.ReplayName("other", 1, nil)+"00", bytes.NewReader(nil)))
	require.NoError(t, store.Delete(t.Context(), spoilt))
	_, err = read(spoilt)
	require.ErrorIs(t, err, bus.ErrNoReplays)
	for _, wrong := range []string{"", "cup", "cup/1", "cup/1/", "/1/x", "cup/>/x", "cup/*/x", "cup/1/x.y", "cup/1/x/y", "cup//x"} {
		require.ErrorIs(t, store.Delete(t.Context(), wrong), bus.ErrNoReplays, wrong)
		require.ErrorIs(t, store.Put(t.Context(), wrong, bytes.NewReader(nil)), bus.ErrNoReplays, wrong)
	}
	require.NoError(t, store.DeleteAll(t.Context(), "cup"))
	info, err := stream.Info(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint64(1), info.State.Msgs, "that of another tournament")
}
