package league_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/schedule"
	"github.com/fivethreefive/fivethreefive/arena/standings"
	"github.com/fivethreefive/fivethreefive/ratings"
)

// formatCup is a tournament of a format with what it cannot do without.
func formatCup(t testing.TB, format league.Format, entrants, players int) league.Tournament {
	t.Helper()
	to := tournament(t, "cup", entrants, players)
	to.Format, to.Choices = format, league.Choices{}
	for i := range to.Entrants {
		to.Entrants[i].Label = botName(i)
	}
	switch format {
	case league.RoundRobin:
		to.Cycles = 2
	case league.Gauntlet:
		to.Cycles, to.Heroes = 3, []int{1, 2}
	case league.Ladder:
		to.Choices.Stages = 7
	case league.DoubleElimination:
		to.Reset = true
	}
	return to
}

func botName(i int) string { return fmt.Sprintf("bot%02d@1", i) }

// wholeLog makes the log of a whole tournament as a coordinator would, with made-up results. Before each pairing the script
// is asked who comes and goes. The matches of a stage end in a random order.
func wholeLog(t require.TestingT, to league.Tournament, random *rand.Rand, script func(s *league.State) []league.Event) []league.Event {
	state := &league.State{}
	var log []league.Event
	write := func(e league.Event) {
		e.N = len(log) + 1
		require.NoError(t, state.Apply(e))
		log = append(log, e)
	}
	write(league.Event{Created: &to})
	for {
		for _, event := range script(state) {
			write(event)
		}
		if state.Phase.Over() {
			return log
		}
		next, ok, err := state.NextStage()
		require.NoError(t, err)
		if !ok {
			write(league.Event{Finished: &league.End{Notes: next.Notes}})
			return log
		}
		before := state.Paired()
		write(league.Event{Paired: &next})
		for _, i := range random.Perm(len(next.Tables)) {
			match, err := state.Match(before + i + 1)
			require.NoError(t, err)
			played := league.PlayedOf(before+i+1, resultOf(match))
			write(league.Event{Played: &played})
		}
	}
}

func nobody(*league.State) []league.Event { return nil }

