package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
)

// Seed is what all chance of a game derives from; the package comment says how. In text it is 64 hexadecimal digits.
type Seed [32]byte

// Child derives an independent seed. Nothing about the parent or about other children can be computed from it.
func (s Seed) Child(label string, n uint64) Seed {
	buf := make([]byte, 0, 96)
	buf = append(buf, "fivethreefive/1\x00"...)
	buf = append(append(buf, label...), 0)
	buf = append(buf, s[:]...)
	return sha256.Sum256(binary.BigEndian.AppendUint64(buf, n))
}

// Commitment is the SHA-256 of the seed in hexadecimal: published before play, it proves later that the seed was fixed.
func (s Seed) Commitment() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:])
}

func (s Seed) String() string { return hex.EncodeToString(s[:]) }

// MarshalText gives 64 hexadecimal digits.
func (s Seed) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads 64 hexadecimal digits.
func (s *Seed) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(string(text))
	if err != nil || len(raw) != len(s) {
		return fmt.Errorf("seed: %.80q is not 64 hexadecimal digits", text)
	}
	copy(s[:], raw)
	return nil
}

// Leader is the seat that leads the first trick of the game.
func (s Seed) Leader(players int) int {
	return uniform(rand.NewChaCha8(s.Child("leader", 0)), players)
}

// Deal shuffles and deals a round, counted from 1. The rules must be valid.
func (s Seed) Deal(rules Rules, round int) Deal {
	deck := make([]Cards, 0, 13*rules.Copies)
	for _, rank := range Ranks() {
		for range rules.Copies {
			deck = append(deck, one(rank))
		}
	}
	source := rand.NewChaCha8(s.Child("deal", uint64(round)))
	for i := len(deck) - 1; i > 0; i-- {
		j := uniform(source, i+1)
		deck[i], deck[j] = deck[j], deck[i]
	}
	take := func(n int) (hand Cards) {
		for _, card := range deck[:n] {
			hand += card
		}
		deck = deck[n:]
		return hand
	}
	var d Deal
	for seat := range rules.Players {
		d.Hands[seat] = take(rules.HandSize)
	}
	if rules.Halves() == 2 {
		for seat := range rules.Players {
			d.Hands2[seat] = take(rules.HandSize)
		}
	}
	d.Undealt = take(len(deck))
	return d
}

// uniform draws from 0 to n-1 without bias.
func uniform(source *rand.ChaCha8, n int) int {
	bound := uint64(n)
	excess := (math.MaxUint64%bound + 1) % bound
	for {
		if x := source.Uint64(); x <= math.MaxUint64-excess {
			return int(x % bound)
		}
	}
}
