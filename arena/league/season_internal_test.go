package league

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
)

// seasonLog is that of a ladder of 500 bots at two seats, of so many matches of one deal set, line by line.
func seasonLog(b *testing.B, matches int) (log [][]byte) {
	b.Helper()
	rules, err := engine.NewRules(engine.Rulebook, 2)
	if err != nil {
		b.Fatal(err)
	}
	write := func(e Event) {
		e.N = len(log) + 1
		text, err := json.Marshal(e)
		if err != nil {
			b.Fatal(err)
		}
		log = append(log, text)
	}
	t := Tournament{ID: "season", Format: Ladder, Settings: arena.DefaultSettings(rules), Created: time.Unix(0, 0)}
	for i := range 500 {
		t.Entrants = append(t.Entrants, Entrant{Label: fmt.Sprintf("bot-%03d@1", i), Language: "go"})
	}
	write(Event{Created: &t})
	random := rand.New(rand.NewPCG(1, 1))
	for number := 1; number <= matches; {
		pairing := Pairing{Stage: (number-1)/250 + 1}
		order := random.Perm(500)
		for i := 0; i < 500; i += 2 {
			pairing.Tables = append(pairing.Tables, order[i:i+2])
		}
		write(Event{Paired: &pairing})
		for _, table := range pairing.Tables {
			p := Played{Match: number, Bots: []Behaviour{{0, 0, 40, 900, 90}, {0, 0, 40, 800, 70}}}
			p.Times = []arena.Histogram{{16, 20, 20, 12, 24, 7, 30, 1}, {15, 22, 19, 11, 25, 6, 33, 1}}
			for range 2 {
				first := 1
				if random.IntN(1000) < 500+table[0]-table[1] {
					first = 2
				}
				p.Games = append(p.Games, Game{5, first, 10 * first, 3 - first, 10 * (3 - first)})
			}
			write(Event{Played: &p})
			number++
		}
	}
	return log
}

// BenchmarkSeasonLog reads a log, fits the ratings, and draws ten replicates for the intervals of the ranks, of which a
// leaderboard takes a thousand.
func BenchmarkSeasonLog(b *testing.B) {
	for _, matches := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("%d-matches", matches), func(b *testing.B) {
			log := seasonLog(b, matches)
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				all := boards{}
				began := time.Now()
				fold := newCounter(Filter{}, all)
				for _, line := range log {
					var event Event
					if err := json.Unmarshal(line, &event); err != nil {
						b.Fatal(err)
					}
					if err := fold.apply(event); err != nil {
						b.Fatal(err)
					}
				}
				if err := fold.end(); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(time.Since(began).Seconds(), "s-fold")
				began = time.Now()
				if _, err := all.leaderboards(Leaderboards{Anchor: "bot-000@1", Replicates: 10}); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(time.Since(began).Seconds(), "s-fit")
				runtime.GC()
				runtime.ReadMemStats(&after)
				b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/1e6, "MB-held")
				runtime.KeepAlive(all)
			}
		})
	}
}
