package conformance_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"hash"
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

// TestIdentity lets bots in all languages play the same games: each seat is a bot of every language, and all have to answer the
// same. What the seats are told, which is the whole public record and their own cards, is hashed.
func TestIdentity(t *testing.T) {
	var bots []program
	for _, l := range languages() {
		t.Run(l.name, func(t *testing.T) { bots = append(bots, l.prepared(t)) })
	}
	require.False(t, t.Failed())
	var out strings.Builder
	for _, mode := range []string{"first", "random"} {
		seats := make([]*chorus, 6)
		for i := range seats {
			seats[i] = newChorus(t, bots, mode)
		}
		for players := 2; players <= len(seats); players++ {
			fmt.Fprintf(&out, "%s, %d players: %x\n", mode, players, playAll(t, seats[:players]))
		}
		for _, seat := range seats {
			seat.quit()
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(identityFile, []byte(out.String()), 0o600))
	}
	golden, err := os.ReadFile(identityFile)
	require.NoError(t, err, "make it with: go test ./sdk/conformance -run Identity -update")
	require.Equal(t, string(golden), out.String())
}

// playAll plays a match a seed and gives the hash of all that was heard.
func playAll(t *testing.T, seats []*chorus) [sha256.Size]byte {
	t.Helper()
	rules, err := engine.NewRules(engine.Rulebook, len(seats))
	require.NoError(t, err)
	rules.Target = 0 // a round is enough
	for _, seat := range seats {
		seat.heard.Reset()
	}
	for seed := range uint64(identitySeeds) {
		m := arena.Match{Settings: arena.DefaultSettings(rules), ID: "identity", Seed: engine.Seed{}.Child("identity", seed)}
		for seat := range seats {
			m.Bots = append(m.Bots, fmt.Sprintf("bot-%d@1", seat))
		}
		m.Orders = m.SeatOrders()[:1]
		result, err := arena.Referee{Seats: desk(seats)}.Play(t.Context(), m)
		require.NoError(t, err)
		require.Empty(t, result.Faults)
	}
	var sums []byte
	for _, seat := range seats {
		sums = seat.heard.Sum(sums)
	}
	return sha256.Sum256(sums)
}

// desk opens a seat at the chorus of its number.
type desk []*chorus

func (d desk) Open(_ context.Context, place arena.Place) (arena.Seat, error) {
	return d[place.Seat], nil
}

// chorus is a seat with a bot of each language, which plays games one after the other. Nothing is timed.
type chorus struct {
	reference *reference
	bots      []*process
	names     []string
	heard     hash.Hash
}

func newChorus(t *testing.T, bots []program, mode string) *chorus {
	t.Helper()
	c := &chorus{reference: &reference{random: mode == "random"}, heard: sha256.New()}
	for _, bot := range bots {
		c.bots = append(c.bots, bot.start(t, mode))
		c.names = append(c.names, bot.name)
	}
	return c
}

func (c *chorus) Ask(ctx context.Context, m protocol.Message, _ time.Duration) (arena.Reply, error) {
	if err := c.Tell(ctx, m); err != nil {
		return arena.Reply{}, err
	}
	var want []byte
	if turn, ok := m.(protocol.Turn); ok {
		move := c.reference.Act(turn)
		move.Turn = turn.Turn
		var err error
		if want, err = protocol.Marshal(move); err != nil {
			return arena.Reply{}, err
		}
	}
	for i, bot := range c.bots {
		line, err := bot.stdout.ReadSlice('\n')
		if err != nil {
			return arena.Reply{}, fmt.Errorf("%s, after %q: %w", c.names[i], line, err)
		}
		if want == nil {
			want = bytes.Clone(bytes.TrimSpace(line)) // they are ready
		}
		if !bytes.Equal(bytes.TrimSpace(line), want) {
			return arena.Reply{}, fmt.Errorf("%s answers %q where the SDK in Go answers %q to %+v", c.names[i], line, want, m)
		}
	}
	return arena.Reply{Line: want}, nil
}

func (c *chorus) Tell(_ context.Context, m protocol.Message) error {
	line, err := protocol.Marshal(m)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	c.heard.Write(line)
	for i, bot := range c.bots {
		if _, err := bot.stdin.Write(line); err != nil {
			return fmt.Errorf("%s: %w", c.names[i], err)
		}
	}
	if start, ok := m.(protocol.Start); ok {
		c.reference.Start(start)
	}
	return nil
}

// Close leaves the bots for the next game.
func (c *chorus) Close(context.Context) (string, error) { return "", nil }

func (c *chorus) quit() {
	for _, bot := range c.bots {
		require.Empty(bot.t, bot.quit())
	}
}

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
