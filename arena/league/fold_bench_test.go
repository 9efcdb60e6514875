package league_test

import (
	"encoding/json"
	"testing"
	"fmt"
	"math/rand/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

func BenchmarkDecode(b *testing.B) {
	for _, shape := range [][2]int{{2, 2}, {4, 4}, {4, 40}} {
		b.Run(fmt.Sprint(shape), func(b *testing.B) {
			p := league.Played{Match: 12345, Seq: 67890, Bots: make([]league.Behaviour, shape[0])}
			for range shape[1] {
				g := league.Game{5}
				for range shape[0] {
					g = append(g, 1+rand.IntN(shape[0]), rand.IntN(30))
				}
				p.Games = append(p.Games, g)
			}
			for i := range p.Bots {
				p.Bots[i] = league.Behaviour{0, 0, 50 * int64(shape[1]), 123456, 5432}
			}
			text, _ := json.Marshal(league.Event{N: 1234, Played: &p})
			b.Log(len(text), string(text[:min(200, len(text))]))
			b.ReportAllocs()
			for b.Loop() {
				var e league.Event
				if err := json.Unmarshal(text, &e); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
