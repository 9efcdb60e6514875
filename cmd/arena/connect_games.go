package main

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// gameTeller tells the owner of a bot what becomes of its games.
type gameTeller struct {
	out   io.Writer
	quiet bool

	mu    sync.Mutex
	games []protocol.Start // that have begun, of which an end may never be heard
}

const mostOpen = 1000

func (g *gameTeller) told(m protocol.Message) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.quiet {
		return
	}
	switch m := m.(type) {
	case protocol.Start:
		fmt.Fprintf(g.out, "game %s begins: seat %d of %d\n", show.Printable(m.Game), m.Seat, m.Players)
		if len(g.games) == mostOpen {
			g.games = g.games[1:]
		}
		g.games = append(g.games, m)
	case protocol.Error:
		fmt.Fprintf(g.out, "fault in turn %d: %s: %s\n", m.Turn, show.Printable(string(m.Code)), show.Printable(m.Message))
	case protocol.End:
		g.ended(m)
	}
}

func (g *gameTeller) ended(m protocol.End) {
	i := slices.IndexFunc(g.games, func(s protocol.Start) bool { return s.Game == m.Game })
	if i < 0 || g.games[i].Seat < 0 || g.games[i].Seat >= len(m.Ranks) {
		return
	}
	fmt.Fprintf(g.out, "game %s is over: rank %d of %d\n", show.Printable(m.Game), m.Ranks[g.games[i].Seat], len(m.Ranks))
	g.games = slices.Delete(g.games, i, i+1)
}
