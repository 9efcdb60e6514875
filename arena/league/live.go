package league

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fivethreefive/fivethreefive/ratings"
)

// live is the Elo of one tournament, and in a ladder the skills by which it pairs. It takes the matches of a stage when all
// have been played, by number, so that it does not depend on the order in which they end, and holds no more than one stage.
type live struct {
	elo    ratings.Elo
	skills *skills
	open   []Played // of the stage in play
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
		for _, set := range dealSets(p, labels, s.GamesOfMatch(len(labels))/s.Settings.DealSets) {
			if err := s.live.elo.Add(set); err != nil {
				return fmt.Errorf("match %d: %w", p.Match, err)
			}
			if s.Format == Ladder {
				if err := s.rateSkills(set); err != nil {
					return fmt.Errorf("match %d: %w", p.Match, err)
				}
			}
		}
	}
	s.live.open = nil
	return nil
}

func (s *State) rateSkills(set ratings.DealSet) (err error) {
	if s.live.skills == nil {
		if s.live.skills, err = newSkills(s.Settings.Rules.Players); err != nil {
			return err
		}
	}
	return s.live.skills.add(set)
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
