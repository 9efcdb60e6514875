package bus_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

func tokenBlock(dir string, number int) string {
	return filepath.Join(streamDir(dir, "KV_"+access.Bucket), "msgs", fmt.Sprint(number, ".blk"))
}

// tokensIn opens a store, and lists its tokens by their names.
func tokensIn(t *testing.T, dir string) (known map[string]access.Identity, log string) {
	t.Helper()
	known = map[string]access.Identity{}
	log = on(t, dir, func(b *bus.Bus, _ jetstream.JetStream) {
		all, err := tokens(t, b).All(t.Context())
		require.NoError(t, err)
		for _, id := range all {
			known[id.Name] = id
		}
	})
	return known, log
}

// damagedTokens makes a store in which a token was created, others came between them, and then it was revoked; and a copier of it.
func damagedTokens(t *testing.T, between int) (copied func() string) {
	t.Helper()
	dir := t.TempDir()
	on(t, dir, func(b *bus.Bus, js jetstream.JetStream) {
		all := tokens(t, b)
		for _, name := range []string{"old", "revoked"} {
			require.NoError(t, all.Add(t.Context(), access.Identity{Key: name, Role: access.Operator, Name: name}))
		}
		filler := fmt.Appendf(nil, `{"role":"bot","name":"filler","rest":%q}`, bytes.Repeat([]byte("x"), between))
		_, err := js.Publish(t.Context(), "$KV.tokens.filler", filler)
		require.NoError(t, err)
		require.NoError(t, all.Revoke(t.Context(), "revoked", time.Unix(1000, 0)))
		require.NoError(t, all.Add(t.Context(), access.Identity{Key: "new", Role: access.Worker, Name: "new"}))
	})
	return func() string {
		to := filepath.Join(t.TempDir(), "data")
		require.NoError(t, os.CopyFS(to, os.DirFS(dir)))
		return to
	}
}

const lostTokens = "it may have revoked some, so all that are older are gone: look at arena token list"

// TestMendTokens: whatever part of the tokens is damaged, one that was revoked lets nobody in again.
func TestMendTokens(t *testing.T) {
	t.Parallel()
	copied := damagedTokens(t, 10)
	known, log := tokensIn(t, copied())
	require.Len(t, known, 4)
	require.Empty(t, log)
	require.False(t, known["revoked"].Revoked.IsZero())
	data, err := os.ReadFile(tokenBlock(copied(), 1))
	require.NoError(t, err)
	require.Equal(t, 2, bytes.Count(data, []byte(`"name":"revoked"`)), "what it was before is still in the file")
	forms := bytes.LastIndex(data, []byte("$KV.tokens.revoked"))
	end := bytes.LastIndex(data, []byte("$KV.tokens.new")) - 22
	for name, how := range map[string]func([]byte) []byte{
		"its revocation":                 flipAt(forms),
		"its revocation and what erases": func(data []byte) []byte { clear(data[forms:end]); return data },
		"its creation":                   flipAt(bytes.Index(data, []byte("$KV.tokens.revoked"))),
		"what erases its creation":       flipAt(end - 10),
		"the last":                       flipAt(end + 30),
	} {
		dir := copied()
		spoil(t, tokenBlock(dir, 1), how)
		known, log := tokensIn(t, dir)
		require.Contains(t, log, lostTokens, name)
		require.NotContains(t, known, "old", "%s: it was before what was damaged", name)
		if id, ok := known["revoked"]; ok {
			require.False(t, id.Revoked.IsZero(), name)
		}
		require.Equal(t, name != "the last", known["new"].Role == access.Worker, name)
		_, log = tokensIn(t, dir)
		require.Empty(t, log, "it is told once")
	}
}

// TestMendTokensBlocks: a token that was revoked stays so where its older form is in another file.
func TestMendTokensBlocks(t *testing.T) {
	t.Parallel()
	dir := damagedTokens(t, 6<<20)() // which fills a file by itself
	data, err := os.ReadFile(tokenBlock(dir, 1))
	require.NoError(t, err)
	require.Contains(t, string(data), `"name":"revoked"`)
	require.NotContains(t, string(data), `"revoked":"`, "the revocation is in another file")
	spoil(t, tokenBlock(dir, 3), func(data []byte) []byte {
		clear(data[:bytes.Index(data, []byte("$KV.tokens.new"))-22])
		return data
	})
	known, log := tokensIn(t, dir)
	require.Contains(t, log, lostTokens)
	require.NotContains(t, known, "revoked")
	require.NotContains(t, known, "old")
	require.Contains(t, known, "new")
}

// TestMendTokensSettings: the stream of the tokens is made again where its settings are damaged, with all that is in it.
func TestMendTokensSettings(t *testing.T) {
	t.Parallel()
	dir := damagedTokens(t, 10)()
	spoil(t, filepath.Join(streamDir(dir, "KV_"+access.Bucket), "meta.inf"), flipAt(20))
	known, log := tokensIn(t, dir)
	require.Contains(t, log, "the settings of the stream of the list of tokens cannot be read")
	require.Len(t, known, 4)
	require.False(t, known["revoked"].Revoked.IsZero())
}
