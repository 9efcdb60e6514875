package bus_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// removed is the sequence of a message that was stored and removed.
const removed = 2

// kept is a message as it is stored.
type kept struct {
	seq     uint64
	subject string
	header  string
	data    string
}

// on runs something with a store that is open, and gives what was logged.
func on(t *testing.T, dir string, run func(b *bus.Bus, js jetstream.JetStream)) string {
	t.Helper()
	var log bytes.Buffer
	b, err := bus.Open(bus.Config{Dir: dir, Reserve: -1, Log: slog.New(slog.NewTextHandler(&log, nil))})
	require.NoError(t, err)
	defer b.Close()
	nc, err := b.Connect("test")
	require.NoError(t, err)
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	require.NoError(t, b.Setup(t.Context(), js))
	run(b, js)
	b.Close()
	return log.String()
}

// write stores messages of several tournaments, and removes some of them.
func write(t *testing.T, js jetstream.JetStream, count, size int) {
	t.Helper()
	for n := range count {
		m := &nats.Msg{Subject: bus.EventSubject(fmt.Sprint("cup", n%3)), Header: nats.Header{}}
		m.Header.Set("Number", fmt.Sprint(n))
		m.Data = bytes.Repeat(fmt.Appendf(nil, "%09d ", n), size/10)
		_, err := js.PublishMsg(t.Context(), m)
		require.NoError(t, err)
		_, err = js.Publish(t.Context(), bus.ResultSubject("cup", n), m.Data)
		require.NoError(t, err)
		_, err = js.Publish(t.Context(), bus.JobSubject("MAIN", "cup", n), m.Data)
		require.NoError(t, err)
	}
	stream, err := js.Stream(t.Context(), bus.Events)
	require.NoError(t, err)
	require.NoError(t, stream.DeleteMsg(t.Context(), removed))
}

// read gives all messages of a stream.
func read(t *testing.T, js jetstream.JetStream, name string) (all []kept) {
	t.Helper()
	stream, err := js.Stream(t.Context(), name)
	require.NoError(t, err)
	info, err := stream.Info(t.Context())
	require.NoError(t, err)
	for seq := max(1, info.State.FirstSeq); seq <= info.State.LastSeq; seq++ {
		m, err := stream.GetMsg(t.Context(), seq)
		if err != nil {
			require.ErrorIs(t, err, jetstream.ErrMsgNotFound)
			continue
		}
		all = append(all, kept{seq: seq, subject: m.Subject, header: fmt.Sprint(m.Header), data: string(m.Data)})
	}
	require.Len(t, all, int(info.State.Msgs), "no message is counted that cannot be read")
	return all
}

func streamDir(dir, stream string) string {
	return filepath.Join(dir, "store", "jetstream", "ARENA", "streams", stream)
}

func blocksOf(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(streamDir(dir, bus.Events), "msgs", "*.blk"))
	require.NoError(t, err)
	return files
}

// spoil damages a file in some way.
func spoil(t *testing.T, path string, how func([]byte) []byte) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	data = how(data)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return data
}

func flipAt(at int) func([]byte) []byte {
	return func(data []byte) []byte {
		data[at%len(data)] ^= 16
		return data
	}
}

// damaged makes a store that was closed in order, and a copier of it.
func damaged(t *testing.T, count, size int) (want map[string][]kept, copied func() string) {
	t.Helper()
	dir := t.TempDir()
	want = map[string][]kept{}
	on(t, dir, func(_ *bus.Bus, js jetstream.JetStream) {
		write(t, js, count, size)
		for _, name := range []string{bus.Events, bus.Results, bus.Jobs} {
			want[name] = read(t, js, name)
		}
	})
	return want, func() string {
		to := filepath.Join(t.TempDir(), "data")
		require.NoError(t, os.CopyFS(to, os.DirFS(dir)))
		return to
	}
}

// without gives the messages that are missing, and requires that the others are as they were.
func without(t *testing.T, want, got []kept) (missing []kept) {
	t.Helper()
	got = slices.DeleteFunc(got, func(m kept) bool { return m.seq == removed && m.subject == bus.EventSubject("cup1") }) // what says that it was may be what was damaged
	for _, message := range want {
		if len(got) > 0 && got[0] == message {
			got = got[1:]
		} else {
			missing = append(missing, message)
		}
	}
	require.Empty(t, got, "nothing comes that was not there")
	return missing
}

