package league

import (
	"fmt"
	"slices"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// Words of [State.reached].
const (
	reachedWinner       = "winner"
	reachedFinal        = "final"
	reachedSemifinal    = "semifinal"
	reachedQuarterfinal = "quarterfinal"
)

// reached says of each entrant of a knockout, single or double, what the last stage was in which it had a table or was sent
// on without one. Places are those of the bracket. The final has its name in both, the stages before it only in a single
// knockout, since at two seats each is half as large as the one before; all others have their numbers. Who never was drawn
// has nothing, as have all in other formats.
func (s *State) reached(places []int) []string {
	names := make([]string, len(s.Entrants))
	if places == nil {
		return names
	}
	last := make([]int, len(s.Entrants))
	for i, stage := range s.stages {
		for _, e := range seated(stage) {
			last[e] = i + 1
		}
	}
	final := s.finalStage()
	for e, stage := range last {
		switch {
		case stage == 0:
		case s.Phase == Finished && places[e] == 1:
			names[e] = reachedWinner
		case s.ThirdPlace && stage == final && places[e] > 2: // they play for it beside the final
			names[e] = reachedSemifinal
		default:
			names[e] = s.stageName(stage, final)
		}
	}
	return names
}

// seated are those who are at the tables of a stage, or sent on.
func seated(stage schedule.Played) []int {
	all := slices.Clone(stage.Byes)
	for _, table := range stage.Tables {
		all = append(all, table.Entrants...)
	}
	return all
}

func (s *State) stageName(stage, final int) string {
	single := s.Format == Knockout
	switch before := final - stage; {
	case final == 0:
	case before <= 0: // below it is the second final of a double elimination
		return reachedFinal
	case single && before == 1:
		return reachedSemifinal
	case single && before == 2 && s.Settings.Rules.Players == 2:
		return reachedQuarterfinal
	}
	return fmt.Sprintf("stage %d", stage)
}

// finalStage is the number of the stage of the first final if nobody comes or goes any more, or 0 where that is not known.
func (s *State) finalStage() int {
	h, err := s.toTheEnd()
	if err != nil || len(h.Stages) == 0 {
		return 0
	}
	number := len(h.Stages)
	finalists := seated(h.Stages[number-1])
	slices.Sort(finalists)
	for s.Format == DoubleElimination && number > 1 {
		before := seated(h.Stages[number-2])
		slices.Sort(before)
		if !slices.Equal(before, finalists) {
			break
		}
		number--
	}
	return number
}
