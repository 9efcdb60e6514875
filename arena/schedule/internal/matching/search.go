package matching

import "math/bits"

// A label is the role of an outermost node in the forest of alternating paths that begin at single nodes.
type label int

const (
	free  label = iota + 1 // not reached
	outer                  // at an even distance from a single node: the search goes on from here along all edges
	inner                  // at an odd distance: it goes on along the matched edge
)

// A link is an edge seen from one of its ends. The zero link is none.
type link struct {
	from, to int
	real     bool
}

func (l link) reverse() link { return link{l.to, l.from, l.real} }

// A node is a vertex or a blossom: an odd cycle of nodes that acts as one. Vertices have the ids 0..n-1.
type node struct {
	live   bool
	parent int    // the blossom it is part of, -1 for an outermost node
	base   int    // the vertex whose partner is outside the node, or that has none
	ring   []int  // the nodes of the cycle, from the one with the base on; those at 1 and 2, 3 and 4 and so on are matched
	links  []link // from each node of the ring to the next; the last leads to the first
	leaves []int  // all its vertices

	// Of outermost nodes:
	label label
	entry link // by which an inner node was reached
	near  link // the edge of least slack from an outer vertex elsewhere
}

// search is the state of a matching and of the dual solution that proves it.
//
// Every vertex and blossom has a dual value; the slack of an edge between two outermost nodes is the sum of the duals of its
// ends less twice its weight and never negative; edges of no slack are tight, and only tight edges are matched. Since the
// duals of all vertices of an outermost node change by the same, the edge of least slack between two nodes stays the same
// as long as both are there: best holds it.
type search struct {
	n      int
	full   bool // as many edges as possible go before weight
	nodes  []node
	top    []int      // by vertex: its outermost node
	mate   []int      // by vertex: its partner or -1
	best   [][]link   // by two nodes that do not contain one another
	dual   []number   // by node
	twice  [][]number // by two vertices: twice the weight, nil without an edge
	queue  []int      // outer vertices whose edges have not been looked at
	marks  []int      // by node: the last walk that passed it
	walk   int
	sa, sb number // scratch
}

func newSearch(n int, edges []Edge, full bool) *search {
	p := newPacker(n, edges)
	size := n + n/2 + 1 // blossoms of at least three nodes, nested or apart
	s := &search{
		n: n, full: full, nodes: make([]node, size), top: make([]int, n), mate: make([]int, n), best: make([][]link, size),
		dual: make([]number, size), twice: make([][]number, n), marks: make([]int, size),
		sa: make(number, p.words), sb: make(number, p.words),
	}
	for i := range size {
		s.best[i], s.dual[i] = make([]link, size), make(number, p.words)
	}
	var heaviest number
	rows := make([]number, n)
	for v := range n {
		s.twice[v], s.top[v], s.mate[v] = make([]number, n), v, -1
		s.nodes[v] = node{live: true, parent: -1, base: v, leaves: []int{v}}
		rows[v] = make(number, n*p.words)
	}
	for _, e := range edges {
		w := p.pack(e.Weight)
		if !full && w.sign() <= 0 {
			continue
		}
		if heaviest == nil || heaviest.less(w) {
			heaviest = w
		}
		s.setTwice(rows, e.A, e.B, w)
		s.setTwice(rows, e.B, e.A, w)
		s.best[e.A][e.B], s.best[e.B][e.A] = link{e.A, e.B, true}, link{e.B, e.A, true}
	}
	for v := range n {
		if heaviest != nil {
			copy(s.dual[v], heaviest)
		}
	}
	return s
}

// setTwice lays the numbers of a row side by side, as they are read one after the other.
func (s *search) setTwice(rows []number, a, b int, w number) {
	twice := rows[a][b*len(w) : (b+1)*len(w)]
	copy(twice, w)
	twice.shift(1)
	s.twice[a][b] = twice
}

func (s *search) run() []int {
	for s.phase() {
	}
	return s.mate
}

