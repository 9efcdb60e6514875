package league_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// comings are made-up: late entries where the format takes them, withdrawals, returns.
type comings struct {
	t      *rapid.T
	late   bool
	absent map[string]bool
	next   int
}

func (c *comings) before(s *league.State) (events []league.Event) {
	if s.Stages() == 0 {
		return nil
	}
	if c.late && s.Stages() < 5 && rapid.IntRange(0, 3).Draw(c.t, "enters") == 0 {
		events = append(events, league.Event{Entered: &league.Entrant{Label: botName(c.next), Author: author(c.next)}})
		c.next++
	}
	here := slices.DeleteFunc(s.Labels(), func(label string) bool { return c.absent[label] })
	if len(here) > 5 && rapid.IntRange(0, 2).Draw(c.t, "leaves") == 0 {
		label := here[rapid.IntRange(3, len(here)-1).Draw(c.t, "who leaves")]
		c.absent[label] = true
		return append(events, league.Event{Withdrawn: label})
	}
	if len(c.absent) > 0 && rapid.IntRange(0, 3).Draw(c.t, "returns") == 0 {
		label := slices.Sorted(maps.Keys(c.absent))[0]
		delete(c.absent, label)
		events = append(events, league.Event{Entered: &league.Entrant{Label: label}})
	}
	return events
}

func author(i int) string { return []string{"Ann", "ANN", "bob", ""}[i%4] }

// TestComingsAndGoings plays tournaments of all formats with late entries, withdrawals, returns, odd numbers, forbidden
// pairs and authors who are kept apart.
func TestComingsAndGoings(t *testing.T) {
	for _, format := range league.Formats() {
		t.Run(string(format), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				comeAndGo(t, rt, format, rapid.SampledFrom(seats(format)).Draw(rt, "seats"))
			})
		})
	}
}

func comeAndGo(t *testing.T, rt *rapid.T, format league.Format, players int) {
	to := formatCup(t, format, rapid.IntRange(6, 8).Draw(rt, "entrants"), players)
	c := comings{t: rt, absent: map[string]bool{}, next: len(to.Entrants)}
	c.late = format == league.Swiss || format == league.Ladder || format == league.Gauntlet
	apart := format != league.RoundRobin || players == 2
	if apart && rapid.Bool().Draw(rt, "authors") {
		to.SameAuthor = league.ForbidAuthor
		for i := range to.Entrants {
			to.Entrants[i].Author = author(i)
		}
	}
	if apart && rapid.Bool().Draw(rt, "forbidden") {
		to.Forbidden = [][2]int{{0, 3}, {5, 1}}
	}
	require.NoError(rt, to.Validate())
	log := wholeLog(rt, to, dice(1), c.before)
	state, err := league.Fold(log...)
	require.NoError(rt, err)
	requireStandings(rt, state)
	for _, row := range state.Standings() {
		require.Equal(rt, c.absent[row.Bot], row.Withdrawn)
	}
	requireLegal(rt, log)
}

// requireLegal: who is absent has neither table nor bye, and who must not meet does so only with a note.
func requireLegal(t require.TestingT, log []league.Event) {
	state := &league.State{}
	absent := map[string]bool{}
	for _, event := range log {
		require.NoError(t, state.Apply(event))
		if event.Withdrawn != "" {
			absent[event.Withdrawn] = true
		}
		if event.Entered != nil {
			delete(absent, event.Entered.Label)
		}
		if event.Paired == nil {
			continue
		}
		notes := strings.Join(event.Paired.Notes, "\n")
		require.NotRegexp(t, `\[\d+\]`, notes, "notes speak of bots by name")
		for _, e := range event.Paired.Byes {
			require.False(t, absent[state.Entrants[e].Label])
		}
		for _, table := range event.Paired.Tables {
			require.LessOrEqual(t, len(table), state.Settings.Rules.Players)
			for i, b := range table {
				require.False(t, absent[state.Entrants[b].Label])
				for _, a := range table[:i] {
					if mayNotMeet(state, a, b) {
						require.Contains(t, notes, state.Entrants[a].Label)
						require.Contains(t, notes, state.Entrants[b].Label)
					}
				}
			}
		}
	}
}

func mayNotMeet(s *league.State, a, b int) bool {
	one, two := s.Entrants[a].Author, s.Entrants[b].Author
	if s.SameAuthor == league.ForbidAuthor && one != "" && strings.EqualFold(one, two) {
		return true
	}
	return slices.Contains(s.Forbidden, [2]int{a, b}) || slices.Contains(s.Forbidden, [2]int{b, a})
}

// TestForbidden: where it can be done, nobody meets whom it must not, and who was kept apart by name or by author is.
func TestForbidden(t *testing.T) {
	for _, format := range []league.Format{league.RoundRobin, league.Swiss, league.Gauntlet, league.Ladder} {
		to := formatCup(t, format, 12, 2)
		to.SameAuthor, to.Forbidden = league.ForbidAuthor, [][2]int{{0, 11}, {7, 2}}
		for i := range to.Entrants {
			to.Entrants[i].Author = author(i)
		}
		log := wholeLog(t, to, dice(1), nobody)
		state, err := league.Fold(log...)
		require.NoError(t, err)
		met, kept := 0, 0
		for _, event := range log {
			if event.Paired == nil {
				continue
			}
			for _, table := range event.Paired.Tables {
				require.False(t, mayNotMeet(state, table[0], table[1]), "%s: %v", format, table)
				met++
			}
		}
		for b := range to.Entrants {
			for a := range b {
				if mayNotMeet(state, a, b) {
					kept++
				}
			}
		}
		require.NotZero(t, met)
		require.Equal(t, 15+3+2, kept, "two of four authors are the same, one is nobody")
	}
}
