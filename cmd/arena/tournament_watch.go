package main

import (
	"encoding/json"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/engine"
)

func watchCommand() *cli.Command {
	return &cli.Command{
		Name: "watch", Usage: "follow a tournament until it is over", ArgsUsage: "ID",
		Description: "What happens is printed in lines; on a terminal a bar shows how many matches have been played.\n" +
			"With --json each event of the log is one line, but for seeds, which are secret.",
		Flags: join([]cli.Flag{
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "show no bar"},
		}, whereFlags(), []cli.Flag{jsonFlag()}),
		Action: onTournament(1, 1, "the name of a tournament", watch),
	}
}

func watch(c *cli.Context, store *league.Store, state *league.State) error {
	ctx, stop, release := onInterrupt(c.Context, c.App.ErrWriter, "It goes on without being watched.")
	defer release()
	ctx, cancel := cancelWhen(ctx, stop)
	defer cancel()
	w := watcher{c: c, bar: watchBar(c, state)}
	w.narrator = show.Narrator{Where: where(c), Drawn: w.bar.Drawn()}
	defer w.bar.End()
	err := store.Watch(ctx, state.ID, w.see)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%w; watch again with: arena tournament watch %s%s", errInterrupted, state.ID, where(c))
	}
	return err
}

// watchBar counts matches, as far as it is known how many there are.
func watchBar(c *cli.Context, state *league.State) *show.Progress {
	matches := summaryOf(state).Planned
	if c.Bool("quiet") || c.Bool("json") || matches == 0 {
		return show.NewProgress(nil, matches, "matches")
	}
	return show.NewBar(c.App.ErrWriter, matches, "matches") // lines are there already
}

type watcher struct {
	c        *cli.Context
	narrator show.Narrator
	bar      *show.Progress
}

func (w *watcher) see(s *league.State, e league.Event) error {
	if w.c.Bool("json") {
		return w.printEvent(e)
	}
	lines := w.narrator.Lines(s, e)
	if len(lines) > 0 {
		w.bar.Clear()
	}
	for _, line := range lines {
		fmt.Fprintf(w.c.App.Writer, "%s: %s\n", s.ID, line)
	}
	if e.Played != nil {
		w.bar.Count()
	}
	return nil
}

func (w *watcher) printEvent(e league.Event) error {
	if e.Created != nil {
		public := *e.Created
		public.Seed = engine.Seed{}
		e.Created = &public
	}
	text, err := json.Marshal(e)
	if err == nil {
		_, err = fmt.Fprintf(w.c.App.Writer, "%s\n", text)
	}
	return err
}
