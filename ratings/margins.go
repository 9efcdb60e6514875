package ratings

import (
	"cmp"
	"errors"
	"math"
	"slices"
)

// marginUnits makes a difference from the mean of 1 to 5 others whole.
const marginUnits = 60

// Margins collects penalty points relative to those of the other bots of the table. They do not take into account how
// strong those are: compare bots that met the same field. The order of the deal sets, of the bots and of the games does
// not matter, down to the last bit.
//
// The zero value is ready. Margins are not safe for concurrent use.
type Margins struct {
	bots    bots
	entries []marginEntry
	met     map[[2]int32]struct{}
}

// marginEntry is what a bot did in a deal.
type marginEntry struct {
	deal   dealKey
	bot    int32
	games  int32
	rounds int64
	margin int64 // penalty points beyond the mean of the others, in units
}

// Add takes a deal set of 2 to 6 bots with a named deal, penalty points and rounds. One of bad shape is an error and
// changes nothing. A deal set that is added twice counts twice.
func (m *Margins) Add(set DealSet) error {
	if err := set.checkDeal(); err != nil {
		return err
	}
	if err := set.checkPenalties(); err != nil {
		return err
	}
	if m.met == nil {
		m.met = make(map[[2]int32]struct{})
	}
	deal, others := newDealKey(set.Deal), len(set.Bots)-1
	for i, bot := range set.Bots {
		entry := marginEntry{deal: deal, bot: m.bots.number(bot), games: int32(len(set.Ranks))}
		for game, penalties := range set.Penalties {
			entry.rounds += int64(set.Rounds[game])
			for _, penalty := range penalties {
				entry.margin += int64(penalties[i]-penalty) * int64(marginUnits/others)
			}
		}
		m.entries = append(m.entries, entry)
		for _, other := range set.Bots {
			m.met[[2]int32{entry.bot, m.bots.number(other)}] = struct{}{}
		}
	}
	return nil
}

// MarginRow is the line of one bot.
type MarginRow struct {
	// Rank counts from 1 among the bots of the first island, as [Fit] has them, that are not provisional; the others have 0.
	// Bots that share one have the same.
	Rank int
	Bot  string
	// Margin is the mean of penalty points a round beyond the mean of the other bots of the table: negative is good.
	Margin      float64
	Interval    *Interval // robust against dependence within a deal; nil for fewer than 8 deals, or where all came to the same
	Provisional bool      // fewer than 100 games, 20 deals or 4 opponents, all others on a smaller island
	Deals       int
	Games       int
	Rounds      int
	Opponents   int
}

// MarginTable is a snapshot of all margins.
type MarginTable struct {
	Rows []MarginRow // best first; margins within 1e-6 by name

	entries []marginEntry // by deal, then by bot in the order of the rows
}

// Table returns the bots so far. It is an error if there are no deal sets.
func (m *Margins) Table() (*MarginTable, error) {
	if len(m.entries) == 0 {
		return nil, errors.New("no margins without deal sets: add at least 1")
	}
	entries := m.merged()
	rows := make([]MarginRow, len(m.bots.names))
	for i, name := range m.bots.names {
		rows[i].Bot = name
	}
	for pair := range m.met {
		if pair[0] != pair[1] {
			rows[pair[0]].Opponents++
		}
	}
	sums := make([]int64, len(rows))
	for _, entry := range entries {
		row := &rows[entry.bot]
		row.Deals++
		row.Games += int(entry.games)
		row.Rounds += int(entry.rounds)
		sums[entry.bot] += entry.margin
	}
	squares := make([]float64, len(rows))
	for i := range rows {
		if rows[i].Rounds > 0 {
			rows[i].Margin = float64(sums[i]) / float64(rows[i].Rounds) / marginUnits
		}
	}
	for _, entry := range entries {
		residual := float64(entry.margin)/marginUnits - float64(entry.rounds)*rows[entry.bot].Margin
		squares[entry.bot] += residual * residual
	}
	islands := m.islands()
	apart := make([]bool, len(rows))
	for number, island := range islands {
		for _, bot := range island {
			rows[bot].finish(squares[bot], len(island))
			apart[bot] = number > 0
		}
	}
	return newMarginTable(rows, entries, apart), nil
}

