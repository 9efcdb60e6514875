//go:build linux

package seat_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/arena/seat"
)

// playForEver is an arena with bots of several kinds at tables that never end, and with no care for signals.
func playForEver() {
	b, err := bus.Open(bus.Config{})
	if err != nil {
		panic(err)
	}
	launcher, err := sandbox.New(sandbox.Config{Warden: []string{"/usr/bin/env", roleEnv + "=warden", os.Args[0]}})
	if err != nil {
		panic(err)
	}
	referee, err := b.Connect("referee")
	if err != nil {
		panic(err)
	}
	hosts, err := b.Connect("hosts")
	if err != nil {
		panic(err)
	}
	h := &hall{mark: os.Getenv(markEnv)}
	h.seats = &seat.Local{Referee: referee, Hosts: hosts, Launcher: launcher, Programs: map[string]sandbox.Spec{}}
	for _, role := range []string{"mule", "nest", "silent"} {
		h.seats.Programs[role] = sandbox.Spec{Args: []string{os.Args[0]}, Env: h.env(roleEnv+"="+role, logEnv+"=/dev/null")}
	}
	h.enterShell("shell", `sleep 3600 & `+good)
	_, err = h.play(context.Background(), match("shell", "nest", "mule", "silent"))
	fmt.Fprintln(os.Stderr, "the game has ended:", err)
}

func TestKilledArena(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			mark := fmt.Sprintf("%d.arena%d.", os.Getpid(), signal)
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), roleEnv+"=arena", markEnv+"="+mark)
			cmd.Stderr = os.Stderr
			require.NoError(t, cmd.Start())
			// The arena, its warden, four bots, the child of the shell, and the two of the nest.
			const all = 2 + 4 + 1 + 2
			assert.Eventually(t, func() bool { return len(marked(t, mark)) >= all }, patience, 10*time.Millisecond)
			require.NoError(t, cmd.Process.Signal(signal))
			assert.Error(t, cmd.Wait())
			assert.Eventually(t, func() bool { return len(marked(t, mark)) == 0 }, patience, 10*time.Millisecond)
		})
	}
}
