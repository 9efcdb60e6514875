package access

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestReadme: the table of rights in the README is that of the code.
func TestReadme(t *testing.T) {
	var table bytes.Buffer
	table.WriteString("| subject |")
	for _, role := range Roles() {
		fmt.Fprintf(&table, " %s |", role)
	}
	table.WriteString("\n|---|" + strings.Repeat("---|", len(Roles())) + "\n")
	for _, row := range Table() {
		fmt.Fprintf(&table, "| `%s` |", row.Subject)
		for _, role := range Roles() {
			fmt.Fprintf(&table, " %s |", row.Cell(role))
		}
		table.WriteString("\n")
	}
	const file, begin, end = "../../../README.md", "go test ./arena/bus/access -update -->\n", "<!-- end of rights -->"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found)
	have, after, found := strings.Cut(rest, end)
	require.True(t, found)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(before+begin+table.String()+end+after), 0o600))
		return
	}
	require.Equal(t, table.String(), have, "the README is out of date: go test ./arena/bus/access -update")
}

// TestPermissions: what the server takes for "everything" is never given to a role that has not all.
func TestPermissions(t *testing.T) {
	for _, role := range append(Roles(), "unknown") {
		id := Identity{Role: role, Name: "name", Key: "KEY"}
		own := permissions(Rights(id), time.Minute)
		require.NotNil(t, own.Publish.Allow, role)
		require.True(t, len(own.Subscribe.Allow) > 0 || len(own.Subscribe.Deny) > 0, role)
		claims := claimed(Rights(id), time.Minute)
		require.True(t, len(claims.Pub.Allow) > 0 || len(claims.Pub.Deny) > 0, role)
		require.True(t, len(claims.Sub.Allow) > 0 || len(claims.Sub.Deny) > 0, role)
		if own.Response != nil {
			require.Equal(t, 1, own.Response.MaxMsgs)
			require.Equal(t, time.Minute, own.Response.Expires)
			require.Equal(t, 1, claims.Resp.MaxMsgs)
			require.Equal(t, time.Minute, claims.Resp.Expires)
		}
	}
}

// TestLimiter: a burst, then now and then, and a bounded memory.
func TestLimiter(t *testing.T) {
	l := limiter{every: time.Second, burst: 3}
	now := time.Unix(1000, 0)
	for range 3 {
		require.True(t, l.allow("a", now))
	}
	require.False(t, l.allow("a", now))
	require.True(t, l.allow("b", now), "each has its own")
	require.False(t, l.allow("a", now.Add(time.Second-1)))
	require.True(t, l.allow("a", now.Add(time.Second)))
	require.False(t, l.allow("a", now.Add(time.Second)))
	for i := range 3 * remembered {
		l.allow(fmt.Sprint(i), now)
	}
	require.LessOrEqual(t, len(l.until), remembered+1)
	require.False(t, l.allow("new", now), "all who are not remembered share one place")
	require.True(t, l.allow("new", now.Add(time.Minute)))
	require.LessOrEqual(t, len(l.until), 2, "and are forgotten")
}

func TestValid(t *testing.T) {
	now := time.Unix(1000, 0)
	require.NoError(t, Identity{}.Valid(now))
	require.NoError(t, Identity{Expires: now.Add(1)}.Valid(now))
	require.ErrorIs(t, Identity{Expires: now}.Valid(now), ErrExpired)
	require.ErrorIs(t, Identity{Expires: now.Add(1), Revoked: now}.Valid(now), ErrRevoked)
}

// TestCredentials: what is wrong with a file is said without what is in it.
func TestCredentials(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	readable := func(name, text string) string {
		path := write(name, text)
		require.NoError(t, os.Chmod(path, 0o644))
		return path
	}
	pair, err := nkeys.CreateUser()
	require.NoError(t, err)
	seed, err := pair.Seed()
	require.NoError(t, err)
	issuer := filepath.Join(dir, "issuer")
	made, err := Issuer(issuer)
	require.NoError(t, err)
	again, err := Issuer(issuer)
	require.NoError(t, err)
	require.Equal(t, publicOf(t, made), publicOf(t, again))
	for path, want := range map[string]string{
		filepath.Join(dir, "none"):  "no such file",
		write("empty", ""):          "that is no token",
		write("text", "hunter2"):    "that is no token",
		readable("bot.py", "x = 1"): "that is no token",
		issuer:                      "but not that of a user",
	} {
		_, err = Credentials(path)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "hunter2")
	}
	if runtime.GOOS != "windows" { // which has no such modes, and does not open folders
		_, err = Credentials(readable("shown", string(seed)))
		require.ErrorContains(t, err, "do: chmod 600")
		_, err = Credentials(dir)
		require.ErrorContains(t, err, "is a directory")
	}
	user := filepath.Join(dir, "user")
	public, err := NewCredentials(user)
	require.NoError(t, err)
	key, err := PublicKey(user)
	require.NoError(t, err)
	require.Equal(t, public, key)
	_, err = Issuer(user)
	require.ErrorContains(t, err, "but not one that issues")
}

func publicOf(t *testing.T, pair interface{ PublicKey() (string, error) }) string {
	t.Helper()
	key, err := pair.PublicKey()
	require.NoError(t, err)
	return key
}
