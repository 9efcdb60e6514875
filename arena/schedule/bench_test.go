package schedule_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// benchmarkStage measures the pairing of the stage after those given, which are played with drawn results.
func benchmarkStage(b *testing.B, f schedule.Format, seats, n, stages int) {
	b.Run(fmt.Sprintf("entrants=%d/seats=%d/stage=%d", n, seats, stages+1), func(b *testing.B) {
		h := schedule.History{Seats: seats, Entrants: make([]schedule.Entrant, n)}
		rng := rand.New(rand.NewPCG(1, 1))
		for range stages {
			stage, ok, err := f.Next(h)
			if err != nil || !ok {
				b.Fatal(ok, err)
			}
			h.Stages = append(h.Stages, results(stage, rng))
		}
		for b.Loop() {
			if _, _, err := f.Next(h); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkSwiss(b *testing.B) {
	for _, n := range []int{50, 200, 500} {
		for _, stages := range []int{0, 4, 8} {
			benchmarkStage(b, schedule.Swiss{Stages: 9}, 2, n, stages)
		}
	}
}

func BenchmarkPods(b *testing.B) {
	for _, n := range []int{50, 200, 10_000} {
		for _, stages := range []int{0, 4, 8} {
			benchmarkStage(b, schedule.Pods{Stages: 9}, 4, n, stages)
		}
	}
}
