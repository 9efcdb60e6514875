package league_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// TestLateEntriesAndWithdrawals goes through a coordinator: what it writes can always be paired, and what cannot is refused
// with what to do.
func TestLateEntriesAndWithdrawals(t *testing.T) {
	enter := func(label string) league.Command { return league.Command{Enter: &league.Entrant{Label: label}} }
	leave := func(label string) league.Command { return league.Command{Withdraw: label} }
	type step struct {
		command league.Command
		refused string // empty if it is not
	}
	for format, test := range map[league.Format]struct {
		before []step
		after  []step // of the first stage
	}{
		league.RoundRobin: {
			[]step{{enter("late@1"), ""}, {leave(botName(1)), ""}},
			[]step{{enter("later@1"), "a round robin takes no late entries: its schedule is made for all entrants at once"}, {leave(botName(0)), ""}},
		},
		league.Swiss: {
			[]step{{enter("late@1"), ""}, {enter(botName(1)), "bot01@1 is in tournament cup already"}},
			[]step{{enter("later@1"), ""}, {leave(botName(1)), ""}, {leave(botName(1)), "bot01@1 is not in tournament cup"}, {enter(botName(1)), ""}},
		},
		league.Gauntlet: {
			[]step{{leave(botName(1)), ""}, {leave(botName(2)), "gauntlet: no hero has anyone to meet: enter heroes and others who may meet them"}},
			[]step{{enter("late@1"), ""}, {leave(botName(2)), ""}},
		},
		league.Knockout: {
			[]step{{enter("late@1"), ""}, {enter(""), "an entrant needs a name"}},
			[]step{{enter("later@1"), "tournament cup is a knockout, which takes nobody after its draw"}, {leave(botName(0)), ""}, {enter(botName(0)), ""}},
		},
		league.DoubleElimination: {
			nil, []step{{enter("late@1"), "takes nobody after its draw; enter a swiss or a ladder instead"}, {leave(botName(3)), ""}},
		},
		league.Ladder: {
			[]step{{leave(botName(0)), ""}, {leave(botName(1)), ""}},
			[]step{{leave(botName(2)), ""}, {leave(botName(3)), "ladder: no two who may meet are present: enter at least 2"}, {enter("late@1"), ""}},
		},
	} {
		t.Run(string(format), func(t *testing.T) {
			to := formatCup(t, format, 5, 2)
			store := openStore(t, t.TempDir())
			_, err := store.Begin(t.Context(), to)
			require.NoError(t, err)
			c := coordinate(t, store, to.ID, league.Coordinating{Strict: true})
			do := func(steps []step) {
				for _, s := range steps {
					if answer := c.Do(t.Context(), s.command); s.refused == "" {
						assert.NoError(t, answer)
					} else {
						assert.ErrorContains(t, answer, s.refused)
					}
				}
			}
			do(test.before)
			require.NoError(t, c.Close())
			c = coordinate(t, store, to.ID, league.Coordinating{Strict: true, Ahead: 1})
			var once sync.Once
			play := func(ctx context.Context, m arena.Match, r league.Replays) (arena.Result, error) {
				once.Do(func() { do(test.after) })
				return pretends(ctx, m, r)
			}
			require.NoError(t, league.RunLocal(t.Context(), nil, c, worker(store, to.ID, 1, play)))
			state := load(t, store, to.ID)
			requireStandings(t, state)

			var export strings.Builder
			require.NoError(t, store.Export(t.Context(), to.ID, &export, true))
			elsewhere := openStore(t, t.TempDir())
			_, err = elsewhere.Import(t.Context(), strings.NewReader(export.String()))
			require.NoError(t, err)
			require.Equal(t, state.Standings(), load(t, elsewhere, to.ID).Standings())
			require.Equal(t, canonical(t, store), canonical(t, elsewhere))
		})
	}
}

// TestTooLate: once the last stage is paired, whoever enters would play nothing.
func TestTooLate(t *testing.T) {
	store := openStore(t, t.TempDir())
	to := formatCup(t, league.Swiss, 4, 2)
	to.Stages = 1
	_, err := store.Begin(t.Context(), to)
	require.NoError(t, err)
	c := coordinate(t, store, to.ID, league.Coordinating{Strict: true})
	late := league.Command{Enter: &league.Entrant{Label: "late@1"}}
	require.NoError(t, league.RunLocal(t.Context(), nil, c, worker(store, to.ID, 1,
		func(ctx context.Context, m arena.Match, r league.Replays) (arena.Result, error) {
			err := c.Do(ctx, late)
			assert.ErrorContains(t, err, "the last stage of tournament cup is paired already: whoever enters now plays no match")
			return pretends(ctx, m, r)
		})))
}

// TestSmallerTables: options that do not fit a table which can come about are refused before it does.
func TestSmallerTables(t *testing.T) {
	const want = "options: tables of 2 can come about, where hand_size: 17 is outside 1 to 13"
	to := formatCup(t, league.Swiss, 9, 3)
	require.NoError(t, to.Validate())
	to.Settings.Rules.HandSize = 17
	require.ErrorContains(t, to.Validate(), want)

	to = formatCup(t, league.RoundRobin, 5, 3)
	to.Settings.Rules.HandSize = 17
	require.NoError(t, to.Validate(), "all tables are full")
	store := openStore(t, t.TempDir())
	_, err := store.Begin(t.Context(), to)
	require.NoError(t, err)
	require.ErrorContains(t, store.Do(t.Context(), to.ID, league.Command{Withdraw: botName(1)}), want)
}
