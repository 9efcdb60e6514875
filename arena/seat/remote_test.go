//go:build linux

package seat_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/arena/seat"
	"github.com/fivethreefive/fivethreefive/protocol"
	"github.com/fivethreefive/fivethreefive/sdk/go/remote"
)

// abroad is a server with a remote bot, foxy, behind a link, and a place for local bots.
type abroad struct {
	*hall

	link   *link
	remote *seat.Remote
	spec   sandbox.Spec // of foxy
	log    string       // what foxy is told
	gate   string       // the file that foxy waits for in its second turn
	host   *remote.Host
}

// foxyScript answers as good does, but writes down what it reads, and waits in its second turn.
const foxyScript = `n=0; while read -r line; do
echo "$line" >> "$LOG"
case $line in
*'"type":"hello"'*) echo '{"type":"ready"}';;
*'"type":"turn"'*) n=$((n+1)); while [ $n = 2 ] && [ ! -e "$GATE" ]; do sleep 0.01; done
  turn=${line#*'"turn":'}; echo "{\"type\":\"move\",\"turn\":${turn%%,*},\"action\":0}"; echo answered >> "$LOG";;
*'"type":"quit"'*) exit;;
esac
done`

func goAbroad(t *testing.T) *abroad {
	t.Helper()
	url, dir := standalone(t), t.TempDir()
	a := &abroad{hall: openHall(t), link: openLink(t, url), log: filepath.Join(dir, "log"), gate: filepath.Join(dir, "gate")}
	a.remote = &seat.Remote{Conn: dialTo(t, url), Names: map[string]string{"foxy@remote": "foxy"}}
	a.spec = sandbox.Spec{Args: []string{"/bin/sh", "-c", foxyScript}, Env: a.env("LOG="+a.log, "GATE="+a.gate)}
	a.enterShell("good", good)
	a.connect(t, 2)
	return a
}

// connect is what a remote side does when it starts.
func (a *abroad) connect(t *testing.T, slots int) {
	t.Helper()
	program := &seat.Program{Launcher: a.seats.Launcher, Spec: a.spec}
	a.host = &remote.Host{Open: program.Open, Bot: "foxy@1", Slots: slots}
	require.NoError(t, a.host.Serve(dialTo(t, a.link.url), "foxy"))
	t.Cleanup(a.host.Close)
	require.Eventually(t, func() bool {
		_, _, err := seat.Look(t.Context(), a.remote.Conn, "foxy")
		return err == nil
	}, patience, time.Millisecond)
}

// Open implements [arena.Opener].
func (a *abroad) Open(ctx context.Context, place arena.Place) (arena.Seat, error) {
	if _, ok := a.remote.Names[place.Bot]; ok {
		return a.remote.Open(ctx, place)
	}
	return a.seats.Open(ctx, place)
}

// begin plays a game of both.
func (a *abroad) begin(t *testing.T, settings ...func(*arena.Settings)) <-chan arena.Result {
	m := match("foxy@remote", "good")
	for _, set := range settings {
		set(&m.Settings)
	}
	results := make(chan arena.Result, 1)
	go func() {
		defer close(results)
		result, err := arena.Referee{Seats: a, Version: "test"}.Play(t.Context(), m)
		if err != nil {
			t.Error(err)
			return
		}
		results <- result
	}()
	return results
}

// twice waits until that stands twice in what foxy was told and did.
func (a *abroad) twice(t *testing.T, text string) {
	t.Helper()
	require.Eventually(t, func() bool {
		log, _ := os.ReadFile(a.log)
		return strings.Count(string(log), text) >= 2
	}, patience, time.Millisecond, text)
}

func (a *abroad) open(t *testing.T) { require.NoError(t, os.WriteFile(a.gate, nil, 0o600)) }

// undisturbed is what the game comes to when nothing happens.
func undisturbed(t *testing.T) []arena.DealSet {
	h := openHall(t)
	h.enterShell("foxy@remote", good)
	h.enterShell("good", good)
	result, err := h.play(t.Context(), match("foxy@remote", "good"))
	require.NoError(t, err)
	return result.WithoutTimes().Sets
}

