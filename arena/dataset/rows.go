package dataset

// MatchRow is a bot in a match.
type MatchRow struct {
	Tournament string   `json:"tournament" doc:"id of the tournament"`
	Created    string   `json:"created" doc:"when the tournament was made, UTC, RFC 3339; empty where an import does not say"`
	Format     string   `json:"format" doc:"of the tournament: round-robin, swiss, gauntlet, knockout, double-elimination or ladder"`
	Stage      int      `json:"stage" doc:"of the tournament, from 1"`
	Match      int      `json:"match" doc:"number within the tournament, from 1 in the order of the pairings"`
	Rules      string   `json:"rules" doc:"preset of the rules"`
	Players    int      `json:"players" doc:"seats at the table, 2 to 6"`
	Place      int      `json:"table_place" doc:"place of the bot in the list of the table, from 0; seats change from game to game"`
	Bot        string   `json:"bot" doc:"name@version"`
	Language   string   `json:"language" doc:"as the bot's author says"`
	Author     string   `json:"author" doc:"as the bot says; empty where it does not"`
	DealSets   int      `json:"deal_sets" doc:"of the match"`
	Games      int      `json:"games" doc:"of the match"`
	Rounds     int      `json:"rounds" doc:"of all games of the match"`
	Points     float64  `json:"points" doc:"for places, summed over the games: 1 for the first, 0 for the last, even steps between, shared places the mean"`
	Firsts     float64  `json:"firsts" doc:"games won; a shared first place counts its share"`
	MeanPlace  float64  `json:"mean_place" doc:"1 is best; shared places count the mean of those they cover"`
	Penalty    int      `json:"penalty" doc:"penalty points, summed over the games"`
	Faults     int      `json:"faults" doc:"of the bot in the match"`
	Forfeits   int      `json:"forfeits" doc:"games in which the bot lost its seat by faults"`
	Moves      int      `json:"moves" doc:"turns that the bot was asked for"`
	TotalMS    *float64 `json:"think_total_ms" doc:"time for all moves, in milliseconds"`
	MaxMS      *float64 `json:"think_max_ms" doc:"longest time for a move, in milliseconds"`
	P50MS      *float64 `json:"think_p50_ms" doc:"half of the moves took no longer, in milliseconds, to within 1/16; empty in older results"`
	P99MS      *float64 `json:"think_p99_ms" doc:"99 % of the moves took no longer, in milliseconds, to within 1/16; empty in older results"`
}

// GameRow is a bot in a game.
type GameRow struct {
	Tournament string   `json:"tournament" doc:"id of the tournament"`
	Stage      int      `json:"stage" doc:"of the tournament, from 1"`
	Match      int      `json:"match" doc:"number within the tournament, from 1 in the order of the pairings"`
	Game       string   `json:"game" doc:"id of the game, by which its replay is named"`
	DealSet    int      `json:"deal_set" doc:"number within the match, from 1: games of one deal set share the cards"`
	Order      int      `json:"seat_order" doc:"number within the deal set, from 1"`
	Deal       string   `json:"deal" doc:"names the cards: where it is the same, so are they; take it as the unit of observation"`
	Rules      string   `json:"rules" doc:"preset of the rules"`
	Players    int      `json:"players" doc:"seats at the table, 2 to 6"`
	Seat       int      `json:"seat" doc:"from 0, clockwise"`
	Bot        string   `json:"bot" doc:"name@version"`
	Rounds     int      `json:"rounds" doc:"of the game"`
	Rank       int      `json:"rank" doc:"1 is best; bots that share a place have the same"`
	Penalty    int      `json:"penalty" doc:"penalty points"`
	Faults     int      `json:"faults" doc:"of the bot in the game"`
	Forfeit    bool     `json:"forfeit" doc:"whether it lost its seat by faults"`
	Moves      int      `json:"moves" doc:"turns that the bot was asked for"`
	TotalMS    *float64 `json:"think_total_ms" doc:"time for all moves, in milliseconds"`
	MaxMS      *float64 `json:"think_max_ms" doc:"longest time for a move, in milliseconds"`
}

