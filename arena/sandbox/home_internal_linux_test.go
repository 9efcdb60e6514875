package sandbox

import (
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
