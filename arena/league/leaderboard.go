package league

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/fivethreefive/fivethreefive/ratings"
)

// AnchorRating is what the anchor is rated, wherever it has played; all others are relative to it.
const AnchorRating = 1500

// Leaderboard rates all bots of the stored tournaments at one number of players.
type Leaderboard struct {
	Players  int      `json:"players"`
	Anchor   string   `json:"anchor"`
	Anchored bool     `json:"anchored"` // whether the anchor has played
	Rows     []Ranked `json:"rows"`
}

// Ranked is a line of a leaderboard. Equal ratings share a rank.
type Ranked struct {
	Rank     int     `json:"rank"`
	Language string  `json:"language"`
	Rating   float64 `json:"rating"`
	DealSets int     `json:"deal_sets"`
	Tally
}

// Leaderboards gives one leaderboard for each number of players that was played, fewest first: ratings of different
// numbers of seats are not comparable. Tournaments count in the order in which they were created, and within one the
// matches in the order of the schedule.
func (s *Store) Leaderboards(ctx context.Context, anchor string) ([]Leaderboard, error) {
	ids, err := s.ByCreation(ctx)
	if err != nil {
		return nil, err
	}
	boards, err := s.rateAll(ctx, ids)
	if err != nil {
		return nil, err
	}
	all := []Leaderboard{}
	for players := 2; players <= 6; players++ {
		if boards[players] != nil {
			all = append(all, boards[players].leaderboard(players, anchor))
		}
	}
	return all, nil
}

// rateAll leaves out what is damaged.
func (s *Store) rateAll(ctx context.Context, ids []string) (map[int]*board, error) {
	boards := map[int]*board{}
	for i, id := range ids {
		err := s.rate(ctx, id, boards)
		switch {
		case errors.Is(err, ErrDamaged):
			s.log.Error("a tournament is left out", "error", err)
			return s.rateAll(ctx, slices.Delete(slices.Clone(ids), i, i+1)) // again, as a part of it counts already
		case err != nil:
			return nil, err
		}
	}
	return boards, nil
}

// ByCreation orders the ids of all tournaments. One whose log has lost its beginning comes first.
func (s *Store) ByCreation(ctx context.Context) ([]string, error) {
	ids, err := s.Tournaments(ctx)
	if err != nil {
		return nil, err
	}
	var created []Tournament
	for _, id := range ids {
		first, err := s.first(ctx, id)
		if errors.Is(err, ErrDamaged) {
			first, err = Tournament{ID: id}, nil
		}
		if err != nil {
			return nil, err
		}
		created = append(created, first)
	}
	slices.SortStableFunc(created, func(a, b Tournament) int { return a.Created.Compare(b.Created) })
	for i, t := range created {
		ids[i] = t.ID
	}
	return ids, nil
}

// rate folds a log and rates its matches on the way.
func (s *Store) rate(ctx context.Context, id string, boards map[int]*board) error {
	state := &State{}
	line := queue{next: 1}
	rate := func(p Played) error {
		table := state.table(p.Match)
		bots := make([]Entrant, len(table.Entrants))
		for i, entrant := range table.Entrants {
			bots[i] = state.Entrants[entrant]
		}
		at := boards[len(bots)]
		if at == nil {
			var err error
			if at, err = newBoard(); err != nil {
				return err
			}
			boards[len(bots)] = at
		}
		return at.add(p, bots, state.GamesOfMatch(len(bots))/state.Settings.DealSets)
	}
	_, err := s.Events(ctx, id, func(e Event) error {
		first := e.Played != nil && !state.Done(e.Played.Match)
		if err := state.Apply(e); err != nil || !first {
			return err
		}
		return line.add(*e.Played, rate)
	})
	if err == nil {
		err = line.end(rate)
	}
	if err != nil {
		return fmt.Errorf("rate %s: %w", id, err)
	}
	return nil
}

// queue puts matches into the order of their numbers. It holds those that came before others that are still to come.
type queue struct {
	next int
	held map[int]Played
}

func (q *queue) add(p Played, visit func(Played) error) error {
	if p.Match != q.next {
		if q.held == nil {
			q.held = map[int]Played{}
		}
		q.held[p.Match] = p
		return nil
	}
	for ok := true; ok; p, ok = q.held[q.next] {
		delete(q.held, q.next)
		q.next++
		if err := visit(p); err != nil {
			return err
		}
	}
	return nil
}

// end visits those behind a gap.
func (q *queue) end(visit func(Played) error) error {
	for _, number := range slices.Sorted(maps.Keys(q.held)) {
		if err := visit(q.held[number]); err != nil {
			return err
		}
	}
	return nil
}

// board collects what was played at tables of one size.
type board struct {
	elo       *ratings.Elo
	counts    map[string]*count
	languages map[string]string
}

func newBoard() (*board, error) {
	elo, err := ratings.NewElo(ratings.EloConfig{Initial: AnchorRating})
	return &board{elo: elo, counts: map[string]*count{}, languages: map[string]string{}}, err
}

// add rates once for each deal set, which has that many games.
func (b *board) add(p Played, bots []Entrant, games int) error {
	labels := make([]string, len(bots))
	for i, bot := range bots {
		labels[i] = bot.Label
		b.languages[bot.Label] = bot.Language
		if b.counts[bot.Label] == nil {
			b.counts[bot.Label] = &count{}
		}
		b.counts[bot.Label].add(p, i)
	}
	return rateSets(b.elo, p, labels, games)
}

func (b *board) leaderboard(players int, anchor string) Leaderboard {
	table := b.elo.Table(anchor)
	board := Leaderboard{Players: players, Anchor: anchor, Anchored: table.Anchored}
	for i, row := range table.Rows {
		rank := i + 1
		if i > 0 && table.Rows[i-1].Rating == row.Rating {
			rank = board.Rows[i-1].Rank
		}
		board.Rows = append(board.Rows, Ranked{
			Rank: rank, Language: b.languages[row.Bot], Rating: row.Rating, DealSets: row.DealSets,
			Tally: b.counts[row.Bot].tally(row.Bot),
		})
	}
	return board
}
