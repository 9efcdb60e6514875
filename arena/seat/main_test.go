//go:build linux

package seat_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/arena/seat"
	"github.com/fivethreefive/fivethreefive/engine"
)

// The test binary is also the programs that the tests start: its environment says which.
const (
	roleEnv = "SEAT_TEST_ROLE"
	logEnv  = "SEAT_TEST_LOG"  // where a rogue writes down what it is told
	markEnv = "SEAT_TEST_MARK" // by which a test finds its processes
)

func TestMain(m *testing.M) {
	if name, ok := os.LookupEnv(roleEnv); ok {
		play(name)
		os.Exit(0)
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // else every process of ours takes a second to end
	_ = flag.Set("test.parallel", "8")       // most of our tests only wait
	goleak.VerifyTestMain(m)
}

// play is the life of a process that a test has started.
func play(role string) {
	switch role {
	case "warden":
		if err := sandbox.Warden(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
	case "fast":
		fast()
	case "arena":
		playForEver()
	default:
		rogues[role](newRogue())
	}
}

// hall is all that games need: a bus, a launcher and the programs of the bots.
type hall struct {
	seats *seat.Local
	hosts *nats.Conn
	mark  string // of all processes of its bots
}

var halls atomic.Int64

func openHall(tb testing.TB) *hall {
	tb.Helper()
	h := &hall{mark: fmt.Sprintf("%d.%d.", os.Getpid(), halls.Add(1))}
	b, err := bus.Open(bus.Config{})
	require.NoError(tb, err)
	tb.Cleanup(b.Close)
	launcher, err := sandbox.New(sandbox.Config{})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, launcher.Close()) })
	referee := connect(tb, b, "referee")
	h.hosts = connect(tb, b, "hosts")
	h.seats = &seat.Local{Referee: referee, Hosts: h.hosts, Launcher: launcher, Programs: map[string]sandbox.Spec{}}
	return h
}

func connect(tb testing.TB, b *bus.Bus, name string) *nats.Conn {
	tb.Helper()
	nc, err := b.Connect(name)
	require.NoError(tb, err)
	tb.Cleanup(nc.Close)
	return nc
}

// enter adds a bot of one of our roles; it returns the file with what the bot is told.
func (h *hall) enter(tb testing.TB, bot, role string) (log string) {
	tb.Helper()
	log = filepath.Join(tb.TempDir(), "told")
	h.seats.Programs[bot] = sandbox.Spec{Args: []string{os.Args[0]}, Env: h.env(roleEnv+"="+role, logEnv+"="+log)}
	return log
}

// enterShell adds a bot that is a script.
func (h *hall) enterShell(bot, script string) {
	h.seats.Programs[bot] = sandbox.Spec{Args: []string{"/bin/sh", "-c", script}, Env: h.env()}
}

func (h *hall) env(more ...string) []string {
	return append(more, "PATH="+os.Getenv("PATH"), "GORACE="+os.Getenv("GORACE"), markEnv+"="+h.mark)
}

// good answers every turn with the first legal action.
const good = `while read -r line; do
case $line in
*'"type":"hello"'*) echo '{"type":"ready"}';;
*'"type":"turn"'*) turn=${line#*'"turn":'}; echo "{\"type\":\"move\",\"turn\":${turn%%,*},\"action\":0}";;
*'"type":"quit"'*) exit;;
esac
done`

// match is one game of one round, in which every seat is asked whenever it is its turn.
func match(bots ...string) arena.Match {
	rules, err := engine.NewRules(engine.Rulebook, len(bots))
	if err != nil {
		panic(err)
	}
	rules.Target = 0
	m := arena.Match{Settings: arena.DefaultSettings(rules), ID: "m", Bots: bots, Orders: [][]int{nil}}
	for i := range bots {
		m.Orders[0] = append(m.Orders[0], i)
	}
	m.AskForced = true
	m.Clock.MoveMS = 60_000
	m.Limits.StartupMS = 60_000
	return m
}

func (h *hall) play(ctx context.Context, m arena.Match) (arena.Result, error) {
	return arena.Referee{Seats: h.seats, Version: "test"}.Play(ctx, m)
}

// marked lists the processes whose environment has the mark.
func marked(tb testing.TB, mark string) (commands []string) {
	tb.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(tb, err)
	for _, file := range files {
		if env, err := os.ReadFile(file); err == nil && strings.Contains(string(env), markEnv+"="+mark) {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			commands = append(commands, filepath.Base(filepath.Dir(file))+" "+strings.ReplaceAll(string(command), "\x00", " "))
		}
	}
	return commands
}

// openFiles counts the descriptors of this process.
func openFiles(tb testing.TB) int {
	tb.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	require.NoError(tb, err)
	return len(files)
}
