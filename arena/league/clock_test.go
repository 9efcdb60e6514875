package league_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// TestClockJumps has the clock of the machine jump by years while a tournament of each format runs. Nothing follows from it: the
// log is ordered by its numbers, and waits are measured by a clock that does not jump. What a jump can do is to have the queue
// give a match to a second worker while the first one plays, which TestTwoResults is about.
func TestClockJumps(t *testing.T) {
	for _, format := range league.Formats() {
		t.Run(string(format), func(t *testing.T) {
			random := dice(7)
			steady := wholeLog(t, formatCup(t, format, 6, 2), random, limit(3, nobody))
			jumping := jump(steady, random)
			a, err := league.Fold(steady...)
			require.NoError(t, err)
			b, err := league.Fold(jumping...)
			require.NoError(t, err)
			require.Equal(t, a.Standings(), b.Standings())
			requireRecorded(t, jumping)
		})
	}
}

// limit cancels what would go on for ever.
func limit(stages int, script func(*league.State) []league.Event) func(*league.State) []league.Event {
	return func(s *league.State) []league.Event {
		if s.Format == league.Ladder && s.Stages() == stages && !s.Phase.Over() {
			return []league.Event{{Cancelled: &league.End{}}}
		}
		return script(s)
	}
}

// jump puts other times into a log, and pauses between its events.
func jump(log []league.Event, random *rand.Rand) []league.Event {
	at := func() time.Time { return time.Unix(random.Int64N(4e9), 0).UTC() }
	var out []league.Event
	for _, event := range log {
		switch {
		case event.Created != nil:
			begun := *event.Created
			begun.Created = at()
			event.Created = &begun
		case event.Finished != nil:
			event.Finished = &league.End{Time: at(), Notes: event.Finished.Notes}
		case event.Cancelled != nil:
			event.Cancelled = &league.End{Time: at(), Notes: event.Cancelled.Notes}
		default:
			paused, resumed := at(), at()
			out = append(out, league.Event{Paused: &paused}, league.Event{Resumed: &resumed})
		}
		out = append(out, event)
	}
	return renumber(slices.Clone(out))
}
