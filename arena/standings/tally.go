package standings

import (
	"math"
	"math/big"
	"slices"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// tally is what the tie-breaks are computed from, by entrant.
type tally struct {
	seats   int
	points  []int
	wins    []int
	terms   [][]term
	met     []map[int]result // by opponent
	ratings []float64
}

// term is one opponent, real or made up.
type term struct {
	score  int
	result int
	real   bool // somebody who was met
	chosen bool // stands for a stage missed by choice
}

// result sums up what two have played.
type result struct{ points, times int }

func newTally(r *Record, rule Rule) *tally {
	t := &tally{
		seats:   r.Seats,
		points:  make([]int, r.Entrants),
		wins:    make([]int, r.Entrants),
		terms:   make([][]term, r.Entrants),
		met:     make([]map[int]result, r.Entrants),
		ratings: r.Ratings,
	}
	score := func(e, points int) {
		t.points[e] += points
		if points == schedule.Unit {
			t.wins[e]++
		}
	}
	for _, s := range r.Stages {
		for _, table := range s.Tables {
			for i, e := range table.Entrants {
				score(e, table.Points[i])
			}
		}
		for _, u := range s.Unplayed {
			score(u.Entrant, u.Points)
		}
	}
	if rule == PlayedOnly {
		t.addTables(r, t.points, rule)
		return t
	}
	var stages [][]attendance
	for _, s := range r.Stages {
		stages = append(stages, attend(s, r.Entrants))
	}
	t.addTables(r, t.corrected(stages), rule)
	for _, stage := range stages {
		t.addUnplayed(stage, len(stages), rule)
	}
	return t
}

// attendance is one entrant in one stage.
type attendance struct {
	paired bool // has a table, if only on paper
	there  bool // played, or would have
	points int  // for a stage without a table
}

func attend(s Stage, entrants int) []attendance {
	all := make([]attendance, entrants)
	for _, table := range s.Tables {
		for i, e := range table.Entrants {
			all[e].paired = true
			if !table.Forfeit || table.Points[i] == schedule.Unit {
				all[e].there = true
			}
		}
	}
	for _, u := range s.Unplayed {
		all[u.Entrant] = attendance{there: !u.Chosen, points: u.Points}
	}
	return all
}

// corrected returns the scores that count for opponents: a stage without a table counts as half a point if the entrant
// chose to miss it and was not there again.
func (t *tally) corrected(stages [][]attendance) []int {
	counts := slices.Clone(t.points)
	back := make([]bool, len(counts)) // is there in a later stage
	for _, stage := range slices.Backward(stages) {
		for e, a := range stage {
			back[e] = back[e] || a.there
			if !back[e] && !a.paired {
				counts[e] += schedule.Unit/2 - a.points
			}
		}
	}
	return counts
}

// addTables adds a term for every two who met, and a made-up one for a forfeit.
func (t *tally) addTables(r *Record, counts []int, rule Rule) {
	for _, s := range r.Stages {
		for _, table := range s.Tables {
			for i, e := range table.Entrants {
				for j, other := range table.Entrants {
					switch {
					case i == j:
					case !table.Forfeit:
						points := pairResult(table, i, j)
						t.terms[e] = append(t.terms[e], term{score: counts[other], result: points, real: true})
						t.meet(e, other, points)
					case rule != PlayedOnly:
						t.terms[e] = append(t.terms[e], t.forfeit(e, table.Points[i], counts[other], rule))
					}
				}
			}
		}
	}
}

// forfeit returns the term of a game that was not played against an opponent with that score.
func (t *tally) forfeit(e, points, score int, rule Rule) term {
	madeUp := term{score: t.points[e], result: points, chosen: points < schedule.Unit}
	if rule == FIDE2026 {
		madeUp.score = min(madeUp.score, score)
	}
	return madeUp
}

// pairResult returns what i has against j: the points themselves at a table of two.
func pairResult(table Table, i, j int) int {
	a, b := table.Points[i], table.Points[j]
	switch {
	case len(table.Entrants) == 2:
		return a
	case a > b:
		return schedule.Unit
	case a == b:
		return schedule.Unit / 2
	default:
		return 0
	}
}

func (t *tally) meet(e, other, points int) {
	if t.met[e] == nil {
		t.met[e] = map[int]result{}
	}
	r := t.met[e][other]
	t.met[e][other] = result{r.points + points, r.times + 1}
}

// addUnplayed adds made-up opponents, a full table of them, for everybody without a table in the stage.
func (t *tally) addUnplayed(stage []attendance, stages int, rule Rule) {
	for e, a := range stage {
		if a.paired {
			continue
		}
		madeUp := term{score: t.points[e], result: a.points, chosen: !a.there}
		if rule == FIDE2026 {
			madeUp.score = min(madeUp.score, stages*schedule.Unit/2)
		}
		for range t.seats - 1 {
			t.terms[e] = append(t.terms[e], madeUp)
		}
	}
}

// value returns any tie-break but Direct.
func (t *tally) value(by TieBreak, e int) *big.Rat {
	switch by {
	case Points:
		return big.NewRat(int64(t.points[e]), schedule.Unit)
	case Wins:
		return big.NewRat(int64(t.wins[e]), 1)
	case SonnebornBerger:
		sum := int64(0)
		for _, x := range t.terms[e] {
			sum += int64(x.score) * int64(x.result)
		}
		return big.NewRat(sum, schedule.Unit*schedule.Unit)
	case Rating:
		if t.ratings == nil {
			return new(big.Rat)
		}
		return big.NewRat(int64(math.Round(t.ratings[e]*1e6)), 1e6)
	default:
		return t.buchholz(e, by == BuchholzCut1)
	}
}

func (t *tally) buchholz(e int, cut bool) *big.Rat {
	terms := t.terms[e]
	if t.seats > 2 {
		terms = slices.DeleteFunc(slices.Clone(terms), func(x term) bool { return !x.real })
	}
	sum, count, lowest := 0, len(terms), -1
	for i, x := range terms {
		sum += x.score
		if lowest < 0 || x.chosen && !terms[lowest].chosen || x.chosen == terms[lowest].chosen && x.score < terms[lowest].score {
			lowest = i
		}
	}
	if cut && count > 0 {
		sum -= terms[lowest].score
		count--
	}
	unit := int64(schedule.Unit)
	if t.seats > 2 {
		unit *= int64(max(count, 1))
	}
	return big.NewRat(int64(sum), unit)
}
