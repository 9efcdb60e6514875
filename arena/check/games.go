package check

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/arena/seat"
	"github.com/fivethreefive/fivethreefive/engine"
)

// table is one game of the bot with house bots.
type table struct {
	number  int // from 0
	players int
	seat    int // of the bot
}

// tableOf spreads games over some numbers of players, and over the seats at each.
func tableOf(number int, sizes []int) table {
	players := sizes[number%len(sizes)]
	return table{number: number, players: players, seat: number / len(sizes) % players}
}

// match is a match of the one game.
func (r *run) match(t table, bots []string) (arena.Match, error) {
	rules, err := engine.NewRules(engine.Rulebook, t.players)
	if err != nil {
		return arena.Match{}, err
	}
	settings := r.Settings
	settings.Rules, settings.DealSets = rules, 1
	order := make([]int, t.players)
	for i := range order { // the bot is the first, and the others follow round the table
		order[(t.seat+i)%t.players] = i
	}
	return arena.Match{
		Settings: settings, ID: fmt.Sprintf("check-%d", t.number+1), Bots: bots, Seed: r.Seed.Child("check", uint64(t.number)), Orders: [][]int{order},
	}, nil
}

// seats gives a place to the bot, under a manner, and to as many house bots as sit at any table. The labels are all of them,
// and the bot's is the first.
func (r *run) seats(m manner, listeners ...*strays) (seats *seat.Local, labels []string) {
	bots := []registry.Bot{r.bot}
	for i := range 5 {
		bots = append(bots, r.House[i%len(r.House)])
	}
	labels = registry.Distinct(bots)
	seats = &seat.Local{
		Referee: r.Referees, Hosts: r.Hosts, Launcher: r.Launcher, Programs: map[string]sandbox.Spec{},
		Freeze: r.Settings.Freeze, Session: fmt.Sprintf("%s-%d-", r.session, r.plays.Add(1)),
	}
	for i, bot := range bots {
		seats.Programs[labels[i]] = bot.Spec(r.Hide, r.Settings.Limits.MemoryMB)
	}
	seats.Wraps = map[string]seat.Wrap{labels[0]: func(in io.Writer, out io.Reader) (io.Writer, io.Reader) {
		if m != nil {
			in = m(in)
		}
		for _, l := range listeners {
			out = l.listen(out)
		}
		return in, out
	}}
	return seats, labels
}

// play plays the game of a table. A fault of the bot is a verdict.
func (r *run) play(ctx context.Context, t table, m manner, w *watch, listeners ...*strays) (arena.Game, error) {
	seats, labels := r.seats(m, listeners...)
	others := slices.Concat(labels[1:], labels[1:])[t.number%5:] // so that all of the house come to all seats
	match, err := r.match(t, slices.Concat(labels[:1], others[:t.players-1]))
	if err != nil {
		return arena.Game{}, err
	}
	var opener arena.Opener = seats
	if w != nil {
		own := &watch{Opener: seats, label: labels[0]}
		defer w.add(own)
		opener = own
	}
	result, err := arena.Referee{Seats: opener, Version: r.Version}.Play(ctx, match)
	if err != nil {
		return arena.Game{}, err
	}
	for _, card := range result.Faults {
		if card.Bot == labels[0] {
			err = blamed(card, t.players)
			break
		}
	}
	return result.Sets[0].Games[0], err
}

// trial plays one game, of the fewest players that the bot takes, in a manner.
func (r *run) trial(ctx context.Context, m manner, good, hint string) (string, error) {
	_, err := r.play(ctx, tableOf(0, r.bot.Seats()), m, r.seen)
	if found, ok := err.(*verdict); ok && hint != "" { //nolint:errorlint // it is never wrapped
		found.hint = hint
	}
	return good, err
}

func (r *run) firstGame(ctx context.Context) (string, error) {
	return r.trial(ctx, nil, "played to the end against "+r.House[0].Label(), "")
}

func (r *run) unknownMessages(ctx context.Context) (string, error) {
	return r.trial(ctx, later, "types and fields that it does not know are ignored, and so is an error",
		"ignore message types and fields that you do not know, and go on after an error: later versions of the arena will add some")
}

func (r *run) slowLines(ctx context.Context) (string, error) {
	return r.trial(ctx, pieces, "lines may come in pieces",
		"read up to the end of a line, however many reads that takes: a pipe may hand over a part of it")
}

// lineEnds is no failure: the arena itself ends its lines by \n alone.
func (r *run) lineEnds(ctx context.Context) (string, error) {
	text, err := r.trial(ctx, carriageReturns, `\r\n is taken for \n`,
		`take \r\n for \n, by cutting off white space at the end of a line: the arena sends \n, but what stands between may not`)
	if found, ok := err.(*verdict); ok { //nolint:errorlint // it is never wrapped
		found.state = Warning
	}
	return text, err
}

// enoughFaults is how many games with faults there may be before no other begins.
const enoughFaults = 3

// games plays many games at once. The first fault in the order of the games is the verdict.
func (r *run) games(ctx context.Context) (string, error) {
	prints := &strays{}
	faults := make([]error, r.Games)
	var mu sync.Mutex
	faulty, played := 0, 0
	group, playing := errgroup.WithContext(ctx)
	group.SetLimit(max(1, r.Jobs))
	for number := range r.Games {
		mu.Lock()
		enough := faulty >= enoughFaults
		mu.Unlock()
		if enough {
			break
		}
		group.Go(func() error {
			game, err := r.play(playing, tableOf(number, r.bot.Seats()), nil, r.seen, prints)
			if _, ok := err.(*verdict); err != nil && !ok { //nolint:errorlint // it is never wrapped
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			played++
			if faults[number] = err; err != nil {
				faulty++
			}
			if r.Played != nil {
				r.Played(game)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return "", err
	}
	r.report.Games = played
	text := fmt.Sprintf("%d games of %s players against %s", played, r.bot.SeatWords(), r.houseNames())
	for _, err := range faults {
		if found, ok := err.(*verdict); ok { //nolint:errorlint // it is never wrapped
			found.text = fmt.Sprintf("%s (in %d of %d games)", found.text, faulty, played)
			return "", found
		}
	}
	if prints.count > 0 {
		return "", warned("print what is no message to standard error: more than 1,000 such lines in a game cost the seat",
			"%s; %d lines on standard output are no messages, the first: %q", text, prints.count, prints.first)
	}
	return text, nil
}

func (r *run) houseNames() (names string) {
	for i, bot := range r.House {
		if i > 0 {
			names += ", "
		}
		names += bot.Name
	}
	return names
}
