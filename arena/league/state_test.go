package league_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/schedule"
	"github.com/fivethreefive/fivethreefive/engine"
)

// logOf is the log of a tournament that was played to the end, with made-up results.
func logOf(t testing.TB, to league.Tournament) []league.Event {
	t.Helper()
	events := pairedLog(t, to)
	state, err := league.Fold(events...)
	require.NoError(t, err)
	for number := 1; number <= state.Paired(); number++ {
		match, err := state.Match(number)
		require.NoError(t, err)
		played := league.PlayedOf(number, resultOf(match))
		events = append(events, league.Event{Played: &played})
	}
	return renumber(append(events, league.Event{Finished: &league.End{Time: to.Created.Add(time.Hour)}}))
}

// pairedLog is the log before anything was played.
func pairedLog(t testing.TB, to league.Tournament) []league.Event {
	t.Helper()
	stages, err := schedule.RoundRobin(len(to.Entrants), to.Settings.Rules.Players, to.Cycles)
	require.NoError(t, err)
	events := []league.Event{{Created: &to}}
	for i, stage := range stages {
		events = append(events, league.Event{Paired: &league.Pairing{Stage: i + 1, Tables: stage.Tables, Byes: stage.Byes}})
	}
	return renumber(events)
}

func renumber(events []league.Event) []league.Event {
	for i := range events {
		events[i].N = i + 1
	}
	return events
}

// shuffled keeps what has to come first.
func shuffled(t *rapid.T, events []league.Event) []league.Event {
	first := slices.IndexFunc(events, func(e league.Event) bool { return e.Played != nil })
	last := len(events) - 1
	out := slices.Clone(events[:first])
	out = append(out, rapid.Permutation(slices.Clone(events[first:last])).Draw(t, "order")...)
	return renumber(append(out, events[last]))
}

func TestFold(t *testing.T) {
	to := tournament(t, "cup", 5, 2)
	to.Cycles, to.Settings.DealSets = 2, 3
	state, err := league.Fold(pairedLog(t, to)...)
	require.NoError(t, err)
	matches, games, known, err := to.Plan()
	require.NoError(t, err)
	require.True(t, known)
	require.Equal(t, []int{2 * 10, 2 * 10 * 3 * 2}, []int{matches, games})
	require.Equal(t, matches, state.Paired())
	require.Equal(t, 10, state.Stages())
	require.Zero(t, state.Played())
	require.Equal(t, league.Running, state.Phase)
	seeds := map[engine.Seed]bool{}
	for number := 1; number <= matches; number++ {
		match, matchErr := state.Match(number)
		require.NoError(t, matchErr)
		seeds[match.Seed] = true
		require.Equal(t, "cup", match.Tournament)
		require.Equal(t, to.Settings, match.Settings)
		require.Equal(t, fmt.Sprintf("cup-%d", number), match.ID)
		require.Equal(t, to.Seed.Child("match", uint64(number-1)), match.Seed)
	}
	require.Len(t, seeds, matches)
	for _, number := range []int{-1, 0, matches + 1} {
		_, matchErr := state.Match(number)
		require.ErrorContains(t, matchErr, "has no match")
		require.False(t, state.Done(number))
	}

	state, err = league.Fold(logOf(t, to)...)
	require.NoError(t, err)
	require.Equal(t, league.Finished, state.Phase)
	require.Equal(t, []int{matches, games}, []int{state.Played(), state.Games()})
}

// TestMissing compares with a set, after every event.
func TestMissing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		to := tournament(t, "cup", rapid.IntRange(2, 9).Draw(rt, "entrants"), 2)
		missing := map[int]bool{}
		dead := map[int]bool{}
		state := &league.State{}
		for _, event := range shuffled(rt, logOf(t, to)) {
			if event.Paired != nil {
				for range event.Paired.Tables {
					missing[len(missing)+1] = true
				}
			}
			if event.Played != nil && rapid.IntRange(0, 3).Draw(rt, "dies") == 0 {
				number := event.Played.Match
				require.NoError(rt, state.Apply(league.Event{N: event.N, Dead: &league.Dead{Match: number, Cause: "test"}}))
				dead[number] = true
				break
			}
			require.NoError(rt, state.Apply(event))
			if event.Played != nil {
				delete(missing, event.Played.Match)
			}
			requireMissing(rt, state, missing, dead)
		}
		requireMissing(rt, state, missing, dead)
	})
}

func requireMissing(t *rapid.T, state *league.State, missing, dead map[int]bool) {
	got := []int{}
	for number := range state.Missing() {
		got = append(got, number)
		require.False(t, state.Done(number))
	}
	require.True(t, slices.IsSorted(got))
	require.Len(t, got, len(missing)-len(dead))
	for _, number := range got {
		require.True(t, missing[number] && !dead[number])
	}
	require.Len(t, state.Dead(), len(dead))
}

// TestFoldOrder: matches may end in any order.
func TestFoldOrder(t *testing.T) {
	events := logOf(t, tournament(t, "cup", 4, 3))
	want, err := league.Fold(events...)
	require.NoError(t, err)
	rapid.Check(t, func(rt *rapid.T) {
		got, foldErr := league.Fold(shuffled(rt, events)...)
		require.NoError(rt, foldErr)
		require.Equal(rt, want.Standings(), got.Standings())
		require.Equal(rt, want.Phase, got.Phase)
	})
}

