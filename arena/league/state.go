package league

import (
	"fmt"
	"iter"
	"maps"
	"math/bits"
	"slices"
	"sort"

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

// began is the tournament without those who entered late.
func (s *State) began() Tournament {
	began := s.Tournament
	began.Entrants = began.Entrants[:s.original]
	return began
}

// first is the event that the log began with.
func (s *State) first() Event {
	began := s.began()
	first := Event{N: 1, Created: &began}
	if s.started != first.N {
		first.Paused = &began.Created
	}
	return first
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
