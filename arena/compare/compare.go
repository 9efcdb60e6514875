// Package compare finds out whether a bot is better than another, and plays no more for it than it takes: deal set by deal
// set, until a sequential test has decided. It knows neither programs nor terminals: its caller plays the matches.
//
// The deal sets count in their order, and the first at which a bound is crossed ends it; so the outcome is a function of the
// seed and of what the bots answer, however many are played at once.
package compare

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/schedule"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/ratings"
)

// Comparison is what is to be found out.
type Comparison struct {
	New, Old string   // labels of the bots
	Copies   []string // labels under which Old fills the rest of the table, which New joins in each seat
	// Field are others that New and Old join in turn, with the same deals, in place of the copies. They are compared by
	// how they do against it.
	Field []string

	Settings arena.Settings // for as many players as one and the others; its number of deal sets does not count
	Seed     engine.Seed
	Test     ratings.Sequential
	Most     int // deal sets

	Jobs int // deal sets played at once; the outcome does not depend on it
	Play func(context.Context, arena.Match) (arena.Result, error)
	Seen func(Report) // called after each deal set that counts, in their order; nil is allowed
}

// ErrStopped is what [Comparison.Run] returns with what is known until then.
var ErrStopped = errors.New("the comparison was stopped")

// attempts at a deal set that the arena fails to play. It cannot be left out, since those that fail may not be like the others.
const attempts = 3

// Run plays until the test decides, until there are as many deal sets as wanted, or until stop is closed: then those in play
// are finished, and none is begun. When the context ends they are given up. Whatever the error, the report is that of the
// deal sets that count so far.
func (c Comparison) Run(ctx context.Context, stop <-chan struct{}) (Report, error) {
	score, err := c.newScore()
	if err != nil {
		return Report{}, err
	}
	playing, cancel := context.WithCancel(ctx)
	var players sync.WaitGroup
	defer players.Wait()
	defer cancel() // before it waits
	sets := c.start(playing, stop, &players)
	report, err := score.report()
	for set := range sets {
		played := <-set
		if played.err != nil {
			return report, played.err
		}
		if err = score.add(played); err != nil {
			return report, err
		}
		if report, err = score.report(); err != nil {
			return report, err
		}
		if c.Seen != nil {
			c.Seen(report)
		}
		if report.Decision != ratings.PlayOn {
			return report, nil
		}
	}
	if err == nil && report.DealSets < c.Most {
		err = errors.Join(ErrStopped, ctx.Err())
	}
	return report, err
}

// dealSet is what came of one.
type dealSet struct {
	results []arena.Result // of New, and against a field of Old
	err     error
}

// start begins deal sets in their order, so many at once, and gives what will come of them in that order.
func (c Comparison) start(ctx context.Context, stop <-chan struct{}, players *sync.WaitGroup) <-chan chan dealSet {
	jobs := max(1, c.Jobs)
	sets, slots := make(chan chan dealSet, jobs), make(chan struct{}, jobs)
	players.Go(func() {
		defer close(sets)
		for number := range c.Most {
			select {
			case <-stop:
				return
			case <-ctx.Done():
				return
			case slots <- struct{}{}:
			}
			if over(stop) || ctx.Err() != nil { // the choice above is free where several are ready
				return
			}
			set := make(chan dealSet, 1)
			players.Go(func() {
				defer func() { <-slots }()
				set <- c.play(ctx, number)
			})
			select {
			case sets <- set:
			case <-ctx.Done():
				return
			}
		}
	})
	return sets
}

func over(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

func (c Comparison) play(ctx context.Context, number int) (set dealSet) {
	for _, match := range c.matches(number) {
		result, err := c.insist(ctx, match)
		if err != nil {
			return dealSet{err: err}
		}
		set.results = append(set.results, result)
	}
	return set
}

func (c Comparison) insist(ctx context.Context, match arena.Match) (result arena.Result, err error) {
	for range attempts {
		result, err = c.Play(ctx, match)
		switch {
		case err == nil:
			return result, nil
		case ctx.Err() != nil:
			return result, errors.Join(ErrStopped, ctx.Err())
		}
	}
	return result, fmt.Errorf("the arena failed to play %s, %d times: %w", match.ID, attempts, err)
}

// matches are those of a deal set, from 0: one, or against a field two with the same cards.
func (c Comparison) matches(number int) []arena.Match {
	match := func(name, bot string, others []string, orders [][]int) arena.Match {
		m := arena.Match{
			Settings: c.Settings, ID: fmt.Sprintf("c-%s-%d%s", c.Seed.Commitment()[:8], number+1, name),
			Bots: append([]string{bot}, others...), Seed: c.Seed.Child("match", uint64(number)), Orders: orders,
		}
		m.DealSets = 1
		return m
	}
	if len(c.Field) > 0 {
		orders := schedule.SeatOrders(1 + len(c.Field))
		return []arena.Match{match("-new", c.New, c.Field, orders), match("-old", c.Old, c.Field, orders)}
	}
	return []arena.Match{match("", c.New, c.Copies, eachSeat(1+len(c.Copies)))}
}

// eachSeat has the first bot in each seat once. The others are all the same, and take the rest in their order.
func eachSeat(seats int) [][]int {
	orders := make([][]int, seats)
	for at := range orders {
		next := 1
		for seat := range seats {
			if seat == at {
				orders[at] = append(orders[at], 0)
				continue
			}
			orders[at] = append(orders[at], next)
			next++
		}
	}
	return orders
}
