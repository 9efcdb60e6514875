package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

const sizeFlag = "store-size"

func serveCommand() *cli.Command {
	return &cli.Command{
		Name:  "serve",
		Usage: "conduct all tournaments of the data folder, and play their matches here and on other machines",
		Description: "Every tournament that is not over is gone on with, also those that are made while it runs, by\n" +
			"arena tournament new and start. Workers on this machine join with arena worker; others come to\n" +
			"the address of --listen with a token, see arena token create. All that happened is on the disk:\n" +
			"after Ctrl-C, or the end of power, start it again.",
		Flags: join([]cli.Flag{
			dataFlag(),
			&cli.StringFlag{
				Name: sizeFlag, Usage: "let the store grow to `SIZE`, as in 500GiB; it is remembered until another is given (default: 150 GiB)",
				Action: func(_ *cli.Context, text string) error {
					_, err := sizesOf(text)
					return err
				},
			},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "show no progress"},
		}, listenFlags(), deskFlags(), workFlags(runtime.NumCPU())),
		Action: serve,
	}
}

func serve(c *cli.Context) (err error) {
	if err = wantArgs(c, 0, 0, "no arguments"); err != nil {
		return err
	}
	if c.Int(slotsFlag) < 0 {
		return usagef("--%s %d: 0 plays nothing here, and leaves all to other workers", slotsFlag, c.Int(slotsFlag))
	}
	ctx, stop, release := onInterrupt(c.Context, c.App.ErrWriter,
		"Stopping: running matches are finished. Ctrl-C again gives them up; they are then played again later.")
	defer release()
	b, store, err := openWithRoom(ctx, c, stop)
	if err != nil {
		return err
	}
	defer b.Close()
	work, end, err := localWork(c, store)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	closeDesk, err := openDesk(ctx, c, b)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeDesk()) }()
	printServed(c, b)
	err = conductAndWork(ctx, stop, &league.Conductor{Store: store, With: conducting(c), Log: logger(c)}, work)
	if err == nil || ctx.Err() != nil {
		return fmt.Errorf("%w: all that was played is kept; go on with: arena serve%s", errInterrupted, where(c))
	}
	return err
}

// openWithRoom waits as long as the disk is too full for the store to be opened.
func openWithRoom(ctx context.Context, c *cli.Context, stop <-chan struct{}) (*bus.Bus, *league.Store, error) {
	for told := false; ; told = true {
		b, store, err := openAll(c)
		full := bus.Config{Dir: c.String("data")}.Room()
		if err == nil || full == nil || !bus.LacksRoom(err) {
			return b, store, err
		}
		if !told {
			fmt.Fprintf(c.App.ErrWriter, "Waiting: %s. Make room, and it goes on by itself. Ctrl-C stops.\n", full)
		}
		select {
		case <-stop:
			return nil, nil, fmt.Errorf("%w: nothing was begun; start it again when there is room: arena serve%s", errInterrupted, where(c))
		case <-ctx.Done():
			return nil, nil, errInterrupted
		case <-time.After(time.Second):
		}
	}
}

func openAll(c *cli.Context) (*bus.Bus, *league.Store, error) {
	b, err := openServed(c)
	if err != nil {
		return nil, nil, err
	}
	store, err := storeOn(c, b)
	if err != nil {
		b.Close()
		return nil, nil, err
	}
	return b, store, nil
}

// openServed waits for a moment where another command has the data folder, since only who has it can listen.
func openServed(c *cli.Context) (b *bus.Bus, err error) {
	sizes, err := sizesOf(c.String(sizeFlag))
	if err != nil {
		return nil, err
	}
	cfg := bus.Config{Dir: tournamentDir(c), Sizes: sizes, AckWait: c.Duration(lostFlag), Log: logger(c)}
	if err = listening(c, &cfg); err != nil {
		return nil, err
	}
	const wait = 3 * time.Second
	for deadline := time.Now().Add(wait); ; time.Sleep(100 * time.Millisecond) {
		if b, err = bus.Open(cfg); err != nil || cfg.Listen == "" || b.Owns() || time.Now().After(deadline) {
			return b, err
		}
		b.Close()
	}
}