func dice(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// seats are the numbers of seats at which a format is played.
func seats(format league.Format) []int {
	if format == league.DoubleElimination {
		return []int{2}
	}
	return []int{2, 3, 4, 6}
}

// TestFormats plays whole tournaments of all formats in which nobody comes or goes.
func TestFormats(t *testing.T) {
	for _, format := range league.Formats() {
		for _, players := range seats(format) {
			for _, entrants := range []int{players, 7, 8, 13} {
				t.Run(fmt.Sprintf("%s/%d at %d", format, entrants, players), func(t *testing.T) {
					if entrants < players || format == league.Gauntlet && entrants < 3 {
						t.Skip("too few")
					}
					to := formatCup(t, format, entrants, players)
					require.NoError(t, to.Validate())
					log := wholeLog(t, to, dice(1), nobody)
					state, err := league.Fold(log...)
					require.NoError(t, err)
					require.Equal(t, league.Finished, state.Phase)
					requireStandings(t, state)
					requireRecorded(t, log)
					requirePlan(t, log)

					again := wholeLog(t, to, dice(2), nobody)
					require.Equal(t, frame(log), frame(again), "pairings do not depend on the order of results")
					other, err := league.Fold(again...)
					require.NoError(t, err)
					require.Equal(t, state.Standings(), other.Standings())
				})
			}
		}
	}
}

// frame is a log without matches.
func frame(log []league.Event) []league.Event {
	return renumber(slices.DeleteFunc(slices.Clone(log), func(e league.Event) bool { return e.Played != nil }))
}

// requireRecorded: after any prefix of the log the next pairing is the one that is recorded.
func requireRecorded(t require.TestingT, log []league.Event) {
	state := &league.State{}
	for _, event := range log {
		if event.Paired != nil {
			fresh, err := league.Fold(log[:event.N-1]...)
			require.NoError(t, err)
			for _, s := range []*league.State{state, fresh} {
				next, ok, err := s.NextStage()
				require.NoError(t, err)
				require.True(t, ok)
				require.Equal(t, *event.Paired, next)
			}
		}
		require.NoError(t, state.Apply(event))
	}
}

// requirePlan: what is planned at any time is what comes about when nobody comes or goes.
func requirePlan(t require.TestingT, log []league.Event) {
	end, err := league.Fold(log...)
	require.NoError(t, err)
	state := &league.State{}
	for _, event := range log {
		require.NoError(t, state.Apply(event))
		if event.Played != nil {
			continue
		}
		matches, games, known, err := state.Plan()
		require.NoError(t, err)
		require.True(t, known)
		if end.Format == league.DoubleElimination && !state.Phase.Over() {
			require.InDelta(t, end.Paired(), matches, 1)
			continue
		}
		require.Equal(t, []int{end.Paired(), end.Games()}, []int{matches, games}, "after event %d", event.N)
	}
}

// requireStandings: everybody is there once, ranks count, and who shares one has equal values.
func requireStandings(t require.TestingT, state *league.State) {
	rows := state.Standings()
	names := []string{}
	for i, row := range rows {
		names = append(names, row.Bot)
		if i == 0 {
			require.Equal(t, 1, row.Rank)
			require.Empty(t, row.By)
			continue
		}
		if row.Rank == rows[i-1].Rank {
			require.Empty(t, row.By)
			require.Equal(t, rows[i-1].Order, row.Order)
			continue
		}
		require.Equal(t, i+1, row.Rank)
		if row.By != "" {
			require.True(t, slices.ContainsFunc(row.Order, func(c league.Criterion) bool { return c.Name == row.By }))
		}
	}
	slices.Sort(names)
	require.Equal(t, slices.Sorted(slices.Values(state.Labels())), names)
}

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
	to := formatCup(t, format, rapid.IntRange(8, 9).Draw(rt, "entrants"), players)
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

// TestLadderPairsByRating computes the ratings from the games, and asks the schedule.
func TestLadderPairsByRating(t *testing.T) {
	to := formatCup(t, league.Ladder, 10, 3)
	to.Settings.DealSets = 3
	var elo ratings.Elo
	h := schedule.History{Seats: 3, Entrants: make([]schedule.Entrant, 10)}
	var stage []league.Played
	state := &league.State{}
	for _, event := range wholeLog(t, to, dice(1), nobody) {
		if event.Paired != nil {
			slices.SortFunc(stage, func(a, b league.Played) int { return a.Match - b.Match })
			for _, played := range stage {
				match, err := state.Match(played.Match)
				require.NoError(t, err)
				for _, set := range resultOf(match).Sets {
					rated := ratings.DealSet{Bots: match.Bots}
					for _, game := range set.Games {
						ranks := make([]int, len(match.Bots))
						for seat, bot := range game.Order {
							ranks[bot] = game.Ranks[seat]
						}
						rated.Ranks = append(rated.Ranks, ranks)
					}
					require.NoError(t, elo.Add(rated))
				}
			}
			stage = nil
			for i := range h.Entrants {
				h.Entrants[i] = schedule.Entrant{Rating: 1500, Deviation: 350}
			}
			for _, row := range elo.Table("").Rows {
				i := slices.Index(state.Labels(), row.Bot)
				// 1/RD^2 grows by q^2/4 a deal set, with q = ln(10)/400.
				h.Entrants[i] = schedule.Entrant{Rating: row.Rating, Deviation: map[int]float64{
					3: 174.036, 6: 131.455, 9: 109.949, 12: 96.415, 15: 86.899, 18: 79.738,
				}[row.DealSets]}
			}
			want, ok, err := schedule.Ladder{Stages: 7}.Next(h)
			require.NoError(t, err)
			require.True(t, ok)
			require.Equal(t, want.Tables, event.Paired.Tables, "stage %d", event.Paired.Stage)
			played := schedule.Played{Byes: want.Byes}
			for _, table := range want.Tables {
				played.Tables = append(played.Tables, schedule.Table{Entrants: table, Points: make([]int, len(table))})
			}
			h.Stages = append(h.Stages, played)
		}
		if event.Played != nil {
			stage = append(stage, *event.Played)
		}
		require.NoError(t, state.Apply(event))
	}
	require.Len(t, h.Stages, 7)
}

// TestLadderWithoutEnd goes on until it is cancelled.
func TestLadderWithoutEnd(t *testing.T) {
	to := formatCup(t, league.Ladder, 4, 2)
	to.Choices.Stages = 0
	require.NoError(t, to.Validate())
	_, _, known, err := to.Plan()
	require.NoError(t, err)
	require.False(t, known)
	log := wholeLog(t, to, dice(1), func(s *league.State) []league.Event {
		if s.Stages() == 30 {
			return []league.Event{{Cancelled: &league.End{}}}
		}
		return nil
	})
	require.Equal(t, 1+30*3+1, len(log))
}

// TestDamagedPairings: a pairing that its format cannot have made, or nobody can sit at, is not let through.
func TestDamagedPairings(t *testing.T) {
	swiss, knockout := formatCup(t, league.Swiss, 4, 2), formatCup(t, league.Knockout, 4, 2)
	paired := func(stage int, byes []int, tables ...[]int) league.Event {
		return league.Event{Paired: &league.Pairing{Stage: stage, Tables: tables, Byes: byes}}
	}
	for want, log := range map[string][]league.Event{
		"stage 2 was paired before stage 1 was played": {{Created: &swiss}, paired(1, nil, []int{0, 1}), paired(2, nil, []int{2, 3})},
		"table 1 seats [0]":                            {{Created: &swiss}, paired(1, nil, []int{0})},
		"table 2 seats [3 2 1]":                        {{Created: &swiss}, paired(1, nil, []int{0, 1}, []int{3, 2, 1})},
		"the byes are [4]":                             {{Created: &swiss}, paired(1, []int{4})},
		"the byes are [2 2]":                           {{Created: &swiss}, paired(1, []int{2, 2})},
		"table 1 seats [0 1]":                          {{Created: &swiss}, paired(1, []int{1}, []int{0, 1})},
		"is not that of a bracket":                     {{Created: &knockout}, paired(1, nil, []int{0, 1}, []int{2, 3})},
		"tables have 0 seats":                          {{Created: &league.Tournament{ID: "cup", Format: league.RoundRobin, Choices: league.Choices{Cycles: 1}}}},
		"cycles: 0 is outside 1 to 1":                  {{Created: &league.Tournament{ID: "cup", Format: league.RoundRobin}}},
	} {
		_, err := league.Fold(renumber(log)...)
		require.ErrorIs(t, err, league.ErrDamaged)
		require.ErrorContains(t, err, want)
	}
}

// TestStandingsOfAnyLog: there are standings at every moment of whatever the fold lets through.
func TestStandingsOfAnyLog(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		format := rapid.SampledFrom(league.Formats()).Draw(rt, "format")
		to := formatCup(t, format, 6, rapid.SampledFrom(seats(format)).Draw(rt, "seats"))
		state := &league.State{}
		n := 0
		apply := func(e league.Event) (ok bool) {
			n++
			e.N = n
			if state.Apply(e) != nil {
				return false
			}
			requireStandings(rt, state)
			return true
		}
		require.True(rt, apply(league.Event{Created: &to}))
		for range rapid.IntRange(0, 20).Draw(rt, "events") {
			var event league.Event
			number := rapid.IntRange(1, max(1, state.Paired())).Draw(rt, "match")
			switch rapid.IntRange(0, 5).Draw(rt, "kind") {
			case 0:
				next, ok, err := state.NextStage()
				if err != nil || !ok {
					continue
				}
				event.Paired = &next
			case 1:
				event.Paired = &league.Pairing{
					Stage:  state.Stages() + 1,
					Tables: [][]int{rapid.SliceOfN(rapid.IntRange(0, 6), 0, 4).Draw(rt, "table")},
					Byes:   rapid.SliceOfN(rapid.IntRange(0, 6), 0, 2).Draw(rt, "byes"),
				}
			case 2:
				event.Withdrawn = botName(rapid.IntRange(0, 6).Draw(rt, "leaves"))
			case 3:
				event.Entered = &league.Entrant{Label: botName(rapid.IntRange(0, 8).Draw(rt, "enters"))}
			default:
				match, err := state.Match(number)
				if err != nil {
					continue
				}
				played := league.PlayedOf(number, resultOf(match))
				event.Played = &played
			}
			if !apply(event) {
				return
			}
		}
	})
}

