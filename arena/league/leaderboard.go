package league

import (
	"cmp"
	"context"
	"math"
	"strings"

	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/ratings"
)

// AnchorRating is what the anchor is rated, wherever it has played; all others are relative to it.
const AnchorRating = 1500

// Leaderboard rates all bots at one number of players. All numbers that are not counts are rounded to a thousandth, so that
// machines whose processors round differently on the way print the same.
type Leaderboard struct {
	Players     int             `json:"players"`
	Anchor      string          `json:"anchor"`
	Anchored    bool            `json:"anchored"` // whether the anchor has played
	Rules       []engine.Preset `json:"rules"`    // that were played
	Tournaments int             `json:"tournaments"`
	Deals       int             `json:"deals"` // different ones
	Games       int             `json:"games"`
	// Islands are the bots that met, directly or through others, the largest first, where not all are of one: those of the
	// others have no rank, and their ratings say nothing about the first.
	Islands [][]string `json:"islands,omitempty"`
	// Groups are smaller: bots that have won something off each other, directly or through others. Between groups it is
	// known who is stronger at most, and not by how much.
	Groups [][]string `json:"groups,omitempty"`
	Rows   []Rated    `json:"rows"` // best first
}

// Rated is a line of a leaderboard.
type Rated struct {
	Rank        int        `json:"rank"` // shared by equal ratings; 0 for a provisional bot, and for one of a smaller island
	Provisional bool       `json:"provisional"`
	Perfect     bool       `json:"perfect"` // won or lost everything: the rating is a bound
	Language    string     `json:"language"`
	Rating      float64    `json:"rating"`          // official
	Interval    *Interval  `json:"interval"`        // of the difference from the anchor; nil for itself, and where too little is known
	RankRange   *RankRange `json:"rank_range"`      // nil without a rank
	FieldError  float64    `json:"field_error"`     // standard error against the mean of the others, in Elo; 0 where it is not known
	OverNext    *float64   `json:"over_next"`       // likelihood, from 0 to 1, of being stronger than the bot of the next line
	Margin      Margin     `json:"margin"`          // the second table
	Elo         float64    `json:"elo"`             // live, by the order of play
	Skill       Skill      `json:"skill"`           // live, by Weng and Lin
	Opponents   int        `json:"opponents"`       //
	Deals       int        `json:"deals"`           // different ones
	DealSets    int        `json:"deal_sets"`       // a deal at two tables is two
	Files       int        `json:"files,omitempty"` // different sets of files under this label, where there are more than one
	Tally
}

// Interval says how sure a number is, in its unit.
type Interval struct {
	Error float64 `json:"error"` // standard error
	Low   float64 `json:"low"`   // ends of the 95 % interval
	High  float64 `json:"high"`
}

// RankRange is the 95 % interval of a rank.
type RankRange struct {
	Low  int `json:"low"`
	High int `json:"high"`
}

// Margin is penalty points a round beyond the mean of the others at the table: negative is good.
type Margin struct {
	Value     float64    `json:"value"`
	Interval  *Interval  `json:"interval"`
	Rank      int        `json:"rank"` // 0 for a provisional bot, and for one of a smaller island
	RankRange *RankRange `json:"rank_range"`
	Rounds    int        `json:"rounds"`
}

// Skill is a strength that is believed to be normally distributed, on the scale of Elo.
type Skill struct {
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
}

// Leaderboards says what is rated, and relative to whom.
type Leaderboards struct {
	Filter

	Anchor     string // label of a bot
	Language   string // of the rows that are wanted, in any case; the ratings and ranks are those among all bots
	Replicates int    // of the bootstrap behind the intervals of ranks; 0 means 1000
}

// Leaderboards gives one leaderboard for each number of players that was played by somebody who is wanted, fewest first:
// ratings of different numbers of seats are not comparable. They are a function of the logs alone, in whatever order matches ended.
func (s *Store) Leaderboards(ctx context.Context, l Leaderboards) ([]Leaderboard, error) {
	var all boards
	err := s.count(ctx, l.Filter, func() collector {
		all = boards{}
		return all
	})
	if err != nil {
		return nil, err
	}
	return all.leaderboards(l)
}

