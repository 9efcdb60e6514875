package check

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/engine"
)

// Config is where and under what bots are checked.
type Config struct {
	Launcher *sandbox.Launcher
	Referees *nats.Conn // see [seat.Local]
	Hosts    *nats.Conn
	Hide     []string                 // folders that no bot may see
	Allow    func(registry.Bot) error // whether the bot may read what it asks to; its error ends the check
	Resolver registry.Resolver        // for the manifest
	House    []registry.Bot           // the opponents, who sit down in turns
	Settings arena.Settings           // clock, limits, faults and freezing; the rules are the rulebook's for each number of players
	Building registry.BuildLimits
	Version  string // of the arena
	Games    int    // in the step of that name
	Jobs     int    // of them at once
	Seed     engine.Seed
	Grace    time.Duration      // in which a bot ends after quit, and in twice that after the end of its input; 0 is a second, as in games
	Scratch  string             // a private folder for the copies; empty is that of the system
	Builds   func(registry.Bot) // called before a build, which may take long; nil is allowed
	Told     func(Step)         // called after each step; nil is allowed
	Played   func(arena.Game)   // called after each of the games; nil is allowed

	// Keep is called with the package and what was found, when the check has passed and before its files are removed. Nil
	// keeps nothing.
	Keep func(ctx context.Context, archive string, report Report) error
}

// run is one check.
type run struct {
	Config

	source  string // the folder as it was given
	work    string // a private folder
	dir     string // the bot's copy in it
	bot     registry.Bot
	session string          // keeps its subjects apart from those of others on the same server
	packed  map[string]bool // the files of the copy before the first start
	report  Report
	plays   atomic.Int64
	seen    *watch // what was seen in the games
}

// stage is a step before it is done. It returns what was found, and a verdict where that is not all good.
type stage struct {
	name  string
	do    func(*run, context.Context) (string, error)
	gate  bool   // nothing that follows makes sense without it
	needs string // it makes no sense without the step of that name
}

func stages() []stage {
	return []stage{
		{name: "manifest", do: (*run).manifest, gate: true},
		{name: "package", do: (*run).pack, gate: true},
		{name: "build", do: (*run).build, gate: true},
		{name: "start", do: (*run).start, gate: true},
		{name: "handshake", do: (*run).handshake, gate: true},
		{name: "first game", do: (*run).firstGame, gate: true},
		{name: "restart", do: (*run).restart, gate: true},
		{name: "unknown messages", do: (*run).unknownMessages},
		{name: "slow lines", do: (*run).slowLines},
		{name: "line ends", do: (*run).lineEnds},
		{name: "end of input", do: (*run).endOfInput},
		{name: "quit", do: (*run).quit},
		{name: "SIGTERM", do: (*run).terminate, needs: "quit"},
		{name: "games", do: (*run).games},
		{name: "timing", do: (*run).timing},
		{name: "same again", do: (*run).sameAgain},
	}
}

// Run checks the bot in a folder, of which it makes a copy. The folder is not changed.
func (cfg Config) Run(ctx context.Context, dir string) (_ Report, err error) {
	work, remove, err := cfg.Launcher.TempDir(cfg.Scratch, "arena-check-") // nobody else may look into it
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	if cfg.Grace == 0 {
		cfg.Grace = time.Second
	}
	r := &run{Config: cfg, source: dir, work: work, dir: filepath.Join(work, "bot"), seen: &watch{}, session: strings.ToLower(rand.Text()[:10])}
	passed := true
	for i, s := range stages() {
		step := Step{Number: i + 1, Name: s.name, State: Skipped}
		switch {
		case passed && r.report.failed(s.needs):
			step.Text = "not tried where " + s.needs + " has failed"
		case passed:
			if step, err = r.take(ctx, s, step); err != nil {
				return r.report, fmt.Errorf("step %d, %s: %w", step.Number, step.Name, err)
			}
		}
		passed = passed && (!s.gate || step.State != Failed)
		r.report.Steps = append(r.report.Steps, step)
		if cfg.Told != nil {
			cfg.Told(step)
		}
	}
	r.report.Stderr = r.seen.stderr
	r.report.Passed = r.report.Count(Failed) == 0
	if r.report.Passed && cfg.Keep != nil {
		err = cfg.Keep(ctx, r.archive(), r.report)
	}
	return r.report, err
}

// take does a step. An error is the arena's own.
func (r *run) take(ctx context.Context, s stage, step Step) (Step, error) {
	begin := time.Now()
	text, err := s.do(r, ctx)
	step.State, step.Text, step.MS = OK, text, float64(time.Since(begin).Microseconds())/1000
	if err == nil {
		return step, nil
	}
	found, ok := errors.AsType[*verdict](err)
	if !ok || ctx.Err() != nil {
		return step, err
	}
	step.State, step.Text, step.Hint, step.Card, step.Stderr = found.state, found.text, found.hint, found.card, found.stderr
	step.Text = strings.ReplaceAll(step.Text, r.dir+string(filepath.Separator), "") // of the copy nobody has heard
	return step, nil
}

func (r *run) archive() string { return filepath.Join(r.work, "package") }
