package dataset

import "github.com/fivethreefive/fivethreefive/arena/league"

// Ratings visits every line of every leaderboard.
func Ratings(boards []league.Leaderboard, visit func(RatingRow) error) error {
	for _, board := range boards {
		for _, row := range board.Rows {
			if err := visit(ratingRow(board.Players, row)); err != nil {
				return err
			}
		}
	}
	return nil
}

func ratingRow(players int, r league.Rated) RatingRow {
	row := RatingRow{
		Players: players, Rank: rank(r.Rank), Provisional: r.Provisional, Perfect: r.Perfect, Bot: r.Bot, Language: r.Language,
		Rating: r.Rating, FieldError: r.FieldError, OverNext: r.OverNext, Elo: r.Elo, Skill: r.Skill.Mean, SkillDeviation: r.Skill.Deviation,
		Margin: r.Margin.Value, MarginRank: rank(r.Margin.Rank), Opponents: r.Opponents, Deals: r.Deals, Games: r.Games,
		MeanPlace: r.MeanPlace, Penalty: r.Penalty, Faults: r.Faults, Forfeits: r.Forfeits,
	}
	row.RatingLow, row.RatingHigh = ends(r.Interval)
	row.MarginLow, row.MarginHigh = ends(r.Margin.Interval)
	if r.RankRange != nil {
		row.RankLow, row.RankHigh = &r.RankRange.Low, &r.RankRange.High
	}
	if r.Games > 0 {
		row.FirstShare = r.Firsts / float64(r.Games)
	}
	if r.Think != nil {
		row.P50MS, row.P99MS = r.Think.P50, r.Think.P99
	}
	return row
}

func rank(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

func ends(i *league.Interval) (low, high *float64) {
	if i == nil {
		return nil, nil
	}
	return &i.Low, &i.High
}
