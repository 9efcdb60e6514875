package compare

import (
	"errors"
	"fmt"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/ratings"
)

// Report is what is known after some deal sets.
type Report struct {
	DealSets int
	Games    int
	Decision ratings.Decision
	LLR      *float64 // nil while the scores fit neither hypothesis
	Lower    float64  // the candidate is rejected from here down
	Upper    float64  // it is accepted from here up
	// Elo is how much stronger the new bot is; nil without deal sets, and where one has won or lost everything: against the
	// other, or against a field.
	Elo         *ratings.Estimate
	Superiority *float64            // likelihood, from 0 to 1, that the new bot is stronger; nil while it is not known
	Against     *[2]float64         // mean scores of New and Old against a field, from 0 to 1; nil without one
	Normalized  *ratings.Estimate   // normalised Elo, in which the hypotheses are; nil as long as all scores are the same
	Score       float64             // mean of the scores that the test sees, from 0 to 1: 1/2 means equal
	Scores      []ratings.ScoreCell // how often each occurred, worst first
	New, Old    Conduct
}

// Conduct is how often a bot, with its copies, was at fault. A forfeited seat is last unless the settings say otherwise.
type Conduct struct {
	Faults   int `json:"faults"`
	Forfeits int `json:"forfeits"` // seats
}

// score adds up deal sets.
type score struct {
	comparison Comparison
	scores     *ratings.Scores
	paired     ratings.Paired // against a field
	against    [2]float64     // sums of what paired has
	games      int
	fresh, old Conduct
}

// Check says why there is nothing that could be played, or decided.
func (c Comparison) Check() error {
	_, err := c.newScore()
	return err
}

func (c Comparison) newScore() (*score, error) {
	switch others := max(len(c.Copies), len(c.Field)); {
	case (len(c.Copies) == 0) == (len(c.Field) == 0):
		return nil, errors.New("compare by copies of the old bot, or by a field")
	case c.Settings.Rules.Players != 1+others:
		return nil, fmt.Errorf("%d bots for %d players", 1+others, c.Settings.Rules.Players)
	case c.Most < 1:
		return nil, fmt.Errorf("%d deal sets: at least 1 is needed", c.Most)
	}
	games := len(c.matches(0)[0].Orders)
	grid := []float64{0, 1} // or a bot that wins everything would never be accepted; others are added as they occur
	if games == 2 && len(c.Field) == 0 {
		grid = []float64{0, 0.25, 0.5, 0.75, 1} // all there are
	}
	scores, err := ratings.NewScores(games, grid...)
	if err != nil {
		return nil, err
	}
	s := &score{comparison: c, scores: scores}
	_, err = c.Test.Test(scores) // whether the hypotheses make sense
	return s, err
}

// add takes the deal set that is next.
func (s *score) add(set dealSet) error {
	var means []float64
	for i, result := range set.results {
		bot := result.Bots[0]
		rated := ratings.DealSet{Bots: result.Bots}
		for _, game := range result.Sets[0].Games {
			rated.Ranks = append(rated.Ranks, game.ByBot(game.Ranks))
			s.blame(game, i)
		}
		s.games += len(rated.Ranks)
		mean, err := rated.Score(bot)
		if err != nil {
			return err
		}
		means = append(means, mean)
	}
	if len(means) == 1 {
		return s.scores.Add(means[0], 1)
	}
	if err := s.paired.Add(means[0], means[1]); err != nil {
		return err
	}
	s.against[0] += means[0]
	s.against[1] += means[1]
	return s.scores.Add((1+means[0]-means[1])/2, 1)
}

// blame counts the faults of a game of a match: New is in the first, and Old fills the rest of it or leads the second.
func (s *score) blame(game arena.Game, match int) {
	for _, fault := range game.Faults {
		to := &s.old
		switch bot := game.Order[fault.Seat]; {
		case match == 0 && bot == 0:
			to = &s.fresh
		case bot != 0 && len(s.comparison.Field) > 0:
			continue // of the field
		}
		to.Faults += fault.Count
		if fault.Forfeit {
			to.Forfeits++
		}
	}
}

func (s *score) report() (Report, error) {
	verdict, err := s.comparison.Test.Test(s.scores)
	if err != nil {
		return Report{}, err
	}
	r := Report{
		DealSets: s.scores.DealSets(), Games: s.games, Decision: verdict.Decision, LLR: verdict.LLR, Lower: verdict.Lower, Upper: verdict.Upper,
		Scores: s.scores.Cells(), New: s.fresh, Old: s.old,
	}
	if r.DealSets == 0 {
		return r, nil
	}
	strength, err := s.scores.Strength()
	if err != nil {
		return r, err
	}
	r.Score, r.Normalized, r.Elo = strength.Score.Value, strength.Normalized, strength.Elo
	superiority := strength.Superiority
	if len(s.comparison.Field) > 0 {
		n := float64(r.DealSets)
		r.Against = &[2]float64{s.against[0] / n, s.against[1] / n}
		if r.Elo, superiority, err = s.paired.Difference(); err != nil {
			return r, err
		}
	}
	if r.Normalized != nil && (r.Against == nil || r.Elo != nil) {
		r.Superiority = &superiority
	}
	return r, nil
}
