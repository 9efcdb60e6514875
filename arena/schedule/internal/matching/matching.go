// Package matching pairs the vertices of a general graph so that the weight of the pairs is as large as can be.
//
// It is the primal-dual method of Edmonds (Maximum matching and a polyhedron with 0,1-vertices, 1965) with the bookkeeping
// of Gabow and Lawler that makes it O(n^3), as surveyed by Galil (Efficient algorithms for finding maximum matching in
// graphs, ACM Computing Surveys 18, 1986). All arithmetic is in integers of as many words as the weights need, so the
// result is exact and the same on every machine.
package matching

// An Edge joins two different vertices. There is at most one between any two.
type Edge struct {
	A, B int
	// Weight has as many digits as that of every other edge. The weight of a matching is the sum of the weights of its
	// edges, digit by digit; of two such sums the larger is the one that is larger at the first digit where they differ.
	// Digits may be negative.
	Weight []int64
}

// MaxWeight returns the partner of each of n vertices, or -1, in a matching than which none is heavier. None of its edges
// weighs 0 or less.
func MaxWeight(n int, edges []Edge) []int {
	return newSearch(n, edges, false).run()
}

// MaxCardinality returns the partner of each of n vertices, or -1, in a matching than which none has more edges, and none
// of as many edges is heavier.
func MaxCardinality(n int, edges []Edge) []int {
	return newSearch(n, edges, true).run()
}