// TestFoldFirstCounts: a match that is in the log twice was played once.
func TestFoldFirstCounts(t *testing.T) {
	events := logOf(t, tournament(t, "cup", 3, 2))
	want, err := league.Fold(events...)
	require.NoError(t, err)
	again := *events[len(events)-2].Played
	again.Bots = []league.Behaviour{{9, 9, 9, 9, 9}, {9, 9, 9, 9, 9}}
	got, err := league.Fold(renumber(slices.Insert(slices.Clone(events), len(events)-1, league.Event{Played: &again}))...)
	require.NoError(t, err)
	require.Equal(t, want.Standings(), got.Standings())
	require.Equal(t, want.Played(), got.Played())
}

func TestTrouble(t *testing.T) {
	events := pairedLog(t, tournament(t, "cup", 3, 2))
	n := len(events)
	failed := func(attempt string) league.Event {
		n++
		return league.Event{N: n, Failed: &league.Failed{Match: 2, Attempt: attempt, Cause: "no bot"}}
	}
	state, err := league.Fold(events...)
	require.NoError(t, err)
	require.NoError(t, state.Apply(failed("1")))
	require.NoError(t, state.Apply(failed("2")))
	require.Len(t, state.Failures(2), 2)
	require.Equal(t, []int{1, 2, 3}, slices.Collect(state.Missing()))
	require.NoError(t, state.Apply(league.Event{N: n + 1, Dead: &league.Dead{Match: 2, Cause: "no bot"}}))
	require.Equal(t, []league.Dead{{Match: 2, Cause: "no bot"}}, state.Dead())
	require.Equal(t, []int{1, 3}, slices.Collect(state.Missing()))
	require.NoError(t, state.Apply(league.Event{N: n + 2, Requeued: 2}))
	require.Empty(t, state.Dead())
	require.Empty(t, state.Failures(2), "it begins anew")
	require.Equal(t, []int{1, 2, 3}, slices.Collect(state.Missing()))
	err = state.Apply(league.Event{N: n + 3, Requeued: 4})
	require.ErrorContains(t, err, "match 4 is not paired")
}

