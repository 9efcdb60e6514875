package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// player plays matches of any tournament, with the bots that it finds on this machine.
//
// It has two buses. Over the one to the store, which may be far away, come jobs and go results. The seats are on a server
// of its own, inside this process: so no move crosses the network, nothing of a hand is to be seen on the shared server, and
// matches in play go on while that one is away.
type player struct {
	*ground

	shelf   shelf
	folder  string // of bots that are found by their labels, or empty
	byLabel bool   // files need not be those of the organiser

	played  func(arena.Game) // called after each game; nil is allowed
	watched bool             // games are published for whoever watches

	plays atomic.Int64
	mu    sync.Mutex
	bots  map[league.Entrant]*preparedBot
	found map[string]entrant // by tournament and label
}

// preparedBot is a bot that was looked for.
type preparedBot struct {
	mu    sync.Mutex
	ready bool
	err   error
	until time.Time // when it is looked for again, after an error
	entrant
}

// A bot that is missing is looked for again soon, but most of the time is not spent on that.
const (
	lookAgain  = time.Second
	lookRarely = 10 // times as long as it took
)

func newPlayer(c *cli.Context) (*player, error) {
	g, err := openGround(c, "")
	if err != nil {
		return nil, err
	}
	return playerOn(c, g), nil
}

func playerOn(c *cli.Context, g *ground) *player {
	return &player{
		ground: g, shelf: shelfOf(c), folder: c.String(botsFlag), byLabel: c.Bool(byLabelFlag),
		bots: map[league.Entrant]*preparedBot{}, found: map[string]entrant{},
	}
}

// know takes bots of a tournament that are prepared already.
func (p *player) know(tournament string, entrants []entrant) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range entrants {
		p.found[tournament+"/"+e.label] = e
	}
}

func (p *player) knows(tournament, label string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.found[tournament+"/"+label]
	return ok
}

// ready builds and starts each bot of a match once, and says what is missing.
func (p *player) ready(ctx context.Context, m arena.Match, entrants []league.Entrant) error {
	for _, e := range entrants {
		if p.knows(m.Tournament, e.Label) {
			continue
		}
		bot, err := p.prepare(ctx, m.Settings, e)
		if err != nil {
			return fmt.Errorf("has no bot %s: %w", e.Label, err)
		}
		p.know(m.Tournament, []entrant{bot})
	}
	return nil
}

func (p *player) prepare(ctx context.Context, settings arena.Settings, e league.Entrant) (entrant, error) {
	p.mu.Lock()
	b := p.bots[e]
	if b == nil {
		b = &preparedBot{}
		p.bots[e] = b
	}
	p.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ready || b.err != nil && time.Now().Before(b.until) {
		return b.entrant, b.err
	}
	began := time.Now()
	b.entrant, b.err = p.find(e)
	if b.err == nil && b.Remote { // whether it is there is seen when it is to play
		b.err = p.away.reach(p.shelf.cfg, []entrant{b.entrant})
		b.ready = b.err == nil
		return b.entrant, b.err
	}
	if b.err == nil {
		b.err = p.build(ctx, &b.entrant)
	}
	if b.err == nil {
		b.err = p.greet(ctx, p.seats(p.session, settings, []entrant{b.entrant}), b.entrant, int(p.plays.Add(1)), settings.Limits)
	}
	b.ready, b.until = b.err == nil, time.Now().Add(max(lookAgain, lookRarely*time.Since(began)))
	return b.entrant, b.err
}

// find looks for a bot, and makes sure that it is the one that the organiser has entered.
func (p *player) find(e league.Entrant) (entrant, error) {
	if e.Source == "" {
		return entrant{}, errors.New("its tournament does not say where it is")
	}
	if submitted(e) {
		return p.fetch(e)
	}
	word, dir := e.Source, e.Dir
	own, err := botsIn(p.folder)
	if err != nil {
		return entrant{}, err
	}
	if folder, ok := own[kind(e.Label)]; ok {
		word = folder
	}
	bots, err := resolve(p.shelf, dir, []string{word})
	if err != nil {
		return entrant{}, err
	}
	bot := bots[0]
	if bot.label != kind(e.Label) {
		return entrant{}, fmt.Errorf("%s is %s on this machine", word, bot.label)
	}
	bot.label = e.Label
	if missing := bot.Missing(); missing != "" {
		return entrant{}, fmt.Errorf("%s is not on this machine", missing)
	}
	if err = checkReads(p.allowed, bots); err != nil {
		return entrant{}, err
	}
	digest, err := bot.Digest()
	if err == nil && digest != e.Digest && !p.byLabel {
		err = fmt.Errorf("the files of %s differ from those of the organiser, who has the same version; copy them, or start the worker with --%s",
			word, byLabelFlag)
	}
	return bot, err
}

// submitted reports whether an entrant is a bot that every worker can fetch.
func submitted(e league.Entrant) bool {
	return e.Digest != "" && e.Dir == "" && e.Source == kind(e.Label)
}

// fetch finds a submitted bot by the digest of its package, also one that was retired since.
func (p *player) fetch(e league.Entrant) (entrant, error) {
	bot, err := p.shelf.get(e.Digest)
	if err != nil {
		return entrant{}, err
	}
	found := entrant{Bot: bot, label: e.Label, word: e.Source}
	if bot.Label() != kind(e.Label) {
		return entrant{}, fmt.Errorf("the package of %s holds %s", e.Source, bot.Label())
	}
	if missing := bot.Missing(); missing != "" {
		return entrant{}, fmt.Errorf("%s is not on this machine", missing)
	}
	return found, checkReads(p.allowed, []entrant{found})
}

// ownWorker plays for one tournament that is conducted in this process, and writes its replays to a folder unless that is
// empty.
func (p *player) ownWorker(store *league.Store, id string, slots int, replays string) *league.Worker {
	var keep league.Replays
	if replays != "" {
		keep = arena.ReplayDir(replays).Create
	}
	return &league.Worker{
		Store: store, Name: fmt.Sprintf("run-%d", os.Getpid()), Version: version, Pool: id, Slots: slots, Ready: p.ready,
		Play: func(ctx context.Context, m arena.Match, _ league.Replays) (arena.Result, error) {
			return p.play(ctx, m, keep)
		},
	}
}

// play is that of a [league.Worker].
func (p *player) play(ctx context.Context, m arena.Match, replays league.Replays) (arena.Result, error) {
	entrants := make([]entrant, len(m.Bots))
	p.mu.Lock()
	for i, label := range m.Bots {
		entrants[i] = p.found[m.Tournament+"/"+label]
	}
	p.mu.Unlock()
	session := fmt.Sprintf("%s%d-", p.session, p.plays.Add(1)) // a match may come twice
	seats := p.seats(session, m.Settings, entrants)
	referee := p.referee(seats, replays)
	referee.Played = p.played
	if p.watched {
		referee.Watch = p.away.watch(p.shelf.cfg)
	}
	return referee.Play(ctx, m)
}
