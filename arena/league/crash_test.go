package league_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// scene is a run that is disturbed.
type scene struct {
	play play
	cfg  league.Coordinating
	send bool
}

// TestCrashPoints ends a run at each message that it sends, once before the server gets it and once after, and goes on. Every
// step of the coordinator and of the worker begins or ends with such a message. The export is that of an undisturbed run.
func TestCrashPoints(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fails := func(ctx context.Context, m arena.Match, replays league.Replays) (arena.Result, error) {
		if m.ID == "cup-2" {
			return arena.Result{}, errors.New("no such program")
		}
		return pretends(ctx, m, replays)
	}
	for name, s := range map[string]scene{
		"plain":   {play: pretends},
		"trouble": {play: fails, cfg: league.Coordinating{Attempts: 2, Strict: true, Pause: time.Millisecond}},
		"shared":  {play: pretends, cfg: league.Coordinating{Pool: "shared"}},
		"replays": {play: firsts, send: true, cfg: league.Coordinating{Replays: dir}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := impatient(standalone(t))
			_, calm := remoteStore(t, cfg)
			want, last := s.crash(t, cfg, calm, 0, false)
			require.Greater(t, last, 20)
			for point := 1; point <= last; point += stride(t, 53) {
				for _, after := range []bool{false, true} {
					got, _ := s.crash(t, cfg, calm, point, after)
					require.Equal(t, want, got, "point %d of %d, after %t", point, last, after)
				}
			}
			if s.send {
				names, err := filepath.Glob(filepath.Join(dir, "*"))
				require.NoError(t, err)
				require.Len(t, names, 6, "the replays of all games, and nothing else")
				require.Empty(t, replayObjects(t, cfg.URL))
			}
		})
	}
}

// crash plays a tournament through a proxy that is cut at a point, finishes it, and removes it.
func (s scene) crash(t *testing.T, cfg bus.Config, calm *league.Store, point int, after bool) (export string, messages int) {
	t.Helper()
	p := newProxy(t, cfg.URL)
	p.cutAt, p.after = point, after
	to := tournament(t, "cup", 3, 2)
	s.crashing(t.Context(), bus.Config{URL: p.address, AckWait: cfg.AckWait}, p.cut, to)
	_, err := calm.Begin(t.Context(), to)
	require.NoError(t, err)
	s.finish(t, calm)
	export = canonical(t, calm)
	require.NoError(t, calm.Remove(t.Context(), "cup"))
	return export, p.count
}

// finish goes on after a crash, as its next start would.
func (s scene) finish(t *testing.T, store *league.Store) {
	t.Helper()
	c := coordinate(t, store, "cup", s.cfg)
	if !load(t, store, "cup").Phase.Over() {
		require.NoError(t, c.Do(t.Context(), league.Command{Requeue: -1}))
	}
	w := worker(store, "cup", 4, pretends)
	if s.send {
		w.Play, w.Send = s.play, true
	}
	if s.cfg.Pool != "" {
		w.Pool = s.cfg.Pool
	}
	require.NoError(t, league.RunLocal(t.Context(), nil, c, w))
	require.NoError(t, c.Close())
	if !s.send {
		requireWhole(t, store, "cup")
	}
}

// TestLostConnection cuts the connection at each message that a run sends, once before the server gets it and once after. The
// run goes on by itself when it is connected again, and its export is that of an undisturbed one.
func TestLostConnection(t *testing.T) {
	t.Parallel()
	url := standalone(t)
	_, calm := remoteStore(t, bus.Config{URL: url})
	want, last := scene{play: pretends}.crash(t, bus.Config{URL: url}, calm, 0, false)
	for point := 1; point <= last; point += stride(t, 40) {
		for _, after := range []bool{false, true} {
			require.Equal(t, want, lose(t, url, calm, point, after), "point %d of %d, after %t", point, last, after)
		}
	}
}

func lose(t *testing.T, url string, calm *league.Store, point int, after bool) (export string) {
	t.Helper()
	p := newProxy(t, url)
	p.cutAt, p.after, p.heals = point, after, true
	b, err := bus.Open(bus.Config{URL: p.address})
	require.NoError(t, err)
	defer b.Close()
	store, err := league.Open(t.Context(), b, league.Options{})
	require.NoError(t, err)
	_, err = store.Begin(t.Context(), tournament(t, "cup", 3, 2))
	require.NoError(t, err)
	c, err := store.Coordinate(t.Context(), "cup", league.Coordinating{})
	require.NoError(t, err)
	require.NoError(t, league.RunLocal(t.Context(), nil, c, worker(store, "cup", 2, pretends)))
	require.NoError(t, c.Close())
	requireWhole(t, calm, "cup")
	export = canonical(t, calm)
	require.NoError(t, calm.Remove(t.Context(), "cup"))
	return export
}

// stride is how many points are left out between two, unless the environment says it.
func stride(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv("ARENA_TEST_STRIDE")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

// crashing runs until something fails, whatever that is. With the cut all ends at once: no connection comes back.
func (s scene) crashing(ctx context.Context, cfg bus.Config, cut <-chan struct{}, to league.Tournament) {
	b, err := bus.Open(cfg)
	if err != nil {
		return
	}
	defer b.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var closing sync.WaitGroup
	defer closing.Wait()
	defer cancel()
	closing.Go(func() {
		select {
		case <-cut:
			b.Close()
		case <-ctx.Done():
		}
	})
	store, err := league.Open(ctx, b, league.Options{})
	if err != nil {
		return
	}
	if _, err = store.Begin(ctx, to); err != nil {
		return
	}
	c, err := store.Coordinate(ctx, to.ID, s.cfg)
	if err != nil {
		return
	}
	w := worker(store, to.ID, 2, s.play)
	w.Send = s.send
	if s.cfg.Pool != "" {
		w.Pool = s.cfg.Pool
	}
	_ = league.RunLocal(ctx, nil, c, w)
}

// TestStopWithoutStore: whoever stops an arena whose store is out of reach does not wait for it for long.
func TestStopWithoutStore(t *testing.T) {
	t.Parallel()
	p := newProxy(t, standalone(t))
	_, store := remoteStore(t, bus.Config{URL: p.address})
	begin(t, store, "cup", 4)
	c := coordinate(t, store, "cup", league.Coordinating{})
	g := newGate()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error)
	go func() { ended <- league.RunLocal(ctx, nil, c, worker(store, "cup", 2, g.play)) }()
	g.wait(t, 2)
	p.block()
	cancel()
	select {
	case err := <-ended:
		require.Error(t, err)
	case <-time.After(time.Minute):
		require.FailNow(t, "it waits for ever")
	}
}
