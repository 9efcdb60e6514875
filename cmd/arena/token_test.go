package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

// tokenFile makes a token in a data folder, and gives the file of its key.
func tokenFile(t *testing.T, data string, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token.nkey")
	succeed(t, append([]string{"token", "create", "--data", data, "--out", file}, args...)...)
	return file
}

// TestToken makes tokens, shows and revokes them.
func TestToken(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	file := filepath.Join(dir, "foxy.nkey")
	out := succeed(t, "token", "create", "--bot", "foxy", "--expires", "24h", "--out", file, "--data", data)
	require.Contains(t, out, "bot foxy may connect with the key U")
	require.Contains(t, out, "The secret is in "+file)
	secret, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(secret), "-----BEGIN USER NKEY SEED-----\nSU")
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077)

	theirs := filepath.Join(dir, "theirs.nkey")
	key := succeed(t, "token", "key", theirs)
	key = key[:len(key)-1]
	out = succeed(t, "token", "create", "--worker", "--name", "far", "--key", key, "--data", data)
	require.Equal(t, "worker far may connect with the key "+key+".\n", out)

	var list struct {
		Tokens []struct {
			access.Identity

			Key, State string
		}
	}
	look := func() {
		require.NoError(t, json.Unmarshal([]byte(succeed(t, "token", "list", "--data", data, "--json")), &list))
		require.Len(t, list.Tokens, 2)
	}
	look()
	require.Equal(t, []string{"far", "valid"}, []string{list.Tokens[0].Name, list.Tokens[0].State})
	require.Equal(t, access.Bot, list.Tokens[1].Role)
	require.False(t, list.Tokens[1].Expires.IsZero())
	require.Contains(t, succeed(t, "token", "revoke", "far", "--data", data), "worker far may connect no more")
	look()
	require.Equal(t, "revoked", list.Tokens[0].State)
	require.Contains(t, succeed(t, "token", "revoke", list.Tokens[1].Key[:10], "--data", data), "bot foxy may connect no more")
	require.Contains(t, succeed(t, "token", "list", "--data", data), "revoked")

	for args, want := range map[string]outcome{
		"":                            {code: exitUsage, errOut: "whom is it for? give one of --operator, --worker, --author, --bot, --spectator"},
		"--worker --author":           {code: exitUsage, errOut: "--worker and --author: a token has one role"},
		"--bot a --name b":            {code: exitUsage, errOut: "listed under the name of the bot"},
		"--bot *.>":                   {code: exitUsage, errOut: "use 1 to 32 letters, digits"},
		"--worker --expires -1h":      {code: exitUsage, errOut: "it would be over already"},
		"--worker --key x":            {code: exitUsage, errOut: "that is no public key of a user"},
		"--worker --key SUX":          {code: exitUsage, errOut: "that is a secret key, which should be shown to nobody"},
		"--worker --key " + key:       {code: exitError, errOut: "has a token already"},
		"--worker -o " + file:         {code: exitError, errOut: file + " is there already, and is not overwritten"},
		"--worker -o x --key " + key:  {code: exitUsage, errOut: "whoever has that key has its file already"},
		"--worker -o " + dir + "/n/k": {code: exitError, errOut: "no such file or directory"},
	} {
		o := arenaRun(t, append([]string{"token", "create", "--data", data}, strings.Fields(args)...)...)
		require.Equal(t, want.code, o.code, args)
		require.Contains(t, o.errOut, want.errOut, args)
	}
	require.Equal(t, exitNotFound, arenaRun(t, "token", "revoke", "far", "--data", data).code)
	require.Equal(t, exitError, arenaRun(t, "token", "key", theirs).code)
}

// TestTokenOfAnotherRole: what a token does not allow ends the command at once, and is said.
func TestTokenOfAnotherRole(t *testing.T) {
	data := t.TempDir()
	b, err := bus.Open(bus.Config{Dir: filepath.Join(data, "tournaments"), Listen: "127.0.0.1:0"})
	require.NoError(t, err)
	defer b.Close()
	author, spectator := tokenFile(t, data, "--author"), tokenFile(t, data, "--spectator")
	for _, tt := range []struct{ file, command string }{
		{author, "tournament list"}, {author, "worker"}, {author, "token list"}, {spectator, "bot list"}, {spectator, "remote list foxy"},
	} {
		o := arenaRun(t, append(strings.Fields(tt.command), "--nats", b.URL(), "--creds", tt.file)...)
		require.Equal(t, exitError, o.code, tt.command)
		require.Contains(t, o.errOut, "arena: the token of "+tt.file+" does not allow that", tt.command)
	}
}
