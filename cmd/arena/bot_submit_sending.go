package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/registry/desk"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

// sending shows how far a submission has come: a line for each thing that takes time, and a bar for the bytes.
type sending struct {
	c      *cli.Context
	bar    *show.Progress // nil as long as nothing is sent
	waits  bool
	kibs   int64
	checks bool
}

func (s *sending) told(p desk.Progress) {
	if s.c.Bool("quiet") {
		return
	}
	out := s.c.App.ErrWriter
	switch {
	case p.Waits != "":
		if !s.waits {
			fmt.Fprintf(out, "Waiting %s: %s. Ctrl-C gives up.\n", whereWords(s.c), show.Printable(p.Waits))
		}
		s.waits = true
		return
	case s.bar == nil:
		fmt.Fprintf(out, "Uploading %s, to be checked by the arena %s.\n", bus.Bytes(p.Size), whereWords(s.c))
		s.bar = show.NewBar(out, int(max(1, p.Size>>10)), "KiB")
	}
	for ; s.kibs < p.Sent>>10; s.kibs++ {
		s.bar.Count()
	}
	if p.Sent == p.Size && !s.checks {
		s.checks = true
		s.bar.End()
		fmt.Fprintln(out, "Checking: it is built and plays there, after those that came before it; what was found is shown when that is over.")
	}
}

// end leaves no bar.
func (s *sending) end() {
	if s.bar != nil {
		s.bar.End()
	}
}
