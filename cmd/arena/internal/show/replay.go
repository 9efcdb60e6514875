package show

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Replay prints a game move by move.
func Replay(out io.Writer, lines []protocol.Line) {
	s := shower{out: out}
	for _, line := range lines {
		s.line(line)
	}
}

// shower remembers what the header said.
type shower struct {
	out   io.Writer
	names []string // by seat
	width int
}

func (s *shower) line(line protocol.Line) {
	switch l := line.(type) {
	case protocol.Header:
		s.header(l)
	case protocol.ReplayDeal:
		s.deal(l)
	case protocol.ReplayPlay:
		s.play(l)
	case engine.Cleared:
		fmt.Fprintf(s.out, "      cleared: %s; %s leads\n", clearWords(l.Reason), s.name(l.Seat))
	case engine.Scored:
		s.score(l)
	case protocol.GameResult:
		s.result(l)
	}
}

func (s *shower) header(h protocol.Header) {
	s.names = h.Bots
	for _, name := range h.Bots {
		s.width = max(s.width, len(name))
	}
	fmt.Fprintf(s.out, "Game %s, %s, %d seats, %d ms a move, %s\n", h.Game, h.Rules.Preset, h.Rules.Players, h.Clock.MoveMS,
		h.Started.Format("2006-01-02 15:04:05 MST"))
}

// name is safe for replays in which seats are wrong.
func (s *shower) name(seat int) string {
	if seat < 0 || seat >= len(s.names) {
		return fmt.Sprintf("seat %d", seat)
	}
	return fmt.Sprintf("%d %s", seat, s.names[seat])
}

func (s *shower) deal(d protocol.ReplayDeal) {
	half := ""
	if d.Half > 0 {
		half = fmt.Sprintf(", half %d", d.Half)
	}
	fmt.Fprintf(s.out, "\nRound %d%s: %s leads\n", d.Round, half, s.name(d.Leader))
	for seat, hand := range d.Hands {
		fmt.Fprintf(s.out, "      %-*s  %v\n", s.width+2, s.name(seat), hand)
	}
	fmt.Fprintf(s.out, "      %-*s  %v\n", s.width+2, "undealt", d.Undealt)
}

func (s *shower) play(p protocol.ReplayPlay) {
	var notes []string
	switch {
	case p.Fault != "":
		notes = append(notes, fmt.Sprintf("by the arena: %s", p.Fault))
	case p.By != "":
		notes = append(notes, "by the arena")
	default:
		notes = append(notes, fmt.Sprintf("%.1f ms", p.MS))
	}
	if p.Note != "" {
		notes = append(notes, fmt.Sprintf("%q", p.Note))
	}
	fmt.Fprintf(s.out, "  %-*s  %-24v %-20v %s\n", s.width+2, s.name(p.Seat), p.Action, p.Meld, strings.Join(notes, ", "))
}

func clearWords(reason string) string {
	switch reason {
	case "passes":
		return "all others passed"
	case "set":
		return "the set is complete"
	case "run":
		return "a run of five"
	case "eight":
		return "an 8 was played"
	default:
		return reason
	}
}

func (s *shower) score(e engine.Scored) {
	fmt.Fprintf(s.out, "\n%s goes out\n", s.name(e.Out))
	for seat, hand := range e.Hands {
		if seat < len(e.Points) && seat < len(e.Scores) {
			fmt.Fprintf(s.out, "      %-*s  +%-3d = %-3d  %v\n", s.width+2, s.name(seat), e.Points[seat], e.Scores[seat], hand)
		}
	}
}

func (s *shower) result(r protocol.GameResult) {
	fmt.Fprintf(s.out, "\nResult\n")
	seats := make([]int, len(r.Ranks))
	for seat := range seats {
		seats[seat] = seat
	}
	slices.SortStableFunc(seats, func(a, b int) int { return r.Ranks[a] - r.Ranks[b] })
	for _, seat := range seats {
		points := 0
		if seat < len(r.Scores) {
			points = r.Scores[seat]
		}
		fmt.Fprintf(s.out, "  %d.  %-*s  %d points\n", r.Ranks[seat], s.width+2, s.name(seat), points)
	}
	for _, fault := range r.Faults {
		forfeit := ""
		if fault.Forfeit {
			forfeit = ", forfeited"
		}
		fmt.Fprintf(s.out, "  fault: %s, %s x %d%s\n", s.name(fault.Seat), fault.Code, fault.Count, forfeit)
	}
}