// TestDisturbances end with the result of a game in which nothing happened.
func TestDisturbances(t *testing.T) {
	want := undisturbed(t)
	for name, disturb := range map[string]func(t *testing.T, a *abroad){
		"nothing": func(t *testing.T, a *abroad) { a.open(t) },
		"cut while it thinks": func(t *testing.T, a *abroad) {
			a.link.cut()
			a.link.heal()
			a.open(t)
		},
		"cut while it answers": func(t *testing.T, a *abroad) {
			a.link.cut()
			a.open(t)
			a.twice(t, "answered")
			a.link.heal()
		},
		"held up while it answers": func(t *testing.T, a *abroad) {
			a.link.set(func() { a.link.frozen = true })
			a.open(t)
			a.twice(t, "answered")
			a.link.set(func() { a.link.frozen = false })
		},
		"far away": func(t *testing.T, a *abroad) {
			a.link.set(func() { a.link.delay = 5 * time.Millisecond })
			a.open(t)
		},
		"started again": func(t *testing.T, a *abroad) {
			a.host.Close()
			a.open(t)
			a.connect(t, 2)
			a.twice(t, `"type":"hello"`)
		},
		"another instance while it thinks": func(t *testing.T, a *abroad) {
			old := a.host
			a.connect(t, 2)
			old.Close()
			a.open(t)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := goAbroad(t)
			results := a.begin(t)
			a.twice(t, `"type":"turn"`)
			disturb(t, a)
			result := <-results
			require.Empty(t, result.Faults)
			require.Equal(t, want, result.WithoutTimes().Sets)
		})
	}
}

// A bot that has lost its game gets all that it was told before.
func TestBegunAnew(t *testing.T) {
	a := goAbroad(t)
	results := a.begin(t)
	a.twice(t, `"type":"turn"`)
	a.host.Close()
	before, err := os.ReadFile(a.log)
	require.NoError(t, err)
	a.open(t)
	a.connect(t, 2)
	require.Empty(t, (<-results).Faults)
	log, err := os.ReadFile(a.log)
	require.NoError(t, err)
	var told []protocol.Message
	for line := range strings.Lines(strings.TrimPrefix(string(log), string(before))) {
		if message, err := protocol.ReadArena([]byte(line)); err == nil {
			told = append(told, message)
		}
	}
	require.IsType(t, protocol.Hello{}, told[0])
	require.IsType(t, protocol.Start{}, told[1])
	again := told[2].(protocol.Turn)
	require.EqualValues(t, 2, again.Turn)
	var events protocol.Events
	for line := range strings.Lines(string(before)) {
		if message, err := protocol.ReadArena([]byte(line)); err == nil {
			if turn, ok := message.(protocol.Turn); ok {
				events = append(events, turn.Events...)
			}
		}
	}
	require.Equal(t, events, again.Events)
}

// TestRemoteFaults tells slow from gone.
func TestRemoteFaults(t *testing.T) {
	short := func(s *arena.Settings) { s.Clock.MoveMS, s.Faults.StrikeLimit = 1500, 1 }
	for name, tt := range map[string]struct {
		disturb func(t *testing.T, a *abroad)
		code    protocol.Code
		detail  string
	}{
		"thinks too long":      {func(*testing.T, *abroad) {}, protocol.Timeout, "no answer within 1.5s"},
		"cut for good":         {func(_ *testing.T, a *abroad) { a.link.cut() }, protocol.Disconnect, "longer than the grace of 1s"},
		"silent for good":      {func(_ *testing.T, a *abroad) { a.link.set(func() { a.link.frozen = true }) }, protocol.Disconnect, "longer than the grace of 1s"},
		"its owner has left":   {func(_ *testing.T, a *abroad) { a.host.Close() }, protocol.Disconnect, " 1s"},
		"its process is ended": {func(t *testing.T, a *abroad) { endBot(t, a) }, protocol.Crash, "signal: killed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := goAbroad(t)
			a.remote.Grace = time.Second
			results := a.begin(t, short)
			a.twice(t, `"type":"turn"`)
			tt.disturb(t, a)
			result := <-results
			require.Len(t, result.Faults, 1)
			require.Equal(t, tt.code, result.Faults[0].Code)
			require.Contains(t, result.Faults[0].Detail, tt.detail)
			require.Equal(t, []int{2, 1}, result.Sets[0].Games[0].Ranks)
		})
	}
}

// A remote bot that nobody connects loses its game, and nothing else happens.
func TestNeverThere(t *testing.T) {
	a := goAbroad(t)
	a.remote.Grace = time.Second
	a.host.Close()
	result := <-a.begin(t)
	require.Len(t, result.Faults, 1)
	require.Equal(t, protocol.StartFault, result.Faults[0].Code)
	require.Contains(t, result.Faults[0].Detail, "foxy was not connected, or had no slot free, for 1s")
}

// The arena's own connection may be lost as well.
func TestOwnConnection(t *testing.T) {
	want := undisturbed(t)
	a := goAbroad(t)
	own := openLink(t, a.remote.Conn.ConnectedUrl())
	a.remote.Conn = dialTo(t, own.url)
	results := a.begin(t)
	a.twice(t, `"type":"turn"`)
	own.cut()
	a.open(t)
	a.twice(t, "answered")
	own.heal()
	result := <-results
	require.Empty(t, result.Faults)
	require.Equal(t, want, result.WithoutTimes().Sets)
}

