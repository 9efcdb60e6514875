package registry_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/registry"
)

// TestReadSubmission: what is to be packed may not depend on where its folder lies.
func TestReadSubmission(t *testing.T) {
	for _, path := range []string{"/data/book", "book", "./a/../book", "a/.."} {
		_, err := registry.ReadSubmission(folder(t, t.TempDir(), good+"read_only = [\""+path+"\"]\n"))
		require.NoError(t, err, path)
	}
	for _, path := range []string{"..", "../book", "a/../../book"} {
		_, err := registry.ReadSubmission(folder(t, t.TempDir(), good+"read_only = [\""+path+"\"]\n"))
		require.ErrorContains(t, err, path+"\" leads out of the folder", path)
		require.ErrorContains(t, err, "; write an absolute path", path)
	}
	whole, linked := folder(t, t.TempDir(), good), t.TempDir()
	for _, target := range []string{filepath.Join(whole, registry.ManifestName), "/nowhere"} {
		link := filepath.Join(linked, registry.ManifestName)
		require.NoError(t, os.Symlink(target, link))
		_, err := registry.ReadSubmission(linked)
		require.ErrorContains(t, err, link+" is a link")
		require.NoError(t, os.Remove(link))
	}
	_, err := registry.ReadSubmission(linked)
	require.ErrorIs(t, err, registry.ErrNoManifest)
}

// TestReadOnlyWithin: what lies in the bot's own folder need not be asked for, unless it leads elsewhere.
func TestReadOnlyWithin(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	own, book := filepath.Join(dir, "own"), filepath.Join(dir, "own-book")
	require.NoError(t, os.Mkdir(book, 0o700))
	folder(t, own, good+"read_only = [\".\", \"bot.toml\", \"link\", \"../own-book\"]\n")
	require.NoError(t, os.Symlink(book, filepath.Join(own, "link")))
	bot, err := resolver().Resolve(own)
	require.NoError(t, err)
	require.Equal(t, []string{book, book}, bot.ReadOnly)
}

func TestSeats(t *testing.T) {
	for words, players := range map[string][]int{"2 to 6": nil, "4": {4}, "2 or 5": {5, 2}, "2, 3 or 6": {6, 3, 2}} {
		bot := registry.Bot{Players: players}
		require.Equal(t, words, bot.SeatWords())
		require.IsIncreasing(t, append([]int{0}, bot.Seats()...))
	}
	require.Equal(t, "2 to 6", registry.Bot{Players: []int{6, 5, 4, 3, 2}}.SeatWords())
}
