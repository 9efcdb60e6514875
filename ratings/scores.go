package ratings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Scores counts the scores that one bot, the candidate, made in deal sets, each the mean of as many games.
type Scores struct {
	games int
	cells []ScoreCell
}

// ScoreCell is how often a score occurred.
type ScoreCell struct {
	Score float64 // from 0 to 1
	Count int
}

// NewScores returns no scores of deal sets of so many games, from 1. The grid lists scores that are possible and may not
// have occurred yet; others are added as they occur.
func NewScores(games int, grid ...float64) (*Scores, error) {
	if games < 1 {
		return nil, fmt.Errorf("deal sets of %d games: choose at least 1", games)
	}
	s := &Scores{games: games}
	for _, score := range grid {
		if err := s.Add(score, 0); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Trinomial returns the scores of single games of two.
func Trinomial(losses, draws, wins int) (*Scores, error) {
	return newGrid(1, losses, draws, wins)
}

// Pentanomial returns the scores of pairs of games of two in which the bots change seats, by half points from 0 to 4.
func Pentanomial(counts [5]int) (*Scores, error) {
	return newGrid(2, counts[:]...)
}

func newGrid(games int, counts ...int) (*Scores, error) {
	s, err := NewScores(games)
	if err != nil {
		return nil, err
	}
	for i, count := range counts {
		if err := s.Add(float64(i)/float64(len(counts)-1), count); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Add counts a score as often as that, 0 times being a mark that it is possible. Use DealSet.Score, so that equal scores
// are equal numbers.
func (s *Scores) Add(score float64, count int) error {
	if !(score >= 0 && score <= 1) {
		return fmt.Errorf("score %v: choose one from 0 to 1", score)
	}
	if count < 0 {
		return fmt.Errorf("score %v: %d times: choose at least 0", score, count)
	}
	at, found := slices.BinarySearchFunc(s.cells, score, func(c ScoreCell, score float64) int {
		return cmp.Compare(c.Score, score)
	})
	if !found {
		s.cells = slices.Insert(s.cells, at, ScoreCell{Score: score})
	}
	s.cells[at].Count += count
	return nil
}

// Cells returns the scores that are possible, worst first.
func (s *Scores) Cells() []ScoreCell { return slices.Clone(s.cells) }

// DealSets returns how many scores there are.
func (s *Scores) DealSets() int {
	sum := 0
	for _, cell := range s.cells {
		sum += cell.Count
	}
	return sum
}

// moments returns the mean and the variance, which is exactly 0 if all scores are the same.
func (s *Scores) moments() (mean, variance float64) {
	n := float64(s.DealSets())
	for _, cell := range s.cells {
		if float64(cell.Count) == n {
			return cell.Score, 0
		}
	}
	for _, cell := range s.cells {
		mean += cell.Score * float64(cell.Count) / n
	}
	for _, cell := range s.cells {
		variance += (cell.Score - mean) * (cell.Score - mean) * float64(cell.Count) / n
	}
	return mean, variance
}

// Estimate is a number with what is known of it.
type Estimate struct {
	Value    float64
	Interval *Interval // nil for fewer than 8 deal sets, if all are the same, and where an end is infinite
}

// Strength is what the scores say of the candidate against equals.
type Strength struct {
	DealSets int
	Score    Estimate
	// Elo is the difference at which the mean score is expected, nil for a mean of 0 or 1. Its error is half the length of
	// the interval in standard deviations.
	Elo *Estimate
	// Normalized is the Elo that the difference would be if a game of equals were as random as one of chess without draws:
	// the mean beyond 1/2 in standard deviations of a single game. It is nil if all scores are the same.
	Normalized *Estimate
	// Superiority is the likelihood, from 0 to 1, that the candidate is better than equal: 1/2 if all scores are the same.
	Superiority float64
}

// normalizedScale is one standard deviation of a game in normalised Elo.
const normalizedScale = 2 * eloScale

// Strength estimates the candidate. Without scores it is an error.
//
// The formulas are those that fastchess and fishtest print: Van den Bergh, M. (2020): Normalized Elo.
func (s *Scores) Strength() (Strength, error) {
	sets := s.DealSets()
	if sets == 0 {
		return Strength{}, fmt.Errorf("no strength without scores: add at least 1")
	}
	by := customary(sets)
	mean, variance := s.moments()
	standardError := math.Sqrt(variance / float64(sets))
	out := Strength{DealSets: sets, Superiority: 0.5}
	out.Score = Estimate{mean, newInterval(mean, standardError, sets, by)}
	if mean > 0 && mean < 1 {
		out.Elo = &Estimate{Value: eloOf(mean)}
		if i := out.Score.Interval; i != nil && i.Low > 0 && i.High < 1 {
			low, high := eloOf(i.Low), eloOf(i.High)
			out.Elo.Interval = &Interval{Error: (high - low) / 2 / by.Quantile(0.975), Low: low, High: high}
		}
	}
	if variance > 0 {
		scale := normalizedScale / math.Sqrt(float64(s.games))
		value := (mean - 0.5) / math.Sqrt(variance) * scale
		out.Normalized = &Estimate{value, newInterval(value, scale/math.Sqrt(float64(sets)), sets, by)}
		out.Superiority = by.CDF((mean - 0.5) / standardError)
	}
	return out, nil
}

func eloOf(score float64) float64 { return eloScale * math.Log(score/(1-score)) }
