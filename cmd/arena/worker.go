package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

// pool is where matches wait for whatever worker takes them. The pools of single tournaments have their ids for names, and
// those have no capitals.
const pool = "MAIN"

const (
	slotsFlag   = "slots"
	nameFlag    = "name"
	botsFlag    = "bots"
	byLabelFlag = "by-label"
	lostFlag    = "lost-after"
	noReplays   = "no-replays"
)

func workerCommand() *cli.Command {
	return &cli.Command{
		Name:  "worker",
		Usage: "play matches for an arena that serves tournaments, here or on another machine",
		Description: "It takes matches of any tournament as long as it runs, and may come and go at will: a match\n" +
			"that it does not finish is played by another. The bots must be on this machine, in the same\n" +
			"folders as on the organiser's or below the folder of --bots.",
		Flags: join(whereFlags(), workFlags(runtime.NumCPU()), []cli.Flag{
			&cli.StringFlag{Name: nameFlag, Usage: "be known as `NAME` (default: the name of the machine, the number of the process and four letters)"},
		}),
		Action: runWorker,
		Subcommands: []*cli.Command{{
			Name:   "list",
			Usage:  "show all workers, how busy they are, and what they have played",
			Flags:  join(whereFlags(), []cli.Flag{jsonFlag()}),
			Action: onStore(listWorkers),
		}},
	}
}

// workFlags are those of commands that play for all tournaments.
func workFlags(slots int) []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: slotsFlag, Value: slots, Usage: "play `N` matches at once"},
		&cli.StringFlag{
			Name: botsFlag, Usage: "look for bots first in the folders below `DIR`, by the name and version in their bot.toml",
			Action: func(_ *cli.Context, dir string) error {
				if info, err := os.Stat(dir); err != nil || !info.IsDir() {
					return usagef("--%s: there is no folder %s", botsFlag, dir)
				}
				return nil
			},
		},
		&cli.BoolFlag{Name: byLabelFlag, Usage: "take a bot of the right name and version even if its files differ from the organiser's"},
		&cli.BoolFlag{Name: noReplays, Usage: "keep no replays of what is played here"},
		&cli.StringSliceFlag{Name: allowRead, Usage: "let bots read this `PATH` of the host if their bot.toml asks for it; may be repeated"},
		&cli.BoolFlag{Name: unsafeFlag, Usage: "run bots with all your rights; only for bots that you trust"},
		lostAfterFlag(),
	}
}

// lostAfterFlag is hidden: all programs that use a server must be given the same.
func lostAfterFlag() cli.Flag {
	return &cli.DurationFlag{Name: lostFlag, Hidden: true, EnvVars: []string{"ARENA_LOST_AFTER"}}
}

func runWorker(c *cli.Context) (err error) {
	name, err := workerName(c.String(nameFlag))
	if err != nil {
		return err
	}
	if c.Int(slotsFlag) < 1 {
		return usagef("--%s %d: at least 1 is needed", slotsFlag, c.Int(slotsFlag))
	}
	cfg := busConfig(c)
	cfg.Guest, cfg.AckWait = true, c.Duration(lostFlag) // it comes and goes, and the others stay
	b, err := bus.Open(cfg)
	if errors.Is(err, bus.ErrNoOwner) {
		return fmt.Errorf("%w %s; start one with: arena serve%s", bus.ErrNoOwner, c.String("data"), where(c))
	}
	if err != nil {
		return err
	}
	defer b.Close()
	store, err := league.Open(c.Context, b, league.Options{Log: logger(c)})
	if err != nil {
		return err
	}
	if c.IsSet(nameFlag) {
		if err = checkNameFree(c, store, name); err != nil {
			return err
		}
	}
	p, err := newPlayer(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	p.shelf.cfg.Guest = true
	ctx, stop, release := onInterrupt(c.Context, c.App.ErrWriter,
		"Leaving: running matches are finished. Ctrl-C again gives them up; others play them.")
	defer release()
	worker := p.worker(c, store, name)
	fmt.Fprintf(c.App.ErrWriter, "Worker %s plays up to %s at once for the tournaments %s. Ctrl-C lets it leave.\n",
		name, show.Count(worker.Slots, "match", "matches"), whereWords(c))
	quit, err := worker.Announce()
	if err != nil {
		return err
	}
	err = worker.Run(ctx, stop)
	err = errors.Join(err, quit())
	if err == nil || ctx.Err() != nil {
		return fmt.Errorf("%w: the worker has left; matches that it did not finish are played by others", errInterrupted)
	}
	return err
}

// checkNameFree keeps two workers from having one name, by which people know who failed.
func checkNameFree(c *cli.Context, store *league.Store, name string) error {
	workers, err := store.Workers(c.Context)
	if err != nil {
		return err
	}
	for _, w := range workers {
		if w.Name == name {
			return usagef("--%s %s: there is such a worker already, process %d on %s; choose another name, or leave it out",
				nameFlag, name, w.PID, w.Host)
		}
	}
	return nil
}

// worker sends its replays: which of two attempts at a match counts is known only when the result is.
func (p *player) worker(c *cli.Context, store *league.Store, name string) *league.Worker {
	p.watched = true
	return &league.Worker{
		Store: store, Name: name, Version: version, Pool: pool, Slots: c.Int(slotsFlag), Ready: p.ready, Play: p.play, Send: !c.Bool(noReplays),
	}
}

func workerName(name string) (string, error) {
	if name == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "worker"
		}
		host = regexp.MustCompile(`[^A-Za-z0-9._-]+`).ReplaceAllString(host, "-")
		return fmt.Sprintf("%.40s-%d-%s", host, os.Getpid(), strings.ToLower(rand.Text()[:4])), nil // containers have the first two in common
	}
	if ok, err := regexp.MatchString(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`, name); !ok || err != nil {
		return "", usagef("--%s %q: use 1 to 64 letters, digits and . _ -, beginning with a letter or digit", nameFlag, name)
	}
	return name, nil
}

func listWorkers(c *cli.Context, store *league.Store) error {
	workers, err := store.Workers(c.Context)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return show.JSON(c.App.Writer, struct {
			Schema  string                `json:"schema"`
			Workers []league.WorkerStatus `json:"workers"`
		}{show.Schema, workers})
	}
	if len(workers) == 0 {
		fmt.Fprintf(c.App.ErrWriter, "There are no workers %s; arena serve has one, and more are started with: arena worker%s\n", whereWords(c), where(c))
		return nil
	}
	var rows [][]string
	for _, w := range workers {
		var playing []string
		for _, match := range w.Playing {
			playing = append(playing, fmt.Sprintf("%s %d", match.Tournament, match.Match))
		}
		rows = append(rows, []string{
			show.Printable(w.Name), show.Printable(w.Host), show.Printable(w.Version), fmt.Sprintf("%d of %d", len(w.Playing), w.Slots),
			fmt.Sprint(w.Matches), fmt.Sprint(w.Games), show.Printable(strings.Join(playing, ", ")),
		})
	}
	return show.Table(c.App.Writer, []string{"<WORKER", "<HOST", "<VERSION", "BUSY", "MATCHES", "GAMES", "<PLAYING"}, rows)
}
