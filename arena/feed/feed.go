// Package feed gives a recorded game to a bot, turn by turn as its seat was sent it, and tells what the bot answers. The
// game goes on as it was recorded, so every answer is to a position that really came up.
package feed

import (
	"context"
	"fmt"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Decision is an answer of the bot beside the recorded one.
type Decision struct {
	Step int   `json:"step"` // of the game, as [steps.Step] counts
	Turn int64 `json:"turn"` // the number of the request
	engine.Observation
	Legal    []engine.Action `json:"legal"`
	LimitMS  float64         `json:"limit_ms"`
	Recorded Answer          `json:"recorded"`
	Given    Answer          `json:"given"`
	Same     bool            `json:"same"` // whether the actions are equal
	Stderr   string          `json:"stderr,omitempty"`

	Card *arena.Fault `json:"card,omitempty"` // of the fault, where the bot gave no legal move in time
}

// Answer is what was answered to a turn.
type Answer struct {
	Action engine.Action `json:"action,omitzero"` // after a recorded fault the arena's, after one of the bot fed none
	Fault  protocol.Code `json:"fault,omitempty"`
	MS     float64       `json:"ms"`
	Note   string        `json:"note,omitempty"`
}

// Feed is a recorded game for a bot.
type Feed struct {
	Game *steps.Game
	Seat int

	// Bot opens the seat of the bot. If that seat has a method Printed, which gives what the bot has written to stderr
	// since the last call, it is asked after each answer.
	Bot   arena.Opener
	Label string // under which the opener knows the bot

	Version string         // of the arena, for Hello
	See     func(Decision) // is called after each answer
}

// Report counts.
type Report struct {
	Decisions   int `json:"decisions"`   // answered, faults included
	Differences int `json:"differences"` // legal moves that are not the recorded ones
	Faults      int `json:"faults"`
	Unasked     int `json:"unasked"` // turns that a bot which had ended was not asked any more

	Start  *arena.Fault `json:"start,omitempty"` // the card of a bot that did not get ready
	Stderr string       `json:"-"`               // its last lines
}

// Run feeds the game. An error is the arena's own, or the context's.
func (f Feed) Run(ctx context.Context) (Report, error) {
	if players := f.Game.Header.Rules.Players; f.Seat < 0 || f.Seat >= players {
		return Report{}, fmt.Errorf("seat %d: the game has seats 0 to %d", f.Seat, players-1)
	}
	table := &table{Feed: f}
	_, err := arena.Referee{Seats: table, Version: f.Version}.Repeat(ctx, f.Game.Header)
	return table.report, err
}

// table opens the recorded seats, one of them with the bot beside it.
type table struct {
	Feed

	report Report
}

// Open implements [arena.Opener].
func (t *table) Open(ctx context.Context, place arena.Place) (arena.Seat, error) {
	recorded := newScript(t.Game, place.Seat)
	if place.Seat != t.Seat {
		return recorded, nil
	}
	place.Bot = t.Label
	bot, err := t.Bot.Open(ctx, place)
	if err != nil {
		return nil, err
	}
	return &listener{script: recorded, table: t, bot: bot}, nil
}
