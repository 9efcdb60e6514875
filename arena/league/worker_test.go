package league_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// impatient is a configuration in which a silent worker is soon given up.
func impatient(url string) bus.Config { return bus.Config{URL: url, AckWait: 300 * time.Millisecond} }

// conduct runs a coordinator for workers elsewhere.
func conduct(t *testing.T, c *league.Coordinator) (ended chan error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended = make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	t.Cleanup(cancel)
	return ended
}

func work(ctx context.Context, w *league.Worker, stop <-chan struct{}) chan error {
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx, stop) }()
	return ended
}

// TestPool: workers of a pool play the matches of all its tournaments, and leave those of others alone.
func TestPool(t *testing.T) {
	t.Parallel()
	url := standalone(t)
	_, store := remoteStore(t, bus.Config{URL: url})
	var conducting []chan error
	for id, pool := range map[string]string{"cup": "shared", "plate": "shared", "bowl": "own"} {
		begin(t, store, id, 5)
		ended := conduct(t, coordinate(t, store, id, league.Coordinating{Pool: pool}))
		if pool == "shared" {
			conducting = append(conducting, ended)
		}
	}
	stop := make(chan struct{})
	var working []chan error
	for range 3 {
		_, own := remoteStore(t, bus.Config{URL: url})
		working = append(working, work(t.Context(), worker(own, "shared", 2, pretends), stop))
	}
	for _, ended := range conducting {
		require.NoError(t, <-ended)
	}
	close(stop)
	for _, ended := range working {
		require.NoError(t, <-ended)
	}
	requireWhole(t, store, "cup")
	requireWhole(t, store, "plate")
	require.Zero(t, load(t, store, "bowl").Played())
}

// TestWorkerDies: the match of a worker that is heard of no more is given to another one, and the log says so.
func TestWorkerDies(t *testing.T) {
	t.Parallel()
	url := standalone(t)
	_, store := remoteStore(t, impatient(url))
	begin(t, store, "cup", 3)
	c := coordinate(t, store, "cup", league.Coordinating{Pool: "p"})
	conducted := conduct(t, c)
	dying, own := remoteStore(t, impatient(url))
	g := newGate()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	died := work(ctx, worker(own, "p", 1, g.play), nil)
	g.wait(t, 1)
	dying.Close()

	stop, open := make(chan struct{}), make(chan struct{})
	heir := func(ctx context.Context, m arena.Match, replays league.Replays) (arena.Result, error) {
		<-open
		return pretends(ctx, m, replays)
	}
	working := work(t.Context(), worker(store, "p", 3, heir), stop)
	require.Eventually(t, func() bool { return len(load(t, store, "cup").Failures(1)) == 1 }, within, time.Millisecond)
	require.Contains(t, load(t, store, "cup").Failures(1)[0].Cause, "its worker was not heard of for 300ms")
	close(open)
	require.NoError(t, <-conducted)
	close(stop)
	require.NoError(t, <-working)
	requireWhole(t, store, "cup")
	cancel()
	require.Error(t, <-died)
}

// TestKiller: a match that ends every worker is given up after a while.
func TestKiller(t *testing.T) {
	t.Parallel()
	url := standalone(t)
	_, store := remoteStore(t, impatient(url))
	begin(t, store, "cup", 2)
	c := coordinate(t, store, "cup", league.Coordinating{Pool: "p", Lost: 2, Strict: true})
	conducted := conduct(t, c)
	for range 3 {
		victim, own := remoteStore(t, impatient(url))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		g := newGate()
		died := work(ctx, worker(own, "p", 1, g.play), nil)
		select {
		case <-g.begun:
		case err := <-conducted:
			var dead league.DeadError
			require.ErrorAs(t, err, &dead)
			require.Len(t, load(t, store, "cup").Failures(1), 2)
			return
		}
		victim.Close()
		cancel()
		<-died
	}
	require.ErrorContains(t, <-conducted, "match 1: its worker was not heard of")
}

// TestSlowIsNotDead: a worker that plays longer than the patience of the queue keeps its match.
func TestSlowIsNotDead(t *testing.T) {
	t.Parallel()
	url := standalone(t)
	_, store := remoteStore(t, bus.Config{URL: url, AckWait: 2 * time.Second}) // longer than this machine ever pauses
	begin(t, store, "cup", 2)
	c := coordinate(t, store, "cup", league.Coordinating{Pool: "p"})
	conducted := conduct(t, c)
	var played atomic.Int64
	slow := func(ctx context.Context, m arena.Match, replays league.Replays) (arena.Result, error) {
		played.Add(1)
		select {
		case <-time.After(5 * time.Second):
		case <-ctx.Done():
		}
		return pretends(ctx, m, replays)
	}
	stop := make(chan struct{})
	one, two := work(t.Context(), worker(store, "p", 1, slow), stop), work(t.Context(), worker(store, "p", 1, slow), stop)
	require.NoError(t, <-conducted)
	close(stop)
	require.NoError(t, <-one)
	require.NoError(t, <-two)
	require.Equal(t, int64(1), played.Load())
	requireWhole(t, store, "cup")
}

