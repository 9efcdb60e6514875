package steps

import (
	"io"
	"slices"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Read verifies a replay, plain or compressed, and expands it. The error is that of [arena.VerifyReplay].
func Read(r io.Reader) (*Game, error) {
	e := &expander{}
	verified, err := arena.WatchReplay(r, e.see)
	if err != nil {
		return nil, err
	}
	g := &Game{Header: verified.Header, Steps: e.steps, Result: verified.Result}
	g.clocks()
	g.forfeits()
	return g, nil
}

// expander turns lines into steps. Before is the game as it stood after the line before.
type expander struct {
	steps   []Full
	before  engine.State
	trick   int
	covered []Covered
	ended   bool // the next play begins a trick
}

func (e *expander) see(line protocol.Line, game *engine.Game) {
	switch l := line.(type) {
	case protocol.ReplayDeal:
		e.deal(l, game)
	case protocol.ReplayPlay:
		e.play(l, game)
	case engine.Cleared:
		e.last().Clear = l.Reason
		e.ended = true
	case engine.Scored:
		e.score(l)
	}
	e.before = game.State
}

func (e *expander) last() *Full { return &e.steps[len(e.steps)-1] }

func (e *expander) deal(l protocol.ReplayDeal, game *engine.Game) {
	o := game.Observe(l.Leader)
	e.trick, e.ended = 0, true
	e.steps = append(e.steps, Full{
		Step: Step{
			Number: len(e.steps), Kind: Deal, Round: l.Round, Half: l.Half, Seat: l.Leader, MeldBy: -1, Covered: []Covered{},
			Next: l.Leader, Counts: o.Counts, Scores: o.Scores, Passed: o.Passed, Undealt: o.Undealt,
		},
		Own:   Own{Legal: []engine.Action{}},
		Hands: slices.Clone(l.Hands), Hands2: slices.Clone(l.Hands2), UndealtHand: l.Undealt,
	})
}

func (e *expander) play(l protocol.ReplayPlay, game *engine.Game) {
	if e.ended {
		e.trick, e.covered, e.ended = e.trick+1, nil, false
	}
	was, after := e.before.Observe(l.Seat), game.Observe(l.Seat)
	if l.Action.Kind() == engine.Overwrite {
		e.covered = append(e.covered, Covered{Seat: was.MeldSeat, Meld: was.Meld})
	}
	before := e.last()
	step := Full{
		Step: Step{
			Number: len(e.steps), Kind: Play, Round: was.Round, Half: was.Half, Trick: e.trick,
			Seat: l.Seat, Action: l.Action, By: l.By, Fault: l.Fault, MS: l.MS,
			On: was.Meld, Meld: l.Meld, MeldBy: l.Seat, Covered: append([]Covered{}, e.covered...),
			Next: -1, Scores: after.Scores, Passed: after.Passed, Undealt: was.Undealt, Counts: slices.Clone(before.Counts),
		},
		Own:   Own{Legal: e.before.Legal(nil), Note: l.Note},
		Hands: slices.Clone(before.Hands), Hands2: before.Hands2, UndealtHand: before.UndealtHand,
	}
	step.Hands[l.Seat] -= l.Action.Cards()
	step.Counts[l.Seat] = step.Hands[l.Seat].Len()
	if l.Action.Kind() == engine.Pass {
		step.MeldBy = was.MeldSeat
		step.Passed = with(was.Passed, l.Seat) // the engine has forgotten them where the pass ended the trick
	}
	if game.Phase() == engine.Playing {
		step.Next = game.Turn()
	}
	e.steps = append(e.steps, step)
}

func with(seats []int, seat int) []int {
	out := append(slices.Clone(seats), seat)
	slices.Sort(out)
	return slices.Compact(out)
}

func (e *expander) score(l engine.Scored) {
	last := e.last()
	last.Score = &Score{Out: l.Out, Hands: l.Hands, Points: l.Points}
	last.Scores = l.Scores
	last.Next = -1
	e.ended = true
}

// clocks finds what each seat was allowed, as the referee does: what a move takes beyond its limit goes from the bank.
func (g *Game) clocks() {
	clock := g.Header.Clock
	bank := make([]float64, g.Header.Rules.Players)
	for seat := range bank {
		bank[seat] = float64(clock.BankMS)
	}
	for i := range g.Steps {
		s := &g.Steps[i]
		if s.Kind == Deal || s.By != "" && s.Fault == "" {
			continue
		}
		s.LimitMS = float64(clock.MoveMS) + bank[s.Seat]
		bank[s.Seat] -= max(0, s.MS-float64(clock.MoveMS))
		bank[s.Seat] += float64(clock.IncrementMS)
	}
}

// forfeits marks the fault that cost a seat the game: the fatal one, or the one at the limit of strikes.
func (g *Game) forfeits() {
	strikes := make([]int, g.Header.Rules.Players)
	for i := range g.Steps {
		s := &g.Steps[i]
		if s.Fault == "" {
			continue
		}
		strikes[s.Seat]++
		limit := g.Header.Faults.StrikeLimit
		s.Forfeit = s.Fault.Fatal() || limit > 0 && strikes[s.Seat] >= limit
	}
}