// islands are those of the bots by number, sorted as those of a fit.
func (m *Margins) islands() [][]int {
	byName := m.byName()
	bots := make([]int, len(byName))
	for bot, at := range byName {
		bots[at] = bot
	}
	all := islands(len(bots), func(yield func(a, b int32) bool) {
		for pair := range m.met {
			if pair[0] != pair[1] && !yield(byName[pair[0]], byName[pair[1]]) {
				return
			}
		}
	})
	for _, island := range all {
		for i, at := range island {
			island[i] = bots[at]
		}
	}
	return all
}

// byName gives the place of each bot among the sorted names.
func (m *Margins) byName() []int32 {
	places := make([]int32, len(m.bots.names))
	for at, name := range slices.Sorted(slices.Values(m.bots.names)) {
		places[m.bots.numbers[name]] = int32(at)
	}
	return places
}

// finish sets what depends on the sum of the squared residuals of the deals. The mean is a ratio of two sums, and its
// error that of the linearised ratio.
func (r *MarginRow) finish(squares float64, field int) {
	r.Provisional = provisional(r.Games, r.Deals, r.Opponents, field) || r.Rounds == 0
	if r.Rounds > 0 {
		deals := float64(r.Deals)
		standardError := math.Sqrt(squares*deals/max(deals-1, 1)) / float64(r.Rounds)
		r.Interval = newInterval(r.Margin, standardError, r.Deals, student(r.Deals))
	}
}

// merged returns one entry for each deal and bot, by deal and then by name.
func (m *Margins) merged() []marginEntry {
	byName := m.byName()
	entries := slices.Clone(m.entries)
	slices.SortFunc(entries, func(a, b marginEntry) int {
		return cmp.Or(a.deal.compare(b.deal), cmp.Compare(byName[a.bot], byName[b.bot]))
	})
	merged := entries[:0]
	for _, entry := range entries {
		if n := len(merged); n > 0 && merged[n-1].deal == entry.deal && merged[n-1].bot == entry.bot {
			merged[n-1].games += entry.games
			merged[n-1].rounds += entry.rounds
			merged[n-1].margin += entry.margin
			continue
		}
		merged = append(merged, entry)
	}
	return merged
}

// newMarginTable gives no rank to bots that are provisional or apart.
func newMarginTable(rows []MarginRow, entries []marginEntry, apart []bool) *MarginTable {
	places := make([]place, len(rows))
	for i, row := range rows {
		places[i] = place{bot: i, name: row.Bot, value: -row.Margin, unranked: row.Provisional || apart[i]}
	}
	table, position := &MarginTable{entries: entries}, make([]int32, len(rows))
	for at, place := range order(places) {
		row := rows[place.bot]
		row.Rank = place.rank
		table.Rows = append(table.Rows, row)
		position[place.bot] = int32(at)
	}
	for i := range entries {
		entries[i].bot = position[entries[i].bot]
	}
	return table
}

// RankRanges returns the 95 % interval of each rank, in the order of the rows: what the ranks are when the deals are drawn
// anew. A bot that a replicate leaves without rounds has a margin of 0 in it.
func (t *MarginTable) RankRanges(bootstrap Bootstrap) []RankRange {
	places := make([]place, len(t.Rows))
	for i, row := range t.Rows {
		places[i] = place{bot: i, unranked: row.Rank == 0}
	}
	draws := newResampler(bootstrap.Seed)
	ranges := bootstrap.run(places, func() func(int, []float64) {
		margin, rounds := make([]int64, len(t.Rows)), make([]int64, len(t.Rows))
		return func(replicate int, values []float64) {
			clear(margin)
			clear(rounds)
			for from := 0; from < len(t.entries); {
				deal := t.entries[from].deal
				times := draws.draw(deal, replicate)
				for ; from < len(t.entries) && t.entries[from].deal == deal; from++ {
					margin[t.entries[from].bot] += times * t.entries[from].margin
					rounds[t.entries[from].bot] += times * t.entries[from].rounds
				}
			}
			for bot := range values {
				values[bot] = -float64(margin[bot]) / float64(max(rounds[bot], 1)) / marginUnits
			}
		}
	})
	out := make([]RankRange, len(t.Rows))
	for i := range out {
		out[i] = ranges.of(i)
	}
	return out
}
