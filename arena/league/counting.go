package league

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/ratings"
)

// Filter says which results count. The zero value counts all: every match that was played, with all faults of bots. What
// the arena failed to play is no result.
type Filter struct {
	Players     int           // seats at the table; 0 is any number
	Rules       engine.Preset // empty is any
	Tournaments []string      // ids; nil is all
	Since       time.Time     // of the creation of the tournament
}

// Takes reports whether matches of a tournament count, by its rules and its time.
func (f Filter) Takes(t Tournament) bool {
	return (f.Rules == "" || f.Rules == t.Settings.Rules.Preset) && (f.Since.IsZero() || !t.Created.Before(f.Since))
}

// counted is a match that counts.
type counted struct {
	Played

	tournament string
	match      arena.Match // no more of it than what decides the deals
	rules      engine.Preset
	bots       []Entrant // in table order
	games      int       // of each deal set
}

// dealSets are those of the match as ratings take them, with all that they can use but the seats: every bot has held each.
func (c counted) dealSets() []ratings.DealSet {
	labels := make([]string, len(c.bots))
	for i, bot := range c.bots {
		labels[i] = bot.Label
	}
	sets := dealSets(c.Played, labels, c.games)
	for i := range sets {
		seed := c.match.DealSeed(i)
		sets[i].Deal = string(seed[:])
		for _, game := range c.Games[i*c.games : (i+1)*c.games] {
			sets[i].Penalties = append(sets[i].Penalties, game.penalties())
			sets[i].Rounds = append(sets[i].Rounds, game.rounds())
		}
	}
	return sets
}

// dealSets have that many games each, and no deals.
func dealSets(p Played, labels []string, games int) (sets []ratings.DealSet) {
	for played := range slices.Chunk(p.Games, games) {
		set := ratings.DealSet{Bots: labels, Ranks: make([][]int, len(played))}
		for i, game := range played {
			set.Ranks[i] = game.ranks()
		}
		sets = append(sets, set)
	}
	return sets
}

// collector takes what counts.
type collector interface {
	add(c counted) error
}

// count gives all that counts to a collector: tournaments in the order in which they were created, and within one the
// matches in the order of the schedule, in whatever order they ended. What is damaged is left out; since a part of it has
// been given away by then, a new collector begins again.
func (s *Store) count(ctx context.Context, f Filter, begin func() collector) error {
	ids, err := s.Filtered(ctx, f)
	if err != nil {
		return err
	}
	for again := true; again; {
		again = false
		to := begin()
		for i, id := range ids {
			err := s.countLog(ctx, id, f, to)
			if errors.Is(err, ErrDamaged) {
				s.log.Error("a tournament is left out", "error", err)
				ids, again = slices.Delete(ids, i, i+1), true
				break
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Filtered lists the ids of the tournaments that a filter names, by their creation; what else it says is still to be looked at.
func (s *Store) Filtered(ctx context.Context, f Filter) ([]string, error) {
	ids, err := s.ByCreation(ctx)
	if err != nil || f.Tournaments == nil {
		return ids, err
	}
	for _, id := range f.Tournaments {
		if !slices.Contains(ids, id) {
			return nil, fmt.Errorf("tournament %q: %w", id, ErrNoTournament)
		}
	}
	return slices.DeleteFunc(ids, func(id string) bool { return !slices.Contains(f.Tournaments, id) }), nil
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

// countLog folds a log and gives its matches away on the way.
func (s *Store) countLog(ctx context.Context, id string, f Filter, to collector) error {
	fold := newCounter(f, to)
	_, err := s.Events(ctx, id, fold.apply)
	if err == nil {
		err = fold.end()
	}
	if err != nil && !errors.Is(err, errEnough) {
		return fmt.Errorf("count %s: %w", id, err)
	}
	return nil
}

// errEnough ends the reading of a log that a filter leaves out.
var errEnough = errors.New("nothing of it counts")

// counter folds one log.
type counter struct {
	filter Filter
	to     collector
	state  State
	line   queue
}

func newCounter(f Filter, to collector) *counter {
	return &counter{filter: f, to: to, line: queue{next: 1}}
}

func (c *counter) apply(e Event) error {
	first := e.Played != nil && !c.state.Done(e.Played.Match)
	if err := c.state.Apply(e); err != nil {
		return err
	}
	switch {
	case e.Created != nil && !c.filter.Takes(*e.Created):
		return errEnough
	case first:
		return c.line.add(*e.Played, c.give)
	default:
		return nil
	}
}

func (c *counter) end() error { return c.line.end(c.give) }

func (c *counter) give(p Played) error {
	bots := c.state.entrantsOf(p.Match)
	if c.filter.Players != 0 && c.filter.Players != len(bots) {
		return nil
	}
	return c.to.add(counted{
		Played: p, tournament: c.state.ID, match: arena.Match{Seed: c.state.matchSeed(p.Match)}, rules: c.state.Settings.Rules.Preset,
		bots: bots, games: c.state.GamesOfMatch(len(bots)) / c.state.Settings.DealSets,
	})
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
