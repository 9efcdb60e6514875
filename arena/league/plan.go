package league

import (
	"slices"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// Plan counts the matches and games of the whole tournament if nobody comes or goes. Known is false for a ladder without
// end. With a second final a double elimination can come to one match more.
func (t Tournament) Plan() (matches, games int, known bool, err error) {
	s := &State{}
	if err := s.create(t); err != nil {
		return 0, 0, false, err
	}
	return s.Plan()
}

// Plan counts what was paired and what is to come if nobody comes or goes any more.
func (s *State) Plan() (matches, games int, known bool, err error) {
	total := amount{matches: s.matches}
	for _, stage := range s.stages {
		for _, table := range stage.Tables {
			total.games += s.GamesOfMatch(len(table.Entrants))
		}
	}
	switch _, brackets := s.format.(bracket); {
	case s.Phase.Over():
		return total.matches, total.games, true, nil
	case brackets:
		err = s.planBracket(&total)
	case s.Format == Ladder && s.Tournament.Stages == 0:
		return total.matches, total.games, false, nil
	default:
		err = s.planCycles(&total)
	}
	return total.matches, total.games, true, err
}

type amount struct{ matches, games int }

// planCycles adds the rest of the cycle that is being paired, and then whole ones.
func (s *State) planCycles(total *amount) error {
	length, cycles := s.cycle(len(s.Entrants))
	var whole amount
	for number := range length {
		stage, err := s.likeStage(number)
		if err != nil {
			return err
		}
		for _, table := range stage {
			whole.matches++
			whole.games += s.GamesOfMatch(table)
			if begun := len(s.stages) % length; begun > 0 && number >= begun && len(s.stages) < length*cycles {
				total.matches++
				total.games += s.GamesOfMatch(table)
			}
		}
	}
	left := max(0, cycles-(len(s.stages)+length-1)/length)
	total.matches += left * whole.matches
	total.games += left * whole.games
	return nil
}

// likeStage gives the sizes of the tables of a stage of the first cycle for those who are there now.
func (s *State) likeStage(number int) (sizes []int, err error) {
	h := s.history()
	h.Entrants = make([]schedule.Entrant, len(s.entrants))
	here := 0
	for i, entrant := range s.entrants {
		h.Entrants[i].Absent = entrant.Absent
		if !entrant.Absent {
			here++
		}
	}
	if s.Format == Swiss && h.Seats == 2 { // which takes long to pair many
		for range here / 2 {
			sizes = append(sizes, 2)
		}
		return sizes, nil
	}
	h.Stages = make([]schedule.Played, number)
	stage, _, err := s.format.Next(h)
	if err != nil && len(s.stages) > 0 {
		return nil, nil // too many have left, and it will end early
	}
	for _, table := range stage.Tables {
		sizes = append(sizes, len(table))
	}
	return sizes, err
}

// planBracket adds what is to come of a bracket.
func (s *State) planBracket(total *amount) error {
	h, err := s.toTheEnd()
	if err != nil {
		return err
	}
	for _, stage := range h.Stages[len(s.stages):] {
		for _, table := range stage.Tables {
			total.matches++
			total.games += s.GamesOfMatch(len(table.Entrants))
		}
	}
	return nil
}

// toTheEnd plays a bracket to its end: who wins makes no difference to the number of matches.
func (s *State) toTheEnd() (schedule.History, error) {
	h := s.history()
	h.Stages = slices.Clip(h.Stages)
	for {
		stage, ok, err := s.format.Next(h)
		if err != nil || !ok {
			return h, err
		}
		played := schedule.Played{Byes: stage.Byes}
		for _, table := range stage.Tables {
			points := make([]int, len(table))
			for i := range table {
				points[i] = schedule.Unit * (len(table) - 1 - i) / (len(table) - 1)
			}
			played.Tables = append(played.Tables, schedule.Table{Entrants: table, Points: points})
		}
		h.Stages = append(h.Stages, played)
	}
}
