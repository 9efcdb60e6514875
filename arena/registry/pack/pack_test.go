package pack_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/registry/pack"
)

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

// contents are the files of a folder, with a mark where they can be executed.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		name, _ := filepath.Rel(dir, path)
		info, err := entry.Info()
		require.NoError(t, err)
		require.Zero(t, info.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky), name)
		if entry.IsDir() {
			require.Equal(t, fs.FileMode(0o755), info.Mode().Perm(), name)
			if name != "." {
				all[name+"/"] = ""
			}
			return nil
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if info.Mode()&0o111 != 0 {
			require.Equal(t, fs.FileMode(0o755), info.Mode().Perm(), name)
			name += "*"
		} else {
			require.Equal(t, fs.FileMode(0o644), info.Mode().Perm(), name)
		}
		all[name] = string(text)
		return nil
	}))
	return all
}

// empty makes a folder that may be filled.
func empty(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bot")
	require.NoError(t, os.Mkdir(dir, 0o755))
	return dir
}

// TestThereAndBack: what is unpacked is what was packed, without rights, times and what is ignored, and packs to the same.
func TestThereAndBack(t *testing.T) {
	dir := folder(t, map[string]string{
		"bot.toml": "x", "src/bot.py": "code", "run": "#!/bin/sh", "data/openings/é.bin": "\x00\x01", ".git/config": "secret",
		"src/__pycache__/bot.pyc": "x", "notes/todo.txt": "x", "big.log": "x", "src/big.log": "x", "keep/notes": "x",
		pack.IgnoreName: "# what nobody needs\n*.log\n/notes/\n\n",
	})
	require.NoError(t, os.Chmod(filepath.Join(dir, "run"), 0o700|fs.ModeSetuid))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "empty"), 0o700))
	var packed bytes.Buffer
	made, err := pack.Pack(t.Context(), dir, &packed)
	require.NoError(t, err)
	require.Equal(t, int64(packed.Len()), made.Packed)
	out := empty(t)
	got, err := pack.Unpack(t.Context(), bytes.NewReader(packed.Bytes()), out)
	require.NoError(t, err)
	require.Equal(t, made, got)
	want := map[string]string{
		"bot.toml": "x", "src/": "", "src/bot.py": "code", "run*": "#!/bin/sh", "data/": "", "data/openings/": "", "data/openings/é.bin": "\x00\x01",
		"empty/": "", "keep/": "", "keep/notes": "x", pack.IgnoreName: "# what nobody needs\n*.log\n/notes/\n\n",
	}
	require.Equal(t, want, contents(t, out))
	var again bytes.Buffer
	same, err := pack.Pack(t.Context(), out, &again)
	require.NoError(t, err)
	require.Equal(t, made, same)
	require.Equal(t, packed.Bytes(), again.Bytes())
}

// TestDigest: any change of a name, a content or the right to execute changes the digest, and nothing else does.
func TestDigest(t *testing.T) {
	digests := map[string]string{}
	for name, files := range map[string]map[string]string{
		"plain": {"a": "1", "b/c": "2"}, "content": {"a": "1", "b/c": "3"}, "name": {"a": "1", "b/d": "2"}, "place": {"a": "1", "c": "2"},
		"moved": {"a": "12", "b/c": ""}, "more": {"a": "1", "b/c": "2", "d": ""}, "less": {"a": "1"},
	} {
		for range 2 {
			c, err := pack.Pack(t.Context(), folder(t, files), &bytes.Buffer{})
			require.NoError(t, err)
			require.Contains(t, []string{"", name}, digests[c.Digest])
			digests[c.Digest] = name
		}
	}
	require.Len(t, digests, 7)
}

// TestCaches leaves out folders that say that they are caches, and no others.
func TestCaches(t *testing.T) {
	const tag = "Signature: 8a477f597d28d172789f06886806bc55"
	dir := folder(t, map[string]string{
		"CACHEDIR.TAG": tag, "target/CACHEDIR.TAG": tag + "\n# by cargo", "target/release/bot": "old", "src/main.rs": "new",
		"data/CACHEDIR.TAG": "something else", "data/book": "1",
	})
	var packed bytes.Buffer
	_, err := pack.Pack(t.Context(), dir, &packed)
	require.NoError(t, err)
	to := empty(t)
	_, err = pack.Unpack(t.Context(), &packed, to)
	require.NoError(t, err)
	require.Equal(t, map[string]string{
		"CACHEDIR.TAG": tag, "src/": "", "src/main.rs": "new", "data/": "", "data/CACHEDIR.TAG": "something else", "data/book": "1",
	}, contents(t, to))
}

func TestIgnoreErrors(t *testing.T) {
	for pattern, want := range map[string]string{"[": "is no pattern", "!keep": "neither ! nor **", "a/**/b": "neither ! nor **"} {
		_, err := pack.Pack(t.Context(), folder(t, map[string]string{"bot.toml": "", pack.IgnoreName: pattern}), &bytes.Buffer{})
		require.ErrorIs(t, err, pack.ErrRefused, pattern)
		require.ErrorContains(t, err, want)
	}
}

// TestTooMuch: what an author packs by mistake is refused before it is read.
func TestTooMuch(t *testing.T) {
	sparse := folder(t, map[string]string{"bot.toml": ""})
	require.NoError(t, os.Truncate(filepath.Join(sparse, "bot.toml"), 10<<30))
	many := map[string]string{}
	for i := range pack.MaxFiles + 1 {
		many[fmt.Sprint(i)] = ""
	}
	random := folder(t, nil)
	noise := bytes.Repeat([]byte("x"), pack.MaxPacked+pack.MaxPacked/2)
	state := uint64(1)
	for i := range noise {
		state = state*6364136223846793005 + 1442695040888963407
		noise[i] = byte(state >> 56)
	}
	require.NoError(t, os.WriteFile(filepath.Join(random, "noise"), noise, 0o600))
	for name, test := range map[string]struct{ dir, want string }{
		"sparse": {sparse, `with "bot.toml" (10240.0 MiB) the files come to more than 256.0 MiB; leave out`},
		"many":   {folder(t, many), "more than 10000 files and folders; leave out"},
		"packed": {random, "the package has more than 64.0 MiB; leave out"},
		"path":   {folder(t, map[string]string{strings.Repeat(strings.Repeat("d", 100)+"/", 3) + "f": ""}), "shorten it to at most 240"},
		"name":   {folder(t, map[string]string{strings.Repeat("n", 121): ""}), "shorten it to at most 120"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := pack.Pack(t.Context(), test.dir, &bytes.Buffer{})
			require.ErrorIs(t, err, pack.ErrRefused)
			require.ErrorContains(t, err, test.want)
		})
	}
}
