package ratings

import (
	"cmp"
	"iter"
	"slices"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
)

// islands returns the bots that met, directly or through others: what lies in different ones cannot be compared at all. They
// are sorted as groups are.
func (s *pairSums) islands() [][]int {
	return islands(len(s.names), func(yield func(a, b int32) bool) {
		for _, pair := range s.pairs {
			if !yield(pair.a, pair.b) {
				return
			}
		}
	})
}

func islands(bots int, pairs iter.Seq2[int32, int32]) [][]int {
	met := simple.NewUndirectedGraph()
	for bot := range bots {
		met.AddNode(simple.Node(bot))
	}
	for a, b := range pairs {
		met.SetEdge(met.NewEdge(simple.Node(a), simple.Node(b)))
	}
	return sorted(topo.ConnectedComponents(met))
}

// groups returns the bots that can be compared with each other: in a group, everybody has won something, be it half a
// game, off somebody who won something off somebody ... who won something off everybody else (the strongly connected
// components, by Tarjan's algorithm). Bots are by number and sorted; the largest group is first, equal ones by first bot.
func (s *pairSums) groups() [][]int {
	won := simple.NewDirectedGraph()
	for bot := range s.names {
		won.AddNode(simple.Node(bot))
	}
	for i, pair := range s.pairs {
		if s.score[i] > 0 {
			won.SetEdge(won.NewEdge(simple.Node(pair.a), simple.Node(pair.b)))
		}
		if s.score[i] < s.weight[i] {
			won.SetEdge(won.NewEdge(simple.Node(pair.b), simple.Node(pair.a)))
		}
	}
	return sorted(topo.TarjanSCC(won))
}

// sorted returns the components by number, the largest first.
func sorted(components [][]graph.Node) [][]int {
	var groups [][]int
	for _, component := range components {
		group := make([]int, len(component))
		for i, node := range component {
			group[i] = int(node.ID())
		}
		slices.Sort(group)
		groups = append(groups, group)
	}
	slices.SortFunc(groups, func(a, b []int) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0]))
	})
	return groups
}

// named returns the names of the bots of each group, and the group of each bot.
func (s *pairSums) named(groups [][]int) (names [][]string, of []int) {
	of = make([]int, len(s.names))
	for i, group := range groups {
		names = append(names, make([]string, len(group)))
		for at, bot := range group {
			names[i][at], of[bot] = s.names[bot], i
		}
	}
	return names, of
}
