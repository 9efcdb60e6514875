package conformance_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const (
	identityFile  = "testdata/identity.txt"
	identitySeeds = 100
)

// TestIdentity lets bots in all languages play the same games. The reference plays them first. Then each bot is sent all that the
// seats were told, which is the whole public record and the cards of each, and has to answer as the reference did: if it does, it
// would have been told the same. What the seats were told is hashed.
func TestIdentity(t *testing.T) {
	var out strings.Builder
	for _, mode := range []string{"first", "random"} {
		t.Run(mode, func(t *testing.T) {
			var games record
			for players := 2; players <= 6; players++ {
				fmt.Fprintf(&out, "%s, %d players: %x\n", mode, players, playAll(t, mode, players, &games))
			}
			each(t, func(t *testing.T, bot program) { games.requireAnswers(t, bot.start(t, mode)) })
		})
	}
	if *update {
		require.NoError(t, os.WriteFile(identityFile, []byte(out.String()), 0o600))
	}
	golden, err := os.ReadFile(identityFile)
	require.NoError(t, err, "make it with: go test ./sdk/conformance -run Identity -update")
	require.Equal(t, string(golden), out.String())
}

// playAll plays a match a seed, records what each seat was told and answered, and gives the hash of all that was told.
func playAll(t *testing.T, mode string, players int, games *record) [sha256.Size]byte {
	t.Helper()
	rules, err := engine.NewRules(engine.Rulebook, players)
	require.NoError(t, err)
	rules.Target = 0 // a round is enough
	told := make([]bytes.Buffer, players)
	for seed := range uint64(identitySeeds) {
		m := arena.Match{Settings: arena.DefaultSettings(rules), ID: "identity", Seed: engine.Seed{}.Child("identity", seed)}
		seats := make(desk, players)
		for seat := range seats {
			m.Bots = append(m.Bots, fmt.Sprintf("bot-%d@1", seat))
			seats[seat] = &recorded{reference: reference{random: mode == "random"}}
		}
		m.Orders = m.SeatOrders()[:1]
		result, err := arena.Referee{Seats: seats}.Play(t.Context(), m)
		require.NoError(t, err)
		require.Empty(t, result.Faults)
		for i, seat := range seats {
			told[i].Write(seat.told)
			games.add(seat.record)
		}
	}
	var sums []byte
	for i := range told {
		sum := sha256.Sum256(told[i].Bytes())
		sums = append(sums, sum[:]...)
	}
	return sha256.Sum256(sums)
}

// desk opens the seat of that number.
type desk []*recorded

func (d desk) Open(_ context.Context, place arena.Place) (arena.Seat, error) {
	return d[place.Seat], nil
}

// record is what seats were told and answered, a line each.
type record struct {
	told    []byte
	answers []answer
}

type answer struct {
	line []byte
	told int // how long what was told is until then
}

func (r *record) add(other record) {
	for _, a := range other.answers {
		r.answers = append(r.answers, answer{a.line, a.told + len(r.told)})
	}
	r.told = append(r.told, other.told...)
}

// requireAnswers tells the bot all of it without waiting for an answer.
func (r *record) requireAnswers(t *testing.T, b *process) {
	t.Helper()
	sent := make(chan error, 1)
	go func() {
		_, err := b.stdin.Write(r.told)
		sent <- err
	}()
	for _, want := range r.answers {
		line, err := b.stdout.ReadBytes('\n')
		if err != nil || !bytes.Equal(bytes.TrimSpace(line), want.line) {
			told := bytes.TrimSpace(r.told[:want.told])
			require.Fail(t, "another answer than that of the SDK in Go", "%s\nanswered %q instead of %q (%v)\n%s",
				told[bytes.LastIndexByte(told, '\n')+1:], line, want.line, err, b.stderr)
		}
	}
	require.NoError(t, <-sent)
	require.Empty(t, b.quit())
}

// recorded is a seat of the reference that keeps what it is told.
type recorded struct {
	reference
	record
}

func (s *recorded) Ask(ctx context.Context, m protocol.Message, _ time.Duration) (arena.Reply, error) {
	if err := s.Tell(ctx, m); err != nil {
		return arena.Reply{}, err
	}
	var reply protocol.Message = protocol.Ready{Name: "conform", Version: `1 "é"`, Protocol: protocol.Version} // as the bots say
	if turn, ok := m.(protocol.Turn); ok {
		move := s.Act(turn)
		move.Turn = turn.Turn
		reply = move
	}
	line, err := protocol.Marshal(reply)
	s.answers = append(s.answers, answer{line, len(s.told)})
	return arena.Reply{Line: line}, err
}

func (s *recorded) Tell(_ context.Context, m protocol.Message) error {
	line, err := protocol.Marshal(m)
	s.told = append(append(s.told, line...), '\n')
	if start, ok := m.(protocol.Start); ok {
		s.Start(start)
	}
	return err
}

func (*recorded) Close(context.Context) (string, error) { return "", nil }

// reference decides by the functions of the engine and of the SDK in Go, without a process.
type reference struct {
	random bool
	draw   *bot.Random
}

func (r *reference) Start(start bot.Start) { r.draw = bot.NewRandom(start.Seed) }

func (r *reference) Act(turn bot.Turn) bot.Move {
	if r.random {
		return bot.Play(turn.Legal[r.draw.Below(len(turn.Legal))])
	}
	return bot.Play(turn.Legal[0])
}