// DecisionRow is a move.
type DecisionRow struct {
	Tournament string   `json:"tournament" doc:"id of the tournament"`
	Match      int      `json:"match" doc:"number within the tournament, from 1"`
	Game       string   `json:"game" doc:"id of the game"`
	Step       int      `json:"step" doc:"number of the move within the game, from 1"`
	Round      int      `json:"round" doc:"from 1"`
	Half       int      `json:"half" doc:"1 or 2 in a game of two, else 0"`
	Players    int      `json:"players" doc:"seats at the table, 2 to 6"`
	Seat       int      `json:"seat" doc:"whose turn it was, from 0"`
	Bot        string   `json:"bot" doc:"name@version"`
	Hand       string   `json:"hand" doc:"its cards before the move, as ranks separated by blanks"`
	Cards      int      `json:"hand_size" doc:"how many those are"`
	Meld       string   `json:"meld" doc:"the central meld before the move, in the same way; empty on a lead"`
	Legal      int      `json:"legal" doc:"how many actions were legal"`
	Kind       string   `json:"action" doc:"what was done: lead, add, overwrite or pass"`
	Played     string   `json:"cards" doc:"with which cards"`
	By         string   `json:"by" doc:"bot, or arena: for a single legal action, and for a bot at fault"`
	Fault      string   `json:"fault" doc:"why the arena moved for the bot, or empty"`
	MS         *float64 `json:"ms" doc:"time for the move, in milliseconds; empty where the bot was not asked"`
	Note       string   `json:"note" doc:"what the bot noted, in its own words"`
}

// RatingRow is a line of a leaderboard.
type RatingRow struct {
	Players        int      `json:"players" doc:"seats at the table; ratings at different numbers are not comparable"`
	Rank           *int     `json:"rank" doc:"by rating; empty while provisional, and for bots that never met the others"`
	RankLow        *int     `json:"rank_low" doc:"best rank of the 95 % interval"`
	RankHigh       *int     `json:"rank_high" doc:"worst rank of the 95 % interval"`
	Provisional    bool     `json:"provisional" doc:"fewer than 100 games, 20 deals or 4 opponents, or a field_error above 40"`
	Perfect        bool     `json:"perfect" doc:"won all or lost all: the rating is only a bound"`
	Bot            string   `json:"bot" doc:"name@version"`
	Language       string   `json:"language" doc:"as the bot's author says"`
	Rating         float64  `json:"rating" doc:"official, in Elo relative to the anchor"`
	RatingLow      *float64 `json:"rating_low" doc:"low end of the 95 % interval of the difference from the anchor"`
	RatingHigh     *float64 `json:"rating_high" doc:"high end"`
	FieldError     float64  `json:"field_error" doc:"standard error against the mean of the others, in Elo; 0 where it is not known"`
	OverNext       *float64 `json:"over_next" doc:"likelihood, from 0 to 1, of being stronger than the bot of the next row"`
	Elo            float64  `json:"elo" doc:"live Elo, which depends on the order of play"`
	Skill          float64  `json:"skill" doc:"mean of the live skill by Weng and Lin, in Elo"`
	SkillDeviation float64  `json:"skill_deviation" doc:"its standard deviation"`
	Margin         float64  `json:"margin" doc:"penalty points a round beyond the mean of the others at the table; negative is good"`
	MarginLow      *float64 `json:"margin_low" doc:"low end of its 95 % interval"`
	MarginHigh     *float64 `json:"margin_high" doc:"high end"`
	MarginRank     *int     `json:"margin_rank" doc:"by margin; empty while provisional, and for bots that never met the others"`
	Opponents      int      `json:"opponents" doc:"different bots met"`
	Deals          int      `json:"deals" doc:"different deals played"`
	Games          int      `json:"games" doc:"games played"`
	FirstShare     float64  `json:"first_share" doc:"share of games won, from 0 to 1; a shared first place counts its share"`
	MeanPlace      float64  `json:"mean_place" doc:"1 is best"`
	Penalty        float64  `json:"penalty_per_round" doc:"penalty points a round"`
	Faults         int      `json:"faults" doc:"faults in all games"`
	Forfeits       int      `json:"forfeits" doc:"games in which the bot lost its seat by faults"`
	P50MS          *float64 `json:"think_p50_ms" doc:"half of the moves took no longer, in milliseconds, to within 1/16"`
	P99MS          *float64 `json:"think_p99_ms" doc:"99 % of the moves took no longer, in milliseconds, to within 1/16"`
}
