package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// chaosKills is how often the chaos test kills, unless ARENA_TEST_CHAOS says otherwise.
const chaosKills = 15

// TestChaos plays a tournament by four processes: one that runs the server and conducts, one that stands by, and two
// workers, of which one comes through the listener. It kills one of them with no warning again and again, each time
// when some more events are in the log, and starts it again. What the tournament comes to has to be what it comes to in
// one process that nobody kills, byte for byte.
func TestChaos(t *testing.T) {
	kills := chaosKills
	if text := os.Getenv("ARENA_TEST_CHAOS"); text != "" {
		var err error
		kills, err = strconv.Atoi(text)
		require.NoError(t, err, "ARENA_TEST_CHAOS is the number of kills")
	}
	seed := uint64(1)
	if text := os.Getenv("ARENA_TEST_CHAOS_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	const most = 3 // events between two kills
	dir, alone, data := t.TempDir(), t.TempDir(), t.TempDir()
	for action, name := range []string{"first", "second", "third", "fourth"} {
		writeBot(t, dir, name, action%2)
	}
	const perCycle = 6 // matches between four bots
	cycles := (kills*most + 2*perCycle) / perCycle
	file := filepath.Join(dir, "cup.toml")
	text := fmt.Sprintf("bots = [\"first\", \"second\", \"third\", \"fourth\"]\nplayers = 2\ncycles = %d\nseed = %d\nmove_ms = 60000\nstartup_ms = 60000\noptions = {target = 0}\n",
		cycles, seed)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	builtSucceed(t, "tournament", "run", file, "--data", alone, "-q", "--unsafe-no-sandbox", "--no-replays")
	want := whole(t, alone, "cup")

	address := freeAddress(t)
	commands := [][]string{
		plain("serve", "--data", data, "--slots", "1", "--listen", address, "-q"),
		plain("serve", "--data", data, "--slots", "0", "--listen", address, "-q"),
		plain("worker", "--data", data, "--slots", "1", "--name", "near"),
		plain("worker", "--nats", "nats://"+address, "--creds", tokenFile(t, data, "--worker"), "--slots", "1", "--name", "far"),
	}
	names := []string{"the server that plays", "the server that plays not", "the worker in the folder", "the worker at the listener"}
	programs := make([]*program, len(commands))
	programs[0] = launchCommand(t, built(t, commands[0]...))
	programs[0].says(t, "With a token")
	succeed(t, "tournament", "new", file, "--data", data)
	events := follow(t, data, "cup")
	for i := 1; i < len(commands); i++ {
		programs[i] = launchCommand(t, built(t, commands[i]...))
	}
	succeed(t, "tournament", "start", "cup", "--data", data)

	random := rand.New(rand.NewPCG(seed, 0))
	var waits []time.Duration
	for range kills {
		for range 1 + random.IntN(most) {
			require.NoError(t, await(events, isPlayed))
		}
		time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond) // not only just behind an event
		victim := random.IntN(len(programs))
		programs[victim].kill()
		for len(events) > 0 { // those that were in the log before
			<-events
		}
		began := time.Now()
		programs[victim] = launchCommand(t, built(t, commands[victim]...))
		require.NoError(t, await(events, isPlayed))
		waits = append(waits, time.Since(began))
		t.Logf("killed %s: the next event after %v", names[victim], waits[len(waits)-1].Round(time.Millisecond))
	}
	require.NoError(t, await(events, func(e league.Event) bool { return e.Finished != nil }))
	require.Equal(t, want, whole(t, data, "cup"))
	requireOnce(t, data, "cup")
	var sum, longest time.Duration
	for _, wait := range waits {
		sum += wait
		longest = max(longest, wait)
	}
	t.Logf("%d kills; from a new start to the next event: %v on average, %v at most", kills, sum/time.Duration(kills), longest)
}
