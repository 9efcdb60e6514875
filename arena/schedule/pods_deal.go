package schedule

import "slices"

// rank returns those who play, by points and then by seed, and, ascending, as many byes as are needed.
func (p *podSearch) rank(here []int, byes int) (ranking, out []int) {
	ranking = slices.Clone(here)
	slices.SortStableFunc(ranking, func(a, b int) int { return p.points[b] - p.points[a] })
	for range byes {
		least := len(ranking) - 1
		for i := least; i >= 0; i-- {
			if p.byes[ranking[i]] < p.byes[ranking[least]] {
				least = i
			}
		}
		out = append(out, ranking[least])
		ranking = slices.Delete(ranking, least, least+1)
	}
	slices.Sort(out)
	return ranking, out
}

// deal fills the tables in order. Those of equal points fill the seats that fall to them by turns: one at each table from the
// first to the last, then back from the last to the first, and so on.
func (p *podSearch) deal(ranking, sizes []int) {
	p.tables = make([][]int, len(sizes))
	at := 0
	for len(ranking) > 0 {
		group := 1
		for group < len(ranking) && p.points[ranking[group]] == p.points[ranking[0]] {
			group++
		}
		last, seats := at, sizes[at]-len(p.tables[at])
		for seats < group {
			last++
			seats += sizes[last]
		}
		// The last table keeps the seats that the group does not need.
		room := make([]int, last-at+1)
		for i := range room {
			room[i] = sizes[at+i] - len(p.tables[at+i])
		}
		room[len(room)-1] -= seats - group
		p.snake(ranking[:group], at, room)
		ranking = ranking[group:]
		at = last
		if at < len(sizes)-1 && len(p.tables[at]) == sizes[at] {
			at++
		}
	}
}

// snake deals a group to the tables from the given one on that have room.
func (p *podSearch) snake(group []int, first int, room []int) {
	for i, step := 0, 1; len(group) > 0; i += step {
		if i < 0 || i == len(room) {
			step = -step
			continue
		}
		if room[i] > 0 {
			p.tables[first+i] = append(p.tables[first+i], group[0])
			group = group[1:]
			room[i]--
		}
	}
}
