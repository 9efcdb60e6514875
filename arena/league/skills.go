package league

import (
	"math"

	"github.com/fivethreefive/fivethreefive/ratings"
)

// skills are what to believe of the strength of bots from game to game, on the scale of Elo: they soon know roughly how
// strong a bot is, and how sure that is, which is what pairing needs. They depend on the order of the games, and take games of
// one deal as independent. The nil value knows nobody.
type skills struct {
	rater ratings.WengLin
	bots  map[string]ratings.Skill
}

// unknownSkill is that of a bot before its first game.
func unknownSkill() ratings.Skill { return ratings.Skill{Mean: AnchorRating, Deviation: 350} }

// newSkills are for tables of so many seats. With certain skills the model puts a before b with the odds exp((a-b)/c), where
// c = beta*sqrt(seats), which are those of Elo for c = 400/ln 10.
func newSkills(seats int) (*skills, error) {
	const elo = 400 / math.Ln10
	rater, err := ratings.NewWengLin(ratings.WengLinConfig{Initial: unknownSkill(), Beta: elo / math.Sqrt(float64(seats))})
	return &skills{rater: rater, bots: map[string]ratings.Skill{}}, err
}

// add takes the games of a deal set in their order.
func (s *skills) add(set ratings.DealSet) (err error) {
	now := make([]ratings.Skill, len(set.Bots))
	for i, bot := range set.Bots {
		now[i] = s.of(bot)
	}
	for _, ranks := range set.Ranks {
		if now, err = s.rater.Rate(now, ranks); err != nil {
			return err
		}
	}
	for i, bot := range set.Bots {
		s.bots[bot] = now[i]
	}
	return nil
}

func (s *skills) of(bot string) ratings.Skill {
	if s != nil {
		if skill, ok := s.bots[bot]; ok {
			return skill
		}
	}
	return unknownSkill()
}