// TestMend: whatever byte of the messages is damaged, at most one message is lost; all others stay under their sequences, and
// the log of the one takes new events. The file as it was is kept.
func TestMend(t *testing.T) {
	t.Parallel()
	const count = 6
	want, copied := damaged(t, count, 200)
	size := len(spoil(t, blocksOf(t, copied())[0], func(data []byte) []byte { return data }))
	for at := 0; at < size; at += 157 {
		for _, unclean := range []bool{false, true} {
			dir := copied()
			path := blocksOf(t, dir)[0]
			spoilt := spoil(t, path, flipAt(at))
			if unclean {
				require.NoError(t, os.Remove(filepath.Join(dir, "closed")))
				require.NoError(t, os.Remove(filepath.Join(filepath.Dir(path), "index.db")))
			}
			log := on(t, dir, func(b *bus.Bus, js jetstream.JetStream) {
				require.NotNil(t, b.Damage(), "at %d", at)
				require.Equal(t, []string{bus.Events}, b.Damage().Streams)
				original, err := os.ReadFile(filepath.Join(dir, b.Damage().Kept, bus.Events, "1.blk"))
				require.NoError(t, err)
				require.Equal(t, spoilt, original)
				missing := without(t, want[bus.Events], read(t, js, bus.Events))
				require.LessOrEqual(t, len(missing), 1, "at %d", at)
				require.Empty(t, without(t, want[bus.Results], read(t, js, bus.Results)))
				require.NoError(t, b.Settled())
			})
			require.Equal(t, 1, strings.Count(log, "a part of the logs of tournaments cannot be read; all the rest is as it was"), log)
			require.Equal(t, unclean, strings.Contains(log, "was not closed in order"), log)
			require.Empty(t, on(t, dir, func(b *bus.Bus, _ jetstream.JetStream) { require.Nil(t, b.Damage()) }), "it is told once")
		}
	}
}

// TestMendHeaderLength: the sum of a record says nothing of the length of its headers, and the server takes any that fits.
func TestMendHeaderLength(t *testing.T) {
	t.Parallel()
	want, copied := damaged(t, 4, 100)
	for _, bit := range []int{0, 5, 31} {
		dir := copied()
		spoil(t, blocksOf(t, dir)[0], func(data []byte) []byte {
			subject := bus.EventSubject("cup0")
			data[bytes.Index(data, []byte(subject))+len(subject)+bit/8] ^= 1 << (bit % 8)
			return data
		})
		on(t, dir, func(b *bus.Bus, js jetstream.JetStream) {
			require.NotNil(t, b.Damage(), "bit %d", bit)
			require.Len(t, without(t, want[bus.Events], read(t, js, bus.Events)), 1, "bit %d", bit)
		})
	}
}

// TestMendLong: the long streams are not read after a clean end, unless there is damage in another one.
func TestMendLong(t *testing.T) {
	t.Parallel()
	_, copied := damaged(t, 4, 100)
	for _, streams := range [][]string{{bus.Results}, {bus.Events, bus.Results}} {
		dir := copied()
		for _, stream := range streams {
			spoil(t, filepath.Join(streamDir(dir, stream), "msgs", "1.blk"), flipAt(60))
		}
		on(t, dir, func(b *bus.Bus, _ jetstream.JetStream) {
			if len(streams) == 1 {
				require.Nil(t, b.Damage())
				return
			}
			require.NotNil(t, b.Damage())
			require.Equal(t, streams, b.Damage().Streams)
		})
	}
}

// TestMendBlocks: a damaged or missing part of one file costs nothing that is in the others.
func TestMendBlocks(t *testing.T) {
	t.Parallel()
	want, copied := damaged(t, 100, 120_000)
	require.Greater(t, len(blocksOf(t, copied())), 1)
	for name, how := range map[string]func([]byte) []byte{
		"cut":   func(data []byte) []byte { return data[:len(data)-100] },
		"zeros": func(data []byte) []byte { clear(data[1000:200_000]); return data },
		"start": flipAt(2),
		"empty": func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := copied()
			spoil(t, blocksOf(t, dir)[0], how)
			on(t, dir, func(_ *bus.Bus, js jetstream.JetStream) {
				missing := without(t, want[bus.Events], read(t, js, bus.Events))
				require.NotEmpty(t, missing)
				if name != "empty" {
					require.LessOrEqual(t, len(missing), 3)
				}
				_, err := js.Publish(t.Context(), bus.EventSubject("new"), nil, jetstream.WithExpectLastSequencePerSubject(0))
				require.NoError(t, err)
			})
		})
	}
}

