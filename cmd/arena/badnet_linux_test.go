package main

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// TestBadNetwork has leagues of local bots and of bots that are behind bad wires, all at the same time.
func TestBadNetwork(t *testing.T) {
	gone := goAbroad(t, badness{})
	loseFox(t, gone)
	noisy := goAbroad(t, badness{lose: 0.2, hold: 0.1, double: 0.1, jitter: 4 * time.Millisecond})
	noisy.start(t)
	cut := goAbroad(t, badness{})
	cutTwice(t, cut)

	alone := t.TempDir()
	builtSucceed(t, "tournament", "run", writeLeague(t, t.TempDir(), "fox", "owl"), "--data", alone, "-q", "--unsafe-no-sandbox", "--no-replays")
	want := placeless(t, alone)
	cut.finish(t)
	require.Equal(t, want, placeless(t, cut.data))
	noisy.finish(t)
	require.Equal(t, want, placeless(t, noisy.data))
	for name, w := range noisy.wires {
		for _, count := range w.counted() {
			require.Positive(t, min(count.lost, count.overtaken, count.doubled), "%s: %+v", name, count)
		}
	}
	gone.finish(t)
	requireFoxLost(t, results(t, want), results(t, placeless(t, gone.data)))
	require.NotContains(t, gone.remotes["owl"].errOut.String(), "is lost")
}

// cutTwice cuts both wires, and heals them within the grace. Each game stands at that moment: fox owes answers, and owl none, since
// its opponents are held. Then all go on, as far as they can. The first cut is noticed by the arena, but is so short that the
// connections may outlive it. After the second, in other games, they are made again.
func cutTwice(t *testing.T, a *abroad) {
	t.Helper()
	first, second := a.holdButOwl(t, "1.2"), a.holdButOwl(t, "2.2")
	a.start(t)
	a.held(t, "*", "1.2", 6)
	a.become(badness{cut: true})
	first()
	for range 2 { // the seats have begun to look for them as well, or do so soon
		require.Regexp(t, `fox +not connected\s+owl +not connected`, succeed(t, "remote", "list", "fox", "owl", "--data", a.data))
	}
	a.become(badness{})
	a.held(t, "*", "2.2", 6)
	a.become(badness{cut: true})
	second()
	for _, remote := range a.remotes {
		remote.says(t, "(nats: stale connection); trying again")
	}
	a.become(badness{})
	for _, remote := range a.remotes {
		remote.says(t, "Connected to tls://192.0.2.1:4222 again.")
	}
	for _, w := range a.wires {
		for _, count := range w.counted() {
			require.Positive(t, count.lost)
		}
	}
}

// loseFox cuts the wire of fox for good while it owes a move in the second game of a match, and is asked in those of the two others
// whether it is ready.
func loseFox(t *testing.T, a *abroad) {
	t.Helper()
	early := a.hold(t, "fox", "1.2")
	a.start(t)
	a.held(t, "fox", "1.2", 3)
	ready, late := a.hold(t, "fox", "hello"), a.hold(t, "fox", "2.2")
	early.release()
	a.held(t, "fox", "hello", 3)
	ready.pass(t)
	a.held(t, "fox", "2.2", 1)
	a.wires["fox"].become(badness{cut: true})
	late.release()
	ready.release()
}

// requireFoxLost requires that fox has lost those games, and that nothing else is not as it should be.
func requireFoxLost(t *testing.T, calm, disturbed map[int]arena.Result) {
	t.Helper()
	codes := map[protocol.Code]int{}
	for number, got := range disturbed {
		want := calm[number]
		if slices.Contains(got.Bots, "fox@1") {
			require.Len(t, got.Faults, 1)
			card := got.Faults[0]
			require.Equal(t, []string{"fox@1", got.Sets[0].Games[1].ID}, []string{card.Bot, card.Game})
			require.True(t, card.Forfeit)
			codes[card.Code]++
			got, want = onlyFirst(got), onlyFirst(want)
		}
		require.Equal(t, want, got)
	}
	require.Equal(t, map[protocol.Code]int{protocol.Disconnect: 1, protocol.StartFault: 2}, codes)
}
