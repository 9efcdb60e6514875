package engine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fivethreefive/fivethreefive/engine"
)

// positions collects every position of some random games.
func positions(b *testing.B, players int) (states []engine.State) {
	b.Helper()
	rules, err := engine.NewRules(engine.Rulebook, players)
	if err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 8))
	for n := range 20 {
		game := newGame(b, rules, n)
		for game.Phase() == engine.Playing {
			states = append(states, game.State)
			legal := game.Legal(nil)
			if _, err := game.Apply(legal[random.IntN(len(legal))]); err != nil {
				b.Fatal(err)
			}
		}
	}
	return states
}

func BenchmarkLegal(b *testing.B) {
	states := positions(b, 4)
	buffer := make([]engine.Action, 0, engine.MaxLegal)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		states[i%len(states)].Legal(buffer)
	}
}

func BenchmarkApply(b *testing.B) {
	states := positions(b, 4)
	actions := make([]engine.Action, len(states))
	for i := range states {
		legal := states[i].Legal(nil)
		actions[i] = legal[i%len(legal)]
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		state := states[i%len(states)]
		if _, err := state.Apply(actions[i%len(states)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRandomRound plays a dealt round to its end by list and apply, and reports actions and rounds per second.
func BenchmarkRandomRound(b *testing.B) {
	for players := 2; players <= 6; players++ {
		b.Run(fmt.Sprintf("%d players", players), func(b *testing.B) {
			rules, err := engine.NewRules(engine.Rulebook, players)
			if err != nil {
				b.Fatal(err)
			}
			var dealt [64]engine.State
			for n := range dealt {
				dealt[n] = newGame(b, rules, n).State
			}
			buffer := make([]engine.Action, 0, engine.MaxLegal)
			pick, actions := uint32(1), 0
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				state := dealt[i%len(dealt)]
				for state.Phase() == engine.Playing && state.Half() < 2 {
					legal := state.Legal(buffer)
					pick = pick*1664525 + 1013904223
					if _, err := state.Apply(legal[uint64(pick)*uint64(len(legal))>>32]); err != nil {
						b.Fatal(err)
					}
					actions++
				}
			}
			b.ReportMetric(float64(actions)/b.Elapsed().Seconds()/1e6, "Mactions/s")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e3, "krounds/s")
		})
	}
}

// BenchmarkRandomGame includes the shuffles.
func BenchmarkRandomGame(b *testing.B) {
	rules, err := engine.NewRules(engine.Rulebook, 4)
	if err != nil {
		b.Fatal(err)
	}
	buffer := make([]engine.Action, 0, engine.MaxLegal)
	pick := uint32(1)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		seed := engine.Seed{byte(i), byte(i >> 8), byte(i >> 16)}
		state, err := engine.NewState(rules, 0)
		if err != nil {
			b.Fatal(err)
		}
		for state.Phase() != engine.Ended {
			if state.Phase() == engine.Dealing {
				if err := state.Deal(seed.Deal(rules, state.Round()+1)); err != nil {
					b.Fatal(err)
				}
			}
			legal := state.Legal(buffer)
			pick = pick*1664525 + 1013904223
			if _, err := state.Apply(legal[uint64(pick)*uint64(len(legal))>>32]); err != nil {
				b.Fatal(err)
			}
		}
	}
}