// TestTwoResults: a worker that was cut off plays on, and comes back with a result for a match that another one has played
// meanwhile.
func TestTwoResults(t *testing.T) {
	t.Parallel()
	url := standalone(t)
	_, store := remoteStore(t, impatient(url))
	begin(t, store, "cup", 2)
	c := coordinate(t, store, "cup", league.Coordinating{Pool: "p"})
	conducted := conduct(t, c)
	p := newProxy(t, url)
	_, own := remoteStore(t, impatient(p.address))
	g := newGate()
	stop := make(chan struct{})
	odd := func(ctx context.Context, m arena.Match, replays league.Replays) (arena.Result, error) {
		result, err := g.play(ctx, m, replays)
		result.Faults = []arena.Fault{{Bot: "it can be told from the other"}}
		return result, err
	}
	late := work(t.Context(), worker(own, "p", 1, odd), stop)
	g.wait(t, 1)
	p.block()
	quick := work(t.Context(), worker(store, "p", 1, pretends), stop)
	require.NoError(t, <-conducted)
	p.heal()
	close(g.open)
	close(stop)
	require.NoError(t, <-late)
	require.NoError(t, <-quick)
	requireWhole(t, store, "cup")
}

// TestLeave: a worker that is to leave finishes its match; one whose context ends hands it back at once, which is no failure.
func TestLeave(t *testing.T) {
	t.Parallel()
	url := standalone(t)
	_, store := remoteStore(t, bus.Config{URL: url}) // patient: what is not handed back would be missed for long
	begin(t, store, "cup", 3)
	c := coordinate(t, store, "cup", league.Coordinating{Pool: "p"})
	conducted := conduct(t, c)
	for _, polite := range []bool{true, false} {
		g := newGate()
		ctx, cancel := context.WithCancel(t.Context())
		stop := make(chan struct{})
		ended := work(ctx, worker(store, "p", 1, g.play), stop)
		g.wait(t, 1)
		if polite {
			close(stop)
			close(g.open)
			require.NoError(t, <-ended)
		} else {
			cancel()
			require.ErrorIs(t, <-ended, context.Canceled)
		}
		cancel()
	}
	require.Eventually(t, func() bool { return load(t, store, "cup").Played() == 1 }, within, time.Millisecond)
	stop := make(chan struct{})
	ended := work(t.Context(), worker(store, "p", 1, pretends), stop)
	require.NoError(t, <-conducted)
	close(stop)
	require.NoError(t, <-ended)
	requireWhole(t, store, "cup")
	_, err := store.Events(t.Context(), "cup", func(e league.Event) error {
		require.Nil(t, e.Failed)
		return nil
	})
	require.NoError(t, err)
}

// TestWrongResult: what is not a result of its match is thrown away, and the match is played again.
func TestWrongResult(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	begin(t, store, "cup", 4)
	c := coordinate(t, store, "cup", league.Coordinating{Pause: time.Millisecond})
	var tried sync.Map
	wrong := func(_ context.Context, m arena.Match, _ league.Replays) (arena.Result, error) {
		result := resultOf(m)
		if _, again := tried.LoadOrStore(m.ID, true); again {
			return result, nil
		}
		game := &result.Sets[0].Games[1]
		switch m.ID {
		case "cup-1":
			result.Seed[0]++
		case "cup-2":
			game.Order = []int{0, 9}
		case "cup-3":
			game.Scores[0] = -1
		default:
			game.ID = "../" + game.ID
		}
		return result, nil
	}
	require.NoError(t, league.RunLocal(t.Context(), nil, c, worker(store, "cup", 2, wrong)))
	requireWhole(t, store, "cup")
	causes := map[int]string{}
	_, err := store.Events(t.Context(), "cup", func(e league.Event) error {
		if e.Failed != nil {
			causes[e.Failed.Match] = e.Failed.Cause
		}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, "its result is that of another match", causes[1])
	require.Equal(t, "game cup-2-1-2 is damaged", causes[2])
	require.Equal(t, "game cup-3-1-2 is damaged", causes[3])
	require.Equal(t, "game cup-4-1-2 is damaged", causes[4])
}

// TestDiskFullForReplays: no room for a replay is no failure of the match.
func TestDiskFullForReplays(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	begin(t, store, "cup", 2)
	c := coordinate(t, store, "cup", league.Coordinating{Attempts: 1, Strict: true})
	var tried atomic.Int64
	full := func(ctx context.Context, m arena.Match, replays league.Replays) (arena.Result, error) {
		if tried.Add(1) == 1 {
			return arena.Result{}, fmt.Errorf("replay: %w", &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC})
		}
		return pretends(ctx, m, replays)
	}
	require.NoError(t, league.RunLocal(t.Context(), nil, c, worker(store, "cup", 1, full)))
	require.Equal(t, int64(2), tried.Load())
	requireWhole(t, store, "cup")
}

