package matching_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/schedule/internal/matching"
)

// value checks that mate is a matching along edges and returns how many it has and what they weigh.
func value(t require.TestingT, n int, edges []matching.Edge, mate []int) (size int, weight []int64) {
	require.Len(t, mate, n)
	single := 0
	for v, m := range mate {
		if m < 0 {
			single++
			continue
		}
		require.Equal(t, v, mate[m], "vertex %d and its partner %d", v, m)
	}
	for _, e := range edges {
		if mate[e.A] == e.B {
			size++
			weight = plus(weight, e.Weight)
		}
	}
	require.Equal(t, n, 2*size+single, "all pairs are edges")
	return size, weight
}

// plus adds digit by digit; nil is zero.
func plus(a, b []int64) []int64 {
	if a == nil {
		return b
	}
	sum := slices.Clone(a)
	for i := range b {
		sum[i] += b[i]
	}
	return sum
}

func TestPublishedCases(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "matching.json"))
	require.NoError(t, err)
	var file struct {
		Cases []struct {
			Name           string
			Edges          [][3]int
			MaxCardinality bool `json:"max_cardinality"`
			Weight         int64
			Size           int
		}
	}
	require.NoError(t, json.Unmarshal(text, &file))
	require.Len(t, file.Cases, 18)
	for _, tt := range file.Cases {
		t.Run(tt.Name, func(t *testing.T) {
			n := 0
			var edges []matching.Edge
			for _, e := range tt.Edges {
				n = max(n, e[0]+1, e[1]+1)
				edges = append(edges, matching.Edge{A: e[0], B: e[1], Weight: []int64{int64(e[2])}})
			}
			find := matching.MaxWeight
			if tt.MaxCardinality {
				find = matching.MaxCardinality
			}
			size, weight := value(t, n, edges, find(n, edges))
			assert.Equal(t, tt.Size, size)
			assert.Equal(t, tt.Weight, plus(weight, []int64{0})[0])
		})
	}
}

// best tries all matchings.
func best(n int, edges []matching.Edge, better func(sizeA int, a []int64, sizeB int, b []int64) bool) (size int, weight []int64) {
	at := make(map[[2]int][]int64)
	for _, e := range edges {
		at[[2]int{min(e.A, e.B), max(e.A, e.B)}] = e.Weight
	}
	digits := 0
	if len(edges) > 0 {
		digits = len(edges[0].Weight)
	}
	used := make([]bool, n)
	var try func(v int) (int, []int64)
	try = func(v int) (int, []int64) {
		for v < n && used[v] {
			v++
		}
		if v == n {
			return 0, make([]int64, digits)
		}
		most, heaviest := try(v + 1)
		for u := v + 1; u < n; u++ {
			w := at[[2]int{v, u}]
			if used[u] || w == nil {
				continue
			}
			used[u] = true
			s, rest := try(v + 1)
			used[u] = false
			if s, rest = s+1, plus(rest, w); better(s, rest, most, heaviest) {
				most, heaviest = s, rest
			}
		}
		return most, heaviest
	}
	return try(0)
}

func heavier(_ int, a []int64, _ int, b []int64) bool { return slices.Compare(a, b) > 0 }

func larger(sizeA int, a []int64, sizeB int, b []int64) bool {
	return sizeA > sizeB || sizeA == sizeB && slices.Compare(a, b) > 0
}

func checkAgainstAll(t require.TestingT, n int, edges []matching.Edge) {
	digits := 0
	if len(edges) > 0 {
		digits = len(edges[0].Weight)
	}
	zero := make([]int64, digits)
	_, want := best(n, edges, heavier)
	_, weight := value(t, n, edges, matching.MaxWeight(n, edges))
	require.Equal(t, want, plus(zero, weight), "the heaviest of %v", edges)

	most, want := best(n, edges, larger)
	size, weight := value(t, n, edges, matching.MaxCardinality(n, edges))
	require.Equal(t, most, size, "the largest of %v", edges)
	require.Equal(t, want, plus(zero, weight), "the heaviest of the largest of %v", edges)
}