// TestMendSettings: what describes a stream or a consumer is made again.
func TestMendSettings(t *testing.T) {
	t.Parallel()
	want, copied := damaged(t, 5, 100)
	cut := func(data []byte) []byte { return data[:len(data)/2] }
	none := func([]byte) []byte { return nil }
	for _, stream := range []string{bus.Events, bus.Results, bus.Jobs} {
		for _, file := range []string{"meta.inf", "meta.sum"} {
			for name, how := range map[string]func([]byte) []byte{"flipped": flipAt(20), "cut": cut, "none": none} {
				dir := copied()
				spoil(t, filepath.Join(streamDir(dir, stream), file), how)
				log := on(t, dir, func(b *bus.Bus, js jetstream.JetStream) {
					require.Nil(t, b.Damage())
					for _, other := range []string{bus.Events, bus.Results, bus.Jobs} {
						if got := read(t, js, other); stream == bus.Jobs && other == bus.Jobs {
							require.Empty(t, got)
						} else {
							require.Equal(t, want[other], got, "%s of %s %s", file, stream, name)
						}
					}
				})
				require.Contains(t, log, "made again, and nothing is lost")
				require.NotContains(t, log, "NATS server", "the server has nothing to say")
			}
		}
	}
}

// TestMendConsumer: workers get their matches again when the list of who has what is damaged.
func TestMendConsumer(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"meta.inf", "meta.sum", "o.dat"} {
		dir := t.TempDir()
		next := func(b *bus.Bus, js jetstream.JetStream) {
			consumer, err := js.CreateOrUpdateConsumer(t.Context(), bus.Jobs, b.WorkersConsumer("MAIN"))
			require.NoError(t, err)
			m, err := consumer.Next()
			require.NoError(t, err)
			require.NoError(t, m.Nak())
		}
		on(t, dir, func(b *bus.Bus, js jetstream.JetStream) {
			write(t, js, 3, 100)
			next(b, js)
		})
		spoil(t, filepath.Join(streamDir(dir, bus.Jobs), "obs", "workers-MAIN", file), flipAt(3))
		log := on(t, dir, next)
		require.NotContains(t, log, "offline")
	}
}

// TestMendKilled kills the program at moments of the mending. The next one finishes it.
func TestMendKilled(t *testing.T) {
	t.Parallel()
	want, copied := damaged(t, 100, 120_000)
	for name, reached := range map[string]func(dir string) bool{
		"noted":   func(dir string) bool { return there(dir, "damage.json*") },
		"copying": func(dir string) bool { return there(dir, "damaged-*", bus.Events, "*") },
		"copied":  func(dir string) bool { return there(dir, "damaged-*", bus.Events, "1.blk") },
		"index":   func(dir string) bool { return !there(streamDir(dir, bus.Events), "msgs", "index.db") },
		"writing": func(dir string) bool { return there(streamDir(dir, bus.Events), "msgs", ".1.blk.writing") },
		"opened":  func(dir string) bool { return there(dir, "sock") },
	} {
		dir := copied()
		spoil(t, blocksOf(t, dir)[0], flipAt(5_000_000))
		child := exec.Command(os.Args[0], "hold", dir)
		stdin, err := child.StdinPipe()
		require.NoError(t, err)
		require.NoError(t, child.Start())
		require.NoError(t, until(time.Minute, func() bool { return reached(dir) || there(dir, "sock") }))
		require.NoError(t, child.Process.Kill())
		_ = child.Wait()
		_ = stdin.Close()
		on(t, dir, func(b *bus.Bus, js jetstream.JetStream) {
			require.NotNil(t, b.Damage(), name)
			require.Len(t, without(t, want[bus.Events], read(t, js, bus.Events)), 1, name)
			_, err := os.Stat(filepath.Join(dir, b.Damage().Kept, bus.Events, "1.blk"))
			require.NoError(t, err, name)
			require.False(t, there(streamDir(dir, bus.Events), "msgs", ".1.blk.writing"), name)
		})
	}
}

func there(parts ...string) bool {
	found, err := filepath.Glob(filepath.Join(parts...))
	return err == nil && len(found) > 0
}

// hold opens a store, and waits to be killed.
func hold(dir string) error {
	b, err := bus.Open(bus.Config{Dir: dir, Reserve: -1})
	if err != nil {
		return err
	}
	defer b.Close()
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}
