package bus_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// setup makes the streams, and gives the way to them.
func setup(t *testing.T, b *bus.Bus) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(connect(t, b, "test"))
	require.NoError(t, err)
	require.NoError(t, b.Setup(t.Context(), js))
	return js
}

// store publishes with the expectation that a number of messages is there, until it is known to be stored.
func store(t *testing.T, js jetstream.JetStream, number int) {
	t.Helper()
	require.Eventually(t, func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := js.Publish(ctx, bus.EventSubject("cup"), fmt.Append(nil, number), jetstream.WithExpectLastSequence(uint64(number-1)))
		api := &jetstream.APIError{}
		return err == nil || errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence
	}, within, time.Millisecond)
}

// requireStored reads all messages back.
func requireStored(t *testing.T, js jetstream.JetStream, count int) {
	t.Helper()
	stream, err := js.Stream(t.Context(), bus.Events)
	require.NoError(t, err)
	info, err := stream.Info(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint64(count), info.State.Msgs)
	for number := 1; number <= count; number++ {
		message, err := stream.GetMsg(t.Context(), uint64(number))
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(number), string(message.Data))
	}
}

// TestShared: who opens the folder second uses the server of the first, and goes on with it when that one ends.
func TestShared(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	first, err := bus.Open(bus.Config{Dir: dir})
	require.NoError(t, err)
	second := open(t, bus.Config{Dir: dir})
	third := open(t, bus.Config{Dir: dir})
	store(t, setup(t, first), 1)
	js := setup(t, second)
	requireStored(t, js, 1)
	store(t, js, 2)
	first.Close()
	store(t, js, 3)
	other := setup(t, third)
	store(t, other, 4)
	requireStored(t, js, 4)
	second.Close()
	store(t, other, 5)
	third.Close()
	requireStored(t, setup(t, open(t, bus.Config{Dir: dir})), 5)
	require.False(t, listens(t), "nothing of it is reached over a network")
}

// TestSharedConnections: core messages go between programs as well.
func TestSharedConnections(t *testing.T) {
	dir := t.TempDir()
	first, second := open(t, bus.Config{Dir: dir}), open(t, bus.Config{Dir: dir})
	answers, asks := connect(t, first, "answers"), connect(t, second, "asks")
	_, err := answers.Subscribe("greeting", func(msg *nats.Msg) { _ = msg.Respond([]byte("hello")) })
	require.NoError(t, err)
	require.NoError(t, answers.Flush())
	reply, err := asks.Request("greeting", nil, within)
	require.NoError(t, err)
	require.Equal(t, "hello", string(reply.Data))
	answers.Close()
	require.Eventually(t, func() bool {
		_, err := asks.Request("greeting", nil, within)
		return errors.Is(err, nats.ErrNoResponders)
	}, within, time.Millisecond)
}

// TestOnlyTheOwner: the folder and the socket are for the user alone.
func TestOnlyTheOwner(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such rights")
	}
	dir := filepath.Join(t.TempDir(), "data")
	open(t, bus.Config{Dir: dir})
	for _, name := range []string{".", "sock", "lock"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, name)
	}
}

// TestLongPath: where a socket has no place, the folder is for one program at a time.
func TestLongPath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("d", 200))
	first := open(t, bus.Config{Dir: dir})
	store(t, setup(t, first), 1)
	_, err := bus.Open(bus.Config{Dir: dir, Patience: 100 * time.Millisecond})
	require.ErrorContains(t, err, "data folder "+dir+": it is in use by another arena that cannot be reached; wait for its end")
	first.Close()
	requireStored(t, setup(t, open(t, bus.Config{Dir: dir})), 1)
}

func TestNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := bus.Open(bus.Config{Dir: filepath.Join(file, "data")})
	require.ErrorContains(t, err, "data folder: ")
}

// TestKilled: what was acknowledged is there when the owner of the folder is killed, and a guest takes over.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "owner", dir)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	defer stdin.Close()
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(stdout)
	require.True(t, lines.Scan())
	require.Equal(t, "stored", lines.Text())

	guest := open(t, bus.Config{Dir: dir})
	js := setup(t, guest)
	requireStored(t, js, 10)
	store(t, js, 11)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	store(t, js, 12)
	requireStored(t, js, 12)
}

// TestMain lets the test binary be another program.
func TestMain(m *testing.M) {
	roles := map[string]func(dir string) error{
		"owner":   own,
		"hold":    hold,
		"full":    func(dir string) error { return fill(dir, -1) },
		"reserve": func(dir string) error { return fill(dir, 8<<20) },
		"bare":    bare,
	}
	if len(os.Args) != 3 || roles[os.Args[1]] == nil {
		goleak.VerifyTestMain(m)
		return
	}
	if err := roles[os.Args[1]](os.Args[2]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// own stores ten messages, and then waits to be killed.
func own(dir string) error {
	b, err := bus.Open(bus.Config{Dir: dir})
	if err != nil {
		return err
	}
	nc, err := b.Connect("own")
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
	for number := 1; number <= 10; number++ {
		if _, err = js.Publish(context.Background(), bus.EventSubject("cup"), fmt.Append(nil, number)); err != nil {
			return err
		}
	}
	fmt.Println("stored")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}
