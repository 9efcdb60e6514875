package steps

import (
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Kind tells what happened in a step.
type Kind string

// A step is a deal, of a round or of a half in a game of two, or a play, which may also be a pass.
const (
	Deal Kind = "deal"
	Play Kind = "play"
)

// Step is one thing that happened and the position that it left, as far as everybody may know it. Slices are by seat unless
// said otherwise, and in JSON they are never null.
//
// A play that ends a trick leaves an empty centre; Meld is what lay there until then. A play that ends a round leaves what
// is scored in the hands; the next step is a deal, or there is none.
type Step struct {
	Number int  `json:"step"` // its place in the list: 0 is the first deal
	Kind   Kind `json:"kind"`
	Round  int  `json:"round"` // from 1
	Half   int  `json:"half"`  // 1 or 2 in a game of two, else 0
	Trick  int  `json:"trick"` // from 1 in each round or half; 0 at a deal

	Seat    int           `json:"seat"`            // who acted; at a deal who leads
	Action  engine.Action `json:"action,omitzero"` // none at a deal
	By      string        `json:"by,omitempty"`    // "arena" where the bot did not choose
	Fault   protocol.Code `json:"fault,omitempty"` // the fault that the action stands in for
	Forfeit bool          `json:"forfeit"`         // whether that fault cost the seat the game
	MS      float64       `json:"ms"`              // what the bot took; 0 where it was not asked
	LimitMS float64       `json:"limit_ms"`        // what it was allowed: the move and its bank; 0 where it was not asked
	On      engine.Cards  `json:"on"`              // the central meld that it acted on
	Meld    engine.Cards  `json:"meld"`            // the central meld after it, before any clear
	MeldBy  int           `json:"meld_by"`         // who played last on it, -1 where there is none
	Covered []Covered     `json:"covered"`         // what lies below Meld, the lowest first
	Clear   string        `json:"clear,omitempty"` // passes, set, run or eight: why the trick ended
	Score   *Score        `json:"score,omitempty"` // where it ended a round or a half
	Next    int           `json:"next"`            // who acts next, -1 for nobody
	Counts  []int         `json:"counts"`          // cards in hand
	Scores  []int         `json:"scores"`          // penalty points in total
	Passed  []int         `json:"passed"`          // seats that have passed since the last play, in ascending order
	Undealt int           `json:"undealt"`         // cards that nobody holds
}

// Covered is a meld that was overwritten in the trick, as it lay.
type Covered struct {
	Seat int          `json:"seat"` // who played last on it
	Meld engine.Cards `json:"meld"`
}

// Score is how a round or a half ended. All of it is public.
type Score struct {
	Out    int            `json:"out"`    // who emptied his hand
	Hands  []engine.Cards `json:"hands"`  // what was left
	Points []int          `json:"points"` // scored now; the totals are in the step
}

// Own is what only the seat that acted knows of a step, besides its hand.
type Own struct {
	Legal []engine.Action `json:"legal"`          // what it could have done, in canonical order; empty at a deal
	Note  string          `json:"note,omitempty"` // what it noted
}

// Seat is a step as one seat may see it. Its own part is there where it acted itself.
type Seat struct {
	Step
	Hand engine.Cards `json:"hand"` // its hand after the step
	Own  *Own         `json:"own,omitempty"`
}

// Full is a step with all that is hidden in the game.
type Full struct {
	Step
	Own
	Hands       []engine.Cards `json:"hands"`            // after the step
	Hands2      []engine.Cards `json:"hands2,omitempty"` // in half one: the hands that wait for half two
	UndealtHand engine.Cards   `json:"undealt_cards"`
}

// Game is a replay as steps. Its full steps are in JSON; [Game.Public] and [Game.SeatView] give the others.
type Game struct {
	Header protocol.Header     `json:"header"`
	Steps  []Full              `json:"steps"`
	Result protocol.GameResult `json:"result"`
}

// Public is what a spectator may know of a game that is still played.
func (g *Game) Public() []Step {
	out := make([]Step, len(g.Steps))
	for i, full := range g.Steps {
		out[i] = full.Step
	}
	return out
}

// SeatView is the game as the seat could follow it.
func (g *Game) SeatView(seat int) []Seat {
	out := make([]Seat, len(g.Steps))
	for i, full := range g.Steps {
		out[i] = full.For(seat)
	}
	return out
}

// For is the step as the seat may see it.
func (f Full) For(seat int) Seat {
	s := Seat{Step: f.Step, Hand: f.Hands[seat]}
	if f.Kind == Play && f.Seat == seat {
		own := f.Own
		s.Own = &own
	}
	return s
}

// Observation is the position after the step in the words of a turn. It is what the seat is sent if it is to act next.
func (s Seat) Observation(seat int) engine.Observation {
	o := engine.Observation{
		Seat: seat, Round: s.Round, Half: s.Half, Hand: s.Hand, Meld: s.Meld, MeldSeat: s.MeldBy,
		Counts: s.Counts, Scores: s.Scores, Passed: s.Passed, Undealt: s.Undealt,
	}
	if s.Clear != "" || s.Score != nil {
		o.Meld, o.MeldSeat, o.Passed = 0, -1, []int{}
	}
	return o
}
