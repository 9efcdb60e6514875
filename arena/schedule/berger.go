package schedule

import "slices"

// bergerCycles returns the cycles of a round robin of two seats one after the other.
func bergerCycles(n, cycles int) []Stage {
	var stages []Stage
	for cycle := range cycles {
		one := berger(n)
		if cycle%2 == 1 {
			for _, stage := range one {
				for _, table := range stage.Tables {
					slices.Reverse(table)
				}
			}
		}
		if last := len(one) - 1; cycle < cycles-1 && last > 0 {
			one[last-1], one[last] = one[last], one[last-1]
		}
		stages = append(stages, one...)
	}
	return stages
}

// berger returns the Berger table of n entrants (FIDE Handbook C.05, annex 1) in closed form: the last of an even number
// stands still while the others rotate. With an odd n the one who would meet number n+1 has the bye.
func berger(n int) []Stage {
	even := n + n%2
	turn := even - 1
	stages := make([]Stage, turn)
	for r := range stages {
		pivot, still := r/2, even-1
		if r%2 == 1 {
			pivot = (even + r - 1) / 2
		}
		switch {
		case even > n:
			stages[r].Byes = []int{pivot}
		case r%2 == 1:
			stages[r].Tables = append(stages[r].Tables, []int{still, pivot})
		default:
			stages[r].Tables = append(stages[r].Tables, []int{pivot, still})
		}
		for i := 1; i < even/2; i++ {
			stages[r].Tables = append(stages[r].Tables, []int{(pivot + i) % turn, (pivot - i + turn) % turn})
		}
	}
	return stages
}
