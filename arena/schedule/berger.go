package schedule

import "slices"

// bergerStages is how many stages a cycle of two seats has.
func bergerStages(n int) int { return n - 1 + n%2 }

// bergerCycles returns the cycles of a round robin of two seats one after the other.
func bergerCycles(n, cycles int) []Stage {
	stages := make([]Stage, cycles*bergerStages(n))
	for i := range stages {
		stages[i] = bergerCycle(n, cycles, i)
	}
	return stages
}

// bergerCycle returns one stage of several cycles.
func bergerCycle(n, cycles, stage int) Stage {
	turn := bergerStages(n)
	cycle, r := stage/turn, stage%turn
	if cycle < cycles-1 && turn > 1 && r >= turn-2 {
		r = 2*turn - 3 - r // the last two change places
	}
	s := berger(n, r)
	if cycle%2 == 1 {
		for _, table := range s.Tables {
			slices.Reverse(table)
		}
	}
	return s
}

// berger returns stage r of the Berger table of n entrants (FIDE Handbook C.05, annex 1) in closed form: the last of an even
// number stands still while the others rotate. With an odd n the one who would meet number n+1 has the bye.
func berger(n, r int) Stage {
	turn := bergerStages(n)
	pivot, still := r/2, turn
	if r%2 == 1 {
		pivot = (turn + r) / 2
	}
	var s Stage
	switch {
	case still == n:
		s.Byes = []int{pivot}
	case r%2 == 1:
		s.Tables = append(s.Tables, []int{still, pivot})
	default:
		s.Tables = append(s.Tables, []int{pivot, still})
	}
	for i := 1; i <= turn/2; i++ {
		s.Tables = append(s.Tables, []int{(pivot + i) % turn, (pivot - i + turn) % turn})
	}
	return s
}
