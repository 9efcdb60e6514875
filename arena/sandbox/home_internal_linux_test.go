package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHome keeps a program from bringing more of the host along than what belongs to it.
func TestHome(t *testing.T) {
	t.Setenv("HOME", "/srv/me")
	for path, want := range map[string]string{
		"/bot":                           "/bot",
		"/usr/bin/python3":               "/usr/bin",
		"/usr/local/bin/python3":         "/usr/local",
		"/home/u/bot":                    "/home/u/bot",
		"/home/u/bin/bot":                "/home/u/bin",
		"/home/u/.local/bin/bot":         "/home/u/.local/bin",
		"/home/u/venv/bin/python3":       "/home/u/venv",
		"/root/.pyenv/shims/python3":     "/root/.pyenv",
		"/root/.pyenv/versions/3/bin/py": "/root/.pyenv/versions/3",
		"/srv/me/bot":                    "/srv/me/bot",
		"/srv/me/bin/bot":                "/srv/me/bin",
		"/srv/me/games/foxy/target/foxy": "/srv/me/games/foxy/target",
		"/opt/node/bin/node":             "/opt/node",
	} {
		require.Equal(t, want, home(path), path)
	}
}

// TestHomeBehindLink is the same with a home whose usual name is a link, as on a network file system.
func TestHomeBehindLink(t *testing.T) {
	top := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(top, "users/me/bin"), 0o755))
	link := filepath.Join(top, "me")
	require.NoError(t, os.Symlink("users/me", link))
	t.Setenv("HOME", link)
	for _, path := range []string{filepath.Join(link, "bin/bot"), filepath.Join(top, "users/me/bin/bot")} {
		require.Equal(t, filepath.Dir(path), home(path))
	}
	_, err := workDir(filepath.Join(top, "users"))
	require.ErrorContains(t, err, "a bot may not see all")
}

// TestHidings finds every name under which something hidden would show.
func TestHidings(t *testing.T) {
	top := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(top, "real/data"), 0o755))
	link := filepath.Join(top, "link")
	require.NoError(t, os.Symlink("real", link))
	data := filepath.Join(top, "real/data")
	names, err := hidings([]string{"/usr", link, filepath.Join(top, "real")}, "/bot", []string{data})
	require.NoError(t, err)
	require.Equal(t, []string{data, filepath.Join(link, "data")}, names)
	_, err = hidings(nil, filepath.Join(data, "bot"), []string{data})
	require.ErrorContains(t, err, "which no bot may see; put it elsewhere")
}