func TestFoldErrors(t *testing.T) {
	to := tournament(t, "cup", 3, 2)
	events := logOf(t, to)
	played := func() *league.Played {
		match, err := must(league.Fold(events...)).Match(1)
		require.NoError(t, err)
		p := league.PlayedOf(1, resultOf(match))
		return &p
	}
	spoilt := func(spoil func(p *league.Played)) league.Event {
		p := played()
		spoil(p)
		return league.Event{Played: p}
	}
	now := time.Now()
	paired := pairedLog(t, to)
	for want, log := range map[string][]league.Event{
		"a log begins with its tournament, once":                           renumber(slices.Clone(events[1:])),
		"event 2: the log was damaged: a log begins":                       renumber(slices.Insert(slices.Clone(events), 1, events[0])),
		"event 4: the log was damaged: it follows event 2":                 slices.Delete(slices.Clone(events), 2, 3),
		"it is finished with 2 of 3 matches":                               renumber(slices.Delete(slices.Clone(events), 5, 6)),
		"match 9 is not paired":                                            append(slices.Clone(paired), spoilt(func(p *league.Played) { p.Match = 9 })),
		"match 1: 1 bots and 2 games, not 2 and 2":                         append(slices.Clone(paired), spoilt(func(p *league.Played) { p.Bots = p.Bots[1:] })),
		"match 1: 2 bots and 1 games, not 2 and 2":                         append(slices.Clone(paired), spoilt(func(p *league.Played) { p.Games = p.Games[1:] })),
		"match 1: game 2 is damaged":                                       append(slices.Clone(paired), spoilt(func(p *league.Played) { p.Games[1][1] = 3 })),
		"match 1: game 1 is damaged":                                       append(slices.Clone(paired), spoilt(func(p *league.Played) { p.Games[0] = p.Games[0][1:] })),
		"stage 5 follows stage 3":                                          append(slices.Clone(paired), league.Event{Paired: &league.Pairing{Stage: 5}}),
		"table 1 seats [0 3]":                                              append(slices.Clone(paired), league.Event{Paired: &league.Pairing{Stage: 4, Tables: [][]int{{0, 3}}}}),
		"table 1 seats [1 1]":                                              append(slices.Clone(paired), league.Event{Paired: &league.Pairing{Stage: 4, Tables: [][]int{{1, 1}}}}),
		"a@1 is entered twice":                                             append(slices.Clone(paired), league.Event{Entered: &league.Entrant{Label: "a@1"}}),
		"x withdraws, who is not in it":                                    append(slices.Clone(paired), league.Event{Withdrawn: "x"}),
		"the tournament is finished; restore the folder":                   append(slices.Clone(events), league.Event{Paused: &now}),
		"this version does not know what happened":                         append(slices.Clone(paired), league.Event{}),
		`log of cup, event 1: the log was damaged: format "?" is unknown;`: {{Created: &league.Tournament{ID: "cup", Format: "?"}}},
	} {
		if want[:5] != "event" {
			log = renumber(log)
		}
		_, err := league.Fold(log...)
		require.ErrorContains(t, err, want)
		require.ErrorIs(t, err, league.ErrDamaged)
		require.ErrorContains(t, err, "restore the folder from a copy, or import an export into another folder")
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestValidate(t *testing.T) {
	for want, spoil := range map[string]func(to *league.Tournament){
		`format "knock" is unknown; choose from round-robin, swiss, gauntlet, knockout, double-elimination, ladder; did you mean knockout?`: func(to *league.Tournament) { to.Format = "knock" },
		"cycles: 0 is outside 1 to 1000":      func(to *league.Tournament) { to.Cycles = 0 },
		"deal_sets: 0 is outside 1 to 100000": func(to *league.Tournament) { to.Settings.DealSets = 0 },
		"deal_sets: 10001 make 20002 games a match, at most 20000 can be; play more cycles instead":                       func(to *league.Tournament) { to.Settings.DealSets = 10_001 },
		`bots: a@1 is alone, and a tournament needs two or more; name them, as in bots = ["greedy", "random", "./mybot"]`: func(to *league.Tournament) { to.Entrants = to.Entrants[:1] },
		`bots: none is entered; name two or more, as in bots = ["greedy", "random", "./mybot"]`:                           func(to *league.Tournament) { to.Entrants = nil },
		"players: a round robin at 4 seats needs 4 bots, and 3 are entered; write players = 3, or name more in bots":      func(to *league.Tournament) { *to = tournament(t, "cup", 3, 4) },
		"forbidden and same_author keep all bots apart; let some of them meet":                                            func(to *league.Tournament) { to.Forbidden = [][2]int{{0, 1}, {2, 0}, {1, 2}} },
		`"A" cannot name a tournament: use 1 to 40 small letters, digits and -`:                                           func(to *league.Tournament) { to.ID = "A" },
		"a@1 is entered twice":                        func(to *league.Tournament) { to.Entrants = []league.Entrant{{Label: "a@1"}, {Label: "a@1"}} },
		"bots: 1001 are entered, at most 1000 can be": func(to *league.Tournament) { to.Entrants = make([]league.Entrant, 1001) },
	} {
		to := tournament(t, "cup", 3, 2)
		spoil(&to)
		require.EqualError(t, to.Validate(), want)
	}
}

func TestCheckID(t *testing.T) {
	for _, id := range []string{"a", "0", "spring-cup-2024", "abcdefghijklmnopqrstuvwxyz0123456789----"} {
		require.NoError(t, league.CheckID(id))
	}
	for _, id := range []string{"", "-a", "A", "a b", "a.b", "../a", "a/b", "ä", "a\n", "a*", "a>", "abcdefghijklmnopqrstuvwxyz0123456789-----"} {
		require.ErrorContains(t, league.CheckID(id), "use 1 to 40 small letters, digits and -", id)
	}
}

// BenchmarkFold reads and folds logs of 100,000 matches, as they stand in the store.
func BenchmarkFold(b *testing.B) {
	for name, shape := range map[string][2]int{"2 seats": {2, 1}, "4 seats": {4, 1}, "4 seats, 10 deal sets": {4, 10}} {
		b.Run(name, func(b *testing.B) {
			log := textLog(b, shape[0], shape[1])
			b.ReportAllocs()
			for b.Loop() {
				state := &league.State{}
				for _, line := range log {
					var event league.Event
					if err := event.UnmarshalJSON(line); err != nil {
						b.Fatal(err)
					}
					if err := state.Apply(event); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(len(log)*b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

func textLog(b *testing.B, seats, dealSets int) (log [][]byte) {
	b.Helper()
	const matches = 100_000
	to := tournament(b, "cup", 20, seats)
	to.Settings.DealSets = dealSets
	events := []league.Event{{Created: &to}}
	for stage := range matches / 5 {
		pairing := league.Pairing{Stage: stage + 1}
		for table := range 5 {
			var bots []int
			for seat := range seats {
				bots = append(bots, (stage+table*4+seat)%20)
			}
			pairing.Tables = append(pairing.Tables, bots)
		}
		events = append(events, league.Event{Paired: &pairing})
	}
	games := to.GamesOfMatch(seats)
	for match := range matches {
		p := league.Played{Match: match + 1, Seq: uint64(match + 100), Bots: make([]league.Behaviour, seats)}
		for range games {
			game := league.Game{5}
			for range seats {
				game = append(game, 1+rand.IntN(seats), rand.IntN(30))
			}
			p.Games = append(p.Games, game)
		}
		for i := range p.Bots {
			p.Bots[i] = league.Behaviour{0, 0, int64(50 * games), rand.Int64N(1_000_000), rand.Int64N(100_000)}
		}
		events = append(events, league.Event{Played: &p})
	}
	for _, event := range renumber(events) {
		text, err := json.Marshal(event)
		require.NoError(b, err)
		log = append(log, text)
	}
	return log
}
