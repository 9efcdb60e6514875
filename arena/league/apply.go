package league

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// ErrDamaged is wrapped by the error for a log that cannot be what was written.
var ErrDamaged = errors.New("the log was damaged")

// Fold applies all events of a log.
func Fold(events ...Event) (*State, error) {
	s := &State{}
	for _, event := range events {
		if err := s.Apply(event); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Apply takes the next event of the log. It costs the same however many there were. After an error the state is of no use.
func (s *State) Apply(e Event) error {
	if err := s.follow(e); err != nil {
		return fmt.Errorf("log of %s, event %d: %w: %w; restore the folder from a copy, or import an export into another folder", s.ID, e.N, ErrDamaged, err)
	}
	return nil
}

// follow says only what is wrong with the event.
func (s *State) follow(e Event) error {
	err := s.apply(e)
	if err == nil {
		s.events++
	}
	return err
}

func (s *State) apply(e Event) error {
	if e.N != s.events+1 {
		return fmt.Errorf("it follows event %d", s.events)
	}
	if (s.events == 0) != (e.Created != nil) {
		return errors.New("a log begins with its tournament, once")
	}
	switch {
	case e.Created != nil:
		err := s.create(*e.Created)
		if s.started = e.N; e.Paused != nil {
			s.Phase, s.started = Paused, 0
		}
		return err
	case e.Played != nil: // the most frequent
		return s.play(*e.Played)
	case e.Paired != nil:
		return s.pair(*e.Paired)
	case e.Entered != nil:
		return s.enter(*e.Entered)
	case e.Withdrawn != "":
		return s.withdraw(e.Withdrawn)
	case e.Failed != nil, e.Dead != nil, e.Requeued != 0:
		return s.trouble(e)
	}
	if s.Phase.Over() {
		return fmt.Errorf("the tournament is %s", s.Phase)
	}
	switch {
	case e.Paused != nil:
		s.Phase = Paused
	case e.Resumed != nil:
		if s.Phase = Running; s.started == 0 {
			s.started = e.N
		}
	case e.Cancelled != nil:
		s.Phase = Cancelled
	case e.Finished != nil && s.played == s.matches:
		s.Phase, s.ended = Finished, e.Finished.Notes
	case e.Finished != nil:
		return fmt.Errorf("it is finished with %d of %d matches", s.played, s.matches)
	default:
		return errors.New("this version does not know what happened")
	}
	return nil
}

func (s *State) create(t Tournament) error {
	s.Tournament, s.Phase = t, Running
	s.Entrants = nil
	s.original, s.next = len(t.Entrants), 1
	s.index = map[string]int{}
	s.dead, s.failures = map[int]Dead{}, map[int][]Failed{}
	s.forbidden = slices.Clone(t.Forbidden)
	if err := t.checkChoices(); err != nil {
		return err
	}
	if players := t.Settings.Rules.Players; players < 2 || players > 6 {
		return fmt.Errorf("tables have %d seats", players)
	}
	s.format = t.format()
	for _, entrant := range t.Entrants {
		if err := s.enter(entrant); err != nil {
			return err
		}
	}
	return nil
}

func (s *State) enter(e Entrant) error {
	i, known := s.index[e.Label]
	switch {
	case known && !s.entrants[i].Absent:
		return fmt.Errorf("%s is entered twice", e.Label)
	case known:
		s.entrants[i].Absent = false
		return nil
	}
	for other := range s.Entrants {
		if s.SameAuthor == ForbidAuthor && e.Author != "" && strings.EqualFold(e.Author, s.Entrants[other].Author) {
			s.forbidden = append(s.forbidden, [2]int{other, len(s.Entrants)})
		}
	}
	s.index[e.Label] = len(s.Entrants)
	s.Entrants = append(s.Entrants, e)
	s.entrants = append(s.entrants, schedule.Entrant{Joined: len(s.stages)})
	s.counts = append(s.counts, count{})
	return nil
}

func (s *State) withdraw(label string) error {
	i, ok := s.index[label]
	if !ok || s.entrants[i].Absent {
		return fmt.Errorf("%s withdraws, who is not in it", label)
	}
	s.entrants[i].Absent = true
	return nil
}

func (s *State) pair(p Pairing) error {
	if p.Stage != len(s.stages)+1 {
		return fmt.Errorf("stage %d follows stage %d", p.Stage, len(s.stages))
	}
	if s.played < s.matches && !s.Format.early() {
		return fmt.Errorf("stage %d was paired before stage %d was played", p.Stage, p.Stage-1)
	}
	if err := p.check(len(s.Entrants), s.Settings.Rules.Players); err != nil {
		return err
	}
	stage := schedule.Played{Tables: make([]schedule.Table, len(p.Tables)), Byes: p.Byes}
	for i, seats := range p.Tables {
		stage.Tables[i] = schedule.Table{Entrants: seats, Points: make([]int, len(seats)), Tiebreak: make([]int64, len(seats))}
	}
	s.stages = append(s.stages, stage)
	s.firsts = append(s.firsts, s.matches+1)
	s.notes = append(s.notes, p.Notes)
	s.matches += len(p.Tables)
	for len(s.done) < s.matches/64+1 {
		s.done = append(s.done, 0)
	}
	if format, ok := s.format.(bracket); ok {
		_, err := format.Places(s.history()) // it fails for a stage that is not of the bracket
		return err
	}
	return nil
}

// play ignores a second result of a match.
func (s *State) play(p Played) error {
	table := s.table(p.Match)
	if table == nil {
		return fmt.Errorf("match %d is not paired", p.Match)
	}
	if err := p.check(len(table.Entrants), s.GamesOfMatch(len(table.Entrants))); err != nil {
		return fmt.Errorf("match %d: %w", p.Match, err)
	}
	s.lastSeq = max(s.lastSeq, p.Seq)
	if s.isDone(p.Match) {
		return nil
	}
	s.done[p.Match/64] |= 1 << (p.Match % 64)
	s.played++
	s.games += len(p.Games)
	for s.next <= s.matches && s.isDone(s.next) {
		s.next++
	}
	delete(s.dead, p.Match)
	delete(s.failures, p.Match)
	sums := make([]int, len(table.Entrants))
	for i, entrant := range table.Entrants {
		points, penalty := s.counts[entrant].add(p, i)
		sums[i], table.Tiebreak[i] = points, -int64(penalty)
	}
	if s.scoring() == ScoreGames {
		for i, sum := range sums {
			table.Points[i] = mean(sum, len(p.Games))
		}
	} else {
		place(sums, table.Points)
	}
	return s.rate(p)
}

// mean rounds halves to even, so that the points of two add up to one.
func mean(sum, n int) int {
	whole, rest := sum/n, sum%n
	if 2*rest > n || 2*rest == n && whole%2 == 1 {
		whole++
	}
	return whole
}

// place gives each bot of a table the points of its place, by the sums of its games.
func place(sums, points []int) {
	n := len(sums)
	for i, sum := range sums {
		better, equal := 0, 0
		for _, other := range sums {
			switch {
			case other > sum:
				better++
			case other == sum:
				equal++
			}
		}
		points[i] = (2*n - 2*better - equal - 1) * (schedule.Unit / (n - 1)) / 2
	}
}

func (s *State) trouble(e Event) error {
	var number int
	switch {
	case e.Failed != nil:
		number = e.Failed.Match
	case e.Dead != nil:
		number = e.Dead.Match
	default:
		number = e.Requeued
	}
	if s.table(number) == nil {
		return fmt.Errorf("match %d is not paired", number)
	}
	if s.isDone(number) {
		return nil
	}
	switch {
	case e.Failed != nil:
		s.failures[number] = append(s.failures[number], *e.Failed)
	case e.Dead != nil:
		s.dead[number] = *e.Dead
	default:
		delete(s.dead, number)
		delete(s.failures, number)
	}
	return nil
}
