package league

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/fivethreefive/fivethreefive/ratings"
)

// live is the Elo of one tournament. It takes the matches of a stage when all have been played, by number, so that it does
// not depend on the order in which they end, and holds no more than one stage.
type live struct {
	elo  ratings.Elo
	open []Played // of the stage in play
}

// rate is a part of play. Where stages overlap no rating is kept.
func (s *State) rate(p Played) error {
	if s.Format.early() {
		return nil
	}
	s.live.open = append(s.live.open, p)
	if s.played < s.matches {
		return nil
	}
	slices.SortFunc(s.live.open, func(a, b Played) int { return cmp.Compare(a.Match, b.Match) })
	for _, p := range s.live.open {
		entrants := s.table(p.Match).Entrants
		labels := make([]string, len(entrants))
		for i, entrant := range entrants {
			labels[i] = s.Entrants[entrant].Label
		}
		if err := rateSets(&s.live.elo, p, labels, s.GamesOfMatch(len(labels))/s.Settings.DealSets); err != nil {
			return err
		}
	}
	s.live.open = nil
	return nil
}

// rateSets rates once for each deal set, which has that many games.
func rateSets(elo *ratings.Elo, p Played, labels []string, games int) error {
	for set := range slices.Chunk(p.Games, games) {
		rated := ratings.DealSet{Bots: labels}
		for _, game := range set {
			rated.Ranks = append(rated.Ranks, game.ranks())
		}
		if err := elo.Add(rated); err != nil {
			return fmt.Errorf("match %d: %w", p.Match, err)
		}
	}
	return nil
}

// ratings are those of the entrants after the last stage that was played to its end. Nobody is the anchor: their mean is
// [AnchorRating].
func (s *State) ratings() []ratings.EloRow {
	rows := make([]ratings.EloRow, len(s.Entrants))
	for i := range rows {
		rows[i].Rating = AnchorRating
	}
	for _, row := range s.live.elo.Table("").Rows {
		rows[s.index[row.Bot]] = row
	}
	return rows
}

// deviation says how uncertain a rating is after so many deal sets: 350 before the first, and then as in the Glicko system
// among equals whose ratings are certain, where each deal set adds (ln 10 / 800)^2 to the reciprocal of its square.
//
// Source: M. E. Glickman, Parameter estimation in large dynamic paired comparison experiments (1999), equations 9 and 10
// with E = 1/2 and g = 1. A bot has one unit of evidence a deal set at tables of any size, as in [ratings.Elo].
func deviation(dealSets int) float64 {
	const unknown, information = 350.0, (math.Ln10 / 800) * (math.Ln10 / 800)
	gained := float64(float64(dealSets) * information) // rounds here on every machine
	return 1 / math.Sqrt(1/(unknown*unknown)+gained)
}
