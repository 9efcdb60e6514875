package check

import (
	"slices"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/registry/pack"
)

// State is what a step has come to.
type State string

// The states of a step.
const (
	OK      State = "ok"
	Warning State = "warning" // the bot may play, and its author should look
	Failed  State = "failed"
	Skipped State = "skipped" // an earlier step failed on which it rests
)

// Step is one thing that was looked at.
type Step struct {
	Number int          `json:"number"` // from 1
	Name   string       `json:"name"`
	State  State        `json:"state"`
	Text   string       `json:"text"`           // what was found
	Hint   string       `json:"hint,omitempty"` // what mends it: there is one for each failure and warning
	MS     float64      `json:"ms"`             // how long it took
	Card   *arena.Fault `json:"card,omitempty"` // of the fault in a game, where that was it
	Stderr string       `json:"stderr,omitempty"`
}

// Timing is the time that the bot took for its moves in the games, in milliseconds.
type Timing struct {
	Moves int     `json:"moves"`
	P50   float64 `json:"p50_ms"`
	P99   float64 `json:"p99_ms"`
	Max   float64 `json:"max_ms"`
	Limit float64 `json:"limit_ms"`
	Share float64 `json:"share"` // of the limit that the longest took, from 0 on
}

// Report is what a check has found.
type Report struct {
	Name     string        `json:"name,omitempty"`
	Version  string        `json:"version,omitempty"`
	Language string        `json:"language,omitempty"`
	Author   string        `json:"author,omitempty"`
	Package  pack.Contents `json:"package"`
	Passed   bool          `json:"passed"` // no step failed
	Steps    []Step        `json:"steps"`
	Games    int           `json:"games"` // played in the step of that name
	Timing   *Timing       `json:"timing,omitempty"`
	Stderr   string        `json:"stderr,omitempty"` // the last lines that the bot wrote to it, of the last game in which it did
}

// Label is name@version.
func (r Report) Label() string { return r.Name + "@" + r.Version }

// Count counts the steps of a state.
func (r Report) Count(state State) (n int) {
	for _, step := range r.Steps {
		if step.State == state {
			n++
		}
	}
	return n
}

// failed reports whether the step of that name has failed.
func (r Report) failed(name string) bool {
	return slices.ContainsFunc(r.Steps, func(s Step) bool { return s.Name == name && s.State == Failed })
}
