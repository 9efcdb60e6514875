package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moby/sys/mountinfo"
	"github.com/stretchr/testify/require"
)

// TestHome keeps a program from bringing more of the host along than what belongs to it.
func TestHome(t *testing.T) {
	t.Setenv("HOME", "/srv/me")
	for path, want := range map[string]string{
		"/bot":                           "/bot",
		"/usr/bin/python3":               "/usr/bin",
		"/usr/local/bin/python3":         "/usr/local/bin /usr/local/lib",
		"/home/u/bot":                    "/home/u/bot",
		"/home/u/bin/bot":                "/home/u/bin",
		"/home/u/.local/bin/bot":         "/home/u/.local/bin",
		"/home/u/venv/bin/python3":       "/home/u/venv/bin /home/u/venv/lib /home/u/venv/pyvenv.cfg",
		"/root/.pyenv/shims/python3":     "/root/.pyenv/shims /root/.pyenv/versions /root/.pyenv/libexec",
		"/root/.pyenv/versions/3/bin/py": "/root/.pyenv/versions/3/lib",
		"/srv/me/bot":                    "/srv/me/bot",
		"/srv/me/bin/bot":                "/srv/me/bin",
		"/srv/me/games/foxy/target/foxy": "/srv/me/games/foxy/target",
		"/opt/node/bin/node":             "/opt/node/bin /opt/node/lib",
	} {
		got := home(path)
		require.Subset(t, got, strings.Fields(want), path)
		if !strings.Contains(want, " ") && !strings.HasSuffix(want, "lib") {
			require.Equal(t, []string{want}, got, path)
		}
		require.NotContains(t, got, filepath.Dir(filepath.Dir(path)), path)
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
		require.Equal(t, []string{filepath.Dir(path)}, home(path))
	}
	_, err := workDir(filepath.Join(top, "users"))
	require.ErrorContains(t, err, "a bot may not see all")
}

// TestHidings finds every name under which something hidden would show.
func TestHidings(t *testing.T) {
	top := t.TempDir()
	in := func(name string) string { return filepath.Join(top, name) }
	for _, dir := range []string{"real/data/deep", "twin", "bot/mounted", "bot/part", "other"} {
		require.NoError(t, os.MkdirAll(in(dir), 0o755))
	}
	require.NoError(t, os.Symlink("real", in("link")))
	const disk, second = 8, 9
	mounts := []*mountinfo.Info{
		{Major: disk, Root: "/", Mountpoint: "/"},
		{Major: second, Root: "/", Mountpoint: in("other")},
		{Major: disk, Root: in("real"), Mountpoint: in("twin")},
		{Major: disk, Root: in("real/data"), Mountpoint: in("bot/mounted")},
		{Major: disk, Root: in("real/data/deep"), Mountpoint: in("bot/part")},
		{Major: second, Root: in("real/data"), Mountpoint: in("bot/stranger")},
	}
	for _, tt := range []struct {
		name  string
		views []string
		want  []string
	}{
		{"nowhere", []string{"/usr", in("other")}, nil},
		{"as it is and by a link", []string{in("link"), in("real")}, []string{in("link/data"), in("real/data")}},
		{"by a mount of what is round it", []string{in("twin")}, []string{in("twin/data")}},
		{"by mounts of it and of a part", []string{in("bot")}, []string{in("bot/mounted"), in("bot/part")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			names, failure := hidingsBy(mounts, tt.views, in("other"), []string{in("real/data")})
			require.NoError(t, failure)
			require.Equal(t, tt.want, names)
		})
	}
	_, err := hidings(nil, "/bot", []string{in("missing")})
	require.ErrorContains(t, err, "make it first")
	for _, dir := range []string{"real/data/bot", "twin/data", "bot/mounted"} {
		_, err = hidingsBy(mounts, nil, in(dir), []string{in("real/data")})
		require.ErrorContains(t, err, "which no bot may see; put it elsewhere")
	}
}
