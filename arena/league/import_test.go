package league_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// paced is an export that is read in small pieces. The second time, in which it is imported, it calls at with the bytes left.
type paced struct {
	*strings.Reader

	seeks int
	at    func(left int) error
}

func (p *paced) Seek(offset int64, whence int) (int64, error) {
	p.seeks++
	return p.Reader.Seek(offset, whence)
}

func (p *paced) Read(data []byte) (int, error) {
	if p.seeks > 1 {
		if err := p.at(p.Len()); err != nil {
			return 0, err
		}
	}
	return p.Reader.Read(data[:min(len(data), 400)])
}

// TestImportUnseen: nobody sees a part of an import, and nobody disturbs it.
func TestImportUnseen(t *testing.T) {
	t.Parallel()
	text := export(t, t.TempDir())
	dir := t.TempDir()
	store := openStore(t, dir)
	half, goOn, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	in := &paced{Reader: strings.NewReader(text)}
	in.at = func(left int) error {
		if left < len(text)/2 && half != nil {
			close(half)
			half = nil
			<-goOn
		}
		return nil
	}
	reached := half
	go func() {
		_, err := store.Import(t.Context(), in)
		ended <- err
	}()
	<-reached

	other := openStore(t, dir)
	end := conductAll(t, other)
	begin(t, other, "second", 3)
	require.Eventually(t, func() bool { // so it has looked at what there is
		conducted, err := other.Conducted(t.Context(), "second")
		return err == nil && conducted
	}, within, 10*time.Millisecond)
	ids, err := other.Tournaments(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"second"}, ids)
	_, err = other.Load(t.Context(), "cup")
	require.ErrorIs(t, err, league.ErrNoTournament)
	require.ErrorContains(t, err, "it is being imported")
	_, err = other.Coordinate(t.Context(), "cup", league.Coordinating{})
	require.ErrorIs(t, err, league.ErrInUse)
	_, err = other.Import(t.Context(), strings.NewReader(text))
	require.ErrorIs(t, err, league.ErrInUse)
	_, err = other.New(t.Context(), tournament(t, "cup", 3, 2))
	require.ErrorIs(t, err, league.ErrExists)
	require.ErrorContains(t, other.Do(t.Context(), "cup", league.Command{Pause: true}), "is being imported; wait for its end")

	close(goOn)
	require.NoError(t, <-ended)
	requireWhole(t, other, "cup")
	require.NoError(t, end())
}

// TestImportKilled looks at what is on the disk while an import is under way, and at what is left of one that fails: nothing that
// anybody sees, or that is in the way of the next.
func TestImportKilled(t *testing.T) {
	t.Parallel()
	text := export(t, t.TempDir())
	dir := t.TempDir()
	away := errors.New("the disk is gone")
	for _, fails := range []bool{false, true} {
		var copies []string
		stored(t, dir, func(store *league.Store) {
			next := len(text)
			_, err := store.Import(t.Context(), &paced{Reader: strings.NewReader(text), at: func(left int) error {
				if left <= next {
					next -= len(text) / 4
					copied := t.TempDir()
					copies = append(copies, copied)
					require.NoError(t, os.CopyFS(filepath.Join(copied, "tournaments", "store"), os.DirFS(filepath.Join(dir, "tournaments", "store"))))
				}
				if fails && left < len(text)/3 {
					return away
				}
				return nil
			}})
			if !fails {
				require.NoError(t, err)
				require.NoError(t, store.Remove(t.Context(), "cup"))
				return
			}
			require.ErrorIs(t, err, away)
			requireNothing(t, store)
		})
		for _, copied := range copies {
			stored(t, copied, func(store *league.Store) {
				requireNothing(t, store)
				_, err := store.Import(t.Context(), strings.NewReader(text))
				require.NoError(t, err)
				requireWhole(t, store, "cup")
			})
		}
	}
}

func requireNothing(t *testing.T, store *league.Store) {
	t.Helper()
	ids, err := store.Tournaments(t.Context())
	require.NoError(t, err)
	require.Empty(t, ids)
	_, err = store.Result(t.Context(), "cup", 1)
	require.ErrorIs(t, err, league.ErrNoResult)
	_, err = store.Events(t.Context(), "cup", func(league.Event) error { return errors.New("there is an event") })
	require.NoError(t, err)
}