// boards are by number of players.
type boards map[int]*board

func (b boards) add(c counted) error {
	at := b[len(c.bots)]
	if at == nil {
		var err error
		if at, err = newBoard(len(c.bots)); err != nil {
			return err
		}
		b[len(c.bots)] = at
	}
	return at.add(c)
}

func (b boards) leaderboards(l Leaderboards) ([]Leaderboard, error) {
	all := []Leaderboard{}
	for players := 2; players <= 6; players++ {
		if b[players] == nil {
			continue
		}
		made, err := b[players].leaderboard(l)
		if err != nil {
			return nil, err
		}
		if l.Language == "" || len(made.Rows) > 0 {
			all = append(all, made)
		}
	}
	return all, nil
}

func (b *board) leaderboard(l Leaderboards) (Leaderboard, error) {
	fit, err := b.pairs.Fit(ratings.FitConfig{Anchor: l.Anchor, Initial: AnchorRating})
	if err != nil {
		return Leaderboard{}, err
	}
	margins, err := b.margins(l.bootstrap())
	if err != nil {
		return Leaderboard{}, err
	}
	board := Leaderboard{
		Players: b.players, Anchor: l.Anchor, Anchored: fit.Anchored, Rules: b.presets(), Tournaments: b.tournaments,
		Deals: fit.Deals, Games: b.games, Islands: several(fit.Islands), Groups: several(fit.Groups),
	}
	elo := map[string]ratings.EloRow{}
	for _, row := range b.elo.Table(l.Anchor).Rows {
		elo[row.Bot] = row
	}
	ranks := fit.RankRanges(l.bootstrap())
	for i, row := range fit.Rows {
		if l.Language != "" && !strings.EqualFold(b.bots[row.Bot].language, l.Language) {
			continue
		}
		board.Rows = append(board.Rows, Rated{
			Rank: row.Rank, Provisional: row.Provisional, Perfect: row.Perfect, Language: b.bots[row.Bot].language,
			Rating: rounded(row.Rating), Interval: interval(row.Interval), RankRange: rankRange(ranks[i]), FieldError: rounded(row.Error),
			Margin: margins[row.Bot], Elo: rounded(elo[row.Bot].Rating), Skill: b.skill(row.Bot, l.Anchor),
			Opponents: row.Opponents, Deals: row.Deals, DealSets: elo[row.Bot].DealSets, Files: b.bots[row.Bot].variants(),
			Tally: b.bots[row.Bot].tally(row.Bot),
		})
	}
	return board, overNext(board.Rows, fit)
}

// overNext compares each bot with that of the next row that is there.
func overNext(rows []Rated, fit *ratings.Fit) error {
	for i := range len(rows) - 1 {
		next, err := fit.Difference(rows[i].Bot, rows[i+1].Bot)
		if err != nil {
			return err
		}
		if next.Interval != nil {
			rows[i].OverNext = new(rounded(next.Superiority))
		}
	}
	return nil
}

// bootstrap has a fixed seed: what is drawn for a deal is a function of its cards.
func (l Leaderboards) bootstrap() ratings.Bootstrap {
	return ratings.Bootstrap{Replicates: cmp.Or(l.Replicates, 1000), Seed: 1}
}

func several(groups [][]string) [][]string {
	if len(groups) < 2 {
		return nil
	}
	return groups
}

// rounded is to a thousandth, and never a negative zero.
func rounded(x float64) float64 { return math.Round(x*1000)/1000 + 0 }

func interval(i *ratings.Interval) *Interval {
	if i == nil {
		return nil
	}
	return &Interval{Error: rounded(i.Error), Low: rounded(i.Low), High: rounded(i.High)}
}

func rankRange(r ratings.RankRange) *RankRange {
	if r == (ratings.RankRange{}) {
		return nil
	}
	return &RankRange{Low: r.Low, High: r.High}
}
