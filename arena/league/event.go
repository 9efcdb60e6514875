package league

import (
	"fmt"
	"slices"
	"time"
)

// Event is an entry of a tournament's log. Matches are numbered from 1, in the order of the pairings. Besides N exactly one
// field is set.
//
// A tournament that was made, but is not to be started yet, is created and paused in one event.
type Event struct {
	N         int         `json:"n"`                   // counts the events of the log from 1
	Created   *Tournament `json:"created,omitempty"`   // always the first
	Entered   *Entrant    `json:"entered,omitempty"`   // late, or again: from the next pairing on
	Withdrawn string      `json:"withdrawn,omitempty"` // label of an entrant: from the next pairing on
	Paired    *Pairing    `json:"paired,omitempty"`
	Played    *Played     `json:"played,omitempty"`    // once for each match
	Failed    *Failed     `json:"failed,omitempty"`    // an attempt at a match that the arena could not play
	Dead      *Dead       `json:"dead,omitempty"`      // a match that is not tried again
	Requeued  int         `json:"requeued,omitempty"`  // number of a match that is tried as if it had never failed
	Paused    *time.Time  `json:"paused,omitempty"`    // nothing is begun until it is resumed
	Resumed   *time.Time  `json:"resumed,omitempty"`   //
	Cancelled *End        `json:"cancelled,omitempty"` // it ends as it is
	Finished  *End        `json:"finished,omitempty"`  // after the last match; the seed is public from here on
}

// End is when nothing can come any more.
type End struct {
	Time  time.Time `json:"time,omitzero"`
	Notes []string  `json:"notes,omitempty"` // why it ended early, in words
}

// Pairing is a stage. Stages are counted from 1.
type Pairing struct {
	Stage  int      `json:"stage"`
	Tables [][]int  `json:"tables"` // entrants of each table; the matches are numbered on
	Byes   []int    `json:"byes,omitempty"`
	Notes  []string `json:"notes,omitempty"` // rules of the format that were relaxed, in words
}

// check says why nobody can sit like that.
func (p Pairing) check(entrants, seats int) error {
	byes := map[int]bool{}
	for _, entrant := range p.Byes {
		if entrant < 0 || entrant >= entrants || byes[entrant] {
			return fmt.Errorf("the byes are %v", p.Byes)
		}
		byes[entrant] = true
	}
	for i, table := range p.Tables {
		known := func(entrant int) bool { return entrant >= 0 && entrant < entrants && !byes[entrant] }
		bad := len(table) < 2 || len(table) > seats
		for j, entrant := range table {
			bad = bad || !known(entrant) || slices.Contains(table[:j], entrant)
		}
		if bad {
			return fmt.Errorf("table %d seats %v", i+1, table)
		}
	}
	return nil
}

// Failed is the arena's own failure, not a bot's.
type Failed struct {
	Match   int    `json:"match"`
	Attempt string `json:"attempt"` // unique: one that is reported twice counts once
	Worker  string `json:"worker"`
	Cause   string `json:"cause"`
	Unable  bool   `json:"unable,omitempty"` // the worker lacks what it needs, and did not begin
}

// Dead says why a match was given up.
type Dead struct {
	Match int    `json:"match"`
	Cause string `json:"cause"`
}

func (d Dead) String() string { return fmt.Sprintf("match %d: %s", d.Match, d.Cause) }
