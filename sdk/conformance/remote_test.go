package conformance_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// TestRemote has a bot of each language play from its own program. Whatever happens to its connection, the match comes to what it
// comes to with a bot that is here.
func TestRemote(t *testing.T) {
	for _, l := range expats() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile(filepath.Join("testdata", "remote", l.name, l.file))
			require.NoError(t, err)
			bot := l.prepare(t, source)
			a := openAbroad(t)
			want := a.playHere(t)
			first := a.start(t, bot, a.token)
			a.requireThere(t)
			require.Equal(t, want, a.play(t).WithoutTimes().Sets)

			// The connection is cut while the bot thinks, and another time while it answers.
			for _, answerFirst := range []bool{false, true} {
				results := a.begin(t)
				a.link.cut()
				if answerFirst {
					a.release(t)
					a.await(t, "asked", false)
				}
				a.link.heal()
				a.release(t)
				result := <-results
				require.Empty(t, result.Faults)
				require.Equal(t, want, result.WithoutTimes().Sets)
			}

			// A second connection takes the place of the first, knows nothing of the game, and is told all.
			results := a.begin(t)
			second := a.start(t, bot, a.token)
			require.Contains(t, first.failed(t), "the arena ends this connection: another connection with its token")
			a.release(t)
			result := <-results
			require.Empty(t, result.Faults)
			require.Equal(t, want, result.WithoutTimes().Sets)

			// What it throws costs it that game, and no other.
			a.make(t, "broken")
			result = a.play(t)
			require.Len(t, result.Faults, 1)
			require.Equal(t, protocol.Crash, result.Faults[0].Code)
			require.Contains(t, result.Faults[0].Detail, "broken on purpose")
			require.Contains(t, result.Faults[0].Stderr, l.trace)
			a.remove(t, "broken")
			require.Equal(t, want, a.play(t).WithoutTimes().Sets)

			// It ends when it is not wanted any more.
			a.remote.Grace = time.Second
			results = a.begin(t)
			a.revoke(t)
			said := second.failed(t)
			require.Contains(t, said, "the arena ends this connection: the token was revoked")
			require.Contains(t, said, l.trace, "the trace of what it threw")
			a.release(t)
			require.Equal(t, protocol.Disconnect, (<-results).Faults[0].Code)
			require.Contains(t, a.start(t, bot, a.token).failed(t), "does not let us in")

			// A token is for one bot.
			a.name = "owl"
			said = a.start(t, bot, a.newToken(t)).failed(t)
			require.Contains(t, said, "that token is not one of the bot owl")
			require.NotContains(t, said, "Connected to")
		})
	}
}

// TestRemoteReadmes plays with the second bot of each README, which is the one for that.
func TestRemoteReadmes(t *testing.T) {
	for _, l := range expats() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			readme, err := os.ReadFile(filepath.Join("..", l.name, "README.md"))
			require.NoError(t, err)
			bots := regexp.MustCompile("(?s)```"+l.name+"\n(.*?)```").FindAllSubmatch(readme, -1)
			require.Len(t, bots, 2)
			bot := l.prepare(t, bots[1][1])
			a := openAbroad(t)
			a.start(t, bot, a.token)
			a.requireThere(t)
			require.Empty(t, a.play(t).Faults)
		})
	}
}
