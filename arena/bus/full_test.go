package bus_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// TestDiskFull fills a small disk of its own, in a program of its own: with a reserve, nothing fails; without one, the server
// comes back. Nothing that was acknowledged is lost. A store that lacks streams, and was not closed in order, can be read.
func TestDiskFull(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a small disk is made by parts of Linux")
	}
	unshare, err := exec.LookPath("unshare")
	require.NoError(t, err, "it is part of util-linux")
	for _, role := range []string{"full", "reserve", "bare"} {
		dir := t.TempDir()
		cmd := exec.Command(unshare, "--user", "--map-root-user", "--mount", "sh", "-c",
			"mount -t tmpfs -o size=32m none "+dir+" && exec "+os.Args[0]+" "+role+" "+dir)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", role, out)
		require.Contains(t, string(out), "all is there")
	}
}

const piece = 64 << 10

// fill is the program of the test.
func fill(dir string, reserve int64) error {
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 12<<20), 0o600); err != nil {
		return err
	}
	var log bytes.Buffer
	cfg := bus.Config{Dir: filepath.Join(dir, "data"), Reserve: reserve, Log: slog.New(slog.NewTextHandler(&log, nil))}
	if err := withStreams(cfg, func(f *filler) error { return f.overflow(ballast, reserve) }); err != nil {
		return err
	}
	if !bytes.Contains(log.Bytes(), []byte("make room, and play goes on by itself")) || !bytes.Contains(log.Bytes(), []byte(dir)) {
		return errors.New(log.String())
	}
	fmt.Println("all is there")
	return nil
}

// overflow stores until there is no room, makes some, and looks whether all goes on.
func (f *filler) overflow(ballast string, reserve int64) (err error) {
	var failed error
	for failed == nil && !f.ill() && f.stored < 1000 {
		failed = f.publish(64)
		if reserve > 0 {
			_ = until(2*time.Second, f.ill) // it is looked at every second
		}
	}
	if f.stored >= 1000 || (failed != nil) != (reserve < 0) {
		return fmt.Errorf("%d stored, then %w", f.stored, failed)
	}
	if err = until(time.Minute, f.ill); err != nil {
		return err
	}
	fmt.Println(f.stored, "stored:", f.bus.Health(), "-", failed)
	if err = os.Remove(ballast); err != nil {
		return err
	}
	if err = until(time.Minute, func() bool { return f.bus.Health() == nil }); err != nil {
		return err
	}
	if err = until(time.Minute, func() bool { return f.publish(1) == nil }); err != nil {
		return err
	}
	return f.check()
}

func until(long time.Duration, holds func() bool) error {
	for deadline := time.Now().Add(long); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			return errors.New("it takes too long")
		}
	}
	return nil
}

// filler counts what is acknowledged.
type filler struct {
	bus    *bus.Bus
	js     jetstream.JetStream
	stored int
}

func (f *filler) ill() bool { return f.bus.Health() != nil }

// publish stores some messages, until one is not acknowledged or the bus says that nothing should be begun.
func (f *filler) publish(count int) error {
	for range count {
		if f.ill() {
			return nil
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		_, err := f.js.Publish(ctx, bus.EventSubject("cup"), make([]byte, piece))
		cancel()
		if err != nil {
			return err
		}
		f.stored++
	}
	return nil
}

func (f *filler) check() error {
	stream, err := f.js.Stream(context.Background(), bus.Events)
	if err != nil {
		return err
	}
	if n := stream.CachedInfo().State.Msgs; n < uint64(f.stored) {
		return fmt.Errorf("%d messages are there, %d were acknowledged", n, f.stored)
	}
	return nil
}

// bare is the program of the test in which the power failed before all streams were made, and the disk is full.
func bare(dir string) error {
	data := filepath.Join(dir, "data")
	cfg := bus.Config{Dir: data, Reserve: 8 << 20}
	const stored = 10
	if err := withStreams(cfg, func(f *filler) error { return f.publish(stored) }); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(data, "closed")); err != nil {
		return err
	}
	for _, stream := range []string{bus.Replays, "KV_" + bus.Bots, "OBJ_" + bus.Packages} {
		if err := os.RemoveAll(streamDir(data, stream)); err != nil {
			return err
		}
	}
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 64<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("the disk does not fill up: %w", err)
	}
	return withStreams(cfg, func(f *filler) error {
		f.stored = stored
		replays := func() error {
			_, err := f.bus.ReplayStore(context.Background(), f.js)
			return err
		}
		if !f.ill() || replays() == nil {
			return errors.New("the disk is not full")
		}
		if err := f.check(); err != nil {
			return err
		}
		if err := os.Remove(ballast); err != nil {
			return err
		}
		if err := until(time.Minute, func() bool { return !f.ill() && replays() == nil }); err != nil {
			return err
		}
		fmt.Println("all is there")
		return f.publish(1)
	})
}

// withStreams runs something with a store, which is closed behind it.
func withStreams(cfg bus.Config, run func(f *filler) error) error {
	b, err := bus.Open(cfg)
	if err != nil {
		return err
	}
	defer b.Close()
	nc, err := b.Connect("fill")
	if err != nil {
		return err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	if err = b.Setup(context.Background(), js); err != nil {
		return err
	}
	return run(&filler{bus: b, js: js})
}
