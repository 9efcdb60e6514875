package registry_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/registry"
)

// lay writes files below a folder.
func lay(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
}

func digest(t *testing.T, dir, word string) string {
	t.Helper()
	bot, err := registry.Resolver{Dir: dir, Builtins: map[string]string{"greedy": "1"}}.Resolve(word)
	require.NoError(t, err)
	sum, err := bot.Digest()
	require.NoError(t, err)
	return sum
}

// TestDigest changes with whatever makes a bot another one, and with nothing that it leaves behind.
func TestDigest(t *testing.T) {
	base := map[string]string{
		"bot.toml": "name = \"b\"\nversion = \"1\"\nbuild = [\"make\"]\nrun = [\"./b\"]\n", "b.c": "int main() {}", "lib/a.h": "1", "lib/b": "22",
	}
	own := func(files map[string]string) string {
		dir := t.TempDir()
		lay(t, dir, base)
		lay(t, dir, files)
		return digest(t, dir, ".")
	}
	want := own(nil)
	require.Len(t, want, 64)
	for name, files := range map[string]map[string]string{
		"built":  {"b": "\x7fELF\x02\x01", "lib/a.o": "\x7fELF", "target/x": "1", "build/deep/y": "2", "b.exe": "MZ.", "A.class": "\xca\xfe\xba\xbe"},
		"hidden": {".git/HEAD": "x", ".cache": "y", "lib/.swp": "z"},
		"caches": {"__pycache__/a.pyc": "x", "lib/node_modules/m/index.js": "y"},
	} {
		require.Equal(t, want, own(files), name)
	}
	for name, files := range map[string]map[string]string{
		"content":           {"b.c": "int main() {} "},
		"manifest":          {"bot.toml": base["bot.toml"] + "\n"},
		"one more":          {"lib/c": ""},
		"moved text":        {"lib/a.h": "", "lib/b": "221"},
		"a file, no folder": {"build2": "1"},
	} {
		require.NotEqual(t, want, own(files), name)
	}
	script := map[string]string{"bot.toml": "name = \"b\"\nversion = \"1\"\nrun = [\"./b\"]\n", "b": "\x7fELF1"}
	one, two := t.TempDir(), t.TempDir()
	lay(t, one, script)
	script["b"] = "\x7fELF2"
	lay(t, two, script)
	require.NotEqual(t, digest(t, one, "."), digest(t, two, "."), "what nobody builds is the bot itself")
}

// TestDigestLink: a link counts as what it says, since its target may lie anywhere.
func TestDigestLink(t *testing.T) {
	manifest := map[string]string{"bot.toml": "name = \"b\"\nversion = \"1\"\nrun = [\"./b\"]\n"}
	var sums []string
	for _, target := range []string{"x", "y", "x"} {
		dir := t.TempDir()
		lay(t, dir, manifest)
		if err := os.Symlink(target, filepath.Join(dir, "b")); err != nil {
			t.Skip("no links here")
		}
		sums = append(sums, digest(t, dir, "."))
	}
	require.NotEqual(t, sums[0], sums[1])
	require.Equal(t, sums[0], sums[2])
}

// TestDigestCommand is over the words and the files that they name, wherever those lie.
func TestDigestCommand(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	lay(t, one, map[string]string{"deep/bot.py": "pass", "other": "1"})
	lay(t, two, map[string]string{"bot.py": "pass"})
	want := digest(t, one, "cmd:python3 deep/bot.py")
	require.Equal(t, want, digest(t, two, "cmd:python3 bot.py"))
	require.NotEqual(t, want, digest(t, two, "cmd:python3 bot.py -v"))
	lay(t, two, map[string]string{"bot.py": "pass "})
	require.NotEqual(t, want, digest(t, two, "cmd:python3 bot.py"))
	require.Empty(t, digest(t, one, "greedy"), "the program's version says it")

	bot, err := registry.Resolver{Dir: one}.Resolve("cmd:python3 deep/bot.py")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(filepath.Join(one, "deep", "bot.py"), 0))
	if _, err := bot.Digest(); os.Geteuid() != 0 {
		require.ErrorContains(t, err, "bot deep-bot@dev")
	}
}
