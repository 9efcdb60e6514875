package bus_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// contents are all files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	}))
	return all
}

// inAnotherFormat changes all records of some streams.
func inAnotherFormat(t *testing.T, dir string, streams ...string) {
	t.Helper()
	for _, stream := range streams {
		blocks, err := filepath.Glob(filepath.Join(streamDir(dir, stream), "msgs", "*.blk"))
		require.NoError(t, err)
		for _, path := range blocks {
			spoil(t, path, func(data []byte) []byte {
				for i := range data {
					data[i] ^= 85
				}
				return data
			})
		}
	}
}

// TestAnotherFormat: a store of which nothing can be read is left as it is, at once and with a word; one of which only a stream
// cannot be read is mended.
func TestAnotherFormat(t *testing.T) {
	t.Parallel()
	want, copied := damaged(t, 4, 100)
	for _, unclean := range []bool{false, true} {
		dir := copied()
		inAnotherFormat(t, dir, bus.Events, bus.Results, bus.Jobs)
		if unclean {
			require.NoError(t, os.Remove(filepath.Join(dir, "closed")))
		}
		_ = os.WriteFile(filepath.Join(dir, "lock"), nil, 0o600)
		before := contents(t, dir)
		_, err := bus.Open(bus.Config{Dir: dir, Reserve: -1})
		require.ErrorContains(t, err, "store in "+dir+": not one of its messages can be read, so it was probably written by another version of the arena: use that one")
		require.NotContains(t, err.Error(), "connection")
		require.Equal(t, before, contents(t, dir))
	}
	dir := copied()
	inAnotherFormat(t, dir, bus.Events)
	on(t, dir, func(b *bus.Bus, js jetstream.JetStream) {
		require.Equal(t, []string{bus.Events}, b.Damage().Streams)
		require.Empty(t, read(t, js, bus.Events))
		require.Equal(t, want[bus.Results], read(t, js, bus.Results))
	})
}

// TestJustMade: of a stream that was being made when the power failed nothing is left without a word.
func TestJustMade(t *testing.T) {
	t.Parallel()
	for told, spoilt := range map[string]func(stream string) error{
		"are set aside": func(stream string) error { return os.Remove(filepath.Join(stream, "meta.sum")) },
		"": func(stream string) error {
			if err := os.RemoveAll(stream); err != nil {
				return err
			}
			return os.MkdirAll(filepath.Join(stream, "msgs"), 0o700)
		},
	} {
		for _, stream := range []string{bus.Jobs, bus.Results} {
			dir := t.TempDir()
			on(t, dir, func(*bus.Bus, jetstream.JetStream) {})
			require.NoError(t, os.Remove(filepath.Join(dir, "closed")))
			require.NoError(t, spoilt(streamDir(dir, stream)))
			log := on(t, dir, func(b *bus.Bus, _ jetstream.JetStream) { require.Nil(t, b.Damage()) })
			require.Equal(t, told != "", there(dir, "damaged-*"), "%s: %s", stream, log)
			require.Contains(t, log, told)
		}
	}
}
