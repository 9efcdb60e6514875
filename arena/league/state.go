package league

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// Phase is what a tournament is in.
type Phase string

// A tournament that is paused begins no match. One that is cancelled or finished never begins one again.
const (
	Running   Phase = "running"
	Paused    Phase = "paused"
	Cancelled Phase = "cancelled"
	Finished  Phase = "finished"
)

// Over reports whether nothing can come any more.
func (p Phase) Over() bool { return p == Cancelled || p == Finished }

// State is the fold of a log. It holds the pairings with their points, and sums; no results.
type State struct {
	Tournament // with those who entered late

	Phase Phase

	events   int // applied
	started  int // number of the event that started it, or 0
	original int // entrants at the beginning
	format   schedule.Format
	entrants []schedule.Entrant
	index    map[string]int // entrant by label
	// forbidden are the pairs chosen and those of one author.
	forbidden [][2]int
	stages    []schedule.Played
	firsts    []int // number of the first match of each stage
	notes     [][]string
	matches   int
	played    int
	games     int      // played
	done      []uint64 // a bit for each match
	next      int      // all matches before it are done
	counts    []count  // by entrant
	dead      map[int]Dead
	failures  map[int][]Failed // since the match was queued
	lastSeq   uint64           // of the results that are in the log
	live      live
	ended     []string // why it ended early
}

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
	if err := s.apply(e); err != nil {
		return fmt.Errorf("log of %s, event %d: %w: %w; restore the folder from a copy, or import an export into another folder", s.ID, e.N, ErrDamaged, err)
	}
	s.events++
	return nil
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

// table is nil for a number without a match.
func (s *State) table(number int) *schedule.Table {
	if number < 1 || number > s.matches {
		return nil
	}
	stage := sort.SearchInts(s.firsts, number+1) - 1
	return &s.stages[stage].Tables[number-s.firsts[stage]]
}

func (s *State) isDone(number int) bool { return s.done[number/64]&(1<<(number%64)) != 0 }

// Labels are the entrants' names in their order.
func (s *State) Labels() []string {
	labels := make([]string, len(s.Entrants))
	for i, entrant := range s.Entrants {
		labels[i] = entrant.Label
	}
	return labels
}

// Match makes the match of a number.
func (s *State) Match(number int) (arena.Match, error) {
	table := s.table(number)
	if table == nil {
		return arena.Match{}, fmt.Errorf("tournament %s has no match %d", s.ID, number)
	}
	bots := make([]string, len(table.Entrants))
	for i, entrant := range table.Entrants {
		bots[i] = s.Entrants[entrant].Label
	}
	return s.match(number, bots)
}

// Paired counts the matches that are paired so far.
func (s *State) Paired() int { return s.matches }

// Played counts the matches that have a result.
func (s *State) Played() int { return s.played }

// Games counts the games that have been played.
func (s *State) Games() int { return s.games }

// Stages counts the stages that are paired so far.
func (s *State) Stages() int { return len(s.stages) }

// Notes are the rules that were relaxed to pair a stage, counted from 1.
func (s *State) Notes(stage int) []string { return s.notes[stage-1] }

// Ended says why the tournament ended early, or nothing.
func (s *State) Ended() []string { return s.ended }

// Done reports whether a match has a result.
func (s *State) Done(number int) bool { return number >= 1 && number <= s.matches && s.isDone(number) }

// Missing are the numbers of the matches that are to be played, ascending. Dead ones are not among them.
func (s *State) Missing() iter.Seq[int] {
	return func(yield func(int) bool) {
		for word := s.next / 64; word < len(s.done); word++ {
			for left := ^s.done[word]; left != 0; left &= left - 1 {
				number := word*64 + bits.TrailingZeros64(left)
				if number > s.matches {
					return
				}
				if _, dead := s.dead[number]; number >= s.next && !dead && !yield(number) {
					return
				}
			}
		}
	}
}

// Dead are the matches that were given up, by number.
func (s *State) Dead() []Dead {
	var all []Dead
	for _, dead := range s.dead {
		all = append(all, dead)
	}
	slices.SortFunc(all, func(a, b Dead) int { return a.Match - b.Match })
	return all
}

// troubled are the matches that have failed, dead or not, ascending.
func (s *State) troubled() []int {
	numbers := slices.Collect(maps.Keys(s.failures))
	for number := range s.dead {
		if s.failures[number] == nil {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// Failures are the attempts at a match that failed since it was queued.
func (s *State) Failures(number int) []Failed { return s.failures[number] }

// NextStage pairs what follows. ok is false when nothing does, or when matches have to be played first.
func (s *State) NextStage() (next Pairing, ok bool, err error) {
	if s.Phase != Running || s.played < s.matches && !s.Format.early() {
		return Pairing{}, false, nil
	}
	stage, ok, err := s.pairNext()
	if err != nil {
		return Pairing{}, false, fmt.Errorf("stage %d of %s: %w", len(s.stages)+1, s.ID, err)
	}
	return Pairing{Stage: len(s.stages) + 1, Tables: stage.Tables, Byes: stage.Byes, Notes: stage.Notes}, ok, nil
}
