package sandbox_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

// TestCommandLineOfAStranger tries to get more of the host into view than the bot's folder, by links and paths.
func TestCommandLineOfAStranger(t *testing.T) {
	l := startCaged(t)
	top := t.TempDir()
	t.Setenv("HOME", filepath.Join(top, "home"))
	for _, dir := range []string{"home/.ssh", "bot/p/q", "bot/.secret", ".secret", "rival", "data/inside"} {
		require.NoError(t, os.MkdirAll(filepath.Join(top, dir), 0o755))
	}
	script := []byte("#!/bin/sh\ncat \"$1\" 2>/dev/null || echo hidden\n")
	for _, path := range []string{"bot/run", "bot/.secret/run", "rival/run", "data/run"} {
		require.NoError(t, os.WriteFile(filepath.Join(top, path), script, 0o755))
	}
	for _, path := range []string{".secret/key", "home/.ssh/id", "rival/code", "data/inside/seed"} {
		require.NoError(t, os.WriteFile(filepath.Join(top, path), []byte("seen"), 0o644))
	}
	link := func(to, path string) { require.NoError(t, os.Symlink(to, filepath.Join(top, path))) }
	link("p/q", "bot/d")
	link("d/../../.secret/run", "bot/go") // by its words it leads to the other .secret than for the kernel
	link("home", "linked")
	link("../rival/run", "bot/theirs")

	run := func(spec sandbox.Spec) (string, error) {
		spec.Env = []string{"PATH=/usr/bin:/bin"}
		p, err := l.Start(spec)
		if err != nil {
			return "", err
		}
		defer func() { require.NoError(t, p.Kill()) }()
		out, err := io.ReadAll(p.Stdout())
		require.NoError(t, err)
		return string(out), nil
	}
	bot := filepath.Join(top, "bot")
	for _, spec := range []sandbox.Spec{
		{Args: []string{"./go", filepath.Join(top, ".secret/key")}, Dir: bot},
		{Args: []string{"./run", filepath.Join(top, "rival/code")}, Dir: bot},
		{Args: []string{"./run", filepath.Join(top, "home/.ssh/id")}, Dir: bot},
		{Args: []string{"./run", filepath.Join(top, "data/inside/seed")}, Dir: filepath.Join(top, "data"), Hide: []string{filepath.Join(top, "data/inside")}},
	} {
		out, err := run(spec)
		require.NoError(t, err, spec.Args)
		require.Equal(t, "hidden\n", out, spec.Args)
	}
	out, err := run(sandbox.Spec{Args: []string{"./run", filepath.Join(top, "data/inside/seed")}, Dir: filepath.Join(top, "data")})
	require.NoError(t, err)
	require.Equal(t, "seen", out, "without Hide it is there")

	for want, spec := range map[string]sandbox.Spec{
		"outside of the bot's folder": {Args: []string{"../rival/run"}, Dir: bot},
		"which a bot may not see all": {Args: []string{"sh"}, Dir: filepath.Join(top, "linked")},
		"may not see all; put it":     {Args: []string{"sh"}, Dir: top},
		"name a folder with files":    {Args: []string{"sh"}, Dir: bot, ReadOnly: []string{"/dev/shm"}},
		"read-only path /:":           {Args: []string{"sh"}, Dir: bot, ReadOnly: []string{"/"}},
		"read-only path /proc/1":      {Args: []string{"sh"}, Dir: bot, ReadOnly: []string{"/proc/1"}},
		"read-only path: lstat":       {Args: []string{"sh"}, Dir: bot, ReadOnly: []string{"/no/such"}},
	} {
		_, err = run(spec)
		require.ErrorContains(t, err, want)
	}
	_, err = run(sandbox.Spec{Args: []string{"./theirs"}, Dir: bot})
	require.ErrorContains(t, err, "outside of the bot's folder")
	_, err = run(sandbox.Spec{Args: []string{"../rival/run", "x"}, Dir: bot, Trusted: true})
	require.NoError(t, err, "the user's own command line may")
}

// TestFolderInSharedMemory holds that a bot's folder is read-only wherever it lies.
func TestFolderInSharedMemory(t *testing.T) {
	l := startCaged(t)
	t.Setenv("TMPDIR", "/dev/shm")
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o777)) // the worst case
	p, err := l.Start(sandbox.Spec{Args: []string{"sh", "-c", "echo x >state && echo wrote || echo refused"}, Dir: dir, Env: []string{"PATH=/usr/bin:/bin"}})
	require.NoError(t, err)
	defer func() { require.NoError(t, p.Kill()) }()
	out, err := io.ReadAll(p.Stdout())
	require.NoError(t, err)
	require.Equal(t, "refused\n", string(out))
}

// TestDeathSignalStays holds that a bot cannot take away the signal that ends it with the arena.
func TestDeathSignalStays(t *testing.T) {
	l := startCaged(t)
	code := "import ctypes; c = ctypes.CDLL(None, use_errno=True); print(c.prctl(1, 0, 0, 0, 0), ctypes.get_errno(), c.prctl(1 | 1 << 32, 0, 0, 0, 0))"
	p, err := l.Start(sandbox.Spec{Args: []string{"python3", "-c", code}, Env: []string{"PATH=" + os.Getenv("PATH")}})
	require.NoError(t, err)
	defer func() { require.NoError(t, p.Kill()) }()
	out, err := io.ReadAll(p.Stdout())
	require.NoError(t, err)
	require.Equal(t, "-1 1 -1\n", string(out))
}

func TestConfinedStartErrors(t *testing.T) {
	l := startCaged(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "plain"), []byte("echo\n"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "orphan"), []byte("#!/no/such/interpreter\n"), 0o755))
	for name, want := range map[string]string{"./plain": "first line does not name its interpreter", "./orphan": "the interpreter of its first line"} {
		_, err := l.Start(sandbox.Spec{Args: []string{name}, Dir: dir, Env: []string{"PATH=/usr/bin:/bin"}})
		require.ErrorContains(t, err, want, name)
	}
}
