package engine

import (
	"errors"
	"fmt"
)

// Outcome tells how an action changed the trick.
type Outcome uint8

// The outcomes. After a clear the acting seat leads again, except after ClearedPasses, when the last to have played
// does. After RoundOver the next half has begun, or the phase is Dealing or Ended.
const (
	Continues Outcome = iota + 1
	ClearedPasses
	ClearedSet
	ClearedRun
	ClearedEight
	RoundOver
)

// ErrIllegal is wrapped by every refusal of an action.
var ErrIllegal = errors.New("illegal action")

// Apply plays an action for the seat to act. An illegal one is refused with the reason, wrapping [ErrIllegal], and
// changes nothing.
func (s *State) Apply(a Action) (Outcome, error) {
	if s.phase != Playing {
		return 0, fmt.Errorf("action: no seat is to act: %w", ErrPhase)
	}
	if reason := s.refusal(a); reason != nil {
		return 0, fmt.Errorf("%w: %w", ErrIllegal, reason)
	}
	if a.Kind() == Pass {
		return s.pass(), nil
	}
	return s.play(a), nil
}

func (s *State) pass() Outcome {
	s.passed |= 1 << s.turn
	if seatsOf(s.passed) == int(s.players)-1 {
		s.turn = s.meldSeat
		s.clearMeld()
		return ClearedPasses
	}
	s.next()
	return Continues
}

func (s *State) play(a Action) Outcome {
	seat := s.turn
	s.hands[seat] -= a.Cards()
	s.meld = s.centreAfter(a)
	s.meldSeat = seat
	if !s.perm {
		s.passed = 0
	}
	if s.hands[seat] == 0 {
		s.endHand()
		return RoundOver
	}
	if outcome := s.clears(a); outcome != Continues {
		s.clearMeld()
		return outcome
	}
	s.next()
	return Continues
}

// centreAfter is the central meld that an action leaves before any clear.
func (s *State) centreAfter(a Action) Cards {
	switch a.Kind() {
	case Pass:
		return s.meld
	case Add:
		return s.meld + a.Cards()
	default:
		return a.Cards()
	}
}

func (s *State) clears(a Action) Outcome {
	meld, _ := s.meld.Meld()
	switch {
	case a.Kind() != Lead && a.Cards()&eights != 0:
		return ClearedEight
	case meld.Kind == Set && meld.Size == int(s.copies):
		return ClearedSet
	case meld.Kind == Run && meld.Size == 5:
		return ClearedRun
	default:
		return Continues
	}
}

// next hands the turn on clockwise. Who has passed for the whole trick is skipped.
func (s *State) next() {
	for {
		s.turn++
		if s.turn == s.players {
			s.turn = 0
		}
		if !s.perm || s.passed&(1<<s.turn) == 0 {
			return
		}
	}
}

// endHand scores what is left in the hands and finds what comes next.
func (s *State) endHand() {
	s.out = s.turn
	for seat := range s.Players() {
		s.scores[seat] += uint16(s.hands[seat].Points())
		s.left[seat] += uint8(s.hands[seat].Len())
	}
	s.clearMeld()
	s.leader = s.nextLeader()
	if s.half == 1 {
		s.half = 2
		copy(s.hands[:], s.hands2[:])
		s.hands2 = [2]Cards{}
		s.startPlay()
		return
	}
	s.phase = Dealing
	if s.target == 0 || s.mostPoints() >= s.target {
		s.phase = Ended
	}
}

func (s *State) mostPoints() uint16 {
	most := s.scores[0]
	for _, score := range s.scores[1:] {
		most = max(most, score)
	}
	return most
}

// nextLeader has most points in total; among equals it is the nearest clockwise from the last leader, who is at
// distance 0.
func (s *State) nextLeader() uint8 {
	most := s.mostPoints()
	for distance := range s.players {
		if seat := (s.leader + distance) % s.players; s.scores[seat] == most {
			return seat
		}
	}
	return s.leader
}

// refusal says why an action is illegal. It tests by the definition of each kind and does not look at the legal list.
func (s *State) refusal(a Action) error {
	kind, cards := a.Kind(), a.Cards()
	switch {
	case kind < Lead || kind > Pass:
		return fmt.Errorf("%v", kind)
	case s.meld == 0 && kind != Lead:
		return fmt.Errorf("%v without a central meld: a new trick begins with a lead", kind)
	case s.meld != 0 && kind == Lead:
		return fmt.Errorf("lead onto %v: overwrite it, add to it, or pass", s.meld)
	case kind == Pass:
		if cards != 0 {
			return fmt.Errorf("a pass plays no cards, not %v", cards)
		}
		return nil
	case cards&highBits != 0 || cards.Len() < 1 || cards.Len() > 3:
		return fmt.Errorf("%v: a play has one to three cards", a)
	case !s.hands[s.turn].Contains(cards):
		return fmt.Errorf("%v: the hand is %v", a, s.hands[s.turn])
	case kind == Add:
		return s.refuseAdd(cards)
	default:
		return s.refuseMeld(kind, cards)
	}
}

func (s *State) refuseAdd(cards Cards) error {
	if _, ok := (s.meld + cards).Meld(); !ok {
		return fmt.Errorf("add %v to %v: together they are neither set nor run", cards, s.meld)
	}
	return nil
}

func (s *State) refuseMeld(kind Kind, cards Cards) error {
	meld, ok := cards.Meld()
	if !ok {
		return fmt.Errorf("%v %v: the cards are neither set nor run", kind, cards)
	}
	if kind == Lead {
		return nil
	}
	centre, _ := s.meld.Meld()
	if meld.Beats(centre) || s.greater && meld.Size > centre.Size {
		return nil
	}
	return fmt.Errorf("overwrite %v by %v: it is not of the same kind and size and stronger", s.meld, cards)
}