// sizesOf reads the size of a store. Nothing leaves it as it is.
func sizesOf(text string) (bus.Sizes, error) {
	if text == "" {
		return bus.Sizes{}, nil
	}
	parts := regexp.MustCompile(`^([0-9]{1,7}) ?(MiB|GiB|TiB)$`).FindStringSubmatch(text)
	if parts == nil {
		return bus.Sizes{}, usagef("--%s %q: write a whole number and GiB or TiB, as in 500GiB", sizeFlag, text)
	}
	number, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return bus.Sizes{}, err
	}
	sizes, err := bus.SizesOf(number << map[string]int{"MiB": 20, "GiB": 30, "TiB": 40}[parts[2]])
	if err != nil {
		return bus.Sizes{}, usagef("--%s %s: %w", sizeFlag, text, err)
	}
	return sizes, nil
}

func printServed(c *cli.Context, b *bus.Bus) {
	out := c.App.ErrWriter
	playing := "other workers play their matches"
	if slots := c.Int(slotsFlag); slots > 0 {
		playing = fmt.Sprintf("up to %s at once in this process", show.Count(slots, "match", "matches"))
	}
	fmt.Fprintf(out, "Conducting the tournaments in %s; %s. Ctrl-C stops.\n", c.String("data"), playing)
	fmt.Fprintf(out, "More workers: arena worker%s\n", where(c))
	printListening(c, b)
}

// conducting says how each tournament is coordinated.
func conducting(c *cli.Context) func(id string) league.Coordinating {
	var mu sync.Mutex
	return func(id string) league.Coordinating {
		cfg := league.Coordinating{Pool: pool, Replays: filepath.Join(allReplays(c), id)}
		if c.Bool(noReplays) {
			cfg.Replays = ""
		}
		if !c.Bool("quiet") {
			n := show.Narrator{Where: where(c), Logged: true}
			cfg.Progress = func(s *league.State, e league.Event) {
				mu.Lock()
				defer mu.Unlock()
				for _, line := range n.Lines(s, e) {
					fmt.Fprintf(c.App.ErrWriter, "%s: %s\n", id, line)
				}
			}
		}
		return cfg
	}
}

// localWork is what plays in this process: until stop is closed, or the context ends.
func localWork(c *cli.Context, store *league.Store) (work func(context.Context, <-chan struct{}) error, end func() error, err error) {
	if c.Int(slotsFlag) == 0 {
		return func(ctx context.Context, stop <-chan struct{}) error {
			select {
			case <-stop:
			case <-ctx.Done():
			}
			return nil
		}, func() error { return nil }, nil
	}
	p, err := newPlayer(c)
	if err != nil {
		return nil, nil, err
	}
	name, err := workerName("")
	if err != nil {
		return nil, nil, errors.Join(err, p.Close())
	}
	worker := p.worker(c, store, name)
	return func(ctx context.Context, stop <-chan struct{}) error {
		quit, err := worker.Announce()
		if err != nil {
			return err
		}
		return errors.Join(worker.Run(ctx, stop), quit())
	}, p.Close, nil
}

// conductAndWork ends when the work does. What was played is then taken over.
func conductAndWork(
	ctx context.Context, stop <-chan struct{}, conductor *league.Conductor, work func(context.Context, <-chan struct{}) error,
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var conducted error
	done := make(chan struct{})
	go func() {
		defer close(done)
		if conducted = conductor.Run(ctx); conducted != nil {
			cancel() // and with it the work
		}
	}()
	worked := work(ctx, stop)
	cancel()
	<-done
	if conducted != nil {
		return conducted
	}
	return worked
}
