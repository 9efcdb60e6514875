package kit_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/kit"
	"github.com/fivethreefive/fivethreefive/arena/registry"
)

// made lays out a bot, and skips where its language is not on this machine, except for those that CI has.
func made(t *testing.T, language kit.Language) (string, registry.Bot) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "Foxy-2")
	require.NoError(t, language.Write(dir))
	bot, err := registry.Resolver{}.Resolve(dir)
	require.NoError(t, err)
	if missing := bot.Missing(); missing != "" {
		if os.Getenv("CI") == "true" && slices.Contains([]string{"go", "python", "javascript", "rust", "java", "cpp"}, language.Name) {
			t.Fatalf("%s is missing; CI must have it", missing)
		}
		t.Skipf("%s is missing; install it to test this template", missing)
	}
	return dir, bot
}

// TestTemplates runs the tests of each bot and builds it as the arena does, without a network. Neither may change the digest by
// which workers know the bot.
func TestTemplates(t *testing.T) {
	for _, language := range kit.Languages() {
		t.Run(language.Name, func(t *testing.T) {
			t.Parallel()
			dir, bot := made(t, language)
			require.Equal(t, "Foxy-2@1", bot.Label())
			require.Equal(t, language.Name, bot.Language)
			require.FileExists(t, language.Source(dir))
			before, err := bot.Digest()
			require.NoError(t, err)
			if language.Test != "" {
				runs(t, dir, "sh", "-c", language.Test)
			}
			if len(bot.Build) > 0 {
				runs(t, dir, bot.Build...)
			}
			after, err := bot.Digest()
			require.NoError(t, err)
			require.Equal(t, before, after, "what a build leaves does not count")
		})
	}
}

func runs(t *testing.T, dir string, args ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), args[0], args[1:]...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "CARGO_NET_OFFLINE=true")
	printed, err := command.CombinedOutput()
	require.NoError(t, err, "%v\n%s", args, printed)
}

// TestNothingOfTheTemplateIsLeft looks for its name, and for files of this module's tests.
func TestNothingOfTheTemplateIsLeft(t *testing.T) {
	for _, language := range kit.Languages() {
		dir := filepath.Join(t.TempDir(), "foxy")
		require.NoError(t, language.Write(dir))
		require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			require.NotContains(t, string(text), "mybot", path)
			require.NotContains(t, string(text), "-example\"", path)
			if filepath.Dir(path) != dir {
				require.False(t, strings.HasSuffix(path, "_test.go"), path)
			}
			require.NotEqual(t, ".txt", filepath.Ext(path))
			return err
		}))
		require.FileExists(t, filepath.Join(dir, "README.md"))
	}
}

func TestWriteRefuses(t *testing.T) {
	python, err := kit.Find("python")
	require.NoError(t, err)
	dir := t.TempDir()
	full := filepath.Join(dir, "full")
	require.NoError(t, os.Mkdir(full, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(full, "mine"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	for name, want := range map[string]string{
		"full":                  "is not empty, and nothing in it is overwritten",
		"file":                  "not a directory; choose another name",
		"my bot":                `the bot is named like its folder: name "my bot": use 1 to 32 letters`,
		"größe":                 "use 1 to 32 letters",
		strings.Repeat("x", 33): "use 1 to 32 letters",
	} {
		require.ErrorContains(t, python.Write(filepath.Join(dir, name)), want)
	}
	require.NoError(t, python.Write(filepath.Join(dir, "empty")))
	require.NoError(t, python.Write(filepath.Join(dir, "not", "there")))
	entries, err := os.ReadDir(full)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

func TestFind(t *testing.T) {
	for name, want := range map[string]string{"Python": "python", "js": "javascript", "c++": "cpp", "C#": "csharp", "sh": "bash"} {
		language, err := kit.Find(name)
		require.NoError(t, err)
		require.Equal(t, want, language.Name)
	}
	_, err := kit.Find("pyhton")
	require.ErrorContains(t, err, "there are go, python, javascript")
	require.ErrorContains(t, err, "did you mean python?")
	_, err = kit.Find("cobol")
	require.ErrorContains(t, err, `language "cobol" has no template`)
}
