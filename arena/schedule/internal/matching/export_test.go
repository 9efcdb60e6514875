package matching

import (
	"fmt"
	"slices"
)

// Prove runs a search and checks the conditions of complementary slackness on its duals, which only an optimum meets.
func Prove(n int, edges []Edge, full bool) error {
	s := newSearch(n, edges, full)
	mate := s.run()
	single := slices.Index(mate, -1)
	if single >= 0 && !full {
		s.apply(slices.Clone(s.dual[single]))
	}
	for v := range n {
		if !full && s.dual[v].sign() < 0 {
			return fmt.Errorf("dual of vertex %d is negative", v)
		}
		if single >= 0 && s.dual[v].less(s.dual[single]) {
			return fmt.Errorf("dual of vertex %d is less than that of the single vertex %d", v, single)
		}
		if mate[v] < 0 && s.dual[single].less(s.dual[v]) {
			return fmt.Errorf("duals of the single vertices %d and %d differ", v, single)
		}
	}
	for id := n; id < len(s.nodes); id++ {
		if b := s.nodes[id]; b.live {
			if err := s.proveFull(id, mate); err != nil {
				return err
			}
		}
	}
	for a := range n {
		for b := range a {
			if s.twice[a][b] == nil {
				continue
			}
			slack := s.edgeSlack(a, b)
			if slack.sign() < 0 {
				return fmt.Errorf("slack of the edge %d-%d is negative", a, b)
			}
			if mate[a] == b && slack.sign() != 0 {
				return fmt.Errorf("the matched edge %d-%d is not tight", a, b)
			}
		}
	}
	return nil
}

// proveFull checks that a blossom has a dual of 0 or more and holds as many matched edges as it can.
func (s *search) proveFull(id int, mate []int) error {
	if s.dual[id].sign() < 0 {
		return fmt.Errorf("dual of blossom %d is negative", id)
	}
	leaves, inside := s.nodes[id].leaves, 0
	for _, v := range leaves {
		if slices.Contains(leaves, mate[v]) {
			inside++
		}
	}
	if inside != len(leaves)-1 {
		return fmt.Errorf("blossom %v has %d matched vertices", leaves, inside)
	}
	return nil
}

func (s *search) edgeSlack(a, b int) number {
	slack := make(number, len(s.sa))
	s.slack(slack, link{a, b, true})
	for id := s.n; id < len(s.nodes); id++ {
		if l := s.nodes[id].leaves; s.nodes[id].live && slices.Contains(l, a) && slices.Contains(l, b) {
			slack.add(s.dual[id])
		}
	}
	return slack
}