// TestImportAltered: of an export that was altered and sealed again it is said that the export is wrong, and no folder.
func TestImportAltered(t *testing.T) {
	t.Parallel()
	text := export(t, t.TempDir())
	store := openStore(t, t.TempDir())
	for name, alter := range map[string]func(lines []string) []string{
		"a stage twice": func(lines []string) []string { return slices.Insert(lines, 2, lines[2]) },
		"no stage":      func(lines []string) []string { return slices.Delete(lines, 2, 3) },
	} {
		_, err := store.Import(t.Context(), strings.NewReader(sealed(alter(strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")))))
		require.ErrorIs(t, err, league.ErrExport, name)
		require.ErrorContains(t, err, "nothing was imported", name)
		require.NotContains(t, err.Error(), "folder", name)
	}
}

// sealed gives lines of an export new sums.
func sealed(lines []string) string {
	var out strings.Builder
	sum := ""
	for _, line := range lines {
		body, _, _ := strings.Cut(line, `,"sum":"`)
		digest := sha256.Sum256([]byte(sum + body + "}"))
		sum = hex.EncodeToString(digest[:])
		out.WriteString(body + `,"sum":"` + sum + "\"}\n")
	}
	return out.String()
}

// TestRestoreWithoutRoom: what is there of a log stays when what is to take its place cannot be stored.
func TestRestoreWithoutRoom(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	finished(t, dir)
	bound := func(bytes int64) {
		b, err := bus.Open(bus.Config{Dir: filepath.Join(dir, "tournaments"), Reserve: -1})
		require.NoError(t, err)
		defer b.Close()
		js := streams(t, b)
		stream, err := js.Stream(t.Context(), bus.Results)
		require.NoError(t, err)
		config := stream.CachedInfo().Config
		config.MaxBytes = bytes
		_, err = js.UpdateStream(t.Context(), config)
		require.NoError(t, err)
	}
	purgeResults(t, dir)
	bound(1)
	cutOff(bus.Events)(t, dir)

	out := &lockedBuffer{told: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-out.told
		cancel()
	}()
	b, err := bus.Open(bus.Config{Dir: filepath.Join(dir, "tournaments"), Reserve: -1})
	require.NoError(t, err)
	_, err = league.Open(ctx, b, league.Options{Dir: filepath.Join(dir, "tournaments"), Log: slog.New(slog.NewTextHandler(out, nil))})
	require.ErrorIs(t, err, context.Canceled)
	raw, err := streams(t, b).Stream(t.Context(), bus.Events)
	require.NoError(t, err)
	info, err := raw.Info(t.Context(), jetstream.WithSubjectFilter(bus.EventSubject("cup")))
	require.NoError(t, err)
	require.Greater(t, info.State.Subjects[bus.EventSubject("cup")], uint64(3), "what was not lost is there")
	b.Close()

	bound(1 << 30)
	stored(t, dir, func(store *league.Store) { requireWhole(t, store, "cup") })
}

// TestRemoveDamaged: of a log whose beginning is gone nobody can tell whether it is over.
func TestRemoveDamaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := openStore(t, dir)
	begin(t, store, "cup", 3)
	require.NoError(t, store.Do(t.Context(), "cup", league.Command{Pause: true}))
	stream, err := streams(t, openBus(t, dir)).Stream(t.Context(), bus.Events)
	require.NoError(t, err)
	first, err := stream.GetMsg(t.Context(), 1, jetstream.WithGetMsgSubject(bus.EventSubject("cup")))
	require.NoError(t, err)
	require.NoError(t, stream.DeleteMsg(t.Context(), first.Sequence))
	_, err = store.Load(t.Context(), "cup")
	require.ErrorIs(t, err, league.ErrDamaged)
	require.NoError(t, store.Remove(t.Context(), "cup"))
	requireNothing(t, store)
	_, err = store.Import(t.Context(), io.MultiReader(strings.NewReader(export(t, t.TempDir()))))
	require.NoError(t, err)
	requireWhole(t, store, "cup")
}
