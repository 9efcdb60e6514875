package league_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

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
	held := func(dealSets int) int {
		return sizeOf(reflect.ValueOf(foldText(t, textOf(t, swissLog(t, 200, dealSets)))), map[uintptr]bool{})
	}
	few, many := held(1), held(10)
	require.Less(t, few, 1000*1000, "of 1000 matches")
	require.Greater(t, few, 1000*4*16, "it holds the pairings with their points")
	require.InEpsilon(t, few, many, 0.05)
}

// sizeOf adds up all that can be reached.
func sizeOf(v reflect.Value, seen map[uintptr]bool) (size int) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] {
			return 0
		}
		seen[v.Pointer()] = true
		return int(v.Elem().Type().Size()) + sizeOf(v.Elem(), seen)
	case reflect.Interface:
		if v.IsNil() {
			return 0
		}
		return int(v.Elem().Type().Size()) + sizeOf(v.Elem(), seen)
	case reflect.Slice:
		size = v.Cap() * int(v.Type().Elem().Size())
		for i := range v.Len() {
			size += sizeOf(v.Index(i), seen)
		}
	case reflect.Array:
		for i := range v.Len() {
			size += sizeOf(v.Index(i), seen)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			size += sizeOf(field, seen)
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			size += int(v.Type().Key().Size()+v.Type().Elem().Size()) + sizeOf(entries.Key(), seen) + sizeOf(entries.Value(), seen)
		}
	case reflect.String:
		size = v.Len()
	default: // no more than its own size
	}
	return size
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
	to.Settings.DealSets, to.Stages = dealSets, stages
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