// TestFoldKeepsNoResults: what a state holds does not depend on the number of games.
func TestFoldKeepsNoResults(t *testing.T) {
	retained := func(dealSets int) uint64 {
		log := textOf(t, swissLog(t, 500, dealSets))
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		state := foldText(t, log)
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(state)
		runtime.KeepAlive(log)
		return after.HeapAlloc - before.HeapAlloc
	}
	few, many := retained(1), retained(20)
	require.Less(t, few, uint64(2500*1000), "of 2500 matches")
	require.InEpsilon(t, few, many, 0.05)
}

func textOf(t testing.TB, events []league.Event) [][]byte {
	t.Helper()
	log := make([][]byte, len(events))
	for i, event := range events {
		var err error
		log[i], err = json.Marshal(event)
		require.NoError(t, err)
	}
	return log
}

func foldText(t testing.TB, log [][]byte) *league.State {
	state := &league.State{}
	for _, line := range log {
		var event league.Event
		if err := json.Unmarshal(line, &event); err != nil {
			t.Fatal(err)
		}
		if err := state.Apply(event); err != nil {
			t.Fatal(err)
		}
	}
	return state
}

// swissLog has stages of 20 bots at tables of four, with results of so many deal sets; the pairings are by chance.
func swissLog(t testing.TB, stages, dealSets int) []league.Event {
	t.Helper()
	random := dice(7)
	to := formatCup(t, league.Swiss, 20, 4)
	to.Settings.DealSets, to.Choices.Stages = dealSets, stages
	events := []league.Event{{Created: &to}}
	for stage := range stages {
		pairing := league.Pairing{Stage: stage + 1, Tables: slices.Collect(slices.Chunk(random.Perm(20), 4))}
		events = append(events, league.Event{Paired: &pairing})
		for table := range pairing.Tables {
			p := league.Played{Match: stage*5 + table + 1, Bots: make([]league.Behaviour, 4)}
			for range to.GamesOfMatch(4) {
				game := league.Game{5}
				for range 4 {
					game = append(game, 1+random.IntN(4), random.IntN(30))
				}
				p.Games = append(p.Games, game)
			}
			events = append(events, league.Event{Played: &p})
		}
	}
	return renumber(events)
}

