package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Referee plays matches. It holds no state of a match, so one may play many at once.
type Referee struct {
	Seats   Opener
	Version string // of the arena, for Hello and the replays

	// Replays gives each game a place for its replay, which is closed at the end of the game and has Abort called before
	// that if the game was not finished. Nil keeps none.
	Replays func(protocol.Header) (ReplayFile, error)

	// Played is called after each game, from the goroutines that play; nil is allowed.
	Played func(Game)

	// Watch is told what everybody may see, from the goroutines that play; nil is allowed.
	Watch Watch

	// Confinement is what the replays say of how the bots were confined.
	Confinement map[string]string

	// Parallel is how many deal sets of a match are played at once; less than 1 is 1. The result does not depend on it.
	Parallel int
}

// ReplayFile is where a replay is written.
type ReplayFile interface {
	io.WriteCloser
	Abort()
}

// Play plays all games of the match. An error is the arena's own, or the context's: there is then no result, and the
// match is to be played again.
func (r Referee) Play(ctx context.Context, m Match) (Result, error) {
	if err := m.Validate(); err != nil {
		return Result{}, err
	}
	orders := m.SeatOrders()
	result := Result{
		Match: m.ID, Bots: m.Bots, Commitment: m.Seed.Commitment(), Seed: m.Seed, Sets: make([]DealSet, m.DealSets),
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, r.Parallel))
	for set := range result.Sets {
		group.Go(func() (err error) {
			result.Sets[set].Games, err = r.set(ctx, &m, set, orders)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return Result{}, err
	}
	result.collectFaults()
	result.collectTimes()
	return result, nil
}

// set plays the games of a deal set, one after the other.
func (r Referee) set(ctx context.Context, m *Match, set int, orders [][]int) ([]Game, error) {
	games, shown := make([]Game, len(orders)), make([]*watched, len(orders))
	for row, order := range orders {
		s := m.seating(set, row, order)
		var err error
		if shown[row], err = r.watched(s, len(orders)); err != nil {
			return nil, err
		}
		if games[row], err = r.game(ctx, s, shown[row]); err != nil {
			return nil, fmt.Errorf("game %s: %w", s.id, err)
		}
		if r.Played != nil {
			r.Played(games[row])
		}
	}
	for _, game := range shown {
		game.release()
	}
	return games, nil
}

// game plays one game. Whatever happens, all its seats are closed when it returns.
func (r Referee) game(ctx context.Context, s seating, shown *watched) (game Game, err error) {
	if err = ctx.Err(); err != nil {
		return Game{}, err
	}
	rules := s.match.Rules
	t := &table{seating: s, watched: shown, players: make([]player, rules.Players), strikes: newStrikes(s.match.Faults, rules.Players)}
	if t.game, err = engine.NewGame(rules, s.seed.Leader(rules.Players)); err != nil {
		return Game{}, err
	}
	if t.replay, err = r.openReplay(t); err != nil {
		return Game{}, err
	}
	defer func() { err = errors.Join(err, t.replay.close(err == nil)) }()
	defer func() {
		err = errors.Join(err, t.close(context.WithoutCancel(ctx)))
		game.cards = t.cards
	}()
	if err := t.open(ctx, r); err != nil {
		return Game{}, err
	}
	if err := t.play(ctx); err != nil {
		return Game{}, err
	}
	return t.finish(ctx)
}

// open seats all bots at once, each under its start-up limit.
func (t *table) open(ctx context.Context, r Referee) error {
	names := t.names()
	for seat, name := range names {
		opened, err := r.Seats.Open(ctx, Place{Bot: name, Game: t.id, Seat: seat})
		if err != nil {
			return fmt.Errorf("open seat %d (%s): %w", seat, name, err)
		}
		t.seats = append(t.seats, opened)
		t.players[seat].bank = time.Duration(t.match.Clock.BankMS) * time.Millisecond
	}
	replies := make([]Reply, len(t.seats))
	limit := time.Duration(t.match.Limits.StartupMS) * time.Millisecond
	group, greet := errgroup.WithContext(ctx)
	for seat := range t.seats {
		group.Go(func() (err error) {
			hello := protocol.Hello{Protocol: protocol.Version, Arena: "fivethreefive/" + r.Version, Limits: t.match.Limits}
			replies[seat], err = t.seats[seat].Ask(greet, hello, limit)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for seat, reply := range replies {
		if err := t.greet(ctx, seat, reply, limit); err != nil {
			return err
		}
	}
	return nil
}

// greet begins the game for a bot that is ready. Whatever keeps it from being ready is a start fault.
func (t *table) greet(ctx context.Context, seat int, reply Reply, limit time.Duration) error {
	if detail := unready(reply, limit); detail != "" {
		return t.fault(ctx, seat, Fault{
			Code: protocol.StartFault, LimitMS: milliseconds(limit), UsedMS: milliseconds(reply.Elapsed),
			Detail: detail, Line: reply.offence(), Stderr: reply.Report.Stderr,
		}, nil)
	}
	return t.seats[seat].Tell(ctx, protocol.Start{
		Game: t.id, Seat: seat, Players: len(t.seats), Names: t.names(), Rules: t.match.Rules, Clock: t.match.Clock,
		Seed: t.botSeed(seat),
	})
}

// unready says what is wrong with an answer to hello, or nothing.
func unready(reply Reply, limit time.Duration) string {
	if reply.Fault != "" {
		return cmp.Or(reply.Report.Detail, string(reply.Fault))
	}
	if reply.Elapsed > limit {
		return fmt.Sprintf("ready took %v, the limit is %v", reply.Elapsed, limit)
	}
	message, err := protocol.ReadBot(reply.Line)
	if err != nil {
		return err.Error()
	}
	if _, ok := message.(protocol.Ready); !ok {
		return "the answer to hello is ready"
	}
	return ""
}

// finish settles the result and tells all bots, also those that failed.
func (t *table) finish(ctx context.Context) (Game, error) {
	ranks := t.strikes.ranks(t.game.Ranks())
	result := protocol.GameResult{
		Reason: protocol.Finished, Scores: t.game.Scores(), Ranks: ranks, Winners: t.strikes.winners(ranks),
		Faults: t.strikes.faults(),
	}
	if err := errors.Join(t.replay.result(result), t.watched.result(result)); err != nil {
		return Game{}, err
	}
	game := Game{
		ID: t.id, Order: t.order, Rounds: t.game.Round(), Scores: result.Scores, Ranks: ranks, Faults: result.Faults,
	}
	for seat, s := range t.seats {
		end := protocol.End{Game: t.id, Reason: result.Reason, Scores: result.Scores, Ranks: ranks, Events: t.news(seat)}
		if err := s.Tell(ctx, end); err != nil {
			return Game{}, err
		}
		game.Think = append(game.Think, t.players[seat].think)
		game.times = append(game.times, t.players[seat].times)
	}
	return game, nil
}

// close ends all bots at once, since each may take its time to exit. What they have logged goes to the cards of the faults
// that came without: those that were found in a line.
func (t *table) close(ctx context.Context) error {
	logs := make([]string, len(t.seats))
	var group errgroup.Group
	for seat, s := range t.seats {
		group.Go(func() (err error) {
			logs[seat], err = s.Close(ctx)
			return err
		})
	}
	err := group.Wait()
	for i, card := range t.cards {
		t.cards[i].Stderr = cmp.Or(card.Stderr, logs[card.Seat])
	}
	return err
}
