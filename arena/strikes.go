package arena

import (
	"fmt"
	"slices"

	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// strikes keeps count of the faults of one game under its policy. The referee and the check of a replay share it.
type strikes struct {
	policy protocol.FaultPolicy
	seats  []record
}

func checkPolicy(p protocol.FaultPolicy) error {
	if p.StrikeLimit < 0 {
		return fmt.Errorf("strike_limit: %d; use 0 for no limit", p.StrikeLimit)
	}
	if p.Penalty != protocol.RankLast && p.Penalty != protocol.RankByPoints {
		return fmt.Errorf("penalty: %q is unknown; use %q or %q", p.Penalty, protocol.RankLast, protocol.RankByPoints)
	}
	return nil
}

// ofTurn reports whether the fault can happen to a bot that has been asked for a move.
func ofTurn(code protocol.Code) bool {
	switch code {
	case protocol.Timeout, protocol.Illegal, protocol.Malformed, protocol.Crash, protocol.Memory, protocol.Flood, protocol.Disconnect:
		return true
	default:
		return false
	}
}

type record struct {
	faults    []protocol.SeatFault // by code, in the order of first occurrence
	strikes   int
	forfeited bool
}

func newStrikes(policy protocol.FaultPolicy, players int) *strikes {
	return &strikes{policy: policy, seats: make([]record, players)}
}

// add counts a fault, and says whether it forfeits the seat.
func (s *strikes) add(seat int, code protocol.Code) (forfeit bool) {
	r := &s.seats[seat]
	if !code.Fatal() {
		r.strikes++
	}
	forfeit = code.Fatal() || s.policy.StrikeLimit > 0 && r.strikes >= s.policy.StrikeLimit
	i := slices.IndexFunc(r.faults, func(f protocol.SeatFault) bool { return f.Code == code })
	if i < 0 {
		i = len(r.faults)
		r.faults = append(r.faults, protocol.SeatFault{Seat: seat, Code: code})
	}
	r.faults[i].Count++
	r.faults[i].Forfeit = r.faults[i].Forfeit || forfeit
	r.forfeited = r.forfeited || forfeit
	return forfeit
}

func (s *strikes) forfeited(seat int) bool { return s.seats[seat].forfeited }

// faults lists them by seat; it is never nil.
func (s *strikes) faults() []protocol.SeatFault {
	all := []protocol.SeatFault{}
	for _, r := range s.seats {
		all = append(all, r.faults...)
	}
	return all
}

// ranks puts the forfeited seats last, where they share a place, and leaves the others in their order.
func (s *strikes) ranks(byRules []int) []int {
	ranks := slices.Clone(byRules)
	if s.policy.Penalty == protocol.RankByPoints {
		return ranks
	}
	for seat := range ranks {
		ranks[seat] = 1
		for other := range ranks {
			ahead := byRules[other] < byRules[seat] || s.forfeited(seat)
			if !s.forfeited(other) && ahead {
				ranks[seat]++
			}
		}
	}
	return ranks
}

// winners are the seats of rank 1 that were not forfeited: nobody wins where everybody forfeits.
func (s *strikes) winners(ranks []int) []int {
	if s.policy.Penalty == protocol.RankByPoints {
		return engine.Winners(ranks)
	}
	return slices.DeleteFunc(engine.Winners(ranks), s.forfeited)
}

// substitute is what the arena plays for a seat: a pass if it is legal, else the first of the legal list.
func substitute(legal []engine.Action) engine.Action {
	if last := legal[len(legal)-1]; last.Kind() == engine.Pass {
		return last
	}
	return legal[0]
}
