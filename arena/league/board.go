package league

import (
	"fmt"
	"maps"
	"slices"

	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/ratings"
)

// board collects what was played at tables of one size.
type board struct {
	players     int
	pairs       ratings.Pairs
	penalties   ratings.Margins
	elo         *ratings.Elo
	skills      *skills
	bots        map[string]*record
	rules       map[engine.Preset]bool
	tournaments int
	last        string // tournament
	games       int
}

// record is what is counted of a bot.
type record struct {
	count

	language string
	digests  map[string]bool
}

// variants counts the sets of files behind a label, where there are several.
func (r *record) variants() int {
	if len(r.digests) < 2 {
		return 0
	}
	return len(r.digests)
}

func newBoard(players int) (*board, error) {
	elo, err := ratings.NewElo(ratings.EloConfig{Initial: AnchorRating})
	if err != nil {
		return nil, err
	}
	skills, err := newSkills(players)
	return &board{players: players, elo: elo, skills: skills, bots: map[string]*record{}, rules: map[engine.Preset]bool{}}, err
}

// add takes matches of a tournament one after the other, since the live ratings depend on the order.
func (b *board) add(c counted) error {
	if b.tournaments == 0 || b.last != c.tournament {
		b.tournaments, b.last = b.tournaments+1, c.tournament
	}
	b.games += len(c.Games)
	b.rules[c.rules] = true
	for i, bot := range c.bots {
		r := b.bots[bot.Label]
		if r == nil {
			r = &record{digests: map[string]bool{}}
			b.bots[bot.Label] = r
		}
		r.language = bot.Language
		r.digests[bot.Digest] = true
		r.add(c.Played, i)
	}
	for _, set := range c.dealSets() {
		for _, add := range []func(ratings.DealSet) error{b.pairs.Add, b.penalties.Add, b.elo.Add, b.skills.add} {
			if err := add(set); err != nil {
				return fmt.Errorf("match %d: %w", c.Match, err)
			}
		}
	}
	return nil
}

func (b *board) presets() []engine.Preset { return slices.Sorted(maps.Keys(b.rules)) }

// skill is relative to the anchor, where that has played.
func (b *board) skill(bot, anchor string) Skill {
	skill, shift := b.skills.of(bot), 0.0
	if b.bots[anchor] != nil {
		shift = AnchorRating - b.skills.of(anchor).Mean
	}
	return Skill{Mean: rounded(skill.Mean + shift), Deviation: rounded(skill.Deviation)}
}

// margins are by bot.
func (b *board) margins(bootstrap ratings.Bootstrap) (map[string]Margin, error) {
	table, err := b.penalties.Table()
	if err != nil {
		return nil, err
	}
	ranks := table.RankRanges(bootstrap)
	margins := make(map[string]Margin, len(table.Rows))
	for i, row := range table.Rows {
		margins[row.Bot] = Margin{
			Value: rounded(row.Margin), Interval: interval(row.Interval), Rank: row.Rank, RankRange: rankRange(ranks[i]), Rounds: row.Rounds,
		}
	}
	return margins, nil
}