// Small weights make ties, and ties make blossoms.
func TestAgainstAllMatchings(t *testing.T) {
	rng := rand.New(rand.NewPCG(1965, 1986))
	for range 10_000 {
		n := rng.IntN(9)
		digits, span, density := 1+rng.IntN(3), 1+rng.IntN(12), 1+rng.IntN(10)
		var edges []matching.Edge
		for a := range n {
			for b := range a {
				if rng.IntN(10) >= density {
					continue
				}
				e := matching.Edge{A: a, B: b}
				for range digits {
					e.Weight = append(e.Weight, int64(rng.IntN(span+1)-span/4))
				}
				edges = append(edges, e)
			}
		}
		checkAgainstAll(t, n, edges)
	}
}

func TestAgainstAllMatchingsDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 10).Draw(t, "n")
		digit := rapid.OneOf(rapid.Int64Range(-2, 6), rapid.Int64Range(-1<<40, 1<<40))
		weight := rapid.SliceOfN(digit, 2, 2)
		var edges []matching.Edge
		for a := range n {
			for b := range a {
				if rapid.Bool().Draw(t, "edge") {
					edges = append(edges, matching.Edge{A: a, B: b, Weight: weight.Draw(t, "weight")})
				}
			}
		}
		checkAgainstAll(t, n, edges)
	})
}

// Graphs too large to try all matchings: the duals prove the optimum.
func TestDualsProveTheOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1973, 7))
	for range 600 {
		n, density, span := rng.IntN(50), 1+rng.IntN(10), 1+rng.IntN(9)
		digits := 1 + rng.IntN(8) // to four words
		var edges []matching.Edge
		for a := range n {
			for b := range a {
				if rng.IntN(10) >= density {
					continue
				}
				e := matching.Edge{A: a, B: b}
				for range digits {
					e.Weight = append(e.Weight, int64(rng.IntN(span+1)-1)<<rng.IntN(20))
				}
				edges = append(edges, e)
			}
		}
		require.NoError(t, matching.Prove(n, edges, true))
		require.NoError(t, matching.Prove(n, edges, false))
	}
}

// Numbers of all lengths around those of one word, two and three.
func TestWeightsOfAllLengths(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 128))
	for length := range 61 {
		for digits := 1; digits <= 3; digits++ {
			for range 8 {
				var edges []matching.Edge
				for a := range 8 {
					for b := range a {
						e := matching.Edge{A: a, B: b}
						for range digits {
							e.Weight = append(e.Weight, (1-2*rng.Int64N(2))*(1<<length-rng.Int64N(1+1<<(length/2))))
						}
						if rng.IntN(3) > 0 {
							edges = append(edges, e)
						}
					}
				}
				checkAgainstAll(t, 8, edges)
			}
		}
	}
}

func TestNothingToPair(t *testing.T) {
	assert.Empty(t, matching.MaxCardinality(0, nil))
	assert.Equal(t, []int{-1, -1, -1}, matching.MaxCardinality(3, nil))
	assert.Equal(t, []int{1, 0}, matching.MaxCardinality(2, []matching.Edge{{A: 0, B: 1, Weight: []int64{-5}}}))
	assert.Equal(t, []int{-1, -1}, matching.MaxWeight(2, []matching.Edge{{A: 0, B: 1, Weight: []int64{0}}}))
	assert.Equal(t, []int{1, 0}, matching.MaxCardinality(2, []matching.Edge{{A: 1, B: 0}}), "no digits")
}

func BenchmarkMaxCardinality(b *testing.B) {
	for _, n := range []int{50, 200, 500} {
		rng := rand.New(rand.NewPCG(1, 2))
		var edges []matching.Edge
		for x := range n {
			for y := range x {
				edges = append(edges, matching.Edge{A: y, B: x, Weight: []int64{rng.Int64N(3), -rng.Int64N(10), -rng.Int64N(int64(n * n))}})
			}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				matching.MaxCardinality(n, edges)
			}
		})
	}
}
