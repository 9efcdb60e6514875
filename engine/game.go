package engine

import "slices"

// Event is an entry of the public record: [Dealt], [Played], [Cleared] or [Scored].
type Event interface{ event() }

// Dealt begins a round, or a half in a game of two.
type Dealt struct {
	Round  int    `json:"round"`
	Half   int    `json:"half"`
	Leader int    `json:"leader"`
	Counts []int  `json:"counts"`         // cards dealt by seat
	Hand   *Cards `json:"hand,omitempty"` // the receiver's own hand; nil in the public record
}

// Played is an action of any kind, a pass included.
type Played struct {
	Seat   int    `json:"seat"`
	Action Action `json:"action"`
	Meld   Cards  `json:"meld"` // the central meld after it, before any clear
}

// Cleared ends a trick; the seat leads the next one.
type Cleared struct {
	Seat   int    `json:"seat"`
	Reason string `json:"reason"` // passes, set, run or eight
}

// Scored ends a round, or a half in a game of two. It stands in place of a clear.
type Scored struct {
	Round  int     `json:"round"`
	Half   int     `json:"half"`
	Out    int     `json:"out"`    // who emptied his hand
	Hands  []Cards `json:"hands"`  // what was left, by seat
	Points []int   `json:"points"` // scored now, by seat
	Scores []int   `json:"scores"` // in total, by seat
}

func (Dealt) event()   {}
func (Played) event()  {}
func (Cleared) event() {}
func (Scored) event()  {}

// Game is a [State] that keeps the public record. The methods of State that change it are replaced by ones that write
// the record too.
type Game struct {
	State

	record []Event
	deals  []Deal // by round
}

// NewGame begins a game that waits for its first deal; see [NewState].
func NewGame(rules Rules, leader int) (*Game, error) {
	state, err := NewState(rules, leader)
	if err != nil {
		return nil, err
	}
	return &Game{State: state}, nil
}

// Deal starts the next round; see [State.Deal].
func (g *Game) Deal(d Deal) error {
	if err := g.State.Deal(d); err != nil {
		return err
	}
	g.deals = append(g.deals, d)
	g.recordDealt()
	return nil
}

func (g *Game) recordDealt() {
	g.record = append(g.record, Dealt{Round: g.Round(), Half: g.Half(), Leader: g.Leader(), Counts: g.counts()})
}

// Apply plays an action for the seat to act; see [State.Apply].
func (g *Game) Apply(a Action) (Outcome, error) {
	before := g.State
	outcome, err := g.State.Apply(a)
	if err != nil {
		return 0, err
	}
	g.record = append(g.record, Played{Seat: before.Turn(), Action: a, Meld: before.centreAfter(a)})
	switch reason := outcome.clearReason(); {
	case reason != "":
		g.record = append(g.record, Cleared{Seat: g.Turn(), Reason: reason})
	case outcome == RoundOver:
		g.recordScored(before, a)
		if g.Phase() == Playing {
			g.recordDealt()
		}
	}
	return outcome, nil
}

func (o Outcome) clearReason() string {
	switch o {
	case ClearedPasses:
		return "passes"
	case ClearedSet:
		return "set"
	case ClearedRun:
		return "run"
	case ClearedEight:
		return "eight"
	default:
		return ""
	}
}

func (g *Game) recordScored(before State, last Action) {
	out := before.Turn()
	before.hands[out] -= last.Cards()
	scored := Scored{Round: before.Round(), Half: before.Half(), Out: out, Scores: g.Scores()}
	for _, hand := range before.hands[:before.players] {
		scored.Hands = append(scored.Hands, hand)
		scored.Points = append(scored.Points, hand.Points())
	}
	g.record = append(g.record, scored)
}

// Record is the public record from entry number from on, oldest first. The caller must not change it.
func (g *Game) Record(from int) []Event { return g.record[from:] }

// RecordFor is Record as a seat may see it: a deal shows the seat's own hand of that round and half.
func (g *Game) RecordFor(seat, from int) []Event {
	out := make([]Event, 0, len(g.record)-from)
	for _, event := range g.record[from:] {
		if dealt, ok := event.(Dealt); ok {
			deal := g.deals[dealt.Round-1]
			hand := deal.Hands[seat]
			if dealt.Half == 2 {
				hand = deal.Hands2[seat]
			}
			dealt.Hand = &hand
			event = dealt
		}
		out = append(out, event)
	}
	return out
}

// Clone returns an independent game. It shares the entries of the record written so far, which never change.
func (g *Game) Clone() *Game {
	c := *g
	c.record = slices.Clip(c.record)
	c.deals = slices.Clip(c.deals)
	return &c
}

// DealOf gives the whole deal of a round that has been dealt, counted from 1: for referees and replays.
func (g *Game) DealOf(round int) Deal { return g.deals[round-1] }
