package bus_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// TestPlaces: all that is made is in the table, under its bound, and damage in any of it is found and told.
func TestPlaces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want, got := map[string]int64{}, map[string]int64{}
	for _, p := range bus.Places() {
		want[p.Stream] = p.Size
	}
	on(t, dir, func(b *bus.Bus, js jetstream.JetStream) {
		tokens(t, b)
		for info := range js.ListStreams(t.Context()).Info() {
			got[info.Config.Name] = info.Config.MaxBytes
			require.Equal(t, jetstream.DiscardNew, info.Config.Discard, info.Config.Name)
			require.Equal(t, jetstream.FileStorage, info.Config.Storage, info.Config.Name)
			_, err := js.Publish(t.Context(), strings.NewReplacer("*", "x", ">", "x").Replace(info.Config.Subjects[0]), []byte("message"))
			require.NoError(t, err)
		}
	})
	require.Equal(t, want, got)
	require.NoError(t, os.Remove(filepath.Join(dir, "closed")))
	for _, p := range bus.Places()[1:] { // of one something is left, or it would be taken for a store of another version
		spoil(t, filepath.Join(streamDir(dir, p.Stream), "msgs", "1.blk"), flipAt(40))
	}
	log := on(t, dir, func(*bus.Bus, jetstream.JetStream) {})
	for _, p := range bus.Places() {
		require.Equal(t, p.Name != bus.Events, strings.Contains(log, "a part of "+p.What+" cannot be read; "), "%s: %s", p.Name, log)
		require.Equal(t, p.Name != bus.Events, there(dir, "damaged-*", p.Stream, "1.blk"), p.Name)
	}
}

// TestMadeHere: nothing else makes streams or buckets, which TestPlaces would not see.
func TestMadeHere(t *testing.T) {
	makes := regexp.MustCompile(`\.Create(OrUpdate)?(Stream|KeyValue|ObjectStore)\(`)
	makers := 0
	require.NoError(t, filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if makes.Match(text) {
			makers++
			require.Equal(t, "bus", filepath.Base(strings.TrimSuffix(filepath.Dir(path), "/access")), path)
		}
		return err
	}))
	require.Equal(t, 2, makers)
}
