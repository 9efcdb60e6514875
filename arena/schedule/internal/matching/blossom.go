package matching

import "slices"

// contract makes a blossom of the cycle that a tight edge closes between two outer nodes whose ways to the root meet.
func (s *search) contract(l link, root int) {
	down, downLinks := s.climb(s.top[l.from], root)
	up, upLinks := s.climb(s.top[l.to], root)
	ring, links := []int{root}, []link(nil)
	for i, x := range slices.Backward(down) {
		ring = append(ring, x)
		links = append(links, downLinks[i].reverse())
	}
	links = append(links, l)
	ring, links = append(ring, up...), append(links, upLinks...)

	id := s.n
	for s.nodes[id].live {
		id++
	}
	b := node{live: true, parent: -1, base: s.nodes[root].base, ring: ring, links: links, label: outer}
	clear(s.dual[id])
	for _, c := range ring {
		if s.nodes[c].label == inner {
			s.queue = append(s.queue, s.nodes[c].leaves...)
		}
		s.nodes[c].parent = id
		b.leaves = append(b.leaves, s.nodes[c].leaves...)
	}
	for _, v := range b.leaves {
		s.top[v] = id
	}
	s.nodes[id] = b
	s.findBest(id)
	s.findNear(id)
}

// climb returns the nodes from the outer node x up to but without root, and the link from each to the next.
func (s *search) climb(x, root int) (nodes []int, links []link) {
	for x != root {
		base := s.nodes[x].base
		t := s.top[s.mate[base]]
		entry := s.nodes[t].entry
		nodes = append(nodes, x, t)
		links = append(links, link{base, s.mate[base], true}, entry.reverse())
		x = s.top[entry.from]
	}
	return nodes, links
}

// findBest finds the edges of least slack between a new blossom and all nodes outside it.
func (s *search) findBest(id int) {
	for other := range s.nodes {
		if !s.nodes[other].live || s.top[s.nodes[other].base] == id {
			continue
		}
		var least link
		for _, c := range s.nodes[id].ring {
			l := s.best[c][other]
			if !l.real {
				continue
			}
			s.slack(s.sa, l)
			if !least.real || s.sa.less(s.sb) {
				least = l
				copy(s.sb, s.sa)
			}
		}
		s.best[id][other], s.best[other][id] = least, least.reverse()
	}
}

// findNear finds the edge of least slack from an outer vertex outside to an outermost node.
func (s *search) findNear(id int) {
	s.nodes[id].near = link{}
	for v, x := range s.top {
		l := s.best[v][id]
		if x == id || s.nodes[x].label != outer || !l.real {
			continue
		}
		s.slack(s.sa, l)
		if !s.nodes[id].near.real || s.sa.less(s.sb) {
			s.nodes[id].near = l
			copy(s.sb, s.sa)
		}
	}
}

// expandEmpty takes apart the inner blossoms with a dual of 0.
func (s *search) expandEmpty() {
	for i := s.n; i < len(s.nodes); i++ {
		if s.outermost(i) && s.nodes[i].label == inner && s.dual[i].sign() == 0 {
			s.expand(i)
		}
	}
}

// expand replaces an inner blossom by the nodes of its ring. Those on the even way from where it was entered to its base
// take its place in the forest, the others are free.
func (s *search) expand(id int) {
	b := s.nodes[id]
	s.nodes[id] = node{}
	for _, c := range b.ring {
		s.nodes[c].parent = -1
		s.nodes[c].label = free
		for _, v := range s.nodes[c].leaves {
			s.top[v] = c
		}
	}
	path, links := b.wayToBase(slices.Index(b.ring, s.top[b.entry.to]))
	entry := b.entry
	for i, c := range path {
		if i%2 == 0 {
			s.nodes[c].label, s.nodes[c].entry = inner, entry
			continue
		}
		s.makeOuter(c)
		entry = links[i]
	}
	for _, c := range b.ring {
		s.findNear(c)
	}
}

// wayToBase returns the nodes of the ring from place j round to place 0 on the side on which they are an odd number, and the
// links from each to the next.
func (b *node) wayToBase(j int) (path []int, links []link) {
	k := len(b.ring)
	step := 1 // forward to the end of the ring, which is its start
	if j%2 == 0 {
		step = -1
	}
	for ; j%k != 0; j += step {
		path = append(path, b.ring[j])
		if step > 0 {
			links = append(links, b.links[j])
		} else {
			links = append(links, b.links[j-1].reverse())
		}
	}
	return append(path, b.ring[0]), links
}

// rebase changes the matching within node x so that the vertex v is the one left for a partner outside.
func (s *search) rebase(x, v int) {
	if x < s.n {
		return
	}
	child := v
	for s.nodes[child].parent != x {
		child = s.nodes[child].parent
	}
	b := &s.nodes[x]
	j := slices.Index(b.ring, child)
	path, links := b.wayToBase(j)
	s.rebase(child, v)
	for i := 1; i < len(path); i += 2 {
		l := links[i]
		s.rebase(path[i], l.from)
		s.rebase(path[i+1], l.to)
		s.mate[l.from], s.mate[l.to] = l.to, l.from
	}
	b.ring = append(slices.Clone(b.ring[j:]), b.ring[:j]...)
	b.links = append(slices.Clone(b.links[j:]), b.links[:j]...)
	b.base = v
}
