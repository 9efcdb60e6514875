package league

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/fivethreefive/fivethreefive/arena"
)

// Event is an entry of a tournament's log. Exactly one field is set.
type Event struct {
	Created  *Tournament   `json:"created,omitempty"`  // always the first
	Played   *arena.Result `json:"played,omitempty"`   // once for each match
	Finished *time.Time    `json:"finished,omitempty"` // after the last match; the seed is public from here on
}

// Store keeps the logs of tournaments.
type Store interface {
	// Events gives the log of a tournament, oldest first. It is empty for one that does not exist.
	Events(ctx context.Context, tournament string) ([]Event, error)
	// Append adds to the log, durably: an event that was appended is there after any crash.
	Append(ctx context.Context, tournament string, event Event) error
	// Tournaments lists the ids of all logs, in ascending order.
	Tournaments(ctx context.Context) ([]string, error)
	// Acquire makes the caller the only one who may append to the log of a tournament, until release is called or the
	// program ends in whatever way. It fails with [ErrInUse] while there is another.
	Acquire(ctx context.Context, tournament string) (release func(), err error)
}

// ErrInUse is wrapped by the error for a tournament that another program runs.
var ErrInUse = errors.New("another arena runs this tournament; wait for its end, or stop it")

// State is a tournament with what has been played.
type State struct {
	Tournament

	Matches  []arena.Match
	Results  []*arena.Result // by match; nil for one that is to be played
	Finished bool
}

// ErrNoTournament is wrapped by the error for an id without a log.
var ErrNoTournament = errors.New("there is no such tournament")

// Fold reads the state out of a log. Results are placed by their match, so their order does not matter; a second result
// of the same match does not count.
func Fold(events []Event) (State, error) {
	if len(events) == 0 {
		return State{}, ErrNoTournament
	}
	if events[0].Created == nil {
		return State{}, errors.New("the log does not begin with its tournament; it was damaged, restore it from a copy")
	}
	s := State{Tournament: *events[0].Created}
	var err error
	if s.Matches, err = s.Tournament.Matches(); err != nil {
		return State{}, fmt.Errorf("log of %s: %w", s.ID, err)
	}
	s.Results = make([]*arena.Result, len(s.Matches))
	number := make(map[string]int, len(s.Matches))
	for i, match := range s.Matches {
		number[match.ID] = i
	}
	for _, event := range events[1:] {
		switch {
		case event.Created != nil:
			return State{}, fmt.Errorf("log of %s: it begins twice; restore it from a copy", s.ID)
		case event.Played != nil:
			i, ok := number[event.Played.Match]
			if !ok {
				return State{}, fmt.Errorf("log of %s: match %s is not in its schedule", s.ID, event.Played.Match)
			}
			if err := fits(event.Played, s.Matches[i]); err != nil {
				return State{}, fmt.Errorf("log of %s: match %s: %w", s.ID, event.Played.Match, err)
			}
			if s.Results[i] == nil {
				s.Results[i] = event.Played
			}
		case event.Finished != nil:
			s.Finished = true
		}
	}
	s.Finished = s.Finished && s.Played() == len(s.Matches) // a log that lost results is not finished
	return s, nil
}

// fits says why the result cannot be one of the match.
func fits(result *arena.Result, match arena.Match) error {
	if !slices.Equal(result.Bots, match.Bots) || result.Seed != match.Seed || len(result.Sets) != match.DealSets {
		return errors.New("its result is that of another match")
	}
	orders := match.SeatOrders()
	for _, set := range result.Sets {
		if len(set.Games) != len(orders) {
			return fmt.Errorf("a deal set has %d games, not %d", len(set.Games), len(orders))
		}
		for row, game := range set.Games {
			seats := len(game.Order)
			if !slices.Equal(game.Order, orders[row]) || len(game.Scores) != seats || len(game.Ranks) != seats ||
				len(game.Think) > 0 && len(game.Think) != seats || slices.ContainsFunc(game.Ranks, func(rank int) bool { return rank < 1 }) {
				return fmt.Errorf("game %s is damaged", game.ID)
			}
		}
	}
	return nil
}

// Load folds a stored log.
func Load(ctx context.Context, store Store, id string) (State, error) {
	events, err := store.Events(ctx, id)
	if err != nil {
		return State{}, err
	}
	state, err := Fold(events)
	if errors.Is(err, ErrNoTournament) {
		return State{}, fmt.Errorf("tournament %q: %w", id, err)
	}
	return state, err
}

// Open loads the tournament of that id if its log exists and is of the same tournament, so that it is resumed, and begins
// the log otherwise.
func Open(ctx context.Context, store Store, t Tournament) (State, error) {
	state, err := Load(ctx, store, t.ID)
	switch {
	case err == nil:
		if diff := state.same(t); diff != nil {
			return State{}, fmt.Errorf("tournament %q exists already and differs: %w; choose another name for the new one", t.ID, diff)
		}
		return state, nil
	case !errors.Is(err, ErrNoTournament):
		return State{}, err
	}
	first := Event{Created: &t}
	if state, err = Fold([]Event{first}); err != nil {
		return State{}, err
	}
	return state, store.Append(ctx, t.ID, first)
}

// Played counts the matches that have a result.
func (s State) Played() int {
	n := 0
	for _, result := range s.Results {
		if result != nil {
			n++
		}
	}
	return n
}
