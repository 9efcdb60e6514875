package ratings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Skill is a strength that is believed to be normally distributed.
type Skill struct {
	Mean, Deviation float64
}

// WengLinConfig sets up WengLin; the zero value asks for the defaults, those of OpenSkill.
type WengLinConfig struct {
	Initial Skill   // of a bot before its first game; zero means 25 and 25/3
	Beta    float64 // deviation of a bot's form in a game; 0 means 25/6
	Tau     float64 // added to each deviation before a game, in squares, for bots that change
	Kappa   float64 // least factor of a variance in a game; 0 means 0.0001
}

// WengLin updates skills game by game, by the Plackett-Luce model. It is cheap and has a deviation from the first game on,
// which helps to choose opponents, but it depends on the order of the games: it is no official rating.
//
// Weng, R. C. and Lin, C.-J. (2011): A Bayesian approximation method for online ranking, JMLR 12, algorithm 4.
type WengLin struct {
	config WengLinConfig
}

// NewWengLin returns an error if a number of the configuration is negative or not finite.
func NewWengLin(config WengLinConfig) (WengLin, error) {
	if config.Initial == (Skill{}) {
		config.Initial = Skill{Mean: 25, Deviation: 25.0 / 3}
	}
	config.Beta = cmp.Or(config.Beta, 25.0/6)
	config.Kappa = cmp.Or(config.Kappa, 1e-4)
	if err := checkSkill(config.Initial); err != nil {
		return WengLin{}, fmt.Errorf("weng-lin: initial skill: %w", err)
	}
	for _, number := range []float64{config.Beta, config.Tau, config.Kappa} {
		if !(number >= 0) || math.IsInf(number, 0) {
			return WengLin{}, fmt.Errorf("weng-lin: %v: choose positive numbers", number)
		}
	}
	return WengLin{config: config}, nil
}

func checkSkill(skill Skill) error {
	if math.IsNaN(skill.Mean) || math.IsInf(skill.Mean, 0) {
		return fmt.Errorf("mean %v: choose a finite number", skill.Mean)
	}
	if !(skill.Deviation > 0) || math.IsInf(skill.Deviation, 0) {
		return fmt.Errorf("deviation %v: choose a positive number", skill.Deviation)
	}
	return nil
}

// Initial returns the skill of a bot before its first game.
func (w WengLin) Initial() Skill { return w.config.Initial }

// Rate returns the skills after a game of 2 to 6 bots, in the order given, which does not matter. Rank 1 is best, and bots
// that share a place have the same rank; only the order counts.
func (w WengLin) Rate(skills []Skill, ranks []int) ([]Skill, error) {
	if len(skills) < 2 || len(skills) > maxSeats {
		return nil, fmt.Errorf("game of %d bots: give 2 to %d", len(skills), maxSeats)
	}
	if len(ranks) != len(skills) {
		return nil, fmt.Errorf("%d ranks for %d bots", len(ranks), len(skills))
	}
	for i, skill := range skills {
		if err := checkSkill(skill); err != nil {
			return nil, fmt.Errorf("bot %d: %w", i, err)
		}
	}
	sorted := make([]int, len(skills)) // best first, so that sums do not depend on the order given
	for i := range sorted {
		sorted[i] = i
	}
	slices.SortFunc(sorted, func(i, j int) int {
		return cmp.Or(cmp.Compare(ranks[i], ranks[j]), cmp.Compare(skills[i].Mean, skills[j].Mean),
			cmp.Compare(skills[i].Deviation, skills[j].Deviation))
	})
	out := make([]Skill, len(skills))
	w.update(out, skills, ranks, sorted)
	return out, nil
}

func (w WengLin) update(out, skills []Skill, ranks, sorted []int) {
	variance := make([]float64, len(skills))
	total := 0.0
	for _, i := range sorted {
		variance[i] = skills[i].Deviation*skills[i].Deviation + w.config.Tau*w.config.Tau
		total += variance[i] + w.config.Beta*w.config.Beta
	}
	c := math.Sqrt(total)
	for _, i := range sorted {
		better, information := surprise(skills, ranks, sorted, i, c)
		gamma := math.Sqrt(variance[i]) / c
		out[i].Mean = skills[i].Mean + variance[i]/c*better
		shrunk := max(1-gamma*variance[i]/(c*c)*information, w.config.Kappa)
		out[i].Deviation = math.Sqrt(variance[i] * shrunk)
	}
}

// surprise returns how far a bot did better than expected, and how much that says: summed over the choices of a next place
// that it took part in. Bots that share a place make as many choices, each among all that are not better, and they share
// the weight of one.
func surprise(skills []Skill, ranks, sorted []int, bot int, c float64) (better, information float64) {
	for _, chosen := range sorted {
		if ranks[chosen] > ranks[bot] {
			break
		}
		rivals, shared := 0.0, 0.0
		for _, j := range sorted {
			if ranks[j] >= ranks[chosen] {
				rivals += math.Exp((skills[j].Mean - skills[bot].Mean) / c)
			}
			if ranks[j] == ranks[chosen] {
				shared++
			}
		}
		p := 1 / rivals
		if chosen == bot {
			better += 1 / shared
		}
		better -= p / shared
		information += p * (1 - p) / shared
	}
	return better, information
}
