package schedule

import (
	"fmt"
	"math"
	"slices"
)

const (
	nobody  = -1
	stillIn = math.MaxInt - 1 // a level
)

// bracket is a net of matches of two. Each has a fixed stage, and so the stages played say how far it has come.
type bracket struct {
	name    string  // of the format, for errors
	leaves  []int   // entrants or nobody; the first matches are between neighbours
	matches []match // each after those it draws its sides from
}

type match struct {
	stage int
	sides [2]source
	lose  int  // the level of whoever goes out here; 0 is not in the bracket, higher is better
	win   int  // the level of the winner if it plays no more, or 0
	again bool // is played only if the match before it was played and won by its second side
}

// source says where a side of a match comes from.
type source struct {
	kind sourceKind
	at   int // index of a leaf or of a match
}

type sourceKind int

const (
	fromLeaf sourceKind = iota + 1
	fromWinner
	fromLoser
)

func leaf(i int) source     { return source{fromLeaf, i} }
func winnerOf(m int) source { return source{fromWinner, m} }
func loserOf(m int) source  { return source{fromLoser, m} }

// add returns the index of the match.
func (b *bracket) add(m match) int {
	b.matches = append(b.matches, m)
	return len(b.matches) - 1
}

// leafMatches adds the matches of the first stage.
func (b *bracket) leafMatches(lose int) []int {
	round := make([]int, len(b.leaves)/2)
	for i := range round {
		round[i] = b.add(match{sides: [2]source{leaf(2 * i), leaf(2*i + 1)}, lose: lose})
	}
	return round
}

// pairWinners adds matches like m between the winners of neighbours in a round.
func (b *bracket) pairWinners(round []int, m match) []int {
	next := make([]int, len(round)/2)
	for i := range next {
		m.sides = [2]source{winnerOf(round[2*i]), winnerOf(round[2*i+1])}
		next[i] = b.add(m)
	}
	return next
}

// progress is how far a bracket has come.
type progress struct {
	sides         [][2]int // by match
	winner, loser []int    // by match; nobody where it is not decided, and for a loser who is out by walkover
	second        []bool   // by match: its loser plays on
	level         []int    // by entrant
	due           []int    // matches of the next stage that have two sides
	notes         []string // how the last stage played was decided, where points did not do it
}

// replay folds the stages played into the bracket.
func (b *bracket) replay(h *History) (*progress, error) {
	p := b.start(len(h.Entrants))
	found := make([]int, len(h.Stages))
	for i, m := range b.matches {
		if m.stage > len(h.Stages) || m.again && !p.upset(i-1) {
			continue
		}
		one, two := b.side(p, m.sides[0]), b.side(p, m.sides[1])
		p.sides[i] = [2]int{one, two}
		switch {
		case one == nobody || two == nobody:
			b.settle(p, i, max(one, two), nobody)
		case m.stage == len(h.Stages):
			p.due = append(p.due, i)
		default:
			played, err := b.decide(p, i, h)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", b.name, err)
			}
			found[m.stage] += played
		}
	}
	for s, stage := range h.Stages {
		if found[s] != len(stage.Tables) {
			return nil, fmt.Errorf("%s: stage %d has %d tables, but its bracket %d: give the history as it was paired",
				b.name, s+1, len(stage.Tables), found[s])
		}
	}
	return p, nil
}

func (b *bracket) start(entrants int) *progress {
	n := len(b.matches)
	p := &progress{
		sides:  make([][2]int, n),
		winner: slices.Repeat([]int{nobody}, n),
		loser:  slices.Repeat([]int{nobody}, n),
		level:  make([]int, entrants),
		second: make([]bool, n),
	}
	for _, m := range b.matches {
		for _, s := range m.sides {
			if s.kind == fromLoser {
				p.second[s.at] = true
			}
		}
	}
	for _, e := range b.leaves {
		if e != nobody {
			p.level[e] = stillIn
		}
	}
	return p
}

func (b *bracket) side(p *progress, s source) int {
	switch s.kind {
	case fromLeaf:
		return b.leaves[s.at]
	case fromWinner:
		return p.winner[s.at]
	default:
		return p.loser[s.at]
	}
}

