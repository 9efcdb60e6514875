package league

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/fivethreefive/fivethreefive/arena"
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
func Leaderboards(ctx context.Context, store Store, anchor string) ([]Leaderboard, error) {
	states, err := loadAll(ctx, store)
	if err != nil {
		return nil, err
	}
	boards := []Leaderboard{}
	for players := 2; players <= 6; players++ {
		var some []State
		for _, state := range states {
			if state.Settings.Rules.Players == players && state.Played() > 0 {
				some = append(some, state)
			}
		}
		if len(some) == 0 {
			continue
		}
		board, err := rate(some, anchor)
		if err != nil {
			return nil, err
		}
		board.Players = players
		boards = append(boards, board)
	}
	return boards, nil
}

func loadAll(ctx context.Context, store Store) ([]State, error) {
	ids, err := store.Tournaments(ctx)
	if err != nil {
		return nil, err
	}
	var states []State
	for _, id := range ids {
		state, err := Load(ctx, store, id)
		if errors.Is(err, ErrNoTournament) {
			continue // its log was begun, and not even its first event was kept
		}
		if err != nil {
			return nil, err
		}
		states = append(states, state)
	}
	slices.SortStableFunc(states, func(a, b State) int { return a.Created.Compare(b.Created) })
	return states, nil
}

func rate(states []State, anchor string) (Leaderboard, error) {
	elo, err := ratings.NewElo(ratings.EloConfig{Initial: AnchorRating})
	if err != nil {
		return Leaderboard{}, err
	}
	languages := map[string]string{}
	var results []*arena.Result
	for _, state := range states {
		for _, entrant := range state.Entrants {
			languages[entrant.Label] = entrant.Language
		}
		for _, result := range state.Results {
			if result == nil {
				continue
			}
			results = append(results, result)
			if err := addSets(elo, result); err != nil {
				return Leaderboard{}, fmt.Errorf("match %s: %w", result.Match, err)
			}
		}
	}
	table := elo.Table(anchor)
	labels := make([]string, len(table.Rows))
	for i, row := range table.Rows {
		labels[i] = row.Bot
	}
	board := Leaderboard{Anchor: anchor, Anchored: table.Anchored}
	for i, tally := range tallies(labels, results) {
		row, rank := table.Rows[i], i+1
		if i > 0 && table.Rows[i-1].Rating == row.Rating {
			rank = board.Rows[i-1].Rank
		}
		board.Rows = append(board.Rows, Ranked{
			Rank: rank, Language: languages[row.Bot], Rating: row.Rating, DealSets: row.DealSets, Tally: tally,
		})
	}
	return board, nil
}

// addSets rates once for each deal set.
func addSets(elo *ratings.Elo, result *arena.Result) error {
	for _, set := range result.Sets {
		rated := ratings.DealSet{Bots: result.Bots}
		for _, game := range set.Games {
			rated.Ranks = append(rated.Ranks, game.ByBot(game.Ranks))
		}
		if err := elo.Add(rated); err != nil {
			return err
		}
	}
	return nil
}
