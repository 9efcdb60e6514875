package desk

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/registry/pack"
)

func code(t *testing.T, err error) string {
	t.Helper()
	told := (*failure)(nil)
	require.ErrorAs(t, err, &told)
	return told.code
}

// room is a place for uploads, with a clock that the test sets.
func room(t *testing.T) (u *uploads, now *time.Time) {
	t.Helper()
	now = new(time.Unix(1000, 0))
	u = newUploads(t.TempDir(), func() time.Time { return *now })
	t.Cleanup(func() {
		u.close()
		left, err := os.ReadDir(u.dir)
		require.NoError(t, err)
		require.Empty(t, left)
	})
	return u, now
}

func begins(t *testing.T, u *uploads, author string, size int64) string {
	t.Helper()
	id, err := u.begin(author, size)
	require.NoError(t, err)
	return id
}

// TestUpload: parts are taken in their order, once, from their author alone, and are what was sent.
func TestUpload(t *testing.T) {
	u, _ := room(t)
	id := begins(t, u, "ann", 10)
	sum := sha256.Sum256([]byte("0123456789"))
	digest := hex.EncodeToString(sum[:])
	require.NoError(t, u.part("ann", id, 0, []byte("0123")))
	require.NoError(t, u.part("ann", id, 0, []byte("0123")), "its answer was lost")
	require.NoError(t, u.part("ann", id, 2, []byte("2345")))
	for want, err := range map[string]error{
		"another author":  u.part("bob", id, 6, []byte("6")),
		"another upload":  u.part("ann", "other", 6, []byte("6")),
		"a path":          u.part("ann", "../"+id, 6, []byte("6")),
		"bob may not end": func() error { _, err := u.finish("bob", id, digest); return err }(),
		"nor give it up":  u.forget("bob", id),
	} {
		require.Equal(t, codeGone, code(t, err), want)
	}
	for want, err := range map[string]error{
		"a gap":          u.part("ann", id, 7, []byte("7")),
		"too much":       u.part("ann", id, 6, []byte("67890")),
		"before it":      u.part("ann", id, -1, []byte("x")),
		"the far future": u.part("ann", id, 1<<62, []byte("x")),
	} {
		require.Equal(t, codeWrong, code(t, err), want)
	}
	require.NoError(t, u.part("ann", id, 6, []byte("6789")))
	for range 2 { // the answer may be lost
		done, err := u.finish("ann", id, digest)
		require.NoError(t, err)
		require.Nil(t, done)
	}
	require.Equal(t, codeWrong, code(t, u.part("ann", id, 0, []byte("x"))), "it does not change any more")
	ended := false
	first, up := u.next(func() { ended = true })
	require.Equal(t, id, first)
	text, err := io.ReadAll(up.file)
	require.NoError(t, err)
	require.Equal(t, "0123456789", string(text))
	_, up = u.next(nil)
	require.Nil(t, up, "it is checked once")
	u.settle(id, outcome{receipt: Receipt{Known: true}})
	for range 2 { // the answer may be lost
		done, failed := u.finish("ann", id, digest)
		require.NoError(t, failed)
		require.True(t, done.receipt.Known)
	}
	require.NoError(t, u.forget("ann", id))
	require.True(t, ended)
	require.Empty(t, u.all)
	for name, digest := range map[string]string{"not whole": hex.EncodeToString(sha256.New().Sum(nil)), "another digest": digest} {
		id = begins(t, u, "ann", 10)
		if name == "another digest" {
			require.NoError(t, u.part("ann", id, 0, []byte("9876543210")))
		}
		_, err = u.finish("ann", id, digest)
		require.Equal(t, codeWrong, code(t, err), name)
		require.Empty(t, u.all, name)
	}
}

// TestUploadBounds: no author takes the place of others, all together have not more than there is, and what is abandoned goes.
func TestUploadBounds(t *testing.T) {
	u, now := room(t)
	for size, want := range map[int64]string{0: codeWrong, -1: codeWrong, pack.MaxPacked + 1: codeLarge} {
		_, err := u.begin("ann", size)
		require.Equal(t, want, code(t, err), size)
	}
	begins(t, u, "ann", pack.MaxPacked)
	kept := begins(t, u, "ann", 1)
	_, err := u.begin("ann", 1)
	require.Equal(t, codeLater, code(t, err))
	waiting := begins(t, u, "bob", 1)
	require.NoError(t, u.part("bob", waiting, 0, []byte("x")))
	sum := sha256.Sum256([]byte("x"))
	_, err = u.finish("bob", waiting, hex.EncodeToString(sum[:]))
	require.NoError(t, err)
	ended := false
	first, _ := u.next(func() { ended = true })
	require.Equal(t, waiting, first)
	for n := len(u.all); n < mostUploads; n++ {
		begins(t, u, fmt.Sprint("author", n), 1)
	}
	_, err = u.begin("cid", 1)
	require.Equal(t, codeLater, code(t, err))

	*now = now.Add(abandonedAfter)
	require.NoError(t, u.part("ann", kept, 0, []byte("x")))
	*now = now.Add(1)
	begins(t, u, "cid", 1)
	require.Len(t, u.all, 2, "one had a part, and one is new")
	require.NotNil(t, u.all[kept])
	require.True(t, ended, "nobody asks about it any more")
	u.close()
	_, err = u.begin("dan", 1)
	require.Equal(t, codeGone, code(t, err))
	require.Equal(t, codeGone, code(t, u.part("ann", kept, 0, []byte("x"))))
}

// TestGivenUpWaitsNot: whoever has given up holds nobody up, and those that wait keep their order.
func TestGivenUpWaitsNot(t *testing.T) {
	u, _ := room(t)
	sum := sha256.Sum256([]byte("x"))
	whole := func(author string) string {
		id := begins(t, u, author, 1)
		require.NoError(t, u.part(author, id, 0, []byte("x")))
		_, err := u.finish(author, id, hex.EncodeToString(sum[:]))
		require.NoError(t, err)
		return id
	}
	one := whole("ann")
	for range 100 * mostUploads {
		require.NoError(t, u.forget("eve", whole("eve")))
	}
	two := whole("bob")
	for _, want := range []string{one, two, ""} {
		id, _ := u.next(nil)
		require.Equal(t, want, id)
	}
}
