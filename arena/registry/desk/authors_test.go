//go:build linux

package desk_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/registry/desk"
)

// TestAuthors: a name is its first author's, whatever a bot.toml says, and those who may do everything may add to it.
func TestAuthors(t *testing.T) {
	o := open(t)
	o.Author = func(_ context.Context, key string) (string, error) {
		name, ok := map[string]string{"KEY1": "ann", "KEY2": "bob", "KEY3": "ann", "KEY4": ""}[key]
		if !ok {
			return "", fmt.Errorf("%w: it was revoked", desk.ErrAuthor)
		}
		return name, nil
	}
	for i, s := range []struct{ key, refusal string }{
		{key: "KEY5", refusal: "you may not submit any more: it was revoked"},
		{key: "KEY1"},
		{key: "KEY2", refusal: "bot foxy: that name belongs to another author here; take another name"},
		{key: "KEY3"}, // another token of Ann's
		{key: "KEY4"},
		{key: desk.Owner},
	} {
		receipt, err := o.Submit(t.Context(), s.key, foxy(t, fmt.Sprint(i), ""), nil)
		require.NoError(t, err)
		require.Equal(t, s.refusal, receipt.Refusal, s.key)
		require.Equal(t, s.refusal == "", receipt.Report.Passed, s.key)
	}
	require.Equal(t, "ann", find(t, o, "1").Submitter)
}

// TestRevokedMeanwhile: who loses the right during the check gets no bot in.
func TestRevokedMeanwhile(t *testing.T) {
	o := open(t)
	asked := 0
	o.Author = func(context.Context, string) (string, error) {
		if asked++; asked > 1 {
			return "", desk.ErrAuthor
		}
		return "ann", nil
	}
	receipt, err := o.Submit(t.Context(), "KEY", foxy(t, "1", ""), nil)
	require.NoError(t, err)
	require.Equal(t, desk.ErrAuthor.Error(), receipt.Refusal)
	require.Empty(t, o.objects(t))
}

// TestGivenUp: a check ends with the wish for it, and keeps nobody waiting.
func TestGivenUp(t *testing.T) {
	o := open(t)
	closed := o.serve(t)
	hanging := packed(t, map[string]string{"bot.toml": manifest("1") + "build = [\"sleep\", \"1000\"]\n", "bot.sh": script}).Bytes()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := desk.Sender{Conn: o.nc, Told: func(p desk.Progress) {
		if p.Sent == p.Size {
			cancel()
		}
	}}.Send(ctx, bytes.NewReader(hanging), int64(len(hanging)))
	require.ErrorIs(t, err, context.Canceled)
	receipt, err := o.send(t, foxy(t, "2", "").Bytes(), nil)
	require.NoError(t, err)
	require.True(t, receipt.Report.Passed)

	_, err = o.send(t, hanging, func(p desk.Progress) {
		if p.Sent == p.Size {
			closed()
		}
	})
	require.ErrorContains(t, err, "submit again")
}
