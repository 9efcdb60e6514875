package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/bots/heuristic"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/human"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

func playCommand() *cli.Command {
	return &cli.Command{
		Name:      "play",
		Usage:     "take a seat yourself against 1 to 5 bots",
		ArgsUsage: "[BOT...]",
		Description: "Without bots you meet heuristic three times. You have no time limit unless --move-time gives one, which then\n" +
			"is that of the bots too. Whoever leaves is played for by the arena, so that the replay is whole.",
		Flags: join(rulesFlags(""), []cli.Flag{
			&cli.IntFlag{Name: "seat", Usage: "take seat `N`, from 0"},
			&cli.StringFlag{Name: "seed", Usage: "play the cards of seed `N`, a whole number or 64 hexadecimal digits"},
			&cli.DurationFlag{Name: "move-time", DefaultText: "none for you, 1s for bots", Usage: "limit of a move, as in 10s"},
			&cli.BoolFlag{Name: "plain", Usage: "ask in lines of text also on a terminal"},
			colorFlag(),
			&cli.StringFlag{Name: "replays", Usage: "write the replay to this `DIR` (default: replays in the data folder)"},
			&cli.BoolFlag{Name: "no-replays", Usage: "write no replay"},
			&cli.StringSliceFlag{Name: allowRead, Usage: "let bots read this `PATH` of the host if their bot.toml asks for it; may be repeated"},
			&cli.BoolFlag{Name: unsafeFlag, Usage: "run bots with all your rights; only for bots that you trust"},
			dataFlag(), &cli.BoolFlag{Name: "json", Usage: "ask on stderr, and print the result as one JSON object"},
		}),
		Action: func(c *cli.Context) error {
			if err := wantArgs(c, 0, 5, "1 to 5 bots"); err != nil {
				return err
			}
			return playPerson(c)
		},
	}
}

// personal is a match of one game with a person in it.
type personal struct {
	match    arena.Match
	entrants []entrant // the bots
	label    string    // of the person
	replays  string
}

func newPersonal(c *cli.Context) (p personal, err error) {
	words := c.Args().Slice()
	if len(words) == 0 {
		words = []string{"heuristic", "heuristic", "heuristic"}
	}
	if p.entrants, err = resolve(shelfOf(c), "", words); err != nil {
		return p, err
	}
	players := len(words) + 1
	settings, err := personalSettings(c, players)
	if err != nil {
		return p, err
	}
	seed, err := seedOf(c)
	if err != nil {
		return p, err
	}
	seat := c.Int("seat")
	if seat < 0 || seat >= players {
		return p, usagef("--seat %d: there are seats 0 to %d", seat, players-1)
	}
	p.label = personLabel(p.entrants)
	p.match = arena.Match{
		Settings: settings, ID: "play-" + seed.Commitment()[:8], Bots: append([]string{p.label}, labels(p.entrants)...), Seed: seed,
		Orders: [][]int{seatOrder(players, seat)},
	}
	p.replays = replayDir(c, p.match.ID)
	return p, nil
}

// personLabel is one that no bot has.
func personLabel(entrants []entrant) string {
	all := []registry.Bot{}
	for _, e := range entrants {
		all = append(all, e.Bot)
	}
	all = append(all, registry.Bot{Name: "human", Version: "1"})
	return registry.Distinct(all)[len(entrants)]
}

// seatOrder puts the person, who is first in the match, at a seat, and the bots around in their order.
func seatOrder(players, seat int) (order []int) {
	bot := 1
	for i := range players {
		if i == seat {
			order = append(order, 0)
			continue
		}
		order = append(order, bot)
		bot++
	}
	return order
}

func personalSettings(c *cli.Context, players int) (arena.Settings, error) {
	rules, err := rulesOf(c, players)
	if err != nil {
		return arena.Settings{}, err
	}
	s := arena.DefaultSettings(rules)
	s.Faults.StrikeLimit = 0 // a person who is slow goes on playing
	if c.IsSet("move-time") {
		s.Clock.MoveMS = c.Duration("move-time").Milliseconds()
	}
	if err := s.Validate(); err != nil {
		return s, usageError{err}
	}
	return s, nil
}

