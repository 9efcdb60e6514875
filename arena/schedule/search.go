package schedule

import (
	"math/rand/v2"
	"slices"
)

// How long the search for one plan may take: a move costs some hundred nanoseconds.
const (
	searchMoves  = 50_000
	searchStarts = 4
)

// search holds base blocks on their way to a balanced design. All is integers, and chance comes from a fixed seed, so that
// every machine finds the same.
type search struct {
	n      int
	blocks [][]int // blocks of full orbits, members in no order
	meets  []int   // by difference 1..n/2: how often two entrants that far apart meet
	want   int     // they should meet this often or once more
	cost   int     // sum of the squares of what is missing and of what is too much; 0 is a find
	rng    *rand.Rand
}

// searchBlocks looks for that many base blocks of k with full orbits which balance the meetings together with the orbit of
// the subgroup short, if that is not nil: any two entrants meet at least once, and no two more than once more often than
// others. It returns the blocks ascending, each beginning with 0, or nil when it finds none.
func searchBlocks(n, k, full int, short []int) [][]int {
	places := full*k + len(short)/k // tables of one entrant
	want := places * (k - 1) / (n - 1)
	if want < 1 {
		return nil
	}
	for start := range uint64(searchStarts) {
		s := search{n: n, meets: make([]int, n/2+1), want: want, rng: rand.New(rand.NewPCG(uint64(n), start))}
		for d := 1; d <= n/2; d++ {
			if slices.Contains(short, d) {
				s.meets[d]++
			}
			s.cost += s.miss(d)
		}
		for range full {
			s.addBlock(s.rng.Perm(n)[:k])
		}
		if s.climb() {
			return s.sorted()
		}
	}
	return nil
}

// climb makes moves that do not raise the cost until it is 0, and gives up after searchMoves.
func (s *search) climb() bool {
	for range searchMoves {
		if s.cost == 0 {
			break
		}
		block, i, x := s.propose()
		if slices.Contains(block, x) {
			continue
		}
		before, old := s.cost, block[i]
		s.replace(block, i, x)
		if s.cost > before || period(block, s.n) < s.n {
			s.replace(block, i, old)
		}
	}
	return s.cost == 0
}

// propose picks a difference that is met too seldom or too often and a move that mends it: member i of a block becomes x.
func (s *search) propose() (block []int, i, x int) {
	d := 1 + s.rng.IntN(s.n/2)
	for s.miss(d) == 0 {
		d = d%(s.n/2) + 1
	}
	if s.meets[d] > s.want {
		block, i = s.find(d)
		return block, i, s.rng.IntN(s.n)
	}
	block = s.blocks[s.rng.IntN(len(s.blocks))]
	i = s.rng.IntN(len(block))
	j := (i + 1 + s.rng.IntN(len(block)-1)) % len(block)
	if s.rng.IntN(2) == 0 {
		d = s.n - d
	}
	return block, i, (block[j] + d) % s.n
}

// find returns the first block from a random one on with two members d apart, and the index of one of them. There is one,
// since a short orbit alone is never too much.
func (s *search) find(d int) (block []int, i int) {
	for at := s.rng.IntN(len(s.blocks)); ; at++ {
		block = s.blocks[at%len(s.blocks)]
		for i, x := range block {
			for _, y := range block[:i] {
				if s.apart(x, y) == d {
					return block, i
				}
			}
		}
	}
}

func (s *search) addBlock(block []int) {
	s.blocks = append(s.blocks, block)
	for i, x := range block {
		s.count(block[:i], x, 1)
	}
}

// replace puts x in place of member i.
func (s *search) replace(block []int, i, x int) {
	last := len(block) - 1
	block[i], block[last] = block[last], block[i]
	s.count(block[:last], block[last], -1)
	s.count(block[:last], x, 1)
	block[last] = x
	block[i], block[last] = block[last], block[i]
}

// count adds by meetings between x and each of the others. Entrants half of n apart have only n/2 pairs for the n tables
// of an orbit, so they meet twice.
func (s *search) count(others []int, x, by int) {
	for _, y := range others {
		d := s.apart(x, y)
		s.cost -= s.miss(d)
		s.meets[d] += by
		if 2*d == s.n {
			s.meets[d] += by
		}
		s.cost += s.miss(d)
	}
}

// miss returns the square of how far the meetings at difference d are from what is wanted.
func (s *search) miss(d int) int {
	far := max(s.want-s.meets[d], s.meets[d]-s.want-1, 0)
	return far * far
}

func (s *search) apart(x, y int) int {
	d := max(x-y, y-x)
	return min(d, s.n-d)
}

func (s *search) sorted() [][]int {
	blocks := make([][]int, len(s.blocks))
	for i, b := range s.blocks {
		blocks[i] = shifted(b, s.n-slices.Min(b), s.n)
	}
	slices.SortFunc(blocks, slices.Compare)
	return blocks
}
