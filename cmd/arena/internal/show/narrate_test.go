package show

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/engine"
)

// told folds events and collects what is said of them.
func told(t *testing.T, n *Narrator, format league.Format, events ...league.Event) (lines []string) {
	t.Helper()
	rules, err := engine.NewRules(engine.Rulebook, 2)
	require.NoError(t, err)
	cycles := 0
	if format == league.RoundRobin {
		cycles = 1
	}
	to := league.Tournament{ID: "cup", Format: format, Choices: league.Choices{Cycles: cycles}, Settings: arena.DefaultSettings(rules), Entrants: []league.Entrant{
		{Label: "a@1"}, {Label: "b@1"}, {Label: "c@1"},
	}}
	state := &league.State{}
	for i, e := range append([]league.Event{{Created: &to}}, events...) {
		e.N = i + 1
		require.NoError(t, state.Apply(e))
		lines = append(lines, n.Lines(state, e)...)
	}
	return lines
}

func wins(match int) league.Event {
	games := make(league.Games, 2*arena.DefaultSettings(engine.Rules{}).DealSets)
	for i := range games {
		games[i] = league.Game{1, 1, 0, 2, 5}
	}
	return league.Event{Played: &league.Played{Match: match, Games: games, Bots: make([]league.Behaviour, 2)}}
}

func TestNarrator(t *testing.T) {
	now := time.Now()
	pair := func(stage, bye int, tables ...[]int) league.Event {
		return league.Event{Paired: &league.Pairing{Stage: stage, Tables: tables, Byes: []int{bye}, Notes: []string{"why"}}}
	}
	trouble := []league.Event{
		{Failed: &league.Failed{Match: 2, Attempt: "1", Worker: "w", Cause: "no room"}},
		{Failed: &league.Failed{Match: 2, Attempt: "2", Cause: "its worker ended before the match did"}},
		{Failed: &league.Failed{Match: 2, Attempt: "3", Worker: "w", Cause: "has no bot b@1: \x1b[1m", Unable: true}},
		{Dead: &league.Dead{Match: 2, Cause: "no room"}},
		{Requeued: 2},
		{Paused: &now},
		{Withdrawn: "c@1"},
		{Entered: &league.Entrant{Label: "c@1"}},
		{Resumed: &now},
		{Cancelled: &league.End{}},
	}
	stages := []league.Event{pair(1, 2, []int{0, 1}), wins(1), pair(2, 1, []int{2, 0})}
	require.Equal(t, []string{
		"round-robin of 3 bots at 2 seats",
		"stage 1: why",
		"1 of 3 matches",
		"stage 2: why",
		"match 2 failed and is tried again: no room",
		"match 2 is tried again: its worker ended before the match did",
		`match 2: worker w has no bot b@1: \x1b[1m; others may play it`,
		"match 2 is given up: no room; try it again with: arena tournament requeue cup 2 --data d",
		"match 2 is tried again",
		"paused",
		"c@1 has withdrawn",
		"c@1 has entered",
		"goes on",
		"cancelled after 1 match",
	}, told(t, &Narrator{Where: " --data d"}, league.RoundRobin, append(stages, trouble...)...))
	require.Equal(t, []string{
		"ladder of 3 bots at 2 seats",
		"stage 1: 1 table, no match for c@1",
		"stage 1: why",
		"stage 1 is played, a@1 is first",
		"stage 2: 1 table, no match for b@1",
		"stage 2: why",
		"match 2 is given up: no room; try it again with: arena tournament requeue cup 2",
		"match 2 is tried again",
		"paused",
		"c@1 has withdrawn",
		"c@1 has entered",
		"goes on",
		"cancelled after 1 match",
	}, told(t, &Narrator{Logged: true}, league.Ladder, append(stages, trouble...)...))
	require.Equal(t, []string{
		"round-robin of 3 bots at 2 seats", "stage 1: why", "finished; see arena tournament standings cup",
	}, told(t, &Narrator{Drawn: true}, league.RoundRobin, stages[0], stages[1], league.Event{Finished: &league.End{}}))
}
