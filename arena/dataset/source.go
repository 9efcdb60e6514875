package dataset

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// Source is where rows come from. Rows are in the order in which tournaments were made, within one in that of the pairings, and
// then in that of the games; so two exports of the same are the same bytes.
type Source struct {
	Store   *league.Store
	Filter  league.Filter
	NoTimes bool // times are left empty

	Replays func(tournament string) string // folder; for decisions only
}

// played is a match that counts, with its result.
type played struct {
	state  *league.State
	stage  int
	number int
	result arena.Result
}

// each visits all matches that count. Tournaments that are damaged are left out, and the error at the end says so.
func (s Source) each(ctx context.Context, visit func(played) error) error {
	ids, err := s.Store.Filtered(ctx, s.Filter)
	if err != nil {
		return err
	}
	var damaged []error
	for _, id := range ids {
		state, err := s.Store.Load(ctx, id)
		if errors.Is(err, league.ErrDamaged) {
			damaged = append(damaged, err)
			continue
		}
		if err != nil {
			return err
		}
		if !s.Filter.Takes(state.Tournament) {
			continue
		}
		if err := s.eachOf(ctx, state, visit); err != nil {
			return err
		}
	}
	return errors.Join(damaged...)
}

func (s Source) eachOf(ctx context.Context, state *league.State, visit func(played) error) error {
	for stage := 1; stage <= state.Stages(); stage++ {
		for _, table := range state.Stage(stage).Tables {
			if !table.Played || s.Filter.Players != 0 && s.Filter.Players != len(table.Bots) {
				continue
			}
			result, err := s.Store.Result(ctx, state.ID, table.Match)
			if err != nil {
				return err
			}
			if err := visit(played{state, stage, table.Match, result}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p played) entrant(label string) league.Entrant {
	for _, entrant := range p.state.Entrants {
		if entrant.Label == label {
			return entrant
		}
	}
	return league.Entrant{Label: label}
}

// Matches visits every bot of every match.
func (s Source) Matches(ctx context.Context, visit func(MatchRow) error) error {
	return s.each(ctx, func(p played) error {
		tallies := map[string]league.Tally{}
		for _, row := range league.StandingsOf(p.result.Bots, p.result) {
			tallies[row.Bot] = row.Tally
		}
		for place, bot := range p.result.Bots {
			if err := visit(s.matchRow(p, place, tallies[bot])); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s Source) matchRow(p played, place int, tally league.Tally) MatchRow {
	entrant := p.entrant(tally.Bot)
	row := MatchRow{
		Tournament: p.state.ID, Format: string(p.state.Format), Stage: p.stage, Match: p.number,
		Rules: string(p.state.Settings.Rules.Preset), Players: len(p.result.Bots), Place: place,
		Bot: tally.Bot, Language: entrant.Language, Author: entrant.Author, DealSets: len(p.result.Sets), Games: tally.Games,
		Points: tally.Points, Firsts: tally.Firsts, MeanPlace: tally.MeanPlace, Faults: tally.Faults, Forfeits: tally.Forfeits,
	}
	total := 0.0
	for _, set := range p.result.Sets {
		for _, game := range set.Games {
			row.Rounds += game.Rounds
			row.Penalty += game.ByBot(game.Scores)[place]
			for seat, think := range game.Think {
				if game.Order[seat] == place {
					row.Moves += think.Moves
					total += think.TotalMS
				}
			}
		}
	}
	if s.NoTimes {
		return row
	}
	if created := p.state.Created; !created.IsZero() {
		row.Created = created.UTC().Format(time.RFC3339)
	}
	if row.Moves > 0 {
		row.TotalMS, row.MaxMS, row.P50MS, row.P99MS = toMicros(total), &tally.Think.Max, tally.Think.P50, tally.Think.P99
	}
	return row
}

// toMicros leaves no more digits than were measured.
func toMicros(ms float64) *float64 { return new(math.Round(ms*1000) / 1000) }

// Games visits every bot of every game, by seat.
func (s Source) Games(ctx context.Context, visit func(GameRow) error) error {
	return s.each(ctx, func(p played) error {
		seeds := arena.Match{Seed: p.result.Seed}
		for i, set := range p.result.Sets {
			deal := seeds.DealSeed(i).Commitment()[:16]
			for order, game := range set.Games {
				for seat := range game.Order {
					row := s.gameRow(p, game, seat)
					row.DealSet, row.Order, row.Deal = i+1, order+1, deal
					if err := visit(row); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

func (s Source) gameRow(p played, game arena.Game, seat int) GameRow {
	row := GameRow{
		Tournament: p.state.ID, Stage: p.stage, Match: p.number, Game: game.ID, Rules: string(p.state.Settings.Rules.Preset),
		Players: len(game.Order), Seat: seat, Bot: p.result.Bots[game.Order[seat]], Rounds: game.Rounds, Rank: game.Ranks[seat],
		Penalty: game.Scores[seat],
	}
	for _, fault := range game.Faults {
		if fault.Seat == seat {
			row.Faults += fault.Count
			row.Forfeit = row.Forfeit || fault.Forfeit
		}
	}
	if len(game.Think) > 0 {
		think := game.Think[seat]
		row.Moves = think.Moves
		if !s.NoTimes && think.Moves > 0 {
			row.TotalMS, row.MaxMS = toMicros(think.TotalMS), &think.MaxMS
		}
	}
	return row
}
