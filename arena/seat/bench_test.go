//go:build linux

package seat_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// fast answers every turn with the first legal action and reads no more of it than its number.
func fast() {
	in := bufio.NewReaderSize(os.Stdin, protocol.MaxLine)
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return
		}
		if bytes.HasPrefix(line, []byte(`{"type":"hello"`)) {
			os.Stdout.WriteString(`{"type":"ready"}` + "\n")
		}
		if _, turn, ok := bytes.Cut(line, []byte(`,"turn":`)); ok && bytes.HasPrefix(line, []byte(`{"type":"turn"`)) {
			fmt.Fprintf(os.Stdout, `{"type":"move","turn":%s,"action":0}`+"\n", turn[:bytes.IndexByte(turn, ',')])
		}
	}
}

// BenchmarkMove asks a bot over NATS and another one over its bare pipe, in turns.
func BenchmarkMove(b *testing.B) {
	h := openHall(b)
	h.enter(b, "fast", "fast")
	turn := firstTurn(b)

	place, err := h.seats.Open(b.Context(), arena.Place{Bot: "fast", Game: "g", Seat: 0})
	require.NoError(b, err)
	defer place.Close(b.Context())
	_, err = place.Ask(b.Context(), protocol.Hello{}, time.Minute)
	require.NoError(b, err)

	process, err := h.seats.Launcher.Start(h.seats.Programs["fast"])
	require.NoError(b, err)
	defer process.Kill()
	answers := bufio.NewReader(process.Stdout())
	line, err := protocol.Marshal(turn)
	require.NoError(b, err)
	line = append(line, '\n')

	var nats, pipe []time.Duration
	for b.Loop() {
		turn.Turn++
		begin := time.Now()
		reply, err := place.Ask(b.Context(), turn, time.Minute)
		nats = append(nats, time.Since(begin))
		require.NoError(b, err)
		require.Empty(b, reply.Fault)

		begin = time.Now()
		_, err = process.Stdin().Write(line)
		require.NoError(b, err)
		_, err = answers.ReadSlice('\n')
		pipe = append(pipe, time.Since(begin))
		require.NoError(b, err)
	}
	b.ReportMetric(0, "ns/op")
	for name, times := range map[string][]time.Duration{"nats": nats, "pipe": pipe} {
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Nanoseconds())/1000, name+"-p50-µs")
		b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1000, name+"-p99-µs")
	}
}

func firstTurn(b testing.TB) protocol.Turn {
	b.Helper()
	rules, err := engine.NewRules(engine.Rulebook, 4)
	require.NoError(b, err)
	game, err := engine.NewGame(rules, 0)
	require.NoError(b, err)
	require.NoError(b, game.Deal(engine.Seed{}.Deal(rules, 1)))
	return protocol.Turn{
		Game: "g", Observation: game.Observe(0), Events: game.RecordFor(0, 0), Legal: game.Legal(nil),
		Clock: protocol.TurnClock{MoveMS: 1000},
	}
}

// BenchmarkMatches plays matches of four bots at once, each one game of many rounds.
func BenchmarkMatches(b *testing.B) {
	for _, matches := range []int{1, 8, 32} {
		b.Run(strconv.Itoa(matches), func(b *testing.B) {
			h := openHall(b)
			for _, bot := range []string{"a", "b", "c", "d"} {
				h.enter(b, bot, "fast")
			}
			var mu sync.Mutex
			moves, memory := 0, 0.0
			referee := arena.Referee{Seats: h.seats, Played: func(game arena.Game) {
				mu.Lock()
				defer mu.Unlock()
				memory = max(memory, resident(b))
				for _, think := range game.Think {
					moves += think.Moves
				}
			}}
			for b.Loop() {
				var group errgroup.Group
				for i := range matches {
					m := match("a", "b", "c", "d")
					m.ID = strconv.Itoa(i)
					m.Rules.Target = 200
					group.Go(func() error {
						result, err := referee.Play(b.Context(), m)
						if err == nil && len(result.Faults) > 0 {
							err = fmt.Errorf("faults: %v", result.Faults)
						}
						return err
					})
				}
				require.NoError(b, group.Wait())
			}
			b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
			b.ReportMetric(memory, "RSS-MiB")
		})
	}
}

// resident is the memory of this process in MiB, without that of the bots.
func resident(b *testing.B) float64 {
	b.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	require.NoError(b, err)
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	require.NoError(b, err)
	return float64(pages*os.Getpagesize()) / (1 << 20)
}