// A game that finds no slot waits for one.
func TestSlots(t *testing.T) {
	a := goAbroad(t)
	a.host.Close()
	a.connect(t, 1)
	var seats []arena.Seat
	for i := range 2 {
		opened, err := a.remote.Open(t.Context(), arena.Place{Bot: "foxy@remote", Game: "g", Seat: i})
		require.NoError(t, err)
		seats = append(seats, opened)
	}
	reply, err := seats[0].Ask(t.Context(), protocol.Hello{}, time.Minute)
	require.NoError(t, err)
	require.Empty(t, reply.Fault)
	busy, err := a.remote.Conn.RequestMsg(&nats.Msg{Subject: protocol.SeatSubject("foxy", "g", 1)}, patience)
	require.NoError(t, err)
	require.Equal(t, string(protocol.Busy), busy.Header.Get(protocol.HeaderFault))
	require.Contains(t, string(busy.Data), "all its 1 slots are taken")
	_, err = seats[0].Close(t.Context())
	require.NoError(t, err)
	reply, err = seats[1].Ask(t.Context(), protocol.Hello{}, time.Minute)
	require.NoError(t, err)
	require.Empty(t, reply.Fault)
	a.host.Leave()
	_, err = seats[1].Close(t.Context())
	require.NoError(t, err)
	a.host.Wait()
	require.Zero(t, a.host.Playing())
	require.Empty(t, marked(t, a.mark))
}

// endBot kills the processes of foxy.
func endBot(t *testing.T, a *abroad) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(t, err)
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(env), "LOG="+a.log) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		require.NoError(t, err)
		_ = syscall.Kill(pid, syscall.SIGKILL) // what it waits for ends by itself
	}
}

// request asks foxy by hand. Turn 0 is hello.
func (a *abroad) request(t *testing.T, turn int) *nats.Msg {
	t.Helper()
	msg := nats.NewMsg(protocol.SeatSubject("foxy", "g", 0))
	msg.Data = []byte(`{"type":"hello","protocol":1}`)
	if turn > 0 {
		msg.Data = fmt.Appendf(nil, `{"type":"turn","turn":%d}`, turn)
		msg.Header.Set(protocol.HeaderTurn, strconv.Itoa(turn))
	}
	msg.Header.Set(protocol.HeaderLimit, strconv.FormatInt(patience.Nanoseconds(), 10))
	reply, err := a.remote.Conn.RequestMsg(msg, patience)
	require.NoError(t, err)
	return reply
}

// TestTurnsFollow holds which turns a seat takes, and which show that something was lost.
func TestTurnsFollow(t *testing.T) {
	for name, tt := range map[string]struct {
		turns []int // -1 is start
		lost  bool  // at the last
	}{
		"all in order":              {[]int{0, -1, 1, 2}, false},
		"again":                     {[]int{0, 0, -1, 1, 1}, false},
		"begun anew":                {[]int{0, -1, 7, 8}, false},
		"no hello":                  {[]int{1}, true},
		"no start":                  {[]int{0, 1}, true},
		"a turn between":            {[]int{0, -1, 1, 3}, true},
		"one of before":             {[]int{0, -1, 2, 1}, true},
		"hello within a game":       {[]int{0, -1, 1, 0}, true},
		"and after that once again": {[]int{0, -1, 1, 0, 0}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := goAbroad(t)
			a.open(t)
			var last *nats.Msg
			seen := map[int]string{}
			for _, turn := range tt.turns {
				if turn < 0 {
					require.NoError(t, a.remote.Conn.Publish(protocol.SeatSubject("foxy", "g", 0), []byte(`{"type":"start"}`)))
					continue
				}
				last = a.request(t, turn)
				if before, again := seen[turn]; again && turn > 0 {
					require.Equal(t, before, last.Header.Get(protocol.HeaderElapsed), "the bot is not asked again")
				}
				seen[turn] = last.Header.Get(protocol.HeaderElapsed)
			}
			require.Equal(t, tt.lost, last.Header.Get(protocol.HeaderFault) == string(protocol.Lost))
			require.Equal(t, tt.lost, last.Header.Get(protocol.HeaderFault) != "")
		})
	}
}

// A game of which nothing is heard any more keeps no slot: its server may have been killed.
func TestForgotten(t *testing.T) {
	a := goAbroad(t)
	a.host.Patience = time.Millisecond
	require.Empty(t, a.request(t, 0).Header.Get(protocol.HeaderFault))
	a.host.Leave()
	a.host.Wait()
	require.Empty(t, marked(t, a.mark))
}