// TestSend: replays that workers send arrive as the files that they would write, and nothing is kept twice.
func TestSend(t *testing.T) {
	t.Parallel()
	url := standalone(t)
	_, store := remoteStore(t, bus.Config{URL: url})
	dir := t.TempDir()
	local := func(ctx context.Context, m arena.Match, _ league.Replays) (arena.Result, error) {
		return firsts(ctx, m, arena.ReplayDir(filepath.Join(dir, "local")).Create)
	}
	for id, run := range map[string]play{"sent": firsts, "own": local} {
		to := tournament(t, id, 3, 3)
		to.Seed = [32]byte{1}
		_, err := store.Begin(t.Context(), to)
		require.NoError(t, err)
		w := worker(store, id, 2, run)
		w.Send = id == "sent"
		c := coordinate(t, store, id, league.Coordinating{Replays: filepath.Join(dir, "sent")})
		require.NoError(t, league.RunLocal(t.Context(), nil, c, w))
	}
	names, err := filepath.Glob(filepath.Join(dir, "sent", "*"))
	require.NoError(t, err)
	require.Len(t, names, 6)
	for _, name := range names {
		sent, err := os.Open(name)
		require.NoError(t, err)
		defer sent.Close()
		got, err := arena.VerifyReplay(sent)
		require.NoError(t, err)
		own, err := os.Open(filepath.Join(dir, "local", strings.Replace(filepath.Base(name), "sent-", "own-", 1)))
		require.NoError(t, err)
		defer own.Close()
		want, err := arena.VerifyReplay(own)
		require.NoError(t, err)
		require.Equal(t, want.Lines, got.Lines)
		require.Equal(t, want.Header.Seed, got.Header.Seed)
	}
	objects := replayObjects(t, url)
	require.Empty(t, objects)
}

// TestSendKept: without a folder the store is where replays are kept.
func TestSendKept(t *testing.T) {
	t.Parallel()
	url := standalone(t)
	_, store := remoteStore(t, bus.Config{URL: url})
	begin(t, store, "cup", 3)
	w := worker(store, "cup", 1, firsts)
	w.Send = true
	require.NoError(t, league.RunLocal(t.Context(), nil, coordinate(t, store, "cup", league.Coordinating{}), w))
	require.Len(t, replayObjects(t, url), 3)
}

func replayObjects(t *testing.T, url string) (names []string) {
	t.Helper()
	b, err := bus.Open(bus.Config{URL: url})
	require.NoError(t, err)
	defer b.Close()
	stream, err := streams(t, b).Stream(t.Context(), bus.Replays)
	require.NoError(t, err)
	info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter(">"))
	require.NoError(t, err)
	return slices.Collect(maps.Keys(info.State.Subjects))
}

// TestFull: a full stream refuses what is new, says so, and play goes on when there is room.
func TestFull(t *testing.T) {
	t.Parallel()
	for name, sizes := range map[string]bus.Sizes{
		"results": {bus.Results: 8 << 10}, "events": {bus.Events: 8 << 10}, "jobs": {bus.Jobs: 4 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "tournaments")
			out := &lockedBuffer{told: make(chan struct{})}
			log := slog.New(slog.NewTextHandler(out, nil))
			b, err := bus.Open(bus.Config{Dir: dir, Sizes: sizes, Reserve: -1})
			require.NoError(t, err)
			defer b.Close()
			store, err := league.Open(t.Context(), b, league.Options{Log: log})
			require.NoError(t, err)
			begin(t, store, "cup", 9)
			c := coordinate(t, store, "cup", league.Coordinating{})
			ended := make(chan error)
			go func() { ended <- league.RunLocal(t.Context(), nil, c, worker(store, "cup", 2, pretends)) }()
			select {
			case <-out.told:
			case err = <-ended:
				require.NoError(t, err)
				require.Equal(t, "jobs", name, "the queue empties by itself")
				requireWhole(t, store, "cup")
				return
			case <-time.After(within):
				require.FailNow(t, "nothing was said")
			}
			require.Contains(t, string(out.Bytes()), "a stream is full: allow it more bytes by serve --store-size, or remove tournaments")
			sizes[bus.Results], sizes[bus.Events] = 1<<20, 1<<20
			roomy, err := bus.Open(bus.Config{Dir: dir, Sizes: sizes, Reserve: -1})
			require.NoError(t, err)
			defer roomy.Close()
			require.NoError(t, roomy.Setup(t.Context(), streams(t, roomy)))
			require.NoError(t, <-ended)
			requireWhole(t, store, "cup")
		})
	}
}

// lockedBuffer closes told when a stream is full.
type lockedBuffer struct {
	mu   sync.Mutex
	b    bytes.Buffer
	told chan struct{}
	once sync.Once
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if bytes.Contains(p, []byte("a stream is full")) {
		l.once.Do(func() { close(l.told) })
	}
	return l.b.Write(p)
}

func (l *lockedBuffer) Bytes() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.b.Bytes())
}