// upset says whether match i was played and its second side won.
func (p *progress) upset(i int) bool {
	return p.loser[i] != nobody && p.winner[i] == p.sides[i][1]
}

// decide settles match i, which is of a stage played, and returns how many tables it had.
func (b *bracket) decide(p *progress, i int, h *History) (tables int, err error) {
	m, one, two := b.matches[i], p.sides[i][0], p.sides[i][1]
	stage := h.Stages[m.stage]
	for _, t := range stage.Tables {
		if len(t.Entrants) != 2 || !slices.Contains(t.Entrants, one) || !slices.Contains(t.Entrants, two) {
			continue
		}
		order, decided := rankTable(t)
		if !decided[0] && m.stage == len(h.Stages)-1 {
			p.notes = append(p.notes, fmt.Sprintf("[%d] and [%d] were level: [%d] wins as the better seed",
				order[0], order[1], order[0]))
		}
		b.settle(p, i, order[0], order[1])
		return 1, nil
	}
	switch first, second := slices.Contains(stage.Byes, one), slices.Contains(stage.Byes, two); {
	case first && second:
		return 0, fmt.Errorf("stage %d lacks the table of [%d] and [%d]: give the history as it was paired", m.stage+1, one, two)
	case first:
		b.settle(p, i, one, nobody)
	case second:
		b.settle(p, i, two, nobody)
	default:
		b.settle(p, i, nobody, nobody)
	}
	return 0, nil
}

// settle records the result of match i and who is out by it: the loser if no other match waits for it, and who was missing.
func (b *bracket) settle(p *progress, i, winner, loser int) {
	p.winner[i], p.loser[i] = winner, loser
	m := b.matches[i]
	again := i+1 < len(b.matches) && b.matches[i+1].again && p.upset(i)
	for _, e := range p.sides[i] {
		switch {
		case e == nobody || again:
		case e == winner:
			if m.win > 0 {
				p.level[e] = m.win
			}
		case e != loser || !p.second[i]:
			p.level[e] = m.lose
		}
	}
}

// next returns the stage that is due. It is over when fewer than two are still in.
func (b *bracket) next(h *History) (Stage, bool, error) {
	p, err := b.replay(h)
	if err != nil {
		return Stage{}, false, err
	}
	stage := Stage{Notes: p.notes}
	in := 0
	for _, l := range p.level {
		if l == stillIn {
			in++
		}
	}
	if in < 2 {
		return stage, false, nil
	}
	absent := slices.Repeat([]bool{true}, len(h.Entrants))
	present := h.present()
	for _, e := range present {
		absent[e] = false
	}
	busy := make([]bool, len(h.Entrants))
	forbidden := h.forbidden()
	for _, i := range p.due {
		one, two := min(p.sides[i][0], p.sides[i][1]), max(p.sides[i][0], p.sides[i][1])
		if absent[one] || absent[two] {
			stage.Notes = append(stage.Notes, walkover(one, two, absent))
			continue
		}
		stage.Tables = append(stage.Tables, []int{one, two})
		busy[one], busy[two] = true, true
		if forbidden.of(one, two) > 0 {
			stage.Notes = append(stage.Notes,
				fmt.Sprintf("[%d] and [%d] meet although they must not: the bracket leaves no other way", one, two))
		}
	}
	for _, e := range present {
		switch {
		case p.level[e] == stillIn && !busy[e]:
			stage.Byes = append(stage.Byes, e)
		case p.level[e] == 0 && h.Entrants[e].Joined == len(h.Stages):
			stage.Notes = append(stage.Notes, fmt.Sprintf("[%d] is not in the bracket: it came after the draw", e))
		}
	}
	return stage, true, nil
}

func walkover(one, two int, absent []bool) string {
	switch {
	case !absent[one]:
		return fmt.Sprintf("[%d] wins by walkover: [%d] is absent", one, two)
	case !absent[two]:
		return fmt.Sprintf("[%d] wins by walkover: [%d] is absent", two, one)
	default:
		return fmt.Sprintf("nobody wins the match of [%d] and [%d]: both are absent", one, two)
	}
}
