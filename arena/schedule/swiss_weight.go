package schedule

import (
	"slices"

	"github.com/fivethreefive/fivethreefive/arena/schedule/internal/matching"
)

// edges returns all pairs of ranks with their weights, and, for an odd number, the bye of each as a pair with one rank more.
// The digits of a weight are what a pair costs by each rule of [Swiss], below 0.
func (p *pairing) edges() []matching.Edge {
	n := len(p.ranking)
	c := p.columns()
	var edges []matching.Edge
	for i, a := range p.ranking {
		for j := i + 1; j < n; j++ {
			b := p.ranking[j]
			w := make([]int64, c.count)
			w[c.forbidden] = int64(-min(p.forbidden.of(a, b), 1))
			if met := p.met.of(a, b); met > 0 {
				w[c.met+slices.Index(c.meetings, met)] = -1
			}
			if gap := p.points[a] - p.points[b]; gap > 0 {
				w[c.gap+slices.Index(c.gaps, gap)] = -1
			}
			w[c.fold] = int64(-p.fold(i, j))
			w[c.lot] = -lot(a, b)
			edges = append(edges, matching.Edge{A: i, B: j, Weight: w})
		}
		if n%2 == 1 {
			w := make([]int64, c.count)
			w[c.byes], w[c.points], w[c.rank] = int64(-p.byes[a]), int64(-p.points[a]), int64(i)
			edges = append(edges, matching.Edge{A: i, B: n, Weight: w})
		}
	}
	return edges
}

// columns says which digit of a weight holds what.
type columns struct {
	forbidden, met, byes, points, gap, rank, fold, lot int // met and gap are the first of several

	count    int
	meetings []int // the distinct numbers of meetings above 0, from the largest down
	gaps     []int // the distinct differences of points above 0, from the largest down
}

func (p *pairing) columns() columns {
	var c columns
	for i, a := range p.ranking {
		for _, b := range p.ranking[:i] {
			c.meetings = note(c.meetings, p.met.of(a, b))
			c.gaps = note(c.gaps, p.points[b]-p.points[a])
		}
	}
	c.met = c.forbidden + 1
	c.byes = c.met + len(c.meetings)
	c.points = c.byes + 1
	c.gap = c.points + 1
	c.rank = c.gap + len(c.gaps)
	c.fold = c.rank + 1
	c.lot = c.fold + 1
	c.count = c.lot + 1
	return c
}

// note puts x, if it is above 0, into a descending list without repetitions.
func note(list []int, x int) []int {
	at, found := slices.BinarySearchFunc(list, x, func(a, b int) int { return b - a })
	if found || x == 0 {
		return list
	}
	return slices.Insert(list, at, x)
}

// fold returns the square of how far the ranks i and j are from the distance that they should have.
func (p *pairing) fold(i, j int) int {
	want := 1
	if a, b := p.ranking[i], p.ranking[j]; !p.adjacent && p.points[a] == p.points[b] {
		want = p.group[a] / 2
	}
	far := j - i - want
	return far * far
}

// lot returns a number below 2^48 that looks drawn for this pair. When every pair has its own, two different pairings with
// the same sum are all but impossible (Mulmuley, Vazirani and Vazirani, Matching is as easy as matrix inversion, 1987).
func lot(a, b int) int64 {
	x := uint64(min(a, b))<<32 | uint64(max(a, b))
	for range 2 { // the finalizer of SplitMix64
		x += 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
	}
	return int64(x >> 16)
}
