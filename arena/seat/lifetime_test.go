//go:build linux

package seat_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/protocol"
)

const patience = time.Minute // for what happens at once, on a machine that has other things to do

// replayFile counts what becomes of a replay.
type replayFile struct {
	aborted, closed int
}

func (f *replayFile) Write(b []byte) (int, error) { return len(b), nil }

func (f *replayFile) Abort() { f.aborted++ }

func (f *replayFile) Close() error {
	f.closed++
	return nil
}

func TestCancel(t *testing.T) {
	for _, tt := range []struct{ name, role, until string }{
		{"in a turn", "silent", `"type":"turn"`},
		{"before ready", "unready", `"type":"hello"`},
		{"with a bot that stays", "mule", `"type":"turn"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := openHall(t)
			log := h.enter(t, "bad", tt.role)
			h.enterShell("good", good)
			h.enterShell("well", good)
			ctx, cancel := context.WithCancel(t.Context())
			var replay replayFile
			var played int
			done := make(chan error)
			go func() {
				_, err := arena.Referee{
					Seats:   h.seats,
					Replays: func(protocol.Header) (arena.ReplayFile, error) { return &replay, nil },
					Played:  func(arena.Game) { played++ },
				}.Play(ctx, match("good", "bad", "well"))
				done <- err
			}()
			require.Eventually(t, func() bool {
				told, _ := os.ReadFile(log)
				return strings.Contains(string(told), tt.until)
			}, patience, time.Millisecond)
			cancel()
			assert.ErrorIs(t, <-done, context.Canceled)
			assert.Equal(t, &replayFile{aborted: 1, closed: 1}, &replay)
			assert.Zero(t, played)
			assert.Empty(t, marked(t, h.mark), "left behind")
			assert.Zero(t, h.hosts.NumSubscriptions())
		})
	}
}

func TestGamesLeaveNothing(t *testing.T) {
	h := openHall(t)
	h.enterShell("good", good)
	h.enterShell("dies", `read -r hello; echo '{"type":"ready"}'; read -r start; read -r turn; exit 1`)
	referee := arena.Referee{Seats: h.seats, Parallel: 4}
	m := match("good", "dies")
	play := func(games int) {
		m.DealSets = games
		result, err := referee.Play(t.Context(), m)
		require.NoError(t, err)
		assert.Len(t, result.Sets, games)
		for _, set := range result.Sets {
			assert.Equal(t, []int{1, 2}, set.Games[0].Ranks)
		}
	}
	play(4)
	files := openFiles(t)
	goroutines := goleak.IgnoreCurrent()
	play(100)
	assert.NoError(t, goleak.Find(goroutines))
	assert.Equal(t, files, openFiles(t))
	assert.Zero(t, h.hosts.NumSubscriptions())
	assert.Equal(t, 1, h.seats.Referee.NumSubscriptions(), "the one for all replies")
	assert.Empty(t, marked(t, h.mark))
}