func playPerson(c *cli.Context) (err error) {
	p, err := newPersonal(c)
	if err != nil {
		return err
	}
	s, err := openSession(c, "", p.match.Settings, p.entrants)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ctx, leave, release := onInterrupt(c.Context, c.App.ErrWriter, "You leave; the arena plays your seat to the end.")
	defer release()
	if err = s.prepare(ctx); err != nil {
		return interrupted(ctx, err)
	}
	result, left, err := p.play(ctx, c, s, leave)
	if err != nil {
		return interrupted(ctx, err)
	}
	return p.report(c, left, result)
}

// play has the person sit at a screen on a terminal, and else asks in lines.
func (p personal) play(ctx context.Context, c *cli.Context, s *session, leave <-chan struct{}) (_ arena.Result, left bool, err error) {
	limited := c.IsSet("move-time")
	in, out, ok := terminal(c)
	if !ok || c.Bool("plain") || c.Bool("json") {
		asks := c.App.Writer
		if c.Bool("json") {
			asks = c.App.ErrWriter
		}
		seat := &human.Seat{Asker: human.NewLines(c.App.Reader, asks, p.hint, leave), Limited: limited}
		played, playing := p.referee(s, seat).Play(ctx, p.match)
		return played, seat.Left, playing
	}
	screen := human.NewScreen(ctx, in, out, c.String("color"), table.NewStyle(os.Getenv), limited, p.hint)
	seat := &human.Seat{Asker: screen, Limited: limited}
	var result arena.Result
	var group errgroup.Group
	group.Go(func() (err error) {
		if result, err = p.referee(s, seat).Play(ctx, p.match); err != nil {
			screen.Quit()
		}
		return err
	})
	group.Go(func() error {
		select {
		case <-leave:
			screen.Quit()
		case <-screen.Gone():
		}
		return nil
	})
	err = screen.Run()
	err = errors.Join(err, group.Wait())
	return result, seat.Left, err
}

func (p personal) referee(s *session, seat *human.Seat) arena.Referee {
	r := s.referee(p.replays, 1, nil)
	r.Seats = human.Table{Opener: s.seats, Seat: seat, Label: p.label}
	return r
}

// hint is what the best of the built-in bots would do.
func (p personal) hint(turn protocol.Turn) engine.Action {
	player := heuristic.New()
	player.Start(protocol.Start{Rules: p.match.Rules})
	return player.Act(turn).Action.Action
}

func (p personal) report(c *cli.Context, left bool, result arena.Result) error {
	var err error
	if c.Bool("json") {
		err = show.JSON(c.App.Writer, struct {
			Schema  string       `json:"schema"`
			Result  arena.Result `json:"result"`
			Replays string       `json:"replays,omitempty"` // folder
		}{show.Schema, result, p.replays})
	} else {
		p.print(c.App.Writer, result)
	}
	if left && err == nil {
		err = fmt.Errorf("%w: you left, so the arena played your seat to the end", errInterrupted)
	}
	return err
}

func (p personal) print(out io.Writer, result arena.Result) {
	faults := slices.DeleteFunc(slices.Clone(result.Faults), func(card arena.Fault) bool { return card.Bot == p.label })
	show.Faults(out, faults)
	fmt.Fprintln(out)
	game := result.Sets[0].Games[0]
	for rank := 1; rank <= len(game.Ranks); rank++ {
		for seat, bot := range game.Order {
			if game.Ranks[seat] == rank {
				fmt.Fprintf(out, "%d. %s, %s\n", rank, p.match.Bots[bot], show.Count(game.Scores[seat], "point", "points"))
			}
		}
	}
	fmt.Fprintf(out, "\nSeed: %s\n", result.Seed)
	show.Replays(out, p.replays, p.match.ID)
}