// phase makes the matching one edge larger, or returns false when it is the one sought.
func (s *search) phase() bool {
	s.queue = s.queue[:0]
	for i := range s.nodes {
		x := &s.nodes[i]
		x.label, x.near = free, link{}
	}
	for i := range s.nodes {
		if s.outermost(i) && s.mate[s.nodes[i].base] < 0 {
			s.makeOuter(i)
		}
	}
	if len(s.queue) == 0 {
		return false
	}
	for {
		for len(s.queue) > 0 {
			v := s.queue[0]
			s.queue = s.queue[1:]
			if s.scan(v) {
				return true
			}
		}
		if !s.adjust() {
			return false
		}
		if s.follow() {
			return true
		}
		s.expandEmpty()
	}
}

func (s *search) outermost(i int) bool { return s.nodes[i].live && s.nodes[i].parent < 0 }

func (s *search) makeOuter(i int) {
	s.nodes[i].label = outer
	s.queue = append(s.queue, s.nodes[i].leaves...)
}

// scan looks at the edges of an outer vertex. It returns true when it made the matching larger.
func (s *search) scan(v int) bool {
	for u := range s.n {
		x := s.top[u]
		if x == s.top[v] || s.twice[v][u] == nil || s.nodes[x].label == inner {
			continue
		}
		l := link{v, u, true}
		if s.slack(s.sa, l); s.sa.sign() == 0 {
			if s.use(l) {
				return true
			}
			continue
		}
		near := s.nodes[x].near
		if !near.real {
			s.nodes[x].near = l
			continue
		}
		if s.slack(s.sb, near); s.sa.less(s.sb) {
			s.nodes[x].near = l
		}
	}
	return false
}

// follow uses the edges that an adjustment of the duals made tight. It returns true when it made the matching larger.
func (s *search) follow() bool {
	for i := range s.nodes {
		x := &s.nodes[i]
		if !s.outermost(i) || x.label == inner || !x.near.real {
			continue
		}
		if s.slack(s.sa, x.near); s.sa.sign() == 0 && s.use(x.near) {
			return true
		}
	}
	return false
}

// use takes a tight edge from an outer vertex to a node that is not inner. It returns true when it made the matching larger.
func (s *search) use(l link) bool {
	a, b := s.top[l.from], s.top[l.to]
	if a == b || s.nodes[b].label == inner {
		return false
	}
	if s.nodes[b].label == free {
		s.nodes[b].label, s.nodes[b].entry = inner, l
		s.makeOuter(s.top[s.mate[s.nodes[b].base]])
		return false
	}
	root := s.meet(a, b)
	if root < 0 {
		s.rematch(l.from, l.to)
		s.rematch(l.to, l.from)
		return true
	}
	s.contract(l, root)
	return false
}

// meet returns the first outer node that lies on the ways from both a and b to their roots, or -1 when the roots differ.
func (s *search) meet(a, b int) int {
	s.walk++
	for a >= 0 || b >= 0 {
		if a >= 0 {
			if s.marks[a] == s.walk {
				return a
			}
			s.marks[a] = s.walk
			a = s.parentOuter(a)
		}
		a, b = b, a
	}
	return -1
}

// parentOuter returns the outer node two steps closer to the root than the outer node x, or -1 at the root.
func (s *search) parentOuter(x int) int {
	mate := s.mate[s.nodes[x].base]
	if mate < 0 {
		return -1
	}
	return s.top[s.nodes[s.top[mate]].entry.from]
}

// rematch makes other the partner of v and swaps matched and unmatched edges from v to its root.
func (s *search) rematch(v, other int) {
	for {
		x := s.top[v]
		old := s.mate[s.nodes[x].base]
		s.rebase(x, v)
		s.mate[v] = other
		if old < 0 {
			return
		}
		t := s.top[old]
		entry := s.nodes[t].entry
		s.rebase(t, entry.to)
		s.mate[entry.to] = entry.from
		v, other = entry.from, entry.to
	}
}

// slack sets dst to the slack of an edge between two outermost nodes. Nothing is done more often.
func (s *search) slack(dst number, l link) {
	a, b, twice := s.dual[l.from], s.dual[l.to], s.twice[l.from][l.to]
	var carry, borrow uint64
	for i := range dst {
		var sum uint64
		sum, carry = bits.Add64(a[i], b[i], carry)
		dst[i], borrow = bits.Sub64(sum, twice[i], borrow)
	}
}
