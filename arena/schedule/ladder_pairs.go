package schedule

// pairTable holds a number for every unordered pair of entrants; it takes 4*n*n bytes, and a look-up costs little.
type pairTable struct {
	n     int
	cells []int32
}

func newPairTable(n int) pairTable { return pairTable{n, make([]int32, n*n)} }

func (p pairTable) of(a, b int) int  { return int(p.cells[a*p.n+b]) }
func (p pairTable) add(a, b, by int) { p.set(a, b, p.of(a, b)+by) }
func (p pairTable) set(a, b, value int) {
	p.cells[a*p.n+b], p.cells[b*p.n+a] = int32(value), int32(value)
}

// meetingsOf is History.meetings for those who ask often.
func meetingsOf(h *History) pairTable {
	met := newPairTable(len(h.Entrants))
	for _, stage := range h.Stages {
		for _, table := range stage.Tables {
			for i, a := range table.Entrants {
				for _, b := range table.Entrants[:i] {
					met.add(a, b, 1)
				}
			}
		}
	}
	return met
}