// BenchmarkFoldRated reads and folds 5,000 matches of a format in which every stage is rated.
func BenchmarkFoldRated(b *testing.B) {
	for _, dealSets := range []int{1, 10} {
		b.Run(fmt.Sprintf("4 seats, %d deal sets", dealSets), func(b *testing.B) {
			log := textOf(b, swissLog(b, 1000, dealSets))
			b.ReportAllocs()
			for b.Loop() {
				foldText(b, log)
			}
			b.ReportMetric(float64(len(log)*b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// TestSameChoices: a tournament is not resumed under other choices, also where one of them was left out.
func TestSameChoices(t *testing.T) {
	store := openStore(t, t.TempDir())
	to := formatCup(t, league.Swiss, 4, 2)
	_, err := store.Begin(t.Context(), to)
	require.NoError(t, err)
	_, err = store.Begin(t.Context(), to)
	require.NoError(t, err)
	for want, change := range map[string]func(to *league.Tournament){
		"stages: none, not 3":                        func(to *league.Tournament) { to.Choices.Stages = 3 },
		"tiebreaks: none, not [wins points]":         func(to *league.Tournament) { to.TieBreaks = []standings.TieBreak{standings.Wins, standings.Points} },
		"forbidden: none, not [[0 1]]":               func(to *league.Tournament) { to.Forbidden = [][2]int{{0, 1}} },
		"format: swiss, not knockout":                func(to *league.Tournament) { to.Format = league.Knockout },
		"same_author: none, not forbid; choose anot": func(to *league.Tournament) { to.SameAuthor = league.ForbidAuthor },
	} {
		other := to
		change(&other)
		_, err := store.Begin(t.Context(), other)
		require.ErrorContains(t, err, `tournament "cup" exists already and differs: `+want)
	}
}
