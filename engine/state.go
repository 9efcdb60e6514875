package engine

import (
	"errors"
	"fmt"
	"math/bits"
)

// Phase tells what a game waits for.
type Phase uint8

// The phases. A game goes from Dealing to Playing and back once for each round, and ends in Ended.
const (
	Dealing Phase = iota + 1
	Playing
	Ended
)

// State is a game at one moment, with all hands. It is a value: a copy is independent. Make it with [NewState].
type State struct {
	hands  [maxPlayers]Cards
	hands2 [2]Cards // waiting for half two
	meld   Cards    // the central meld; none before a lead

	scores   [maxPlayers]uint16
	left     [maxPlayers]uint8 // cards left over in the last round, both halves together
	target   uint16
	round    uint16
	players  uint8
	copies   uint8
	undealt  uint8
	half     uint8 // 1 or 2 in a game of two, else 0
	leader   uint8 // who led, or will lead, the first trick of the round or half
	turn     uint8
	meldSeat uint8 // who played last
	passed   uint8 // a bit for each seat that has passed since the last play, or in the trick
	out      uint8 // who emptied his hand last
	phase    Phase
	perm     bool
	greater  bool
}

// NewState begins a game that waits for its first deal. The leader is the seat that leads the first trick.
func NewState(rules Rules, leader int) (State, error) {
	if err := rules.Validate(); err != nil {
		return State{}, err
	}
	if leader < 0 || leader >= rules.Players {
		return State{}, fmt.Errorf("leader: seat %d is outside 0 to %d", leader, rules.Players-1)
	}
	return State{
		players: uint8(rules.Players),
		copies:  uint8(rules.Copies),
		target:  uint16(rules.Target),
		perm:    rules.PermanentPass,
		greater: rules.GreaterOverwrite,
		leader:  uint8(leader),
		phase:   Dealing,
	}, nil
}

// ErrPhase is wrapped by the errors for a deal or an action at the wrong time.
var ErrPhase = errors.New("out of turn")

// Deal starts the next round. Hands may differ in size from the rules (for teaching and tests), but all cards of the deal
// together must be exactly the deck.
func (s *State) Deal(d Deal) error {
	if s.phase != Dealing {
		return fmt.Errorf("deal: the game does not wait for one: %w", ErrPhase)
	}
	if err := d.check(Rules{Players: int(s.players), Copies: int(s.copies)}); err != nil {
		return err
	}
	s.hands, s.hands2 = d.Hands, d.Hands2
	s.undealt = uint8(d.Undealt.Len())
	s.left = [maxPlayers]uint8{}
	s.round++
	if s.players == 2 {
		s.half = 1
	}
	s.startPlay()
	return nil
}

func (s *State) startPlay() {
	s.phase = Playing
	s.turn = s.leader
	s.clearMeld()
}

func (s *State) clearMeld() { s.meld, s.passed = 0, 0 }

// Phase tells whether the game waits for a deal, for an action, or for nothing any more.
func (s *State) Phase() Phase { return s.phase }

// Players is the number of seats.
func (s *State) Players() int { return int(s.players) }

// Turn is the seat to act while the phase is Playing.
func (s *State) Turn() int { return int(s.turn) }

// Round counts from 1; it is 0 before the first deal.
func (s *State) Round() int { return int(s.round) }

// Half is 1 or 2 in a game of two, and 0 in all others.
func (s *State) Half() int { return int(s.half) }

// Leader is the seat that led the round, or the half, in play. While the game waits for a deal it is the seat that will
// lead.
func (s *State) Leader() int { return int(s.leader) }

// Meld is the central meld. It is empty when a lead is due.
func (s *State) Meld() Cards { return s.meld }

// Hand is what a seat holds: hidden from all others, so it is for referees and for searches over guessed deals.
func (s *State) Hand(seat int) Cards { return s.hands[seat] }

// Scores are the penalty points by seat.
func (s *State) Scores() []int {
	out := make([]int, s.players)
	for seat := range out {
		out[seat] = int(s.scores[seat])
	}
	return out
}

// passedSeats in ascending order, never nil.
func (s *State) passedSeats() []int {
	out := make([]int, 0, bits.OnesCount8(s.passed))
	for seat := range s.Players() {
		if s.passed&(1<<seat) != 0 {
			out = append(out, seat)
		}
	}
	return out
}

func (s *State) counts() []int {
	out := make([]int, s.players)
	for seat := range out {
		out[seat] = s.hands[seat].Len()
	}
	return out
}

// Observation is all that a seat may know of the present position besides the public record. It has no place for anything
// else.
type Observation struct {
	Seat     int   `json:"seat"`
	Round    int   `json:"round"`
	Half     int   `json:"half"` // 1 or 2 in a game of two, else 0
	Hand     Cards `json:"hand"`
	Meld     Cards `json:"meld"`      // the central meld, empty on a lead
	MeldSeat int   `json:"meld_seat"` // who played last, -1 on a lead
	Counts   []int `json:"counts"`    // cards in hand by seat
	Scores   []int `json:"scores"`    // penalty points by seat
	Passed   []int `json:"passed"`    // seats that passed since the last play; in the trick when passes are permanent
	Undealt  int   `json:"undealt"`   // cards that nobody holds in this round
}

// Observe gives what the seat may know. It works in every phase.
func (s *State) Observe(seat int) Observation {
	o := Observation{
		Seat:     seat,
		Round:    int(s.round),
		Half:     int(s.half),
		Hand:     s.hands[seat],
		Meld:     s.meld,
		MeldSeat: -1,
		Counts:   s.counts(),
		Scores:   s.Scores(),
		Passed:   s.passedSeats(),
		Undealt:  int(s.undealt),
	}
	if s.meld != 0 {
		o.MeldSeat = int(s.meldSeat)
	}
	return o
}
