package matching

import "slices"

// adjust changes the duals by the most that keeps every slack and every dual of a blossom from being negative. It returns
// false when the matching needs no change: no bound is left, or, if weight alone counts, the duals of single vertices are 0.
func (s *search) adjust() bool {
	var step number
	lower := func(bound number) {
		if step == nil || bound.less(step) {
			step = slices.Clone(bound)
		}
	}
	var single number
	for i := range s.nodes {
		if !s.outermost(i) {
			continue
		}
		x := &s.nodes[i]
		if x.label == outer && s.mate[x.base] < 0 {
			single = s.dual[x.base]
		}
		switch {
		case x.label == inner && x.ring != nil:
			copy(s.sa, s.dual[i])
			s.sa.half()
			lower(s.sa)
		case x.label == free && x.near.real:
			s.slack(s.sa, x.near)
			lower(s.sa)
		case x.label == outer && x.near.real:
			s.slack(s.sa, x.near)
			s.sa.half() // even: the duals of outer vertices are all odd or all even
			lower(s.sa)
		}
	}
	if step == nil || !s.full && !step.less(single) {
		return false
	}
	s.apply(step)
	return true
}

// apply lowers the duals of outer vertices and raises those of inner ones; the blossoms round them make up for it, so that
// the edges within stay tight.
func (s *search) apply(step number) {
	for v, x := range s.top {
		switch s.nodes[x].label {
		case outer:
			s.dual[v].sub(step)
		case inner:
			s.dual[v].add(step)
		case free:
		}
	}
	for i := s.n; i < len(s.nodes); i++ {
		if !s.outermost(i) {
			continue
		}
		switch s.nodes[i].label {
		case outer:
			s.dual[i].add(step)
			s.dual[i].add(step)
		case inner:
			s.dual[i].sub(step)
			s.dual[i].sub(step)
		case free:
		}
	}
}
